package import BoxReport

/// The rules that the file of declarations about a model is checked against.
///
/// `docs/rules.md` has an entry for each.
package enum DeclarationRule {
  private static func rule(
    _ id: String, _ name: String, _ summary: String, _ severity: Severity = .error
  ) -> Rule {
    Rule(id: id, name: name, summary: summary, severity: severity)
  }

  /// The file cannot be read.
  package static let unreadable = rule(
    "BOX181", "rules-unreadable", "A file of rules is one that this version reads")
  /// Two declarations are about the same side of a relation.
  package static let repeated = rule(
    "BOX182", "rule-repeated", "A side of a relation has one rule")
  /// A declaration is about an element that is no relation.
  package static let notARelation = rule(
    "BOX183", "rule-not-of-relation", "A rule about removals is about a relation")
  /// A declaration is about an element that the model neither has nor had.
  package static let unknown = rule(
    "BOX184", "rule-of-unknown", "A rule is about a relation that the model has or had", .warning)
}
