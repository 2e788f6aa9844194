import BoxConvert
import BoxEngine
import BoxJSON
import BoxModel
import BoxStorage
import Synchronization
import TestSupport
import Testing

@testable import BoxDump

/// Batches of objects are written by several threads, and nothing of a dump shows it.
@Suite struct ParallelExportTests {
  /// A store of boxes, some of whose labels are longer than what a thread writes before its turn.
  private func store(_ random: inout SplitMix64, _ count: Int) throws
    -> ObjectStore
  {
    let store = try ObjectStore.open(.ownMemory(), model: DumpModel.document())
    let box = try store.entity(named: "Box")
    try store.write { transaction in
      for number in 1...count {
        var object = DynamicObject(box)
        let length = random.oneIn(200) ? random.below(3 << 20) : random.below(40)
        object["label"] = .string("\(number) " + String(repeating: "é", count: length / 2))
        try transaction.put(object)
      }
    }
    return store
  }

  private func options(_ shape: DumpShape, batchSize: Int) -> ExportOptions {
    var options = ExportOptions()
    options.shape = shape
    options.batchSize = batchSize
    return options
  }

  /// Whatever the size of the batches, the files are those of one thread.
  @Test(arguments: DumpShape.allCases)
  func theBytesEqualTheBytesOfOneThread(_ shape: DumpShape) throws {
    var random = TestSeed.next()
    let store = try store(&random, 1000)
    for (condition, limit) in [(nil, nil), ("Box.label contains \"7\"", 150), (nil, 600)]
      as [(String?, Int?)]
    {
      func files(_ batchSize: Int) throws -> [String: [UInt8]] {
        var options = options(shape, batchSize: batchSize)
        options.condition = condition
        options.limit = limit
        let output = MemoryOutput()
        try DumpExporter(store, options).export(to: output)
        #expect(output.isFinished)
        return Dictionary(
          uniqueKeysWithValues: output.files.map { ($0.name, output.bytes($0.name)) })
      }
      // More than there are objects: all of them are one batch, which is written at the end.
      let expected = try files(1 << 20)
      for batchSize in [1, 2, 7, 64, 1 + random.below(300)] {
        #expect(try files(batchSize) == expected, "batches of \(batchSize)")
      }
    }
  }

  /// Fails for some boxes; asks a store for others.
  private struct Failing: JSONConverter {
    var numbers: Set<Int>
    var store: ObjectStore?

    func json(_ stored: Value) throws(ConversionError) -> JSONValue {
      guard case .string(let text) = stored, let number = Int(text.prefix { $0 != " " }) else {
        return .null
      }
      if numbers.contains(number) {
        let refusal = store.map { store in
          do {
            return try "read \(store.read { try $0.count(store.entities[0]) })"
          } catch {
            return "\(error)"
          }
        }
        throw ConversionError(.malformed, expected: refusal ?? "another number")
      }
      return .int(number)
    }

    func stored(_ json: JSONValue) throws(ConversionError) -> Value { .null }
  }

  private func failure(_ store: ObjectStore, _ converter: Failing, batchSize: Int) throws
    -> DumpError
  {
    var options = options(.lines, batchSize: batchSize)
    options.converters = ExportConverters(text: Array("{}".utf8)) { _, property in
      property.name == "label" ? converter : nil
    }
    let exporter = try DumpExporter(store, options)
    return try #require(throws: DumpError.self) { try exporter.export(to: MemoryOutput()) }
  }

  /// The error is that of the first object, whichever thread meets another one before.
  @Test func theFirstErrorIsReported() throws {
    var random = TestSeed.next()
    let store = try store(&random, 600)
    for _ in 0..<40 {
      let numbers = Set((0..<1 + random.below(30)).map { _ in 1 + random.below(600) })
      let first = try #require(numbers.min())
      let error = try failure(
        store, Failing(numbers: numbers), batchSize: random.pick([1, 5, 50, 1024]))
      #expect(error.message.hasPrefix("Box \(first) cannot be exported: Box.label: "))
    }
  }

  @Test(arguments: [1, 10, 1024])
  func aConverterCannotUseTheStore(batchSize: Int) throws {
    var random = TestSeed.next()
    let store = try store(&random, 100)
    let error = try failure(store, Failing(numbers: [60], store: store), batchSize: batchSize)
    #expect(error.message.contains("\(StoreError.usedWhileCoding)"))
  }

  /// An output that takes so many bytes.
  private final class FullOutput: DumpOutput {
    final class Stream: DumpStream {
      let limit: Int
      let written = MemoryOutput.Stream()

      init(_ limit: Int) { self.limit = limit }

      func write(_ bytes: UnsafeRawBufferPointer) throws {
        try written.write(bytes)
        if written.bytes.withLock({ $0.count }) > limit { throw TestFailure("no room") }
      }

      func finish() throws {}
    }

    let limit: Int
    init(_ limit: Int) { self.limit = limit }
    func open(_ name: String) throws -> any DumpStream { Stream(limit) }
  }

  @Test func anOutputThatFailsEndsIt() throws {
    var random = TestSeed.next()
    let store = try store(&random, 600)
    let whole = MemoryOutput()
    try DumpExporter(store, options(.lines, batchSize: 90)).export(to: whole)
    let size = whole.bytes().count
    for _ in 0..<20 {
      let exporter = try DumpExporter(store, options(.lines, batchSize: random.pick([1, 9, 90])))
      let error = #expect(throws: TestFailure.self) {
        try exporter.export(to: FullOutput(random.below(size)))
      }
      #expect(error?.description.contains("no room") == true)
    }
  }
}
