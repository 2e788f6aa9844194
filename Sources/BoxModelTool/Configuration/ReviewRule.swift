internal import BoxReport

/// The rules about a change under review, except for its changes of a model.
///
/// Each has the text of its entry in `docs/rules.md`.
enum ReviewRule {
  /// A change alters the settings that judge changes.
  static let settingsChanged = Rule(
    "BOX901", "settings-changed", "A change under review leaves the settings as they are", .note,
    reason: """
      The settings of the base apply, so that a change cannot switch off the rule that blocks it. After it is merged, \
      its settings apply to the next change.
      """,
    example:
      "`the change sets 'plan.ignore' to [BOX302], where refs/remotes/origin/main has nothing`",
    remedy: "Review the settings as a separate change, and merge them on their own.")
  /// The settings of a change cannot be read.
  static let settingsUnreadable = Rule(
    "BOX902", "settings-unreadable", "The settings of a change under review can be read", .warning,
    reason: "Once it is merged, every command that reads them exits with status 78.",
    example: "`the settings of the change cannot be read: there is no setting 'publishd'`",
    remedy: "Correct the place that is named; `boxjoint config` prints the settings in force.")
  /// Two queued changes gave one number.
  static let queuedID = Rule(
    "BOX903", "queued-id", "Each change in a merge queue gives ids that no other one gives",
    reason: """
      Each of two branches passes alone, and both took the next free number. The site merges them one after the other \
      as text, and two elements have one id.
      """,
    example: """
      `4f1abb7821f7 (Merge pull request #12 from bear) gives id 2 to Bear, and 88b18bc8ff8a (Merge pull request #11 \
      from ant) to Ant`
      """,
    remedy: """
      Take one of them out of the queue, merge the other into it with the driver, and queue it again. `boxjoint ci \
      merge` does that merge.
      """)
  /// A merge queue made another model than the merge by UID.
  static let queuedMerge = Rule(
    "BOX904", "queued-merge", "A merge queue makes the model that a merge by UID makes",
    reason:
      "A merge of texts can lose an element, or keep one that was removed, without a conflict.",
    example: """
      `4f1abb7821f7 (Merge pull request #12 from bear) was merged as text: another model came of it than a merge by \
      UID makes`
      """,
    remedy: "Take the change out of the queue, and merge the base into it with the driver.")

  /// The rules under their heading of `docs/rules.md`.
  static var section: RuleSection {
    RuleSection(
      "A change under review",
      """
      The findings of `boxjoint plan` and `boxjoint check` about the settings of a change that is compared with a \
      revision.
      """,
      rules: [
        settingsChanged, settingsUnreadable, queuedID, queuedMerge,
      ])
  }
}
