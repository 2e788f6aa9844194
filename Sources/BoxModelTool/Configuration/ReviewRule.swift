internal import BoxReport

/// The rules about what a change under review does besides changing a model.
///
/// `docs/rules.md` has an entry for each.
enum ReviewRule {
  private static func rule(
    _ id: String, _ name: String, _ severity: Severity, _ summary: String
  ) -> Rule {
    Rule(id: id, name: name, summary: summary, severity: severity)
  }

  /// A change alters the settings that judge changes.
  static let settingsChanged = rule(
    "BOX901", "settings-changed", .note, "A change under review leaves the settings as they are")
  /// The settings of a change cannot be read.
  static let settingsUnreadable = rule(
    "BOX902", "settings-unreadable", .warning, "The settings of a change under review can be read")
  /// Two queued changes gave one number.
  static let queuedID = rule(
    "BOX903", "queued-id", .error, "Each change in a merge queue gives ids that no other one gives")
  /// A merge queue made another model than the merge by UID.
  static let queuedMerge = rule(
    "BOX904", "queued-merge", .error, "A merge queue makes the model that a merge by UID makes")
}
