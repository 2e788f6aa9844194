import BoxEngine
import BoxJSON
import BoxModel
import BoxStorage
import TestSupport
import Testing

@testable import BoxDump

/// The exported objects, read by the parser of the package and compared with the store.
@Suite struct ExportTests {
  @Test func valuesMatchTheStore() throws {
    var random = TestSeed.next()
    for run in 0..<TestSeed.count("BOXJOINT_SOAK_EXPORTS", default: 60) {
      let store = try DumpModel.store(&random)
      var options = ExportOptions()
      options.integers = random.oneIn(2) ? .number : .string
      options.batchSize = random.pick([1, 3, 1024])
      let output = MemoryOutput()
      try DumpExporter(store, options).export(to: output)
      #expect(output.isFinished)
      let lines = output.text().split(separator: "\n", omittingEmptySubsequences: false)
      var next = 1
      for entity in store.entities {
        try store.read { transaction in
          try transaction.visitObjects(entity) { object in
            let document = try JSONDocument(parsing: Array(lines[next].utf8))
            let node = try #require(document.value(forKey: entity.name, in: document.root))
            try ObjectComparison(document, options).expect(node, object)
            next += 1
            return .next
          }
        }
      }
      for relation in store.entities.flatMap(\.relations) {
        try store.read { transaction in
          let thing = try store.entity(named: "Thing")
          var sources: [UInt64] = []
          try transaction.visit(thing) { id, _ in
            sources.append(id)
            return .next
          }
          for source in sources {
            let targets = try transaction.targets(relation, of: source)
            if targets.isEmpty { continue }
            let quote = options.integers == .string ? "\"" : ""
            let list = targets.map { "\(quote)\($0)\(quote)" }.joined(separator: ",")
            #expect(
              lines[next]
                == #"{"Thing.\#(relation.name)":{"source":\#(quote)\#(source)\#(quote),"targets":[\#(list)]}}"#
            )
            next += 1
          }
        }
      }
      #expect(lines.count == next + 2)
      #expect(lines.last == "")
    }
  }

  @Test(arguments: DumpShape.allCases, Compression.allCases)
  func everyShapeIsVerified(_ shape: DumpShape, _ compression: Compression) throws {
    var random = TestSeed.next()
    for run in 0..<TestSeed.count("BOXJOINT_SOAK_EXPORTS", default: 30) / 3 {
      let store = try DumpModel.store(&random)
      var options = ExportOptions()
      options.shape = shape
      options.compression = compression
      options.batchSize = random.pick([1, 3, 1024])
      let output = MemoryOutput()
      let totals = try DumpExporter(store, options).export(to: output)
      let directory = try TemporaryDirectory()
      for file in output.files {
        try directory.write(
          output.bytes(file.name), to: file.name.isEmpty ? "dump" : "dump/" + file.name)
      }
      let report = try DumpVerifier.verify(
        directory.path(of: "dump"), isDirectory: shape == .directory)
      #expect(report.problems.isEmpty)
      #expect(report.totals == totals)
      #expect(report.header.entities == ["Thing", "Box", "Empty"])
      #expect(try ModelDocument(parsing: report.header.model).model == store.model)
    }
  }

  @Test func aChangedByteIsFound() throws {
    var random = TestSeed.next()
    let store = try DumpModel.store(&random, objects: 200)
    for shape in [DumpShape.lines, .document] {
      var options = ExportOptions()
      options.shape = shape
      let output = MemoryOutput()
      try DumpExporter(store, options).export(to: output)
      let directory = try TemporaryDirectory()
      for _ in 0..<200 {
        var bytes = output.bytes()
        if random.oneIn(4) {
          bytes.removeLast(1 + random.below(bytes.count - 1))
        } else {
          bytes[random.below(bytes.count - 1)] ^= 1 << UInt8(random.below(8))
        }
        try directory.write(bytes, to: "dump")
        let report = try? DumpVerifier.verify(directory.path(of: "dump"), isDirectory: false)
        #expect(report?.problems.isEmpty != true)
      }
    }
  }

  @Test func allShapesHoldTheSame() throws {
    var random = TestSeed.next()
    let store = try DumpModel.store(&random, objects: 60)
    func export(_ shape: DumpShape) throws -> MemoryOutput {
      var options = ExportOptions()
      options.shape = shape
      let output = MemoryOutput()
      try DumpExporter(store, options).export(to: output)
      return output
    }
    let lines = try export(.lines).text().split(separator: "\n")
      .filter { $0.hasPrefix(#"{"Thing":"#) }.map { $0.dropFirst(9).dropLast() }
    let directory = try export(.directory)
    #expect(directory.text("Thing.ndjson").split(separator: "\n") == lines)
    #expect(directory.files.map(\.name).last == "manifest.json")
    let document = try JSONDocument(parsing: export(.document).bytes())
    let entities = try #require(document.value(forKey: "entities", in: document.root))
    let things = try #require(document.value(forKey: "Thing", in: entities))
    #expect(document.elements(of: things).map { document.text(of: $0)[...] } == lines)
  }

  @Test func secondExportIsTheSame() throws {
    var random = TestSeed.next()
    let store = try DumpModel.store(&random)
    func export() throws -> [UInt8] {
      let output = MemoryOutput()
      try DumpExporter(store).export(to: output)
      return output.bytes()
    }
    #expect(try export() == export())
  }

  @Test func outputErrorsEndTheExport() throws {
    var random = TestSeed.next()
    let store = try DumpModel.store(&random)
    final class Full: DumpOutput {
      struct IsFull: Error {}
      final class Stream: DumpStream {
        func write(_ bytes: UnsafeRawBufferPointer) throws { throw IsFull() }
        func finish() throws {}
      }
      func open(_ name: String) throws -> any DumpStream { Stream() }
    }
    for shape in DumpShape.allCases {
      var options = ExportOptions()
      options.shape = shape
      #expect(throws: Full.IsFull.self) { try DumpExporter(store, options).export(to: Full()) }
    }
  }
}

/// Compares JSON with the object that it was made of, by what docs/dumps.md says.
struct ObjectComparison {
  let document: JSONDocument
  let options: ExportOptions

  init(_ document: JSONDocument, _ options: ExportOptions) {
    self.document = document
    self.options = options
  }

  func expect(_ node: JSONNode, _ object: DynamicObject) throws {
    let members = document.members(of: node)
    #expect(members.map { document.key($0.key) } == object.entity.properties.map(\.name))
    for (index, member) in members.enumerated() {
      let property = object.entity.properties[index]
      let value = index == object.entity.idPosition ? .unsigned(object.id) : object.values[index]
      #expect(
        isEqual(member.value, value, property.modelType.rawValue),
        "\(property.name): \(document.text(of: member.value)) and \(value)")
    }
  }

  private func isEqual(_ node: JSONNode, _ value: Value, _ type: Int32) -> Bool {
    let text = document.text(of: node)
    let isWide = [6, 10, 11, 12, 27, 31, 32].contains(type)
    let quote = options.integers == .string && isWide ? "\"" : ""
    switch value {
    case .null: return text == "null"
    case .bool(let flag): return text == "\(flag)"
    case .integer(let integer): return text == "\(quote)\(integer)\(quote)"
    case .unsigned(let integer) where type == 4 || type == 25:
      if (0xD800...0xDFFF).contains(integer) { return text == "\(integer)" }
      return Array(document.key(node).utf16) == [UInt16(integer)]
    case .unsigned(let integer): return text == "\(quote)\(integer)\(quote)"
    case .float(let number): return isEqual(node, number) { Float($0)?.bitPattern }
    case .double(let number): return isEqual(node, number) { Double($0)?.bitPattern }
    case .string(let string): return Array(document.key(node).utf8) == Array(string.utf8)
    case .bytes(let bytes): return document.key(node) == base64(bytes)
    case .bools(let values): return isEqual(node, values.map { .bool($0) }, type)
    case .integers(let values): return isEqual(node, values.map { .integer($0) }, type)
    case .unsignedIntegers(let values): return isEqual(node, values.map { .unsigned($0) }, type)
    case .floats(let values): return isEqual(node, values.map { .float($0) }, type)
    case .doubles(let values): return isEqual(node, values.map { .double($0) }, type)
    case .strings(let values): return isEqual(node, values.map { .string($0) }, type)
    }
  }

  private func isEqual(_ node: JSONNode, _ values: [Value], _ type: Int32) -> Bool {
    let elements = document.elements(of: node)
    return document.kind(of: node) == .array && elements.count == values.count
      && zip(elements, values).allSatisfy { isEqual($0, $1, type) }
  }

  /// The digits read back to the same bits, and are those that Swift prints, which are the shortest.
  private func isEqual<Number: BinaryFloatingPoint & CustomStringConvertible, Bits: Equatable>(
    _ node: JSONNode, _ number: Number, _ bits: (String) -> Bits?
  ) -> Bool {
    let text = document.text(of: node)
    if number.isNaN { return text == "\"\(Self.nan(number))\"" }
    if number.isInfinite { return text == (number < 0 ? "\"-Infinity\"" : "\"Infinity\"") }
    return text == number.description && bits(text) == bits(number.description)
  }

  /// As docs/dumps.md has it: with its bits, unless they are those of the usual one.
  private static func nan(_ number: some BinaryFloatingPoint) -> String {
    if let float = number as? Float {
      let bits = String(float.bitPattern, radix: 16)
      return bits == "7fc00000" ? "NaN" : "NaN:\(bits)"
    }
    let bits = String((number as? Double)?.bitPattern ?? 0, radix: 16)
    return bits == "7ff8000000000000" ? "NaN" : "NaN:\(bits)"
  }

  private func base64(_ bytes: [UInt8]) -> String {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    var bits = bytes.flatMap { byte in (0..<8).reversed().map { byte >> $0 & 1 } }
    while bits.count % 6 != 0 { bits.append(0) }
    var text = stride(from: 0, to: bits.count, by: 6).map { start in
      String(digits[Int(bits[start..<start + 6].reduce(0) { $0 << 1 | $1 })])
    }.joined()
    while text.count % 4 != 0 { text += "=" }
    return text
  }
}
