public import BoxReport

/// What stops a change, and what lets it pass.
public struct PlanPolicy: Hashable, Sendable {
  /// The classes that stop it.
  public var failOn: Set<ChangeClass> = ChangeClass.gatedByDefault
  /// Rules that are left out.
  public var ignored: [RuleSelector] = []
  /// Severities in the place of those of the rules.
  ///
  /// An error stops, anything else does not. The last selector that fits counts.
  public var severities: [SeverityChoice] = []
  /// What was approved.
  public var approvals: [Approval] = []
  /// The paths of the model from the top of its repository, which approvals for one model name.
  public var modelPaths: Set<String> = []
  /// The day, as `2026-12-31`, on which approvals must still hold.
  public var today: String

  /// Creates a policy that stops at the gravest classes.
  ///
  /// - Parameter today: The day, as `2026-12-31`, on which approvals must still hold; for a text that is
  ///   no day, every approval with an end is over.
  public init(today: String) { self.today = today }
}

/// A severity in the place of that of a rule.
public struct SeverityChoice: Hashable, Sendable {
  /// What it is for.
  public var selector: RuleSelector
  /// The severity.
  public var severity: Severity

  /// Creates a choice.
  public init(_ selector: RuleSelector, _ severity: Severity) {
    self.selector = selector
    self.severity = severity
  }
}

/// A step, and what the policy says of it.
public struct ReviewedStep: Hashable, Sendable {
  /// The step.
  public var step: PlanStep
  /// The fingerprint of the step, by which it is approved.
  public var fingerprint: String
  /// How grave it is.
  public var severity: Severity
  /// Whether it stops the change.
  public var isBlocking: Bool
  /// The approval that lets it pass.
  public var approval: Approval?
  /// An approval that would have let it pass, and is over.
  public var expired: Approval?
}

/// A plan, and what a policy says of it.
public struct PlanReview: Sendable {
  /// The plan.
  public var plan: MigrationPlan
  /// The steps that are not left out, in the order of the plan.
  public var steps: [ReviewedStep]
  /// How many steps were left out.
  public var ignored: Int
  /// What else was found of the change, such as settings that it alters; none of it stops the change.
  public var findings: [Finding] = []

  /// Holds a plan against the policy that stops at the gravest classes, with nothing approved.
  ///
  /// - Complexity: O(*n*) in the number of steps.
  public init(_ plan: MigrationPlan) {
    // Without approvals the day says nothing.
    self.init(plan, PlanPolicy(today: ""))
  }

  /// Holds a plan against a policy.
  ///
  /// - Complexity: O(*n*) in the number of steps, selectors and approvals.
  public init(_ plan: MigrationPlan, _ policy: PlanPolicy) {
    self.plan = plan
    steps = []
    ignored = 0
    let index = PolicyIndex(policy)
    for step in plan.steps {
      let selectors = RuleSelector.all(of: step)
      if selectors.contains(where: index.ignored.contains) {
        ignored += 1
        continue
      }
      steps.append(Self.review(step, selectors, policy, index))
    }
  }

  private static func review(
    _ step: PlanStep, _ selectors: [RuleSelector], _ policy: PlanPolicy, _ index: PolicyIndex
  ) -> ReviewedStep {
    let fingerprint = step.fingerprint
    let chosen = selectors.compactMap { index.severities[$0] }.max()
      .map { policy.severities[$0].severity }
    let isGated = policy.failOn.contains(step.changeClass)
    var reviewed = ReviewedStep(
      step: step, fingerprint: fingerprint,
      severity: chosen ?? (isGated ? .error : min(step.changeClass.severity, .warning)),
      isBlocking: chosen.map { $0 == .error } ?? isGated)
    let approvals = index.approvals[fingerprint] ?? []
    let holding = approvals.first { !$0.isOver(on: policy.today) }
    guard reviewed.isBlocking, let approval = holding ?? approvals.first else { return reviewed }
    if holding == nil {
      reviewed.expired = approval
    } else {
      reviewed.approval = approval
      reviewed.isBlocking = false
      reviewed.severity = .note
    }
    return reviewed
  }

  /// Whether a step stops the change.
  public var isBlocked: Bool { steps.contains(where: \.isBlocking) }
}

/// A policy as a step is looked up in it.
private struct PolicyIndex {
  let ignored: Set<RuleSelector>
  /// The position of the last choice with each selector: the last one holds.
  let severities: [RuleSelector: Int]
  /// The approvals for the model, by their fingerprints.
  let approvals: [String: [Approval]]

  init(_ policy: PlanPolicy) {
    ignored = Set(policy.ignored)
    severities = Dictionary(policy.severities.enumerated().map { ($1.selector, $0) }) { $1 }
    approvals = Dictionary(
      grouping: policy.approvals.filter { $0.covers(modelAt: policy.modelPaths) },
      by: \.fingerprint)
  }
}
