import BoxModel
import TestSupport
import Testing

@testable import BoxEngine

/// Values that are written to a record are read from it.
struct RecordRoundTripTests {
  private func read(_ record: [UInt8], _ id: UInt64, _ layout: RecordLayout) throws -> [Value] {
    let reader = RecordReader(layout)
    return try record.withUnsafeBytes { bytes in
      try withExtendedLifetime(reader) {
        RecordSamples.values(try reader.view(id, bytes), layout.types)
      }
    }
  }

  @Test func everyTypeOfSlotIsTested() {
    #expect(RecordSamples.types.count == 23)
  }

  @Test func randomRecordsComeBack() throws {
    var random = TestSeed.next()
    for _ in 0..<3000 {
      let layout = RecordLayout(RecordSamples.layout(&random))
      let values = RecordSamples.values(layout.types, &random)
      let id = random.next() >> 1
      let record = try RecordSamples.record(id, layout, values)
      let back = try read(record, id, layout)
      #expect(RecordSamples.text(back) == RecordSamples.text(values))
    }
  }

  @Test(arguments: RecordSamples.types) func eachTypeComesBackAlone(_ type: SlotType) throws {
    var random = TestSeed.next("\(type)")
    let layout = RecordLayout([type])
    for _ in 0..<200 {
      let values = [RecordSamples.value(type, &random)]
      let record = try RecordSamples.record(1, layout, values)
      #expect(RecordSamples.text(try read(record, 1, layout)) == RecordSamples.text(values))
    }
    let null = try read(try RecordSamples.record(1, layout, [.null]), 1, layout)
    #expect(null == [.null])
  }

  /// A slot that came after the record was written is null.
  @Test func newerSlotsAreNull() throws {
    var random = TestSeed.next()
    for _ in 0..<500 {
      let types = RecordSamples.layout(&random)
      let values = RecordSamples.values(types, &random)
      let record = try RecordSamples.record(5, RecordLayout(types), values)
      let longer = types + RecordSamples.layout(&random)
      let back = try read(record, 5, RecordLayout(longer))
      #expect(RecordSamples.text(Array(back.prefix(types.count))) == RecordSamples.text(values))
      #expect(back.dropFirst(types.count).allSatisfy { $0 == .null })
    }
  }

  /// Bytes of an earlier object, larger or smaller, do not leak into the next one.
  @Test func aWriterUsedAgainGivesTheBytesOfAFreshOne() throws {
    var random = TestSeed.next()
    let layouts = (0..<5).map { _ in RecordLayout(RecordSamples.layout(&random)) }
    var writer = RecordWriter()
    for _ in 0..<500 {
      let layout = random.pick(layouts)
      let values = RecordSamples.values(layout.types, &random)
      writer.begin(layout)
      for (slot, value) in values.enumerated() where value != .null {
        if let type = layout.types[slot] { try writer.set(slot, type, value) }
      }
      let record = [UInt8](writer.finish(3))
      #expect(record == (try RecordSamples.record(3, layout, values)))
    }
  }

  @Test func readsBySlotWithoutValues() throws {
    let layout = RecordLayout([.int64, .string, .double, .bytes, .int32s, .strings, .bool])
    var writer = RecordWriter()
    writer.begin(layout)
    writer.set(0, Int64.min)
    writer.set(1, "día")
    writer.set(2, -0.0)
    let data: [UInt8] = [1, 0, 255]
    data.withUnsafeBytes { writer.set(3, bytes: $0) }
    writer.set(4, [Int32.min, 0, .max])
    writer.set(5, strings: ["", "b"])
    writer.set(6, true)
    let record = [UInt8](writer.finish(9))
    let reader = RecordReader(layout)
    defer { withExtendedLifetime(reader) {} }
    try record.withUnsafeBytes { bytes in
      let view = try reader.view(9, bytes)
      let (long, string, double) = (view.int64(0), view.string(1), view.double(2))
      #expect(long == .min)
      #expect(string == "día")
      #expect(double?.sign == .minus)
      let (bytesBack, vector) = (view.bytes(3), view.vector(4, of: Int32.self))
      let strings = view.strings(5)
      #expect(bytesBack == data)
      #expect(vector == [.min, 0, .max])
      #expect(strings == ["", "b"])
      let (bool, utf8) = (view.bool(6), view.withUTF8(1) { Array($0) })
      #expect(bool == true)
      #expect(utf8 == Array("día".utf8))
    }
  }

  /// A type that the slot does not have ends the program before other memory is read.
  @Test func dynamicValueOfAnotherTypeTraps() async throws {
    let result = await #expect(processExitsWith: .failure) {
      let layout = RecordLayout([.int32])
      var writer = RecordWriter()
      writer.begin(layout)
      writer.set(0, Int32.max)
      _ = writer.finish(1)
      _ = writer.view.dynamicValue(0, .int64)
    }
    guard case .signal = try #require(result).exitStatus else {
      Issue.record("the value was read")
      return
    }
  }

  @Test func textThatIsNotUTF8IsRefused() throws {
    let layout = RecordLayout([.string])
    for bytes in [[0xFF], [0xC3], [0x61, 0xED, 0xA0, 0x80], [0xC0, 0x80]] as [[UInt8]] {
      var writer = RecordWriter()
      writer.begin(layout)
      var isRefused = false
      bytes.withUnsafeBufferPointer { buffer in
        do throws(InvalidUTF8) { try writer.set(0, utf8: buffer) } catch { isRefused = true }
      }
      #expect(isRefused)
      #expect(try read([UInt8](writer.finish(1)), 1, layout) == [.null])
    }
  }

  @Test(arguments: [
    (SlotType.int8, Value.integer(128)), (.int8, -129), (.uint8, -1), (.uint8, 256),
    (.int16, 32768), (.uint16, 65536), (.int32, 2_147_483_648), (.uint32, -1),
    (.int64, .unsigned(1 << 63)), (.uint64, -1), (.int16s, .integers([0, 40000])),
    (.uint32s, .integers([-1])),
  ])
  func numbersOutOfRangeAreRefused(_ type: SlotType, _ value: Value) throws {
    var mismatch: ValueMismatch?
    var writer = RecordWriter()
    writer.begin(RecordLayout([type]))
    do throws(ValueMismatch) { try writer.set(0, type, value) } catch { mismatch = error }
    guard case .range = mismatch else {
      Issue.record("\(value) was taken as \(type)")
      return
    }
  }

  @Test func valuesOfAnotherKindAreRefused() throws {
    var random = TestSeed.next()
    for type in RecordSamples.types {
      let strange: Value = type == .string ? .double(1) : .string("x")
      var mismatch: ValueMismatch?
      var writer = RecordWriter()
      writer.begin(RecordLayout([type]))
      do throws(ValueMismatch) { try writer.set(0, type, strange) } catch { mismatch = error }
      guard case .type = mismatch else {
        Issue.record("\(strange) was taken as \(type)")
        continue
      }
      // The slot is still free.
      try writer.set(0, type, RecordSamples.value(type, &random))
    }
  }
}
