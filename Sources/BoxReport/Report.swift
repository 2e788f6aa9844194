/// The findings of a check of some files: the value that every printer takes.
package struct Report: Sendable {
  /// The order in which findings are printed.
  package enum Order: Hashable, Sendable {
    /// By path, line, column and rule id.
    case byPlace
    /// As they are given, for instance by severity.
    case asGiven
  }

  /// The findings to print.
  package var findings: [Finding]
  /// The numbers of the findings that are counted but not in ``findings``, sorted by path.
  package var omitted: [OmittedFindings] = []
  /// The option of the command that lists more findings; nil if the command does not have one.
  package var limitOption: String?
  /// The files that were checked, as the user named them, including those without a finding.
  package var checkedPaths: [String]
  /// The program that checked.
  package var tool: ToolInfo
  /// The order in which findings are printed.
  package var order: Order
  /// The noun for a checked path, in the singular.
  package var subject: String

  /// Creates a report.
  package init(
    findings: [Finding], checkedPaths: [String], tool: ToolInfo, order: Order = .byPlace,
    subject: String = "file"
  ) {
    self.subject = subject
    self.order = order
    self.findings = findings
    self.checkedPaths = checkedPaths
    self.tool = tool
  }

  /// Whether there is a finding of the severity ``Severity/error``.
  ///
  /// - Complexity: O(*n*) in the number of findings.
  package var hasErrors: Bool {
    findings.contains { $0.severity == .error } || omitted.contains { $0[.error] > 0 }
  }

  /// The numbers of findings and of files.
  ///
  /// - Complexity: O(*n* log *n*) in the number of findings and files.
  package var summary: ReportSummary { ReportSummary(self) }

  /// The findings in their ``order``: by path, line, column and rule id, or as they are given.
  ///
  /// A finding about a whole file comes before those with a place in it. Findings that are equal in
  /// all of these keep the order that they have in ``findings``.
  ///
  /// - Complexity: O(*n* log *n*) in the number of findings.
  package var orderedFindings: [Finding] {
    order == .asGiven ? findings : findingsByPlace
  }

  private var findingsByPlace: [Finding] {
    findings.enumerated().sorted { a, b in
      let left = a.element
      let right = b.element
      if !left.path.hasSameBytes(as: right.path) {
        return left.path.precedesInBytes(right.path)
      }
      let leftPlace = (left.region?.line ?? 0, left.region?.column ?? 0, left.rule.id, a.offset)
      let rightPlace = (right.region?.line ?? 0, right.region?.column ?? 0, right.rule.id, b.offset)
      return leftPlace < rightPlace
    }.map(\.element)
  }

  /// The findings grouped by path, the paths in order.
  private var findingsOfPaths: [Finding] {
    if order == .byPlace { return findingsByPlace }
    return findings.enumerated().sorted { a, b in
      a.element.path.hasSameBytes(as: b.element.path)
        ? a.offset < b.offset : a.element.path.precedesInBytes(b.element.path)
    }.map(\.element)
  }

  /// The findings of each file, sorted by path: first the order of ``orderedFindings``, and with an
  /// empty list for a file without a finding.
  ///
  /// - Complexity: O(*n* log *n*) in the number of findings and files.
  package var findingsByPath: [(path: String, findings: [Finding])] {
    var groups: [(path: String, findings: [Finding])] = []
    for finding in findingsOfPaths {
      // By position: a copy of the last group would have the append copy all of its findings.
      if let last = groups.indices.last, groups[last].path.hasSameBytes(as: finding.path) {
        groups[last].findings.append(finding)
      } else {
        groups.append((finding.path, [finding]))
      }
    }
    let clean = checkedPaths.sorted { $0.precedesInBytes($1) }
    var result: [(path: String, findings: [Finding])] = []
    var next = groups.startIndex
    for path in clean {
      while next < groups.endIndex, groups[next].path.precedesInBytes(path) {
        result.append(groups[next])
        next += 1
      }
      if next < groups.endIndex, groups[next].path.hasSameBytes(as: path) {
        result.append(groups[next])
        next += 1
      } else if result.last?.path.hasSameBytes(as: path) != true {
        result.append((path, []))
      }
    }
    return result + groups[next...]
  }
}

extension String {
  // File names are bytes: two that Swift calls equal (an accent composed or not) can be two files.
  fileprivate func hasSameBytes(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }

  func precedesInBytes(_ other: String) -> Bool {
    utf8.lexicographicallyPrecedes(other.utf8)
  }
}
