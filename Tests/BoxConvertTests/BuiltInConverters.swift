import BoxConvert
import BoxJSON
import BoxModel
import Testing

/// A converter of every built-in kind on every sort of type that it is for.
struct BuiltInConverter: Sendable, CustomTestStringConvertible {
  var name: String
  /// The converter as a catalogue has it.
  var definition: JSONValue
  var type: PropertyType
  var flags: PropertyFlags = []
  /// Values that the converter knows.
  var seeds: [Value]

  var testDescription: String { name }

  /// The converter; with other settings where they are given.
  func converter(_ settings: JSONValue = [:]) throws -> BoundConverter {
    var definition = definition
    if case .string = definition { definition = ["type": definition] }
    guard case .object(let members) = definition, case .object(let more) = settings else {
      throw CatalogueError("the definition is not an object", at: nil)
    }
    let catalogue = try Catalogue(["properties": ["E.p": .object(members + more)]])
    return try #require(
      try catalogue.converter(entity: "E", property: "p", type: type, flags: flags))
  }

  var storedType: StoredType {
    get throws { try #require(StoredType(type, flags)) }
  }

  static let roles: JSONValue = [
    "type": "enum", "values": ["reader": 0, "author": 1, "admin": 200],
    "retired": ["guest": 5], "aliases": ["root": "admin"],
  ]
  static let states: JSONValue = [
    "type": "enum", "values": ["open": "o", "o": "x", "é": "e\u{301}"],
  ]

  static let all: [BuiltInConverter] = [
    BuiltInConverter(
      name: "enum in a byte", definition: ["type": "enum", "values": ["a": -1, "b": 0, "c": 127]],
      type: .byte, seeds: [-1, 0, 127]),
    BuiltInConverter(
      name: "enum in an int", definition: roles, type: .int, seeds: [0, 1, 200, 5]),
    BuiltInConverter(
      name: "enum in an unsigned long",
      definition: ["type": "enum", "values": ["none": 0, "all": .uint(.max)]], type: .long,
      flags: .unsigned, seeds: [.unsigned(0), .unsigned(.max)]),
    BuiltInConverter(
      name: "enum in a char", definition: ["type": "enum", "values": ["A": 65, "a": 97]],
      type: .char, seeds: [.unsigned(65), .unsigned(97)]),
    BuiltInConverter(
      name: "enum in a string", definition: states, type: .string,
      seeds: ["o", "x", "e\u{301}", "open"]),
    BuiltInConverter(
      name: "options",
      definition: ["type": "options", "values": ["a": 1, "b": 2, "ab": 3, "s": 8]],
      type: .int, seeds: [0, 1, 3, 8, 11, -1]),
    BuiltInConverter(
      name: "options with the sign",
      definition: [
        "type": "options", "values": ["x": 1, "top": 128], "retired": ["was": 4],
        "aliases": ["one": "x"],
      ],
      type: .byte, seeds: [1, -128, -127]),
    BuiltInConverter(
      name: "date", definition: "date", type: .date, seeds: [0, -1, 1_700_000_000_123]),
    BuiltInConverter(
      name: "unsigned date", definition: "date", type: .date, flags: .unsigned,
      seeds: [.unsigned(0), .unsigned(1_700_000_000_123)]),
    BuiltInConverter(
      name: "date of nanoseconds", definition: "date", type: .dateNano,
      seeds: [0, -1, 1_700_000_000_123_456_789]),
    BuiltInConverter(
      name: "date of seconds", definition: ["type": "date", "unit": "seconds"], type: .long,
      seeds: [0, -62_135_596_800, 253_402_300_799]),
    BuiltInConverter(
      name: "date of seconds in an int", definition: ["type": "date", "unit": "seconds"],
      type: .int,
      seeds: [0, 1_700_000_000]),
    BuiltInConverter(
      name: "date as seconds", definition: ["type": "date", "as": "seconds"], type: .date,
      seeds: [0, 1000, 1001, -1000]),
    BuiltInConverter(
      name: "date as nanoseconds", definition: ["type": "date", "as": "nanoseconds"], type: .date,
      seeds: [0, 1001, -1001]),
    BuiltInConverter(
      name: "date in a string", definition: "date", type: .string,
      seeds: ["2024-02-29T12:00:00Z", "2024-02-29t12:00:00.5+01:00", "2024-02-29"]),
    BuiltInConverter(
      name: "date in a string as milliseconds", definition: ["type": "date", "as": "milliseconds"],
      type: .string, seeds: ["2024-02-29T12:00:00.000Z", "2024-02-29T12:00:00Z"]),
    BuiltInConverter(
      name: "uuid in bytes", definition: "uuid", type: .byteVector,
      seeds: [.bytes(Array(0..<16)), .bytes([])]),
    BuiltInConverter(
      name: "uuid in bytes, upper case", definition: ["type": "uuid", "uppercase": true],
      type: .byteVector, seeds: [.bytes(Array(200..<216))]),
    BuiltInConverter(
      name: "uuid in a string", definition: "uuid", type: .string,
      seeds: ["123e4567-e89b-12d3-a456-426614174000", "123E4567-E89B-12D3-A456-426614174000"]),
    BuiltInConverter(
      name: "url", definition: "url", type: .string,
      seeds: ["https://example.org/a%20b?c=d#e", "mailto:a@example.org"]),
    BuiltInConverter(
      name: "relative url", definition: ["type": "url", "relative": true], type: .string,
      seeds: ["Franny%27s_Feet", "../a", ""]),
    BuiltInConverter(
      name: "decimal in a string", definition: "decimal", type: .string,
      seeds: ["-12.50", "1e-7", "+3", ".5"]),
    BuiltInConverter(
      name: "decimal in a long", definition: ["type": "decimal", "scale": 2], type: .long,
      seeds: [0, -5, 1250]),
    BuiltInConverter(
      name: "decimal without a fraction", definition: ["type": "decimal", "scale": 0], type: .short,
      seeds: [0, -5]),
    BuiltInConverter(
      name: "base64", definition: "base64", type: .byteVector, seeds: [.bytes([]), .bytes([255])]),
    BuiltInConverter(
      name: "hex", definition: "hex", type: .byteVector, seeds: [.bytes([]), .bytes([255])]),
    BuiltInConverter(
      name: "text", definition: "text", type: .byteVector,
      seeds: [.bytes(Array("é".utf8)), .bytes([255])]),
    BuiltInConverter(
      name: "json", definition: "json", type: .string,
      seeds: [
        #"{"a":[1,2.5,null,"x"]}"#, #"{ "a": 1 }"#, "null", #"{"raw":1}"#, "1.0", "1.00", "[]",
        #"{"a":1,"a":2}"#, #""\u0041""#, "18446744073709551615", "18446744073709551616",
      ]),
    BuiltInConverter(
      name: "list in a string", definition: "list", type: .string,
      seeds: [#"["a",1]"#, "[]", "{}", #"[ ]"#]),
    BuiltInConverter(
      name: "list with a separator", definition: ["type": "list", "separator": ", "],
      type: .string, seeds: ["", "a", "a, b", ", ", "a,, b", ", , "]),
    BuiltInConverter(
      name: "list of enums", definition: ["type": "list", "of": roles],
      type: PropertyType(rawValue: 26), seeds: [.integers([0, 200, 7]), .integers([])]),
    BuiltInConverter(
      name: "list of texts", definition: ["type": "list", "of": states],
      type: PropertyType(rawValue: 30), seeds: [.strings(["o", "?", "e\u{301}"]), .strings([])]),
    BuiltInConverter(
      name: "list of dates", definition: ["type": "list", "of": "date"],
      type: PropertyType(rawValue: 31), seeds: [.integers([0]), .integers([0, .max])]),
    BuiltInConverter(
      name: "boolean", definition: "boolean", type: .byte, seeds: [0, 1, 2]),
    BuiltInConverter(
      name: "boolean in a string", definition: ["type": "boolean", "true": "Y", "false": "N"],
      type: .string, seeds: ["Y", "N", "y"]),
    BuiltInConverter(
      name: "unsigned in a byte", definition: "unsigned", type: .byte, seeds: [0, 127, -128, -1]),
    BuiltInConverter(
      name: "unsigned in a long", definition: "unsigned", type: .long,
      seeds: [0, .integer(.max), .integer(.min), -1]),
    BuiltInConverter(
      name: "list of unsigned", definition: ["type": "list", "of": "unsigned"],
      type: .shortVector, seeds: [.integers([0, -1, 32767, -32768]), .integers([])]),
    BuiltInConverter(
      name: "chain of text and json", definition: ["type": "chain", "of": ["text", "json"]],
      type: .byteVector,
      seeds: [.bytes(Array("[1]".utf8)), .bytes(Array("null".utf8)), .bytes([0xFF])]),
    BuiltInConverter(
      name: "chain of date and enum",
      definition: [
        "type": "chain",
        "of": [
          ["type": "date", "as": "seconds"],
          ["type": "enum", "values": ["epoch": 0, "later": 1_700_000_000]],
        ],
      ], type: .date, seeds: [0, 1_700_000_000_000, 1000, 1]),
  ]
}
