import BoxConvert
import BoxEngine
import BoxJSON
import BoxModel
import BoxStorage
import TestSupport
import Testing

@testable import BoxDump

@Suite struct ExportOptionTests {
  /// Three things, 1 to 3, of which 1 and 2 are in box 1, and boxes 1 and 2; thing 1 has things 2
  /// and 3, thing 3 has thing 1.
  private func store() throws -> ObjectStore {
    let store = try ObjectStore.open(.ownMemory(), model: DumpModel.document())
    let thing = try store.entity(named: "Thing")
    let box = try store.entity(named: "Box")
    let things = try #require(thing.relation(named: "things"))
    try store.write { transaction in
      for label in ["left", "right"] {
        var object = DynamicObject(box)
        object["label"] = .string(label)
        try transaction.put(object)
      }
      for (index, code) in ["a", "b", "c"].enumerated() {
        var object = DynamicObject(thing)
        object["code"] = .string(code)
        object["long"] = .integer(Int64(10 * (index + 1)))
        object["born"] = .integer(951_825_600_123)
        object["seen"] = .integer(-1)
        object["letter"] = .unsigned(index == 0 ? 0xD800 : 0xE9)
        object["blob"] = .bytes([1, 2, 3])
        if index < 2 { object["box"] = .unsigned(1) }
        try transaction.put(object)
      }
      for (source, target) in [(1, 2), (1, 3), (3, 1)] as [(UInt64, UInt64)] {
        try transaction.link(things, source, target)
      }
    }
    return store
  }

  private func lines(
    _ store: ObjectStore, _ change: (inout ExportOptions) -> Void
  ) throws -> [String] {
    var options = ExportOptions()
    change(&options)
    let output = MemoryOutput()
    try DumpExporter(store, options).export(to: output)
    return output.text().split(separator: "\n").map(String.init)
  }

  private func refusal(
    _ store: ObjectStore, _ change: (inout ExportOptions) -> Void
  ) throws -> DumpError {
    var options = ExportOptions()
    change(&options)
    return try #require(throws: DumpError.self) { try DumpExporter(store, options) }
  }

  @Test func conditionsAndFields() throws {
    let lines = try self.lines(store()) {
      $0.entities = ["Thing"]
      $0.fields = ["code", "Thing.things"]
      $0.condition = #"long between 10 and 20 && code != "x""#
    }
    #expect(
      lines.dropFirst() == [
        #"{"Thing":{"id":1,"code":"a"}}"#, #"{"Thing":{"id":2,"code":"b"}}"#,
        // Thing 3 is not exported, neither as a source nor as a target.
        #"{"Thing.things":{"source":1,"targets":[2]}}"#,
        try #require(lines.last),
      ])
    #expect(lines[0].contains(#""fields":["Thing.code","Thing.things"]"#))
    #expect(lines[0].contains(#""where":"long between 10 and 20 && code != \"x\"""#))
  }

  @Test func limits() throws {
    let lines = try self.lines(store()) {
      $0.limit = 1
      $0.fields = ["Thing.code", "Thing.things", "Box.label"]
    }
    #expect(
      lines.dropFirst().dropLast() == [
        #"{"Thing":{"id":1,"code":"a"}}"#, #"{"Box":{"id":1,"label":"left"}}"#,
      ])
    #expect(lines[0].contains(#""limit":1"#))
    let none = try self.lines(store()) { $0.limit = 0 }
    #expect(none.count == 2)
  }

  @Test func datesAndCharacters() throws {
    let lines = try self.lines(store()) {
      $0.entities = ["Thing"]
      $0.fields = ["born", "seen", "letter", "blob"]
      $0.dates = .iso
      $0.limit = 2
    }
    #expect(
      lines[1]
        == #"{"Thing":{"id":1,"letter":55296,"born":"2000-02-29T12:00:00.123Z","#
        + #""seen":"1969-12-31T23:59:59.999999999Z","blob":"AQID"}}"#)
    #expect(lines[2].contains(#""letter":"é""#))
  }

  @Test func datesBeyondTheCalendarStayIntegers() throws {
    let store = try store()
    try store.write { transaction in
      var object = DynamicObject(try store.entity(named: "Thing"))
      object["born"] = .integer(.max)
      object["dates"] = .integers([.min, 0])
      try transaction.put(object)
    }
    let lines = try self.lines(store) {
      $0.entities = ["Thing"]
      $0.fields = ["born", "dates"]
      $0.dates = .iso
      $0.integers = .string
      $0.condition = "id == 4"
    }
    #expect(
      lines[1]
        == #"{"Thing":{"id":"4","born":"9223372036854775807","#
        + #""dates":["-9223372036854775808","1970-01-01T00:00:00.000Z"]}}"#)
  }

  /// A condition has values in clear, and the header would show them.
  @Test func aConditionOnWhatIsRedactedIsNotInTheHeader() throws {
    let store = try store()
    for (condition, isShown) in [
      ("Thing.code == \"b\"", false), ("!(Thing.long > 1 || Thing.code == \"b\")", false),
      ("Thing.long > 1", true),
    ] {
      var options = ExportOptions()
      options.entities = ["Thing"]
      options.condition = condition
      options.redactions = [.init("Thing.code", .hash)]
      let exporter = try DumpExporter(store, options)
      let output = MemoryOutput()
      try exporter.export(to: output)
      let header = output.text().split(separator: "\n")[0]
      #expect(header.contains("\"where\"") == isShown)
      #expect(header.contains("\"b\"") == false)
      #expect(
        exporter.warnings.contains { $0.contains("the condition is not in the header") } != isShown)
    }
  }

  @Test func redaction() throws {
    func export() throws -> [String] {
      try self.lines(store()) {
        $0.entities = ["Thing"]
        $0.fields = ["code", "long", "blob", "born", "box"]
        $0.redactions = [
          .init("code", .hash), .init("long", .hash), .init("blob", .mask), .init("born", .mask),
          .init("box", .null),
        ]
      }
    }
    let lines = try export()
    let pattern =
      /\{"Thing":\{"id":1,"box":null,"long":([0-9]+),"code":"([0-9a-f]{64})","born":0,"blob":""\}\}/
    let match = try #require(try pattern.wholeMatch(in: lines[1]))
    #expect(!lines.joined().contains("\"a\""))
    // Another export has another key.
    #expect(try !export()[1].contains(match.2))
    #expect(lines[0].contains(#""Thing.code":"hash""#))
    #expect(!lines[0].contains("importable"))
  }

  @Test func equalValuesHaveEqualHashes() throws {
    let lines = try self.lines(store()) {
      $0.entities = ["Thing"]
      $0.fields = ["blob"]
      $0.redactions = [.init("Thing.blob", .hash)]
    }
    let hashes = Set(lines.dropFirst().prefix(3).map { $0.split(separator: "blob")[1] })
    #expect(hashes.count == 1)
  }

  @Test func aMaskedUniquePropertyIsNotImportable() throws {
    var options = ExportOptions()
    options.redactions = [.init("Thing.code", .mask)]
    let exporter = try DumpExporter(store(), options)
    try #require(exporter.warnings.count == 1)
    #expect(exporter.warnings[0].contains("Thing.code is unique"))
    let output = MemoryOutput()
    try exporter.export(to: output)
    #expect(output.text().contains(#""importable":false"#))
  }

  @Test func refusals() throws {
    let store = try store()
    #expect(try refusal(store) { $0.entities = ["thing"] }.message.contains("did you mean Thing?"))
    #expect(
      try refusal(store) { $0.fields = ["code"] }.message == "write Thing.code instead of code")
    #expect(try refusal(store) { $0.fields = ["Box.code"] }.message.contains("it has id, label"))
    let position = try refusal(store) { $0.condition = "Thing.long > true" }
    #expect(position.remedy == .correctCondition)
    #expect(position.position == JSONPosition(line: 1, column: 1))
    #expect(
      try refusal(store) { $0.condition = "id > 1" }.message
        == "write Thing.id or Box.id or Empty.id instead of id")
    #expect(
      try refusal(store) { $0.condition = "lung > 1" }.message
        == "no entity has a property \"lung\"")
    // One entity has both.
    #expect(try !lines(store) { $0.condition = "id > 0 && long > -1" }.isEmpty)
    #expect(
      try refusal(store) { $0.condition = "Thing.id > 1 && Box.id > 1" }.message
        .contains("one entity only"))
    for (name, redaction) in [
      ("Thing.id", Redaction.null), ("Thing.box", .hash), ("Thing.price", .hash),
      ("Thing.things", .null),
    ] {
      #expect(try refusal(store) { $0.redactions = [.init(name, redaction)] }.kind == .usage)
    }
  }

  @Test func hashesDependOnKeyAndValue() {
    let (a, b) = (RedactionKey(), RedactionKey())
    #expect(a.hash(1) == a.hash(1))
    #expect(a.hash(1) != a.hash(2))
    #expect(a.hash(1) != b.hash(1))
    #expect(a.hash(1) <= UInt64(Int64.max))
  }

  /// RFC 4231, test case 2.
  @Test func hashesMatchTheStandard() {
    let digest = Array("what do ya want for nothing?".utf8).withUnsafeBytes {
      RedactionKey(Array("Jefe".utf8)).hash($0)
    }
    let expected = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    #expect(digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() == expected)
  }

  @Test func relationsToWhatIsNotExportedAreLeftOut() throws {
    var options = ExportOptions()
    options.entities = ["Thing"]
    let exporter = try DumpExporter(store(), options)
    #expect(
      exporter.warnings == [
        "Thing.boxes is left out, as the entity that it refers to is not exported"
      ])
  }

  @Test func converters() throws {
    struct Names: JSONConverter {
      func json(_ stored: Value) throws(ConversionError) -> JSONValue {
        switch stored {
        case .integer(10): ["ten": true]
        case .integer(20): "twenty"
        default: throw ConversionError(.unknown, expected: "one of 10, 20")
        }
      }
      func stored(_ json: JSONValue) throws(ConversionError) -> Value { .null }
    }
    let store = try store()
    func export(_ limit: Int) throws -> [String] {
      try self.lines(store) {
        $0.entities = ["Thing"]
        $0.fields = ["long"]
        $0.limit = limit
        $0.converters = ExportConverters(text: Array("{\"Thing.long\":{}}".utf8)) {
          $0.name == "Thing" && $1.name == "long" ? Names() : nil
        }
      }
    }
    let lines = try export(2)
    #expect(lines[1] == #"{"Thing":{"id":1,"long":{"ten":true}}}"#)
    #expect(lines[2] == #"{"Thing":{"id":2,"long":"twenty"}}"#)
    #expect(lines[0].contains(#""converters":{"Thing.long":{}}"#))
    let error = try #require(throws: DumpError.self) { try export(3) }
    #expect(
      error.message
        == "Thing 3 cannot be exported: Thing.long: 30 is unknown: expected one of 10, 20")
  }
}
