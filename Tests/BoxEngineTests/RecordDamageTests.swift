import BoxModel
import TestSupport
import Testing

@testable import BoxEngine

/// Bytes that are not records are an error, and never read past their end.
struct RecordDamageTests {
  /// Bytes at the end of an allocation of their own size, so that a read behind them is found by the
  /// address sanitizer, and lies in other data without it.
  private func withExact<R>(
    _ bytes: [UInt8], _ body: (UnsafeRawBufferPointer) throws -> R
  ) rethrows -> R {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 2)
    defer { copy.deallocate() }
    copy.copyBytes(from: bytes)
    return try body(UnsafeRawBufferPointer(copy))
  }

  /// The values as text; nil if the record is refused.
  private func read(_ id: UInt64, _ bytes: [UInt8], _ reader: RecordReader) -> String? {
    defer { withExtendedLifetime(reader) {} }
    return withExact(bytes) { buffer in
      do throws(RecordDamage) {
        return RecordSamples.text(
          RecordSamples.values(try reader.view(id, buffer), reader.layout.types))
      } catch {
        return nil
      }
    }
  }

  /// Reads every slot of a buffer without its checksum, if its structure is accepted.
  private func readStructure(_ bytes: [UInt8], _ reader: RecordReader) -> String? {
    defer { withExtendedLifetime(reader) {} }
    return withExact(bytes) { buffer in
      do throws(RecordDamage) {
        let view = try reader.structure(of: buffer)
        for (slot, type) in reader.layout.types.enumerated() where type == .strings {
          _ = view.hasValidStrings(slot)
        }
        return RecordSamples.text(RecordSamples.values(view, reader.layout.types))
      } catch {
        return nil
      }
    }
  }

  @Test func everyTruncationIsAnError() throws {
    var random = TestSeed.next()
    for _ in 0..<40 {
      let layout = RecordLayout(RecordSamples.layout(&random))
      let record = try RecordSamples.record(7, layout, RecordSamples.values(layout.types, &random))
      let reader = RecordReader(layout)
      for count in 0..<min(record.count, 1500) {
        #expect(read(7, Array(record[..<count]), reader) == nil)
        _ = readStructure(Array(record[..<count].dropFirst(4)), reader)
      }
    }
  }

  @Test func everyChangedBitIsAnError() throws {
    var random = TestSeed.next()
    let layout = RecordLayout(RecordSamples.types)
    let values = RecordSamples.types.map { RecordSamples.value($0, &random) }
    var record = try RecordSamples.record(7, layout, values)
    let reader = RecordReader(layout)
    for bit in 0..<8 * min(record.count, 2000) {
      record[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(read(7, record, reader) == nil)
      record[bit / 8] ^= 1 << UInt8(bit % 8)
    }
    #expect(read(7, record, reader) == RecordSamples.text(values))
  }

  @Test func randomChangesAreErrorsOrChangeNothing() throws {
    var random = TestSeed.next()
    for _ in 0..<TestSeed.count("BOXJOINT_SOAK_RECORDS", default: 20_000) / 20 {
      let layout = RecordLayout(RecordSamples.layout(&random))
      let values = RecordSamples.values(layout.types, &random)
      let record = try RecordSamples.record(7, layout, values)
      let reader = RecordReader(layout)
      let expected = RecordSamples.text(values)
      for _ in 0..<20 {
        var changed = record
        for _ in 0..<1 + random.below(6) { change(&changed, &random) }
        let text = read(7, changed, reader)
        #expect(text == nil || text == expected)
      }
    }
  }

  /// The checksum is not what keeps reading safe.
  @Test func structuresWithoutChecksumAreSafeToRead() throws {
    var random = TestSeed.next()
    var accepted = 0
    for _ in 0..<TestSeed.count("BOXJOINT_SOAK_RECORDS", default: 20_000) / 10 {
      let layout = RecordLayout(RecordSamples.layout(&random))
      let record = try RecordSamples.record(7, layout, RecordSamples.values(layout.types, &random))
      // One reader for all, so that what it remembers of a vtable is tried too.
      let reader = RecordReader(layout)
      for _ in 0..<10 {
        var changed = Array(record.dropFirst(4))
        for _ in 0..<1 + random.below(4) { change(&changed, &random) }
        if readStructure(changed, reader) != nil { accepted += 1 }
      }
    }
    #expect(accepted > 0)
  }

  @Test func noiseIsSafeToRead() {
    var random = TestSeed.next()
    for _ in 0..<20_000 {
      var noise = (0..<random.below(120)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      // Small numbers look like offsets.
      if noise.count > 24 && random.oneIn(2) {
        for place in stride(from: 0, to: 24, by: 4) {
          noise.replaceSubrange(place..<place + 4, with: [UInt8(random.below(64)), 0, 0, 0])
        }
      }
      let reader = RecordReader(RecordLayout(RecordSamples.layout(&random)))
      _ = readStructure(noise, reader)
      #expect(read(1, noise, reader) == nil)
    }
  }

  @Test func aRecordOfAnotherIDIsAnError() throws {
    let layout = RecordLayout([.int64, .string])
    let record = try RecordSamples.record(7, layout, [.integer(1), .string("x")])
    #expect(read(7, record, RecordReader(layout)) != nil)
    #expect(read(8, record, RecordReader(layout)) == nil)
  }

  private func change(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
    if bytes.isEmpty { return }
    switch random.below(6) {
    case 0: bytes.removeLast(min(bytes.count, 1 + random.below(8)))
    case 1: bytes += (0..<1 + random.below(8)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    case 2:
      // The offsets and lengths stand at the start, and have meaning in fours.
      let place = random.below(max(1, bytes.count / 4)) * 4
      for (offset, byte) in [UInt8(random.below(256)), UInt8(random.below(4)), 0, 0].enumerated()
      where place + offset < bytes.count {
        bytes[place + offset] = byte
      }
    case 3: bytes[random.below(min(64, bytes.count))] ^= 1 << UInt8(random.below(8))
    default: bytes[random.below(bytes.count)] = UInt8(truncatingIfNeeded: random.next())
    }
  }
}
