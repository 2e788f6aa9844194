package import BoxMigration
internal import BoxReport

/// The settings of plans.
package enum PlanSettings {
  /// The classes that block a change by default.
  static let standardClasses = ChangeClass.byGravity.reversed()
    .filter(ChangeClass.gatedByDefault.contains).map(\.rawValue)

  package static func problem(ofClass text: String) -> String? {
    if ChangeClass(rawValue: text) != nil || text == "none" { return nil }
    let names = ChangeClass.byGravity.map(\.rawValue)
    if let guess = nearestName(to: text, among: names) {
      return "'\(text)' is not a class of changes; did you mean '\(guess)'?"
    }
    return "'\(text)' is not a class of changes; there are: \(names.joined(separator: ", "))"
  }

  package static func problem(ofSelector text: String) -> String? {
    RuleSelector(text) == nil
      ? "'\(text)' names no rule of a change, such as BOX312, BOX312:Note or BOX312:Note.title"
      : nil
  }

  package static func problem(ofSeverity text: String) -> String? {
    severity(text) == nil
      ? "'\(text)' is not a severity of a change, such as BOX312:Note=error" : nil
  }

  /// Reads `BOX312:Note=error`.
  package static func severity(_ text: String) -> SeverityChoice? {
    guard let equals = text.lastIndex(of: "="),
      let selector = RuleSelector(String(text[..<equals])),
      let severity = Severity(rawValue: String(text[text.index(after: equals)...]))
    else { return nil }
    return SeverityChoice(selector, severity)
  }

  /// The classes that a list names; `none` names none.
  package static func classes(_ texts: [String]) -> Set<ChangeClass> {
    Set(texts.compactMap { ChangeClass(rawValue: $0) })
  }

  /// The day by which approvals are over, in UTC.
  package static var today: String { String(utcTime(currentTime()).prefix(10)) }

  /// The policy that the settings make, without approvals.
  package static func policy(_ settings: EffectiveConfiguration) -> PlanPolicy {
    var policy = PlanPolicy(today: today)
    policy.failOn = classes(settings[.planFailOn].texts)
    policy.ignored = settings[.planIgnored].texts.compactMap { RuleSelector($0) }
    policy.severities = settings[.planSeverities].texts.compactMap { severity($0) }
    return policy
  }
}
