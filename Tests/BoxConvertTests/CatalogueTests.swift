import BoxConvert
import BoxJSON
import BoxModel
import TestSupport
import Testing

/// Reading catalogues.
struct CatalogueTests {
  private func parse(_ text: String) throws -> Catalogue {
    let document = try JSONDocument(parsing: Array(text.utf8))
    return try Catalogue(CatalogueNode(document.root, in: document))
  }

  private func error(_ text: String) throws -> CatalogueError {
    do {
      _ = try parse(text)
    } catch let error as CatalogueError {
      return error
    }
    throw CatalogueError("it was taken", at: nil)
  }

  @Test func namedConvertersAreUsedByManyProperties() throws {
    let catalogue = try Catalogue([
      "types": ["Role": ["type": "enum", "values": ["reader": 0]]],
      "properties": ["User.role": "Role", "Guest.role": ["type": "Role", "unknown": "fail"]],
    ])
    let user = try #require(
      try catalogue.converter(entity: "User", property: "role", type: .int, flags: []))
    #expect(try user.json(0) == "reader")
    #expect(try user.json(1) == 1)
    let guest = try #require(
      try catalogue.converter(entity: "guest", property: "ROLE", type: .int, flags: []))
    #expect(throws: ConversionError(.unknown, expected: "one of reader")) { try guest.json(1) }
    #expect(
      try catalogue.converter(entity: "User", property: "name", type: .string, flags: []) == nil)
  }

  @Test func aCatalogueComesBackFromItsJSON() throws {
    var members: [JSONValue.Member] = []
    for (number, sample) in BuiltInConverter.all.enumerated() {
      members.append(JSONValue.Member("E.p\(number)", sample.definition))
    }
    let json: JSONValue = [
      "types": ["T": "date"], "properties": .object(members),
      "mappings": ["E": ["properties": ["a": "/b/0"], "rest": "r"]],
    ]
    let catalogue = try Catalogue(json)
    #expect(catalogue.json == json)
    #expect(try Catalogue(catalogue.json).bindings == catalogue.bindings)
    #expect(try Catalogue(catalogue.json).mappings == catalogue.mappings)
    #expect(catalogue.bindings.count == BuiltInConverter.all.count)
  }

  @Test func namesWithPeriodsStandInBackquotes() throws {
    for name in HostileName.all {
      let key = NamePath([name, name]).shortText
      let catalogue = try Catalogue(["properties": .object([.init(key, "json")])])
      #expect(catalogue.bindings.map(\.property) == [name])
      #expect(catalogue.binding(entity: name, property: name)?.name == key)
    }
    let catalogue = try Catalogue(["properties": ["A.`x.y`": "json", "A.first name": "json"]])
    #expect(catalogue.bindings.map(\.name) == ["A.`x.y`", "A.first name"])
    #expect(catalogue.binding(entity: "a", property: "X.y") != nil)
  }

  @Test(arguments: [
    ("[]", "a catalogue must be a mapping of keys to values", 1, 1),
    (#"{"x": {}}"#, "a catalogue has no 'x'; there are: types, properties, mappings", 1, 2),
    (
      #"{"properties": {"role": "date"}}"#, "'role' is not a property; write Entity.property", 1, 17
    ),
    (
      #"{"properties": {"A.x.y": "date"}}"#,
      "'A.x.y' is not a property; write Entity.property, with a name in backquotes that has periods",
      1, 17
    ),
    (
      "{\"properties\": {\n \"A.b\": \"dat\"}}", "there is no converter 'dat'; there are: enum, ",
      2, 9
    ),
    (#"{"properties": {"A.b": {}}}"#, "a converter needs the key 'type'", 1, 24),
    (#"{"properties": {"A.b": "enum"}}"#, "a converter of type enum needs the key 'values'", 1, 24),
    (
      #"{"properties": {"A.b": {"type": "enum", "values": {"a": 1.5}}}}"#,
      "a raw value must be an integer or a text", 1, 57
    ),
    (#"{"properties": {"A.b": {"type": "enum", "values": [1]}}}"#, "'values' as a list is", 1, 52),
    (#"{"properties": {"A.b": {"type": "enum", "values": {}}}}"#, "'values' is empty", 1, 51),
    (#"{"properties": {"A.b": {"type": "date", "unit": "days"}}}"#, "'unit' must be one of", 1, 49),
    (#"{"properties": {"A.b": {"type": "date", "null": "no"}}}"#, "'null' must be one of", 1, 49),
    (
      #"{"properties": {"A.b": {"type": "date", "unknown": "default"}}}"#,
      "the policy 'default' needs the key 'default'", 1, 52
    ),
    (
      #"{"properties": {"A.b": {"type": "date", "x": 1}}}"#, "a converter of type date has no 'x'",
      1, 41
    ),
    (#"{"properties": {"A.b": "date", "a.B": "date"}}"#, "'a.B' occurs twice", 1, 32),
    (
      #"{"properties": {"A.b": {"type": "chain", "of": ["json"]}}}"#, "'of' must be a list of two",
      1, 48
    ),
    (#"{"mappings": {"A": {"properties": {"p": "b"}}}}"#, "a path is a JSON pointer", 1, 41),
    (
      #"{"mappings": {"A": {"relations": {"p": {"from": "/b"}}}}}"#, "a relation needs the key", 1,
      40
    ),
    (
      #"{"mappings": {"A": {"rest": "r", "flatten": "_"}}}"#,
      "'rest' takes what 'flatten' would", 1, 29
    ),
    (
      #"{"properties": {"A.b": {"type": "boolean", "true": 0}}}"#,
      "true and false have the same raw value", 1, 24
    ),
    (#"{"types": {"T": "T"}}"#, "the type 'T' uses itself: T -> T", 1, 17),
    (
      #"{"types": {"A": {"type": "list", "of": "B"}, "B": "C", "C": "A"}}"#,
      "the type 'A' uses itself: A -> B -> C -> A", 1, 61
    ),
    (#"{"types": {"A": "B"}}"#, "there is no converter 'B'", 1, 17),
  ])
  func whatIsWrongIsNamedWithItsPlace(_ text: String, _ message: String, _ line: Int, _ column: Int)
    throws
  {
    let error = try error(text)
    #expect(error.message.hasPrefix(message), "\(error.message)")
    #expect(error.position == JSONPosition(line: line, column: column))
  }

  @Test func deepNestingIsRefused() throws {
    var inner: JSONValue = "date"
    for _ in 0..<20 { inner = ["type": "list", "of": inner] }
    #expect(throws: CatalogueError.self) { try Catalogue(["properties": ["A.b": inner]]) }
  }

  @Test(arguments: [
    ("enum", PropertyType.double), ("date", .string), ("uuid", .long), ("url", .byteVector),
    ("json", .byteVector), ("base64", .string), ("list", .long), ("boolean", .bool),
    ("options", .string), ("decimal", .double), ("unsigned", .string), ("unsigned", .date),
  ])
  func anUnfitTypeIsRefused(_ name: String, _ type: PropertyType) throws {
    let settings: JSONValue =
      switch name {
      case "enum", "options": ["type": .string(name), "values": ["a": 1]]
      case "date": ["type": "date", "unit": "seconds"]
      default: ["type": .string(name)]
      }
    let catalogue = try Catalogue(["properties": ["A.b": settings]])
    #expect(throws: IncompatibleConverter.self) {
      try catalogue.converter(entity: "A", property: "b", type: type, flags: [])
    }
  }

  /// A type may stand below its use.
  @Test func theOrderOfTypesDoesNotMatter() throws {
    let types: [JSONValue.Member] = [
      .init("A", ["type": "list", "of": "B"]), .init("B", ["type": "C", "unknown": "fail"]),
      .init("C", ["type": "enum", "values": ["a": 1]]),
    ]
    for types in [types, types.reversed()] {
      let catalogue = try Catalogue([
        "types": .object(types), "properties": ["E.p": "A"],
      ])
      let converter = try #require(
        try catalogue.converter(
          entity: "E", property: "p", type: PropertyType(rawValue: 27), flags: []))
      #expect(try converter.json(.integers([1, 1])) == ["a", "a"])
    }
  }

  @Test func anIdIsNotConverted() throws {
    let catalogue = try Catalogue(["properties": ["A.id": ["type": "date", "unit": "seconds"]]])
    #expect(throws: IncompatibleConverter.self) {
      try catalogue.converter(entity: "A", property: "id", type: .long, flags: .id)
    }
  }

  /// Random changes of a sound catalogue are taken or refused, and never worse.
  @Test func noCatalogueIsTooStrange() throws {
    var random = TestSeed.next()
    let words = [
      "type", "values", "of", "enum", "list", "chain", "", "A.b", "default", "/a/~", "unit",
    ]
    func anything(_ depth: Int) -> JSONValue {
      switch random.below(depth > 4 ? 5 : 8) {
      case 0: return .null
      case 1: return .int(random.below(300) - 100)
      case 2: return .double(0.5)
      case 3: return .bool(true)
      case 4: return .string(random.pick(words))
      case 5: return .array((0..<random.below(3)).map { _ in anything(depth + 1) })
      default:
        return .object(
          (0..<random.below(4)).map { _ in
            JSONValue.Member(random.pick(words), anything(depth + 1))
          })
      }
    }
    var taken = 0
    for _ in 0..<5000 {
      let json: JSONValue = [
        "types": ["T": anything(2)], "properties": ["A.b": anything(2)],
        "mappings": ["A": anything(2)],
      ]
      guard let catalogue = try? Catalogue(json) else { continue }
      taken += 1
      for type in [PropertyType.int, .string, .byteVector] {
        _ = try? catalogue.converter(entity: "A", property: "b", type: type, flags: [])
      }
      _ = catalogue.check(model: Model(), lock: ConverterLock(catalogue), path: "c.yml")
    }
    print("taken: \(taken)")
  }
}

/// The four ways in which a value can be something else, each with each policy.
struct PolicyTests {
  private func converter(_ policies: JSONValue) throws -> BoundConverter {
    try #require(BuiltInConverter.all.first { $0.name == "enum in an int" }).converter(policies)
  }

  @Test func everythingIsKeptWithoutAPolicy() throws {
    let converter = try converter([:])
    #expect(try converter.json(.null) == .null)
    #expect(try converter.stored(.null) == .null)
    #expect(try converter.storedIfMissing() == .null)
    #expect(try converter.json(200) == "admin")
    #expect(try converter.json(400) == 400)
    #expect(try converter.stored(400) == 400)
    #expect(try converter.stored(200) == 200)
    #expect(throws: ConversionError(.unknown, expected: "one of reader, author, admin")) {
      try converter.stored("adminn")
    }
    #expect(throws: ConversionError(.malformed, expected: "one of reader, author, admin")) {
      try converter.stored(true)
    }
  }

  @Test func earlierNamesAndRetiredOnesAreRead() throws {
    let converter = try converter([:])
    #expect(try converter.stored("root") == 200)
    #expect(try converter.json(5) == "guest")
    #expect(try converter.stored("guest") == 5)
  }

  @Test func aDefaultIsForWhatIsMissing() throws {
    let converter = try converter(["default": "reader"])
    #expect(try converter.json(.null) == "reader")
    #expect(try converter.storedIfMissing() == 0)
    #expect(try converter.stored(.null) == .null)
    #expect(try converter.json(400) == 400)
  }

  @Test func thePoliciesDoNotMix() throws {
    let converter = try converter([
      "default": "author", "missing": "fail", "null": "default", "unknown": "null",
      "malformed": "default",
    ])
    #expect(throws: ConversionError(.missing, expected: "a value")) { try converter.json(.null) }
    #expect(throws: ConversionError(.missing, expected: "a value")) {
      try converter.storedIfMissing()
    }
    #expect(try converter.stored(.null) == 1)
    #expect(try converter.json(400) == .null)
    #expect(try converter.stored("adminn") == .null)
    #expect(try converter.stored(true) == 1)
  }

  @Test func aRawTextIsMarked() throws {
    let sample = try #require(BuiltInConverter.all.first { $0.name == "enum in a string" })
    let converter = try sample.converter()
    #expect(try converter.json("o") == "open")
    #expect(try converter.json("x") == "o")
    #expect(try converter.json("?") == ["raw": "?"])
    #expect(try converter.stored(["raw": "?"]) == "?")
    #expect(try converter.stored(["raw": "x"]) == "x")
    #expect(throws: ConversionError.self) { try converter.stored(["raw": 1]) }
    #expect(throws: ConversionError.self) { try converter.stored(["raw": .null]) }
    // é in one character is another text than e with an accent.
    #expect(try converter.json("é") == ["raw": "é"])
  }
}

struct TextEncodingTests {
  /// RFC 4648, section 10.
  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
    ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
  ])
  func base64IsThatOfTheRFC(_ text: String, _ encoded: String) {
    #expect(Base64.text(Array(text.utf8)) == encoded)
    #expect(Base64.bytes(encoded) == Array(text.utf8))
  }

  @Test(arguments: [
    "Z", "Zg", "Zg=", "Zh==", "Zm9=", "Zm8=Zm8=", "Zm 8", "=", "====", "Zm9v\n", "_-==",
  ])
  func whatIsNotCanonicalBase64IsRefused(_ text: String) {
    #expect(Base64.bytes(text) == nil)
  }

  @Test func anInfiniteNumberIsRefused() throws {
    let json: JSONValue = ["a": [.double(.infinity)]]
    for name in ["json", "list in a string"] {
      let converter = try #require(BuiltInConverter.all.first { $0.name == name }).converter()
      #expect(throws: ConversionError.self) { try converter.stored(json) }
      #expect(throws: ConversionError.self) { try converter.stored([json]) }
    }
  }

  @Test func formsOfValuesArePlain() throws {
    func form(_ name: String, _ value: Value) throws -> String {
      let sample = try #require(BuiltInConverter.all.first { $0.name == name })
      return try sample.converter().json(value).text(indent: 0)
    }
    #expect(try form("options", 11) == #"["a","b","ab","s"]"#)
    #expect(try form("options", 16) == "16")
    #expect(try form("options with the sign", -128) == #"["top"]"#)
    #expect(try form("options with the sign", -127) == #"["x","top"]"#)
    #expect(try form("options with the sign", 2) == "2")
    #expect(try form("date", 1_709_208_000_123) == #""2024-02-29T12:00:00.123Z""#)
    #expect(try form("date as seconds", 1000) == "1")
    #expect(try form("date as seconds", 1001) == #"{"raw":1001}"#)
    #expect(
      try form("uuid in bytes", .bytes(Array(0..<16)))
        == #""00010203-0405-0607-0809-0a0b0c0d0e0f""#)
    #expect(try form("uuid in bytes", .bytes([1])) == #"{"raw":"AQ=="}"#)
    #expect(try form("decimal in a long", -5) == #""-0.05""#)
    #expect(try form("decimal in a long", 1250) == #""12.50""#)
    #expect(try form("hex", .bytes([255, 0])) == #""ff00""#)
    #expect(try form("json", #"{"a":[1,2.5]}"#) == #"{"a":[1,2.5]}"#)
    #expect(try form("json", #"{ "a": 1 }"#) == #"{"raw":"{ \"a\": 1 }"}"#)
    #expect(try form("list with a separator", "a, b") == #"["a","b"]"#)
    #expect(try form("list of enums", .integers([0, 7])) == #"["reader",7]"#)
    #expect(try form("boolean", 1) == "true")
    #expect(try form("boolean", 2) == "2")
    #expect(try form("unsigned in a byte", -128) == "128")
    #expect(try form("unsigned in a byte", 127) == "127")
    #expect(try form("unsigned in a long", -1) == "18446744073709551615")
    #expect(try form("list of unsigned", .integers([-1, 2])) == "[65535,2]")
    #expect(try form("chain of date and enum", 0) == #""epoch""#)
  }

  /// The number of the bits and the signed one are read; both lead to one stored value.
  @Test func unsignedNumbersAreReadInBothForms() throws {
    let catalogue = try Catalogue(["properties": ["A.b": "unsigned"]])
    func stored(_ json: JSONValue, _ flags: PropertyFlags = []) throws -> Value? {
      try catalogue.converter(entity: "A", property: "b", type: .short, flags: flags)?.stored(json)
    }
    #expect(try stored(65535) == -1 && stored(-1) == -1 && stored(32768) == -32768)
    #expect(try stored(65535, .unsigned) == .unsigned(65535))
    for json: JSONValue in [65536, -32769, 0.5, "1", true] {
      #expect(throws: ConversionError.self, "\(json)") { try stored(json) }
    }
  }
}
