import BoxConvert
import BoxJSON
import TestSupport
import Testing

/// The schemas take what the reader takes.
struct ConverterSchemaTests {
  private static func catalogue(_ definition: JSONValue) -> JSONValue {
    ["properties": ["E.p": definition]]
  }

  @Test(.enabled("needs jsonschema, as scripts/test has it", SchemaValidator.isAvailable))
  func everyBuiltInConverterIsInTheSchema() async throws {
    var members: [JSONValue.Member] = []
    for (number, sample) in BuiltInConverter.all.enumerated() {
      members.append(JSONValue.Member("E.p\(number)", sample.definition))
    }
    let json: JSONValue = [
      "types": [
        "T": [
          "type": "date", "default": "2024-02-29", "missing": "default", "null": .null,
          "unknown": "keep", "malformed": "fail",
        ]
      ],
      "properties": .object(members + [JSONValue.Member("E.t", "T")]),
      "mappings": [
        "E": [
          "properties": ["a": "/b/0", "c": ["from": "/d~1", "as": "join", "separator": ";"]],
          "relations": ["r": ["from": "", "to": "T", "key": "k", "as": "keys"]],
          "flatten": "_",
        ],
        "F": ["rest": "other"],
      ],
    ]
    let catalogue = try Catalogue(json)
    let violations = try await SchemaValidator.violations(
      of: Array(json.text().utf8), against: "converters.schema.json")
    #expect(violations == "")
    let lock = ConverterLock(catalogue).text
    #expect(
      try await SchemaValidator.violations(
        of: Array(lock.utf8), against: "converters-lock.schema.json") == "")
  }

  /// The schema also refuses texts that the reader refuses for their form.
  @Test(
    .enabled("needs jsonschema, as scripts/test has it", SchemaValidator.isAvailable),
    arguments: [
      ["x": 1], ["properties": ["role": "date"]], catalogue("enum"),
      catalogue(["values": ["a": 1]]),
      catalogue(["type": "enum", "values": ["a": 1.5]]),
      catalogue(["type": "enum", "values": [:]]),
      catalogue(["type": "enum", "values": [1]]), catalogue(["type": "date", "unit": "days"]),
      catalogue(["type": "date", "null": "no"]), catalogue(["type": "date", "x": 1]),
      catalogue(["type": "date", "default": .null]), catalogue(["type": "chain", "of": ["json"]]),
      catalogue(["type": "options", "values": ["a": 0]]),
      ["mappings": ["A": ["properties": ["p": "b"]]]],
      ["mappings": ["A": ["relations": ["p": ["from": "/b"]]]]], ["mappings": ["A": ["rest": 1]]],
      ["mappings": ["A": ["rest": "r", "flatten": "_"]]],
    ] as [JSONValue])
  func whatIsRefusedIsNotInTheSchema(_ json: JSONValue) async throws {
    #expect(throws: CatalogueError.self) { try Catalogue(json) }
    let violations = try await SchemaValidator.violations(
      of: Array(json.text().utf8), against: "converters.schema.json")
    #expect(violations != "")
  }
}
