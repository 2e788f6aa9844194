import BoxJSON
import BoxReport

/// Findings that several suites print.
enum Samples {
  static let tool = ToolInfo(version: "1.2.3")

  static let duplicateId = Rule(
    id: "BOX111", name: "duplicate-entity-id", summary: "Each entity has an id of its own.",
    severity: .error)
  static let unknownKey = Rule(
    id: "BOX120", name: "unknown-key", summary: "A key is one that a tool writes.",
    severity: .warning)
  static let oldVersion = Rule(
    id: "BOX104", name: "old-version", summary: "The file is of a current version.",
    severity: .note)

  /// An error with everything that a finding can have.
  static let bear = Finding(
    rule: duplicateId, message: "entity Bear has the id 1, which entity Ant has",
    advice: "give Bear the next free id", path: "app/model.json",
    region: SourceRegion(line: 6, column: 13, endLine: 6, endColumn: 20),
    sourceLine: #"      "id": "1:300","#, fix: "change the id to 2",
    fixCommand: "boxjoint check --fix app/model.json")

  /// A warning over several lines.
  static let key = Finding(
    rule: unknownKey, message: "no tool writes the key colour", path: "app/model.json",
    region: SourceRegion(line: 9, column: 5, endLine: 11, endColumn: 6),
    sourceLine: #"    "colour": {"#)

  /// A note about a whole file.
  static let version = Finding(
    rule: oldVersion, message: "the file is of version 4", path: "app/model.json")

  /// A file name and a message that try to break out of every format.
  static let hostile = Finding(
    rule: duplicateId,
    message: "entity \u{1B}[31mA|`<b>\n::error::x%0A\u{202E}, ##[error] ]]>",
    path: "a,b:c%\u{7}|é.json",
    region: SourceRegion(line: 1, column: 1, endLine: 1, endColumn: 2))

  static func report(_ findings: Finding..., checked: [String] = ["app/model.json"]) -> Report {
    Report(findings: findings, checkedPaths: checked, tool: tool)
  }
}
