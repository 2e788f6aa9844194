package import BoxReport

/// The issues of one file: the first ones of each rule and severity up to a limit, and the numbers of the
/// others.
///
/// The limit keeps a file with a million faults from taking the memory of a million sentences.
package struct ModelIssues: Sendable {
  /// The issues of a rule that are counted but not listed.
  package struct Omitted: Hashable, Sendable {
    /// The rule.
    package let rule: Rule
    /// The severity of the issues.
    package let severity: Severity
    /// The number of issues.
    package internal(set) var count = 0
    /// The number of issues that have a fix.
    package internal(set) var fixable = 0
  }

  /// The rule and the severity by which issues are counted.
  private struct Kind: Hashable {
    var rule: String
    var severity: Severity
  }

  /// The number of issues of a rule and a severity that are listed.
  package let limit: Int
  /// The issues, in the order in which they were added.
  package private(set) var listed: [ModelIssue] = []
  private var counts: [Kind: Int] = [:]
  private var left: [Kind: Omitted] = [:]

  /// Creates an empty list.
  init(limit: Int = .max) { self.limit = limit }

  /// The numbers of what is not listed, by rule and severity.
  package var omitted: [Omitted] {
    left.values.sorted { ($0.rule.id, $0.severity) < ($1.rule.id, $1.severity) }
  }

  /// The number of all issues of a severity, listed or not.
  ///
  /// - Complexity: O(*n*) in the number of listed issues.
  package func count(of severity: Severity) -> Int {
    listed.count { $0.severity == severity }
      + left.values.reduce(0) { $0 + ($1.severity == severity ? $1.count : 0) }
  }

  /// Adds an issue, or counts it where enough of its kind are listed.
  mutating func append(_ issue: ModelIssue) {
    let kind = Kind(rule: issue.rule.id, severity: issue.severity)
    if counts[kind, default: 0] < limit {
      counts[kind, default: 0] += 1
      listed.append(issue)
    } else {
      omit(1, fixable: issue.fix == nil ? 0 : 1, issue.rule, kind)
    }
  }

  /// Adds issues.
  package mutating func append(contentsOf issues: [ModelIssue]) {
    for issue in issues { append(issue) }
    sort()
  }

  /// Adds all that another check of the file found.
  ///
  /// - Complexity: O(*n*) in the number of issues that the other one lists.
  package mutating func append(contentsOf other: ModelIssues) {
    for issue in other.listed { append(issue) }
    for (kind, omitted) in other.left {
      omit(omitted.count, fixable: omitted.fixable, omitted.rule, kind)
    }
  }

  /// Removes the issues of some rules.
  ///
  /// - Complexity: O(*n*) in the number of listed issues.
  package mutating func removeAll(where isRemoved: (Rule) -> Bool) {
    listed.removeAll { isRemoved($0.rule) }
    left = left.filter { !isRemoved($0.value.rule) }
  }

  /// Brings what is listed into the order of the text.
  ///
  /// - Complexity: O(*n* log *n*) in the number of listed issues.
  mutating func sort() {
    listed.sort { a, b in
      (a.range.lowerBound, a.rule.id, a.message) < (b.range.lowerBound, b.rule.id, b.message)
    }
  }

  private mutating func omit(_ count: Int, fixable: Int, _ rule: Rule, _ kind: Kind) {
    left[kind, default: Omitted(rule: rule, severity: kind.severity)].count += count
    left[kind]?.fixable += fixable
  }
}
