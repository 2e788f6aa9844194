public import BoxReport

extension PlanReview {
  /// The steps as findings, for the printers of reports.
  ///
  /// A step stands where it is in the new file; what is gone stands where it was in the old one. The
  /// gravest class comes first, as of many findings not all may be shown.
  ///
  /// - Parameter tool: The program that made the plan.
  /// - Returns: A report on the new file.
  /// - Complexity: O(*n*) in the number of steps.
  public func report(tool: ToolInfo) -> Report {
    Report(
      findings: steps.map { $0.finding(fallback: plan.new.path) },
      checkedPaths: [plan.new.path], tool: tool, order: .asGiven)
  }
}

extension ReviewedStep {
  fileprivate func finding(fallback path: String) -> Finding {
    let place = step.newPlace ?? step.oldPlace
    var advice = step.remedy.map { [$0] } ?? []
    if let approval { advice = ["approved by \(approval.author): \(approval.reason)"] }
    if let expired {
      advice.append("an approval by \(expired.author) ended on \(expired.until ?? "")")
    }
    if isBlocking { advice.append("fingerprint \(fingerprint)") }
    return Finding(
      rule: step.rule, severity: severity,
      message: "\(step.changeClass.rawValue): \(step.message); \(step.data)",
      advice: advice.isEmpty ? nil : advice.joined(separator: "; "), path: place?.path ?? path,
      region: place?.region, sourceLine: place?.sourceLine)
  }
}
