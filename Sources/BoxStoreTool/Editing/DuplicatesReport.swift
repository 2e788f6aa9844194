internal import BoxEngine
package import BoxJSON
internal import BoxModel
internal import BoxReport

/// The output of `boxjoint store duplicates`.
package struct DuplicatesReport: Sendable {
  /// The objects with one value.
  struct Group: Sendable {
    /// The value, as a dump has it.
    var value: JSONValue
    /// The value for people.
    var text: String
    /// The object that stays.
    var keptID: UInt64
    /// The objects that go, in ascending order.
    var removedIDs: [UInt64]
  }

  let store: String
  let entity: String
  let property: String
  let keep: DuplicatesRequest.Keep
  /// Whether the objects are removed, and not only listed.
  let removes: Bool
  /// Whether links are moved.
  let repoints: Bool
  let isDryRun: Bool
  /// The number of values that several objects have.
  package internal(set) var values = 0
  /// The number of objects that go.
  package internal(set) var removed = 0
  /// The number of links that are moved.
  package internal(set) var moved = 0
  /// The objects that the removal concerned by delete rules; nil without rules.
  var effects: RemovalEffects?
  /// The first groups.
  var groups: [Group] = []
  package var loss: Loss?
  package var unconfirmed: Int?

  package var count: Int { removed }

  /// The number of characters of a value in a table.
  private static let maximumWidth = 60

  private var name: String { NamePath([entity, property]).description }

  /// The number of groups that are not listed.
  private var omitted: Int { values - groups.count }

  /// The values with the objects that have them.
  var table: String {
    if groups.isEmpty { return "" }
    var rows = [["value", "stays", "goes"]]
    for group in groups {
      let text = group.text
      rows.append([
        text.count > Self.maximumWidth ? "\(text.prefix(Self.maximumWidth))…" : text,
        "\(group.keptID)", group.removedIDs.map { "\($0)" }.listed,
      ])
    }
    var table = TextTable(rows)
    table.rightAligned = [1]
    var lines = table.lines()
    if omitted > 0 { lines.append("… \(grouped(omitted)) more") }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The change in a few words.
  private var changeText: String {
    let verb = removes && !isDryRun ? "" : "would be "
    let moves = repoints ? ", \(counted(moved, "link")) \(verb)moved" : ""
    return "\(counted(removed, "object")) \(verb)removed\(moves)"
  }
}

extension DuplicatesReport: ChangeReport {
  package var text: String {
    if values == 0 { return "\(name): no two objects have one value\n" }
    let others = effects?.lines(isDryRun: isDryRun).map { $0 + "\n" }.joined() ?? ""
    if removes && !isDryRun { return "\(name): \(changeText)\n\(others)" }
    let head =
      "\(name): \(counted(values, "value")) of several objects; \(changeText)\n" + others + table
    return isDryRun ? head + "dry run: nothing was kept\n" : head
  }

  package var storedText: String { "stored: \(name): \(changeText)" }

  package var pendingText: String { "done in the open transaction: \(name): \(changeText)" }

  /// The same for programs; `Schemas/store-duplicates.schema.json` describes it.
  package var json: JSONValue {
    .compact([
      ("schemaVersion", .int(1)),
      ("store", .string(store)),
      ("action", .string(removes ? "remove" : "list")),
      ("entity", .string(entity)),
      ("property", .string(property)),
      ("keep", .string(keep.rawValue)),
      ("repoint", .bool(repoints)),
      ("dryRun", .bool(isDryRun)),
      ("values", .int(values)),
      ("removed", .int(removed)),
      ("moved", .int(moved)),
      ("cascaded", effects.map { .array($0.cascadedJSON) }),
      ("nullified", effects.map { .array($0.nullifiedJSON) }),
      (
        "groups",
        .array(
          groups.map { group in
            [
              "value": group.value, "stays": .uint(group.keptID),
              "goes": .array(group.removedIDs.map { .uint($0) }),
            ]
          })
      ),
      ("omittedGroups", .int(omitted)),
      ("loss", loss.map(\.json)),
    ])
  }
}
