import BoxConvert
import BoxDump
import BoxEngine
import BoxJSON
import BoxModel
import BoxStorage
import TestSupport
import Testing

/// Stored JSON text goes through a dump as JSON and keeps its digits.
struct ImportJSONTextTests {
  private func catalogue() throws -> Catalogue {
    try Catalogue([
      "properties": [
        "Person.name": "json", "Everything.string": "json",
        "Everything.bytes": ["type": "chain", "of": ["text", "json"]],
        "Everything.strings": ["type": "list", "of": "json"],
      ]
    ])
  }

  private func converters() throws -> ExportConverters { ExportConverters(try catalogue()) }

  /// A text of any spelling, or what is not JSON.
  private func text(_ random: inout SplitMix64) -> String {
    if random.oneIn(6) { return HardJSON.malformed(&random) }
    if random.oneIn(8) { return HardJSON.number(&random) }
    let spelling = random.oneIn(2) ? .usual : random.pick(HardJSON.Spelling.allCases)
    return HardJSON.text(seed: random.next(), spelling)
  }

  private func fill(_ store: ObjectStore, _ random: inout SplitMix64) throws {
    let person = try store.entity(named: "Person")
    let everything = try store.entity(named: "Everything")
    try store.write { transaction in
      for number in 0..<1 + random.below(12) {
        var object = DynamicObject(person)
        object["email"] = .string("\(number)")
        if !random.oneIn(10) { object["name"] = .string(text(&random)) }
        try transaction.put(object)
        object = DynamicObject(everything)
        object["string"] = .string(text(&random))
        object["bytes"] =
          random.oneIn(8) ? .bytes([0xFF, 0x5B]) : .bytes(Array(text(&random).utf8))
        object["strings"] = .strings((0..<random.below(4)).map { _ in text(&random) })
        try transaction.put(object)
      }
    }
  }

  /// The bytes of a dump, by the names of its files.
  private func content(
    of name: String, _ shape: DumpShape, _ fixture: ImportFixture
  ) throws -> [String: [UInt8]] {
    guard shape == .directory else { return ["": try fixture.directory.bytes(of: name)] }
    var files: [String: [UInt8]] = [:]
    for file in fixture.directory.names(in: name) {
      files[file] = try fixture.directory.bytes(of: name + "/" + file)
    }
    return files
  }

  /// The replacement of a redacted value was not converted, and is stored as it is.
  @Test func redactedValuesAreNotConverted() throws {
    let fixture = try ImportFixture()
    let store = try fixture.open("redacted")
    let person = try store.entity(named: "Person")
    try store.write { transaction in
      var object = DynamicObject(person)
      object["email"] = .string("ann")
      object["name"] = .string("[1]")
      try transaction.put(object)
    }
    for redaction in [Redaction.mask, .hash, .null] {
      var options = ExportOptions()
      options.converters = try converters()
      options.redactions = [.init("Person.name", redaction)]
      let path = try fixture.export(store, to: "\(redaction).ndjson", options)
      let copy = try fixture.open("copy of \(redaction)")
      try fixture.load(path, into: copy)
      let people = try fixture.people(copy)
      let name =
        switch redaction {
        case .mask: "\"\\*\\*\\*\""
        case .hash: "\"[0-9a-f]{64}\""
        case .null: "null"
        }
      let line = try Regex(
        "\\{\"id\":1,\"email\":\"ann\",\"name\":" + name + ",\"age\":null,\"friend\":null\\}")
      try #require(people.count == 1)
      #expect(people[0].wholeMatch(of: line) != nil)
    }
  }

  /// In every shape, compressed and not, the second dump is the first to the byte, and so is what is
  /// stored.
  @Test func exportImportExportGivesTheSameBytes() throws {
    var random = TestSeed.next()
    let layouts = DumpShape.allCases.flatMap { shape in
      Compression.allCases.map { (shape, $0) }
    }
    for number in 0..<TestSeed.count("BOXJOINT_SOAK_STORES", default: 100) {
      let fixture = try ImportFixture()
      let store = try fixture.open("a")
      try fill(store, &random)
      var options = ExportOptions()
      (options.shape, options.compression) = layouts[number % layouts.count]
      options.converters = try converters()
      let dump = try fixture.export(store, to: "first", options)
      let report = try DumpVerifier.verify(dump, isDirectory: options.shape == .directory)
      #expect(report.problems.isEmpty, "store \(number), \(options.shape)")
      let copy = try fixture.open("b")
      try fixture.load(dump, into: copy)
      try fixture.export(copy, to: "second", options)
      var isSame =
        try content(of: "first", options.shape, fixture)
        == content(of: "second", options.shape, fixture)
      #expect(isSame, "store \(number), \(options.shape)")
      try fixture.export(store, to: "third")
      try fixture.export(copy, to: "fourth")
      isSame =
        try isSame && fixture.directory.bytes(of: "third") == fixture.directory.bytes(of: "fourth")
      #expect(isSame, "store \(number), \(options.shape), as it is stored")
      if !isSame { return }
    }
  }

  /// Tables restore each text as well: a string that reads like a list or an object is not one.
  @Test func tablesKeepEachText() throws {
    var random = TestSeed.next()
    for number in 0..<TestSeed.count("BOXJOINT_SOAK_STORES", default: 100) {
      let fixture = try ImportFixture()
      let store = try fixture.open("a")
      try fill(store, &random)
      try store.write { transaction in
        for (number, text) in Self.textsOfStrings.enumerated() {
          var object = DynamicObject(try store.entity(named: "Person"))
          object["email"] = .string("string \(number)")
          object["name"] = .string(text)
          try transaction.put(object)
        }
      }
      var options = ExportOptions()
      options.shape = .directory
      options.converters = try converters()
      options.integers = random.pick(IntegerForm.allCases)
      var table = random.pick([TableForm.csv, .tsv])
      table.null = random.pick(["", "NULL", "[]", "[1]", "{}"])
      options.table = table
      let tables = try fixture.export(store, to: "tables", options)
      let copy = try fixture.open("b")
      var form = InputForm()
      form.null = table.null
      let catalogue = try catalogue()
      try fixture.load(paths: [tables], form, into: copy) { $0.catalogue = catalogue }
      let isSame = try fixture.objects(copy) == fixture.objects(store)
      #expect(isSame, "store \(number), \(table)")
      if !isSame { return }
    }
  }

  /// The JSON of strings that read like JSON, and what else a field can be taken for.
  private static let textsOfStrings = [
    #""[1]""#, #""[]""#, #""{}""#, #""{\"raw\":1}""#, #""\"""#, #""\"a\"""#, #""[""#, #""[1""#,
    #"" [1]""#,
    #""1""#, #""true""#, #""null""#, #""""#, "[123456789012345678901234567890]",
    #"{"a":18446744073709551616}"#, "123456789012345678901234567890", "[]", "{}", "[null]",
  ]

  /// A text of the usual spelling stands in the dump as it is stored.
  @Test(arguments: DumpShape.allCases)
  func theTextIsInTheDump(_ shape: DumpShape) throws {
    var random = TestSeed.next()
    let fixture = try ImportFixture()
    let store = try fixture.open("a")
    let texts = (0..<50).map { _ in HardJSON.text(seed: random.next()) }
    try store.write { transaction in
      for (number, text) in texts.enumerated() {
        var object = DynamicObject(try store.entity(named: "Person"))
        object["email"] = .string("\(number)")
        object["name"] = .string(text)
        try transaction.put(object)
      }
    }
    var options = ExportOptions()
    options.shape = shape
    options.converters = try converters()
    try fixture.export(store, to: "dump", options)
    let file = shape == .directory ? "dump/Person.ndjson" : "dump"
    let dump = try fixture.directory.bytes(of: file)
    for (number, text) in texts.enumerated() {
      let member = #""email":"\#(number)","name":\#(text)"#
      #expect(dump.contains(Array(member.utf8)), "\(text)")
    }
  }

  /// Digits are compared, and those of large integers are not an error.
  @Test func differencesHaveTheirDigits() throws {
    let fixture = try ImportFixture()
    let texts = [
      #"{"a":1.10,"b":12345678901234567890123}"#, #"{"a":1.1,"b":12345678901234567890123}"#,
    ]
    var sides: [DumpDifference.Side] = []
    for (number, text) in texts.enumerated() {
      let store = try fixture.open("\(number)")
      try store.write { transaction in
        var object = DynamicObject(try store.entity(named: "Person"))
        object["email"] = .string("a")
        object["name"] = .string(text)
        try transaction.put(object)
      }
      var options = ExportOptions()
      options.converters = try converters()
      sides.append(.init(try fixture.export(store, to: "dump\(number)", options), .file))
    }
    var items: [DumpDifference.Item] = []
    _ = try DumpDifference.between(sides[0], sides[1]) { items.append($0) }
    #expect(items.flatMap(\.fields).map { [$0.name, $0.before, $0.after] } == [["name"] + texts])
  }

  /// Members of foreign JSON that become text keep their digits too; a number that is too large for its
  /// property is refused.
  @Test func mappedTextKeepsItsDigits() throws {
    let fixture = try ImportFixture()
    let store = try fixture.open("a")
    let catalogue = try Catalogue([
      "mappings": ["Person": ["properties": ["name": ["from": "/data", "as": "json"]]]]
    ])
    let numbers = "[\(HardJSON.numbers.joined(separator: ","))]"
    try fixture.load(text: "{\"email\":\"a\",\"age\":7,\"data\":\(numbers)}\n", into: store) {
      $0.entity = "Person"
      $0.catalogue = catalogue
    }
    let person = try #require(try store.read { try $0.get(store.entity(named: "Person"), 1) })
    #expect(person["name"] == .string(numbers))
    let refusal = try fixture.refusal("{\"age\":12345678901234567890123}\n", into: store) {
      $0.entity = "Person"
      $0.catalogue = catalogue
    }
    #expect(refusal?.message.contains("12345678901234567890123") == true)
  }
}
