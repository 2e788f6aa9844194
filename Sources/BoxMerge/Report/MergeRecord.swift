package import BoxReport

/// The result of one merge, as the printers of merge reports take it.
package struct MergeRecord: Sendable {
  /// The outcome of a merge.
  package enum Status: String, Hashable, Sendable, CaseIterable {
    /// No conflict is open.
    case merged
    /// Conflicts are open; everything else is merged.
    case conflicts
    /// The files are not merged.
    case refused
  }

  /// The reason for a refused merge, as a rule and a sentence.
  package struct Reason: Hashable, Sendable {
    /// The rule that refuses.
    package var rule: Rule
    /// The problem, in one sentence without a trailing period.
    package var message: String
    /// The next step for the user, if there is one.
    package var help: String?

    /// Creates a reason.
    package init(rule: Rule, message: String, help: String? = nil) {
      self.rule = rule
      self.message = message
      self.help = help
    }
  }

  /// A ref or file that counted as published, or could not be looked up.
  package struct Source: Hashable, Sendable {
    /// The ref or the file as it was configured.
    package var name: String
    /// Details: the commit, and when it was fetched.
    package var detail: String?
    /// The command that makes an unresolved ref available, if one is known.
    package var help: String?
    /// Whether it could be looked up.
    package var isResolved: Bool

    /// Creates a source of published ids.
    package init(name: String, detail: String? = nil, help: String? = nil, isResolved: Bool) {
      self.name = name
      self.detail = detail
      self.help = help
      self.isResolved = isResolved
    }
  }

  /// The outcome.
  package var status: Status
  /// The path of the written result, as the user gave it; nil for standard output or if none was
  /// written.
  package var result: String?
  /// The reason for a refusal; nil unless the merge was refused.
  package var reason: Reason?
  /// The decisions, in the order of the model.
  package var decisions: [Decision]
  /// The open conflicts.
  package var conflicts: [Conflict]
  /// The sources of published ids, in the order of the configuration.
  package var published: [Source]
  /// Further notes for the reader, one sentence each without a trailing period.
  package var notes: [String]

  /// Creates the record of a merge.
  package init(
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
  package var relevantDecisions: [Decision] { decisions.filter(\.matters) }
}

extension Decision {
  /// Whether the user has to act on the decision or to know it.
  package var matters: Bool { consequence != nil || rule.severity >= .warning }
}

extension Published {
  /// The sources of published ids, for the report.
  ///
  /// - Complexity: O(*n*) in the number of refs.
  package var sources: [MergeRecord.Source] {
    models.map { MergeRecord.Source(name: $0.name, detail: $0.detail, isResolved: true) }
      + unresolved.map { MergeRecord.Source(name: $0.name, help: $0.help, isResolved: false) }
  }
}
