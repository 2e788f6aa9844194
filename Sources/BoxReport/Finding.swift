package import BoxJSON

/// The severity of a finding, in ascending order.
public enum Severity: String, Hashable, Sendable, CaseIterable, Comparable {
  case note, warning, error

  /// Whether the first is less severe than the second.
  public static func < (a: Severity, b: Severity) -> Bool { a.rank < b.rank }
  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// A rule that findings refer to.
///
/// Its id is permanent; its wording may change.
public struct Rule: Hashable, Sendable {
  /// The permanent id, such as `BOX111`.
  public var id: String
  /// The id that people remember, such as `duplicate-entity-id`.
  public var name: String
  /// One sentence: what the rule demands.
  public var summary: String
  /// The severity of a violation unless the finding has another one.
  public var severity: Severity
  /// The text that explains the rule; nil if it has none.
  package internal(set) var help: RuleHelp?

  /// Creates a rule.
  public init(id: String, name: String, summary: String, severity: Severity) {
    self.id = id
    self.name = name
    self.summary = summary
    self.severity = severity
  }

  /// Whether two rules have the same id, name, summary and severity.
  public static func == (first: Rule, second: Rule) -> Bool {
    first.id == second.id && first.name == second.name && first.summary == second.summary
      && first.severity == second.severity
  }

  /// Hashes the id and the severity.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(id)
    hasher.combine(severity)
  }
}

/// A stretch of a text file.
///
/// Lines and columns count from 1, columns in Unicode scalars; the end is exclusive.
public struct SourceRegion: Hashable, Sendable {
  /// The line of the first scalar.
  public var line: Int
  /// The column of the first scalar.
  public var column: Int
  /// The line of the place after the last scalar.
  public var endLine: Int
  /// The column of the place after the last scalar.
  public var endColumn: Int

  /// Creates the stretch from one place up to another.
  public init(line: Int, column: Int, endLine: Int, endColumn: Int) {
    self.line = line
    self.column = column
    self.endLine = endLine
    self.endColumn = endColumn
  }
}

/// A violation of a rule that a check found in a file.
public struct Finding: Hashable, Sendable {
  /// The rule that is violated.
  public var rule: Rule
  /// The severity of the violation.
  public var severity: Severity
  /// The violation, in one sentence without a trailing period.
  public var message: String
  /// The advice on what to do next, in one sentence without a trailing period.
  public var advice: String?
  /// The file as the user named it.
  public var path: String
  /// The place in the file; nil for a finding about the whole file.
  public var region: SourceRegion?
  /// The line of the file at the region's start, cut around it if it is long.
  package var sourceLine: SourceLine?
  /// The effect of an automatic fix; nil without a fix.
  public var fix: String?
  /// The command line that applies ``fix``; nil if no command does.
  package var fixCommand: String?

  /// Creates a finding, by default with the severity of its rule.
  package init(
    rule: Rule, severity: Severity? = nil, message: String, advice: String? = nil, path: String,
    region: SourceRegion? = nil, sourceLine: SourceLine? = nil, fix: String? = nil,
    fixCommand: String? = nil
  ) {
    self.rule = rule
    self.severity = severity ?? rule.severity
    self.message = message
    self.advice = advice
    self.path = path
    self.region = region
    self.sourceLine = sourceLine
    self.fix = fix
    self.fixCommand = fixCommand
  }

  /// The fix with the command line for it, such as `fix: remove it (boxjoint check --fix model.json)`,
  /// ready to be shown; nil without a fix.
  var fixSentence: String? {
    guard let fix else { return nil }
    return "fix: \(fix.escapedForDisplay)"
      + (fixCommand.map { " (\($0.escapedForDisplay))" } ?? "")
  }
}
