import BoxJSON
import BoxReport
import Testing

struct JSONPrinterTests {
  @Test func printsWhatTheSchemaDescribes() {
    var report = Samples.report(
      Samples.bear, Samples.version, checked: ["app/model.json", "b.json"])
    report.tool.informationURI = "https://example.org/"
    report.tool.ruleHelpURIPrefix = "https://example.org/rules#"
    let expected = #"""
      {
        "schemaVersion": 1,
        "tool": {
          "name": "boxjoint",
          "version": "1.2.3",
          "informationUri": "https://example.org/"
        },
        "summary": {
          "files": 2,
          "errors": 1,
          "warnings": 0,
          "notes": 1,
          "fixable": 1
        },
        "files": [
          "app/model.json",
          "b.json"
        ],
        "findings": [
          {
            "rule": {
              "id": "BOX104",
              "name": "old-version",
              "summary": "The file is of a current version.",
              "helpUri": "https://example.org/rules#box104"
            },
            "severity": "note",
            "message": "the file is of version 4",
            "path": "app/model.json"
          },
          {
            "rule": {
              "id": "BOX111",
              "name": "duplicate-entity-id",
              "summary": "Each entity has an id of its own.",
              "helpUri": "https://example.org/rules#box111"
            },
            "severity": "error",
            "message": "entity Bear has the id 1, which entity Ant has",
            "advice": "give Bear the next free id",
            "path": "app/model.json",
            "region": {
              "line": 6,
              "column": 13,
              "endLine": 6,
              "endColumn": 20
            },
            "sourceLine": "      \"id\": \"1:300\",",
            "fix": "change the id to 2"
          }
        ]
      }

      """#
    #expect(report.render(.json) == expected)
  }

  @Test func keepsStringsExactAndEscapesControlCharacters() throws {
    var finding = Samples.hostile
    finding.message += "\u{9B}\u{2028}\u{7F}\"\\"
    let text = Samples.report(finding).render(.json)
    #expect(
      text.contains(
        #""entity \u001b[31mA|`<b>\n::error::x%0A\u202e, ##[error] ]]>\u009b\u2028\u007f\"\\""#))
    let document = try JSONDocument(parsing: Array(text.utf8))
    let findings = try #require(document.value(forKey: "findings", in: document.root))
    let first = try #require(document.elements(of: findings).first)
    let message = try #require(document.value(forKey: "message", in: first))
    #expect(JSONValueDecoder().string(message, in: document) == finding.message)
  }
}
