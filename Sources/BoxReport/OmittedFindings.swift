/// The numbers of findings of a file that a report counts but does not list.
package struct OmittedFindings: Hashable, Sendable {
  /// The file as the user named it.
  package var path: String
  /// The number of findings of each severity.
  package private(set) var counts: [Severity: Int] = [:]
  /// The number of those findings that a command can fix.
  package private(set) var fixable = 0

  /// Creates empty counts of a file.
  package init(path: String) { self.path = path }

  /// Counts findings of a severity.
  package mutating func add(_ count: Int, _ severity: Severity, fixable: Int) {
    counts[severity, default: 0] += count
    self.fixable += fixable
  }

  /// The numbers of the findings with at least a severity; the number of fixes stays the same.
  package func with(_ severity: Severity) -> OmittedFindings {
    var result = self
    result.counts = counts.filter { $0.key >= severity }
    return result
  }

  /// Adds the numbers of other omitted findings of the same file.
  mutating func add(_ other: OmittedFindings) {
    for (severity, count) in other.counts { add(count, severity, fixable: 0) }
    fixable += other.fixable
  }

  /// The number of findings of a severity.
  package subscript(_ severity: Severity) -> Int { counts[severity] ?? 0 }

  /// The number of findings.
  package var total: Int { counts.values.reduce(0, +) }

  /// Such as `… and 19,700 more (19,000 errors, 700 warnings); --max-findings lists more`, with the option
  /// that does so, if there is one.
  package func sentence(_ option: String?) -> String {
    let kinds = counted(errors: self[.error], warnings: self[.warning], notes: self[.note])
    return "… and \(grouped(total)) more (\(kinds))" + (option.map { "; \($0) lists more" } ?? "")
  }
}

extension ReportFormat {
  /// The number of findings listed for each file by default.
  ///
  /// Nobody reads more than some hundred lines. GitHub rejects a SARIF file with more than 25,000
  /// results, and that is enough for any program.
  package var findingLimit: Int {
    switch self {
    case .text, .github, .markdown: 300
    case .json, .sarif, .junit: 25_000
    }
  }
}

extension Report {
  /// The report limited to the most severe findings of each file, with the numbers of the others in
  /// ``omitted``.
  ///
  /// Of equally severe findings, the first ones stay. Their order is the same as before, and so is
  /// the ``summary``.
  ///
  /// - Parameter limit: The number of findings listed for each file; values below 1 count as 1.
  /// - Returns: The limited report; the same report if it has no more findings than the limit.
  /// - Complexity: O(*n* log *n*) in the number of findings.
  package func limited(to limit: Int) -> Report { limited(to: limit) { Array($0.path.utf8) } }

  /// The report limited to `limit` findings of all files together.
  func limitedInAll(to limit: Int) -> Report { limited(to: limit) { _ in 0 } }

  private func limited<Key: Hashable>(to limit: Int, by key: (Finding) -> Key) -> Report {
    if findings.count <= limit { return self }
    var room: [Key: [Severity: Int]] = [:]
    for finding in findings { room[key(finding), default: [:]][finding.severity, default: 0] += 1 }
    for (key, counts) in room {
      var left = max(limit, 1)
      for severity in Severity.allCases.reversed() {
        let taken = min(left, counts[severity] ?? 0)
        room[key]?[severity] = taken
        left -= taken
      }
    }
    var result = self
    result.findings = []
    var left: [[UInt8]: OmittedFindings] = [:]
    for finding in orderedFindings {
      let key = key(finding)
      if room[key]?[finding.severity] ?? 0 > 0 {
        room[key]?[finding.severity]? -= 1
        result.findings.append(finding)
      } else {
        left[Array(finding.path.utf8), default: OmittedFindings(path: finding.path)]
          .add(1, finding.severity, fixable: finding.fixCommand == nil ? 0 : 1)
      }
    }
    for omitted in omitted {
      left[Array(omitted.path.utf8), default: OmittedFindings(path: omitted.path)].add(omitted)
    }
    result.omitted = left.values.sorted { $0.path.precedesInBytes($1.path) }
    return result
  }
}
