public import BoxReport

/// The result of one merge, as the printers of merge reports take it.
public struct MergeRecord: Sendable {
  /// The outcome of a merge.
  public enum Status: String, Hashable, Sendable, CaseIterable {
    /// No conflict is open.
    case merged
    /// Conflicts are open; everything else is merged.
    case conflicts
    /// The files are not merged.
    case refused
  }

  /// The reason for a refused merge, as a rule and a sentence.
  public struct Reason: Hashable, Sendable {
    /// The rule that refuses.
    public var rule: Rule
    /// The problem, in one sentence without a trailing period.
    public var message: String
    /// The next step for the user, if there is one.
    public var help: String?

    /// Creates a reason.
    public init(rule: Rule, message: String, help: String? = nil) {
      self.rule = rule
      self.message = message
      self.help = help
    }
  }

  /// A ref or file that counted as published, or could not be looked up.
  public struct Source: Hashable, Sendable {
    /// The ref or the file as it was configured.
    public var name: String
    /// Details: the commit, and when it was fetched.
    public var detail: String?
    /// The command that makes an unresolved ref available, if one is known.
    public var help: String?
    /// Whether it could be looked up.
    public var isResolved: Bool

    /// Creates a source of published ids.
    public init(name: String, detail: String? = nil, help: String? = nil, isResolved: Bool) {
      self.name = name
      self.detail = detail
      self.help = help
      self.isResolved = isResolved
    }
  }

  /// The outcome.
  public var status: Status
  /// The path of the written result, as the user gave it; nil for standard output or if none was
  /// written.
  public var result: String?
  /// The reason for a refusal; nil unless the merge was refused.
  public var reason: Reason?
  /// The decisions, in the order of the model.
  public var decisions: [Decision]
  /// The open conflicts.
  public var conflicts: [Conflict]
  /// The sources of published ids, in the order of the configuration.
  public var published: [Source]
  /// Further notes for the reader, one sentence each without a trailing period.
  public var notes: [String]

  /// Creates the record of a merge.
  public init(
    status: Status, result: String? = nil, reason: Reason? = nil, decisions: [Decision] = [],
    conflicts: [Conflict] = [], published: [Source] = [], notes: [String] = []
  ) {
    self.status = status
    self.result = result
    self.reason = reason
    self.decisions = decisions
    self.conflicts = conflicts
    self.published = published
    self.notes = notes
  }

  /// The decisions that the user has to act on or to know: those with a consequence for databases
  /// or sources, and warnings.
  ///
  /// - Complexity: O(*n*) in the number of decisions.
  public var decisionsThatMatter: [Decision] { decisions.filter(\.matters) }
}

extension Decision {
  /// Whether the user has to act on the decision or to know it.
  public var matters: Bool { consequence != nil || rule.severity >= .warning }
}

extension Published {
  /// The sources of published ids, for the report.
  ///
  /// - Complexity: O(*n*) in the number of refs.
  public var sources: [MergeRecord.Source] {
    models.map { MergeRecord.Source(name: $0.name, detail: $0.detail, isResolved: true) }
      + unresolved.map { MergeRecord.Source(name: $0.name, help: $0.help, isResolved: false) }
  }
}
