package import BoxJSON
internal import BoxModel
package import BoxReport

extension MergeRecord {
  /// Changes when a reader of the old form would misread the new one.
  package static let schemaVersion = 2

  /// The report for programs, as `Schemas/merge-report.schema.json` describes it, ending with a
  /// line feed.
  ///
  /// - Complexity: O(*n*) in the number of decisions and conflicts.
  package func json(tool: ToolInfo) -> String {
    JSONValue.compact(
      [
        ("schemaVersion", .int(Self.schemaVersion)),
        ("tool", ["name": .string(tool.name), "version": .string(tool.version)]),
      ] + jsonMembers
    ).displayText
  }

  /// The members of the report except its head, for a report on several files.
  package var jsonMembers: [(String, JSONValue?)] {
    [
      ("status", .string(status.rawValue)),
      ("result", result.map(JSONValue.string)),
      ("reason", reason.map(Self.json)),
      ("decisions", .array(decisions.map(Self.json))),
      ("conflicts", .array(conflicts.map(Self.json))),
      ("published", .array(published.map(Self.json))),
      ("notes", .array(notes.map(JSONValue.string))),
    ]
  }

  private static func json(_ reason: Reason) -> JSONValue {
    .compact([
      ("rule", json(reason.rule)), ("message", .string(reason.message)),
      ("help", reason.help.map(JSONValue.string)),
    ])
  }

  private static func json(_ decision: Decision) -> JSONValue {
    .compact([
      ("rule", json(decision.rule)),
      ("severity", .string(decision.rule.severity.rawValue)),
      ("element", decision.element.map(json)),
      ("label", .string(decision.label)),
      ("side", decision.side.map { .string($0.rawValue) }),
      ("message", .string(decision.message)),
      ("consequence", decision.consequence.map(JSONValue.string)),
    ])
  }

  private static func json(_ conflict: Conflict) -> JSONValue {
    .compact([
      ("id", .string(conflict.id)),
      ("rule", json(conflict.rule)),
      ("elements", .array(conflict.elements.map(json))),
      ("label", .string(conflict.label)),
      ("message", .string(conflict.message)),
      ("ours", .string(conflict.ours)),
      ("theirs", .string(conflict.theirs)),
      ("help", conflict.help.map(JSONValue.string)),
    ])
  }

  private static func json(_ source: Source) -> JSONValue {
    .compact([
      ("name", .string(source.name)), ("resolved", .bool(source.isResolved)),
      ("detail", source.detail.map(JSONValue.string)),
      ("help", source.help.map(JSONValue.string)),
    ])
  }

  private static func json(_ rule: Rule) -> JSONValue {
    ["id": .string(rule.id), "name": .string(rule.name)]
  }

  /// UIDs are written as integers, which they are in model files too.
  private static func json(_ key: ElementKey) -> JSONValue {
    ["kind": .string(key.kind.rawValue), "uid": key.uid.uidJSON]
  }
}
