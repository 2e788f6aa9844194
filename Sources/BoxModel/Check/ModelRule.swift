public import BoxReport

/// The rules that a model file is checked against.
///
/// Extensions have the rules by subject, each with the text of its entry in `docs/rules.md`.
public enum ModelRule {
  /// The rules in the order of `docs/rules.md`, with their headings.
  package static var sections: [RuleSection] {
    formSections + identitySections + namesSections + flagsSections + [DeclarationRule.section]
      + comparisonSections
  }

  /// Every rule.
  public static let all: [Rule] = sections.flatMap(\.rules)
}
