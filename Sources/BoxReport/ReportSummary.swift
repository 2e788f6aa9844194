/// The counts of a report, with those of what it does not list.
public struct ReportSummary: Hashable, Sendable {
  /// How many files were checked or have a finding.
  public let files: Int
  /// How many of them have a finding.
  public let filesWithFindings: Int
  /// How many findings are errors.
  public let errors: Int
  /// How many findings are warnings.
  public let warnings: Int
  /// How many findings are notes.
  public let notes: Int
  /// How many findings have an automatic fix.
  public let fixable: Int
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
      report.findings.count { $0.fix != nil } + report.omitted.reduce(0) { $0 + $1.fixable }
  }

  /// The counts in words, such as `2 errors, 1 warning in 1 file; 1 can be fixed with --fix`.
  public var sentence: String {
    let kinds = counted(errors: errors, warnings: warnings, notes: notes)
    if files == 0 { return "no \(subject)s checked" }
    if kinds.isEmpty { return "no problems in \(counted(files, subject))" }
    let place =
      filesWithFindings == files
      ? counted(files, subject) : "\(filesWithFindings) of \(counted(files, subject))"
    return "\(kinds) in \(place)" + (fixable == 0 ? "" : "; \(fixable) can be fixed with --fix")
  }
}

/// The kinds that are there with their numbers, such as `1 error, 2 notes`; empty if none is.
func counted(errors: Int, warnings: Int, notes: Int) -> String {
  [(errors, "error"), (warnings, "warning"), (notes, "note")]
    .filter { $0.0 > 0 }
    .map { counted($0.0, $0.1) }
    .joined(separator: ", ")
}
