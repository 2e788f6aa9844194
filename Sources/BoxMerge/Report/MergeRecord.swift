public import BoxReport

/// What one merge came to: the value that the printers of merge reports work on.
public struct MergeRecord: Sendable {
  /// How a merge ended.
  public enum Status: String, Hashable, Sendable, CaseIterable {
    /// Nothing is open.
    case merged
    /// Everything but the conflicts is merged.
    case conflicts
    /// The files are not merged.
    case refused
  }

  /// Why a merge was refused, as a rule and a sentence.
  public struct Reason: Hashable, Sendable {
    /// The rule that refuses.
    public var rule: Rule
    /// What is the case, one sentence without a trailing period.
    public var message: String
    /// What to do next.
    public var help: String?

    /// Creates a reason.
    public init(rule: Rule, message: String, help: String? = nil) {
      self.rule = rule
      self.message = message
      self.help = help
    }
  }

  /// Something that counted as published, or would have.
  public struct Source: Hashable, Sendable {
    /// The ref or the file as it was configured.
    public var name: String
    /// What else identifies it: the commit, and when it was fetched.
    public var detail: String?
    /// The command that helps; present where the ref could not be looked up.
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

  /// How it ended.
  public var status: Status
  /// Where the result was written, as the user named it; nil for standard output or nowhere.
  public var result: String?
  /// Why it was refused, if it was.
  public var reason: Reason?
  /// What was decided, in the order of the model.
  public var decisions: [Decision]
  /// What is open.
  public var conflicts: [Conflict]
  /// What was asked about published ids, in the order of the configuration.
  public var published: [Source]
  /// What else the reader should know, one sentence each without a trailing period.
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

  /// The decisions that somebody has to act on or to know of: those that mean something for
  /// databases or sources, and those that are warnings.
  ///
  /// - Complexity: O(*n*) in the number of decisions.
  public var decisionsThatMatter: [Decision] { decisions.filter(\.matters) }
}

extension Decision {
  /// Whether somebody has to act on it or to know of it.
  public var matters: Bool { consequence != nil || rule.severity >= .warning }
}

extension Published {
  /// What was asked, for the report.
  ///
  /// - Complexity: O(*n*) in the number of refs.
  public var sources: [MergeRecord.Source] {
    models.map { MergeRecord.Source(name: $0.name, detail: $0.detail, isResolved: true) }
      + unresolved.map { MergeRecord.Source(name: $0.name, help: $0.help, isResolved: false) }
  }
}
