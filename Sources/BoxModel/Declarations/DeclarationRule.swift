package import BoxReport

/// The rules that the file of declarations about a model is checked against.
///
/// Each has the text of its entry in `docs/rules.md`.
package enum DeclarationRule {
  /// The file cannot be read.
  package static let unreadable = Rule(
    "BOX181", "rules-unreadable", "A file of rules is one that this version reads",
    reason: """
      It is no JSON, has conflict markers, or has a member that a newer version wrote. A rule that is skipped would let \
      a removal do what it must not.
      """,
    example: "`model-App.rules.json:3:1: error: has conflict markers`",
    remedy: """
      Take either side of a conflict and build again: the generator writes the file from the sources.
      """)
  /// Two declarations are about the same side of a relation.
  package static let repeated = Rule(
    "BOX182", "rule-repeated", "A side of a relation has one rule",
    reason: "Two lines are about the same side of one relation, and may say different things.",
    example: "`Line.order (6441549001669489152) has a rule for 'targetRemoved' in line 2 already`",
    remedy: "Keep one of the lines.")
  /// A declaration is about an element that is not a relation.
  package static let notARelation = Rule(
    "BOX183", "rule-not-of-relation", "A rule about removals is about a relation",
    reason: "The UID belongs to an entity, an index, or a property that refers to no object.",
    example: "`41 is the property Person.first`",
    remedy: "Write the UID of the property of a relation to one, or of a relation to many.")
  /// A declaration is about an element that the model neither has nor had.
  package static let unknown = Rule(
    "BOX184", "rule-of-unknown", "A rule is about a relation that the model has or had", .warning,
    reason: """
      The model has neither an element nor a retired UID with that number: the files are of different versions.
      """,
    example: "`Line.order (6441549001669489152) is not in model-App.json`",
    remedy: "Build again, or take the line out where the file is written by hand.")
  /// A relation to one has a delete rule for removed targets, and no index.
  ///
  /// Stores are refused by it, so it has its entry among the rules for that.
  package static let withoutIndex = Rule(
    "BOX614", "rule-without-index",
    "A relation to one with a delete rule for removed targets has an index",
    reason: """
      The removal of an object finds the objects that refer to it by the index of the relation. Generators of \
      ObjectBox give every relation to one an index; a file that was written by hand may lack it. `boxjoint check` \
      and `boxjoint plan` find it in the files.
      """,
    example: """
      `Line.order has a delete rule for removed targets, and no index to find their sources by`
      """,
    remedy: "Give the property the flag 8 (indexed) and an index id, or take the rule out.")

  /// The rule that a mismatch is reported by for a file.
  static func rule(of mismatch: DeclarationMismatch) -> Rule {
    switch mismatch.kind {
    case .otherElement: notARelation
    case .missingIndex: withoutIndex
    }
  }

  /// The rules under their heading of `docs/rules.md`.
  package static var section: RuleSection {
    RuleSection(
      "Rules about removals",
      """
      The file `NAME.rules.json` beside a model file; see [generating.md](generating.md#rules-about-removals).
      """,
      rules: [unreadable, repeated, notARelation, unknown])
  }
}
