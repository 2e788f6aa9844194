/// The counts of a report, including findings that it does not list.
package struct ReportSummary: Hashable, Sendable {
  /// The number of files that were checked or have a finding.
  package let files: Int
  /// The number of those files that have a finding.
  package let filesWithFindings: Int
  /// The number of findings that are errors.
  package let errors: Int
  /// The number of findings that are warnings.
  package let warnings: Int
  /// The number of findings that are notes.
  package let notes: Int
  /// The number of findings that the command, called again with `--fix`, can fix.
  package let fixable: Int
  private let subject: String

  /// Counts the findings of a report.
  ///
  /// - Complexity: O(*n* log *n*) in the number of findings and files.
  init(_ report: Report) {
    let groups = report.findingsByPath
    files = groups.count
    filesWithFindings = groups.count { !$0.findings.isEmpty }
    func count(_ severity: Severity) -> Int {
      report.findings.count { $0.severity == severity }
        + report.omitted.reduce(0) { $0 + $1[severity] }
    }
    errors = count(.error)
    warnings = count(.warning)
    notes = count(.note)
    subject = report.subject
    fixable =
      report.findings.count { $0.fixCommand != nil }
      + report.omitted.reduce(0) { $0 + $1.fixable }
  }

  /// The counts in words, such as `2 errors, 1 warning in 1 file; 1 can be fixed with --fix`.
  package var sentence: String {
    let kinds = counted(errors: errors, warnings: warnings, notes: notes)
    if files == 0 { return "no \(subject)s checked" }
    if kinds.isEmpty { return "no problems in \(counted(files, subject))" }
    let place =
      filesWithFindings == files
      ? counted(files, subject) : "\(filesWithFindings) of \(counted(files, subject))"
    return "\(kinds) in \(place)" + (fixable == 0 ? "" : "; \(fixable) can be fixed with --fix")
  }
}

/// The numbers of findings by kind, such as `1 error, 2 notes`; empty without findings.
func counted(errors: Int, warnings: Int, notes: Int) -> String {
  [(errors, "error"), (warnings, "warning"), (notes, "note")]
    .filter { $0.0 > 0 }
    .map { counted($0.0, $0.1) }
    .joined(separator: ", ")
}
