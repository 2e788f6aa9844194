package import BoxJSON
package import BoxReport

extension Declarations {
  /// A table for people with a line for each relation; empty without any.
  ///
  /// - Parameter hidden: The relations that the model of a store lacks.
  /// - Returns: The table.
  package func table(hidden: Set<UID> = []) -> TextTable {
    var table = TextTable(
      relations.map {
        [$0.label.escapedForDisplay, $0.words]
          + (hidden.contains($0.relation) ? ["hidden: not in the model"] : [])
      })
    table.indent = 2
    return table
  }

  /// The declarations for programs.
  ///
  /// - Parameter hidden: The relations that the model of a store lacks.
  /// - Returns: A list.
  package func json(hidden: Set<UID> = []) -> JSONValue {
    .array(
      relations.map {
        .object(
          $0.members(uid: $0.relation.uidJSON)
            + (hidden.contains($0.relation) ? [.init("hidden", true)] : []))
      })
  }

  /// The content of the file as a value.
  package var fileJSON: JSONValue {
    [
      "rules": .int(Self.formatVersion),
      "declarations": .array(relations.map { .object($0.members(uid: .string("\($0.relation)"))) }),
    ]
  }
}

extension RelationDeclaration {
  /// The rules, such as `target removed: cascade`.
  package var words: String {
    [("source removed", sourceRemoved), ("target removed", targetRemoved)].compactMap {
      side, rule in
      rule.map { "\(side): \($0.rawValue)" }
    }.joined(separator: ", ")
  }
}
