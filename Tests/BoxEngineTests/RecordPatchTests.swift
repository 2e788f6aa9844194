import BoxModel
import TestSupport
import Testing

@testable import BoxEngine

/// Values that are written over those of a record.
struct RecordPatchTests {
  /// A record after a patch; nil where it has to be written anew.
  private func patched(
    _ record: [UInt8], _ id: UInt64, _ layout: RecordLayout, _ new: [(slot: Int, value: Value)],
    _ writer: inout RecordWriter
  ) throws -> [UInt8]? {
    let patch = try RecordPatch(layout, new).orFail("a patch of \(new)")
    return record.withUnsafeBytes { bytes in
      writer.begin(layout, over: bytes)
      return writer.apply(patch) ? [UInt8](writer.finish(id)) : nil
    }
  }

  private func patched(
    _ record: [UInt8], _ layout: RecordLayout, _ new: [(slot: Int, value: Value)]
  ) throws -> [UInt8]? {
    var writer = RecordWriter()
    return try patched(record, 1, layout, new, &writer)
  }

  /// A record under the checksum that it has to have.
  private func signed(_ id: UInt64, _ record: [UInt8]) throws -> [UInt8] {
    var record = record
    let checksum = record.withUnsafeBytes {
      Checksum.crc32c(id, UnsafeRawBufferPointer(rebasing: $0[RecordWriter.prefix...]))
    }
    withUnsafeBytes(of: checksum.littleEndian) { record.replaceSubrange(0..<4, with: $0) }
    let reader = RecordReader(RecordLayout([.string, .int64]))
    try withExtendedLifetime(reader) {
      try record.withUnsafeBytes { _ = try reader.view(id, $0) }
    }
    return record
  }

  /// The bytes are those of the record that is written anew, if each slot had a value.
  @Test func aPatchEqualsWritingTheRecordAgain() throws {
    var random = TestSeed.next()
    var writer = RecordWriter()
    var (patches, refusals) = (0, 0)
    for _ in 0..<5000 {
      let layout = RecordLayout(RecordSamples.layout(&random))
      var values = RecordSamples.values(layout.types, &random)
      let id = random.next() >> 1
      let record = try RecordSamples.record(id, layout, values)
      var new: [(slot: Int, value: Value)] = []
      var hadAll = true
      for (slot, type) in layout.types.enumerated() where random.oneIn(6) {
        guard let type, !type.isReference else { continue }
        if values[slot] == .null { hadAll = false }
        values[slot] = RecordSamples.value(type, &random)
        new.append((slot, values[slot]))
      }
      let result = try patched(record, id, layout, new, &writer)
      #expect((result != nil) == hadAll)
      if let result {
        patches += 1
        #expect(result == (try RecordSamples.record(id, layout, values)))
      } else {
        refusals += 1
        // Nothing is set, and the record can be written anew.
        for (slot, value) in values.enumerated() where value != .null {
          if let type = layout.types[slot] { try writer.set(slot, type, value) }
        }
        #expect([UInt8](writer.finish(id)) == (try RecordSamples.record(id, layout, values)))
      }
    }
    #expect(patches > 1000 && refusals > 500)
  }

  @Test func nullsStringsAndVectorsAreRewritten() {
    let layout = RecordLayout([.int32, .string, .bytes, nil])
    #expect(RecordPatch(layout, [(0, .null)]) == nil)
    #expect(RecordPatch(layout, [(1, "a")]) == nil)
    #expect(RecordPatch(layout, [(2, .bytes([1]))]) == nil)
    #expect(RecordPatch(layout, [(3, 1)]) == nil)
    #expect(RecordPatch(layout, [(-1, 1)]) == nil)
    #expect(RecordPatch(layout, [(0, "a")]) == nil)
  }

  @Test func aRecordOfAnEarlierLayoutIsRewritten() throws {
    let record = try RecordSamples.record(1, RecordLayout([.int64]), [5])
    #expect(try patched(record, RecordLayout([.int64, .int8]), [(0, 6)]) == nil)
    #expect(try patched(record, RecordLayout([.int64]), [(0, 6)]) != nil)
  }

  /// A patch of the number would change the length of the string, which nothing checks again.
  @Test func aStringInsideTheFieldsIsRewritten() throws {
    let layout = RecordLayout([.string, .int64])
    var record = try RecordSamples.record(1, layout, ["", 0])
    #expect(try patched(record, layout, [(1, 7)]) != nil)
    // The string begins where the number does, eight bytes behind its own field.
    let field = RecordWriter.prefix + layout.tableStart + 4
    record.replaceSubrange(field..<field + 4, with: [8, 0, 0, 0])
    #expect(try patched(signed(1, record), layout, [(1, 7)]) == nil)
  }

  @Test func fieldsThatShareBytesAreRewritten() throws {
    let layout = RecordLayout([.int64, .int32, .int32])
    var record = try RecordSamples.record(1, layout, [1, 2, 3])
    let offsets = RecordWriter.prefix + layout.tableStart - 2 * layout.types.count
    // The second slot has the last half of the first one's bytes.
    record.replaceSubrange(offsets + 2..<offsets + 4, with: [8, 0])
    #expect(try patched(record, layout, [(0, 7)]) == nil)
    #expect(try patched(record, layout, [(1, 7)]) == nil)
    #expect(try patched(record, layout, [(2, 7)]) != nil)
  }
}
