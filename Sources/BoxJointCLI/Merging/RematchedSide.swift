internal import BoxMerge
internal import BoxModel

/// What is said about a side that was generated anew.
enum RegeneratedSide {
  /// Why the files are not merged, for reports; `command` is what matches the elements, such as
  /// `boxjoint resolve --rematch PATH`.
  static func reason(
    _ refusal: MergeRefusal, name: (MergeSide) -> String, command: String
  ) -> MergeRecord.Reason {
    let help =
      "\(command) matches its elements by name and type onto the UIDs that were there before, "
      + "and reports what that keeps and what not"
    switch refusal {
    case .regenerated(let side):
      return MergeRecord.Reason(
        rule: MergeRule.regenerated,
        message: "\(name(side)) has no UID in common with the base: it was generated anew",
        help: help)
    case .unrelated:
      return MergeRecord.Reason(
        rule: MergeRule.unrelated,
        message: "\(name(.ours)) and \(name(.theirs)) have no UID in common, and there is no base",
        help: help)
    case .incomplete(let side):
      return MergeRecord.Reason(
        rule: MergeRule.wholeModel, message: "not all of \(name(side)) could be read",
        help: "boxjoint check says what is wrong with it")
    }
  }
}
