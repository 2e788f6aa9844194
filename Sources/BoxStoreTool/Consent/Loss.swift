package import BoxJSON
internal import BoxModel
internal import BoxReport

/// The stored values that a command loses, and that no later command brings back.
package struct Loss: Hashable, Sendable {
  /// The objects of an entity.
  package struct Objects: Hashable, Sendable {
    let entity: String
    /// The number of objects that are removed, by delete rules too.
    var removed = 0
    /// The number of objects with a value that is overwritten or made null.
    var overwritten = 0
    /// The number of all objects of the entity.
    let total: Int
  }

  /// The entries of a relation.
  package struct Entries: Hashable, Sendable {
    /// The entity and the relation.
    let relation: [String]
    var removed: Int
  }

  /// The values of a property that a purge or a migration frees, or that the model hides.
  package struct Values: Hashable, Sendable {
    /// The entity and the property.
    let property: [String]
    var removed = 0
  }

  /// The values and entries that the model hides and that go with objects, so that no file can hold them.
  package struct Hidden: Hashable, Sendable {
    var values: [Values] = []
    var entries: [Entries] = []

    /// The number of both.
    package var count: Int {
      values.reduce(0) { $0 + $1.removed } + entries.reduce(0) { $0 + $1.removed }
    }
  }

  let objects: [Objects]
  var values: [Values] = []
  let entries: [Entries]
  /// The hidden data of the objects; empty for a purge, whose values and entries are all hidden.
  package internal(set) var hidden = Hidden()
  /// The transactions for data sync that were not sent.
  var unsent = 0
  /// The code by which the user consents to exactly this loss.
  package let code: LossCode

  /// The loss of a command that has nothing to lose, and so no code.
  package static let none = Loss(objects: [], entries: [], code: .none)

  /// Whether nothing is lost.
  package var isEmpty: Bool {
    objects.isEmpty && values.isEmpty && entries.isEmpty && hidden.count == 0 && unsent == 0
  }

  private var removed: Int { objects.reduce(0) { $0 + $1.removed } }
  private var overwritten: Int { objects.reduce(0) { $0 + $1.overwritten } }
  private var valueCount: Int { values.reduce(0) { $0 + $1.removed } }
  private var entryCount: Int { entries.reduce(0) { $0 + $1.removed } }

  /// The number that the user may expect: of the objects that are removed or overwritten and the values that a purge
  /// removes, or else of the entries, or else of the hidden values and entries, or else of the transactions.
  package var count: Int {
    if !objects.isEmpty || !values.isEmpty { return removed + overwritten + valueCount }
    if !entries.isEmpty { return entryCount }
    return hidden.count > 0 ? hidden.count : unsent
  }

  /// The loss in a few words, such as `13 objects would be removed`.
  package var sentence: String {
    var parts: [String] = []
    if removed > 0 { parts.append("\(counted(removed, "object")) would be removed") }
    if overwritten > 0 { parts.append("\(counted(overwritten, "object")) would be overwritten") }
    if valueCount > 0 { parts.append("\(counted(valueCount, "value")) would be removed") }
    if parts.isEmpty, entryCount > 0 {
      parts.append("\(counted(entryCount, "entry", "entries")) would be removed")
    }
    if parts.isEmpty, hidden.count > 0 {
      parts.append("\(hidden.words) would be removed")
    }
    if unsent > 0 { parts.append("\(unsentWords) would not be sent") }
    return parts.isEmpty ? "nothing would be lost" : parts.joined(separator: " and ")
  }

  /// A line for each entity and each relation, such as `Person: 12 would be removed, of 48,210`; empty without a loss.
  package var text: String {
    var lines = objects.map { part in
      var changes: [String] = []
      if part.removed > 0 { changes.append("\(grouped(part.removed)) would be removed") }
      if part.overwritten > 0 {
        changes.append("\(grouped(part.overwritten)) would be overwritten")
      }
      return
        "\(NamePath.quoted(part.entity)): \(changes.joined(separator: ", ")), of \(grouped(part.total))"
    }
    lines += values.map {
      "\(NamePath($0.property)): \(counted($0.removed, "value")) would be removed"
    }
    lines += entries.map {
      "\(NamePath($0.relation)): \(counted($0.removed, "entry", "entries")) would be removed"
    }
    lines += hidden.values.map {
      "\(NamePath($0.property)): \(counted($0.removed, "hidden value")) would be removed, which no file can hold"
    }
    lines += hidden.entries.map {
      "\(NamePath($0.relation)): \(counted($0.removed, "hidden entry", "hidden entries")) would be removed, "
        + "which no file can hold"
    }
    if unsent > 0 { lines.append("\(unsentWords) would not be sent, which no file can hold") }
    return lines.map { $0 + "\n" }.joined()
  }

  private var unsentWords: String { counted(unsent, "transaction") }

  /// The same for programs.
  package var json: JSONValue {
    .compact([
      ("code", .string(code.description)),
      ("count", .int(count)),
      (
        "objects",
        .array(
          objects.map {
            [
              "entity": .string($0.entity), "removed": .int($0.removed),
              "overwritten": .int($0.overwritten), "total": .int($0.total),
            ]
          })
      ),
      ("values", Self.json(values)),
      ("entries", Self.json(entries)),
      ("hidden", ["values": Self.json(hidden.values), "entries": Self.json(hidden.entries)]),
      ("unsent", unsent > 0 ? .int(unsent) : nil),
    ])
  }

  private static func json(_ values: [Values]) -> JSONValue {
    .array(
      values.map {
        ["property": .string($0.property.joined(separator: ".")), "removed": .int($0.removed)]
      })
  }

  private static func json(_ entries: [Entries]) -> JSONValue {
    .array(
      entries.map {
        ["relation": .string($0.relation.joined(separator: ".")), "removed": .int($0.removed)]
      })
  }
}

extension Loss.Hidden {
  /// The number of both, such as `2 hidden values and 1 hidden entry`.
  package var words: String {
    let (valueCount, entryCount) = (
      values.reduce(0) { $0 + $1.removed }, entries.reduce(0) { $0 + $1.removed }
    )
    return [
      valueCount == 0 ? nil : counted(valueCount, "hidden value"),
      entryCount == 0 ? nil : counted(entryCount, "hidden entry", "hidden entries"),
    ].compactMap { $0 }.joined(separator: " and ")
  }
}
