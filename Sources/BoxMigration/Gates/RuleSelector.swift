internal import BoxJSON
internal import BoxModel
internal import BoxReport

/// A rule, or a rule on one entity or one of its members, as settings name it.
///
/// `BOX312`, `property-removed`, `BOX312:Note` and `BOX312:Note.title` are selectors. The names come from the
/// old model, and for new elements from the new model: a rename does not apply a setting to another element.
public struct RuleSelector: Hashable, Sendable {
  private let rule: String
  private let entity: ExactText?
  private let member: ExactText?

  /// Parses a selector; nil if the rule does not exist, or a name is empty.
  public init?(_ text: String) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let word = parts[0].lowercased()
    guard
      let found = ChangeRule.all.first(where: {
        $0.rule.id.lowercased() == word || $0.rule.name == word
      })
    else { return nil }
    rule = found.rule.id
    let path = parts.count == 2 ? NamePath(reading: String(parts[1])) : nil
    if path?.names[0] == "" || path?.member?.name == "" { return nil }
    entity = (path?.names[0]).map(foldedName)
    member = (path?.member?.name).map(foldedName)
  }

  private init(rule: String, entity: String?, member: String?) {
    self.rule = rule
    self.entity = entity.map(foldedName)
    self.member = member.map(foldedName)
  }

  /// Every selector that means a step, so that a step is looked up among many.
  static func all(of step: PlanStep) -> [RuleSelector] {
    let rule = step.rule.id
    var result = [RuleSelector(rule: rule, entity: nil, member: nil)]
    guard let entity = step.oldEntity ?? step.entity else { return result }
    result.append(RuleSelector(rule: rule, entity: entity, member: nil))
    if let member = step.oldMember ?? step.member {
      result.append(RuleSelector(rule: rule, entity: entity, member: member))
    }
    return result
  }

  /// Whether a step is meant; names are compared without regard to case, as generators do.
  public func selects(_ step: PlanStep) -> Bool { Self.all(of: step).contains(self) }
}
