package import BoxEngine
public import BoxModel
public import BoxReport

/// A policy that decides which steps block a change.
public struct PlanPolicy: Hashable, Sendable {
  /// The classes that block a change.
  public var failOn: Set<ChangeClass> = ChangeClass.gatedByDefault
  /// Rules that are ignored.
  public var ignored: [RuleSelector] = []
  /// Severities that override the severities of the rules.
  ///
  /// An error blocks, any other severity does not. The last selector that matches counts.
  public var severities: [SeverityChoice] = []
  /// The approvals, which let blocking steps pass.
  public var approvals: [Approval] = []
  /// The paths of the model from the top of its repository, which approvals for one model name.
  public var modelPaths: Set<String> = []
  /// The day, as `2026-12-31`, on which approvals must still hold.
  public var today: String

  /// Creates a policy that blocks changes of the most severe classes.
  ///
  /// - Parameter today: The day, as `2026-12-31`, on which approvals must still hold; if it is not
  ///   a day, every approval with an end has expired.
  public init(today: String) { self.today = today }
}

/// A severity that overrides the severity of a rule.
public struct SeverityChoice: Hashable, Sendable {
  /// The steps that the severity is for.
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
  /// The severity of the step under the policy.
  public var severity: Severity
  /// Whether it stops the change.
  public var isBlocking: Bool
  /// The approval that lets it pass.
  public var approval: Approval?
  /// An approval that would have let it pass, and is over.
  public var expired: Approval?
}

/// A plan, with the verdict of a policy.
public struct PlanReview: Sendable {
  /// The plan.
  public var plan: MigrationPlan
  private let policy: PlanPolicy
  /// The steps that are not ignored, in the order of the plan.
  public var steps: [ReviewedStep]
  /// The number of ignored steps.
  public var ignored: Int
  /// Other findings about the change, such as settings that it alters; none of them blocks the
  /// change.
  public var findings: [Finding] = []

  /// Reviews a plan by the policy that blocks the most severe classes, without approvals.
  ///
  /// - Complexity: O(*n*) in the number of steps.
  public init(_ plan: MigrationPlan) {
    // Without approvals the day says nothing.
    self.init(plan, PlanPolicy(today: ""))
  }

  /// Reviews a plan by a policy.
  ///
  /// - Complexity: O(*n*) in the number of steps, selectors and approvals.
  public init(_ plan: MigrationPlan, _ policy: PlanPolicy) {
    self.plan = plan
    self.policy = policy
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

  /// Counts the data of the store that the plan is from, and reviews the steps again.
  ///
  /// - Throws: ``StoreError/damaged(_:)`` for damaged relations, of which no count is right, and as
  ///   ``MigrationPlan/count(in:)``.
  /// - Complexity: As ``MigrationPlan/count(in:)``, and O(*n*) in the entries of relations.
  package mutating func count(in store: ObjectStore) throws {
    try store.requireWholeRelations()
    var plan = plan
    try plan.count(in: store)
    let findings = findings
    self = PlanReview(plan, policy)
    self.findings = findings
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
