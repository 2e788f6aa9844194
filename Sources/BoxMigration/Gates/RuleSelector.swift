internal import BoxReport

/// A rule, or a rule on one entity or one of its members, as settings name it.
///
/// `BOX312`, `property-removed`, `BOX312:Note` and `BOX312:Note.title` are selectors.
public struct RuleSelector: Hashable, Sendable {
  private let rule: String
  private let entity: String?
  private let member: String?

  /// Reads a selector; nil if there is no such rule, or a name is empty.
  public init?(_ text: String) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let word = parts[0].lowercased()
    guard
      let found = ChangeRule.all.first(where: {
        $0.rule.id.lowercased() == word || $0.rule.name == word
      })
    else { return nil }
    rule = found.rule.id
    let names =
      parts.count == 2
      ? parts[1].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        .map(String.init) : []
    if names.contains("") { return nil }
    entity = names.first
    member = names.count == 2 ? names[1] : nil
  }

  /// Whether a step is meant; names are compared without regard to case, as generators do.
  public func selects(_ step: PlanStep) -> Bool {
    if step.rule.id != rule { return false }
    if let entity, step.entity?.lowercased() != entity.lowercased() { return false }
    if let member, step.member?.lowercased() != member.lowercased() { return false }
    return true
  }
}
