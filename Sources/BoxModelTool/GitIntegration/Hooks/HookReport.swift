package import BoxReport

/// The result of a hook.
package struct HookReport: Sendable {
  /// The errors that are left.
  package var reports: [Report] = []
  /// The advice to the user, one line each.
  package var advice: [String] = []
  /// Whether the push is stopped.
  package var stopsPush = false

  /// Whether errors are left, or a push is stopped.
  package var hasFindings: Bool { stopsPush || !reports.isEmpty }

  /// Adds the errors of a report, if it has some.
  mutating func add(_ report: Report) {
    if report.hasErrors { reports.append(report) }
  }
}
