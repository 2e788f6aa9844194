internal import BoxModel
package import BoxReport

extension PlanReview {
  /// The steps as findings, for the printers of reports.
  ///
  /// Every finding has a place in the new file, which is the one under review. A removed element has the
  /// place of its entity, or of the list of entities. The most severe class comes first, because of many
  /// findings only the first may be shown.
  ///
  /// - Parameter tool: The program that made the plan.
  /// - Returns: A report on the new file.
  /// - Complexity: O(*n*) in the number of steps and of elements of both models.
  package func report(tool: ToolInfo) -> Report {
    let places = ReportPlaces(plan)
    return Report(
      findings: steps.map { $0.finding(at: places.place(of: $0.step), fallback: plan.new.path) }
        + findings,
      checkedPaths: [plan.new.path], tool: tool, order: .asGiven)
  }
}

/// The places of the findings in the new file.
private struct ReportPlaces {
  private let old: Model
  private let new: PlanSide
  private let oldLookup: ModelLookup
  private let newLookup: ModelLookup

  init(_ plan: MigrationPlan) {
    old = plan.old.model
    new = plan.new
    oldLookup = plan.old.document?.lookup ?? ModelLookup(plan.old.model)
    newLookup = plan.new.document?.lookup ?? ModelLookup(plan.new.model)
  }

  func place(of step: PlanStep) -> PlanPlace? {
    guard step.newPlace == nil, let document = new.document else {
      return step.newPlace ?? step.oldPlace
    }
    var holder: ElementPlace?
    if let kind = step.kind, kind != .entity, let uid = step.uid, let gone = oldLookup[kind, uid],
      let entity = newLookup.entity(old.entities[gone.entity].pair.uid)
    {
      holder = .entity(entity)
    }
    return PlanPlace(
      path: new.path, region: document.region(of: nil, at: holder),
      sourceLine: document.sourceLine(of: nil, at: holder))
  }
}

extension ReviewedStep {
  fileprivate func finding(at place: PlanPlace?, fallback path: String) -> Finding {
    var advice = step.remedy.map { [$0] } ?? []
    if let approval { advice = ["approved by \(approval.author): \(approval.reason)"] }
    if let expired {
      advice.append("an approval \(expired.endWords)")
    }
    if isBlocking { advice.append("fingerprint \(fingerprint)") }
    return Finding(
      rule: step.rule, severity: severity,
      message: "\(step.changeClass.rawValue): \(step.message); \(step.data)",
      advice: advice.isEmpty ? nil : advice.joined(separator: "; "), path: place?.path ?? path,
      region: place?.region, sourceLine: place?.sourceLine)
  }
}
