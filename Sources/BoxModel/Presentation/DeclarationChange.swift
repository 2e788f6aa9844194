package import BoxJSON
import BoxReport

/// A side of a relation that has another rule for removals than before.
package struct DeclarationChange: Hashable, Sendable {
  /// The declaration: the new one, or the old one where there is none any more.
  package var declaration: RelationDeclaration
  /// The object whose removal the rule is about.
  package var side: Side
  /// The rule before.
  package var before: DeleteRule
  /// The rule now.
  package var after: DeleteRule

  /// An end of a relation.
  package enum Side: String, Hashable, Sendable { case source, target }

  /// The key of the side in a file of rules.
  package var key: String {
    switch side {
    case .source: RelationDeclaration.Key.sourceRemoved.rawValue
    case .target: RelationDeclaration.Key.targetRemoved.rawValue
    }
  }

  /// The change, in one sentence without a trailing period.
  package var message: String {
    "\(declaration.label): the rule for a removal of the \(side) was \(before.rawValue) and is \(after.rawValue)"
  }

  /// The change for programs.
  package var json: JSONValue {
    [
      "relation": declaration.relation.uidJSON, "name": .string(declaration.name),
      "side": .string(side.rawValue), "before": .string(before.rawValue),
      "after": .string(after.rawValue),
    ]
  }
}

extension Declarations {
  /// The sides of relations that have another rule than in earlier declarations, by UID.
  ///
  /// - Complexity: O(*n* log *n*) in the number of declarations of both.
  package func changes(since earlier: Declarations) -> [DeclarationChange] {
    Set((earlier.relations + relations).map(\.relation)).sorted().flatMap { uid in
      let (before, after) = (earlier.relation(uid), relation(uid))
      guard let declaration = after ?? before else { return [DeclarationChange]() }
      return [
        (DeclarationChange.Side.source, before?.sourceRemoved, after?.sourceRemoved),
        (.target, before?.targetRemoved, after?.targetRemoved),
      ].compactMap { side, old, new in
        let (old, new) = (old ?? .noAction, new ?? .noAction)
        if old == new { return nil }
        return DeclarationChange(declaration: declaration, side: side, before: old, after: new)
      }
    }
  }
}
