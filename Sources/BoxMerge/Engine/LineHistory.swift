import BoxModel

/// A field that both sides changed differently.
struct FieldQuestion {
  var key: ElementKey
  var field: Field
  var ours: FieldValue?
  var theirs: FieldValue?

  subscript(side: MergeSide) -> FieldValue? { side == .ours ? ours : theirs }
}

/// The earlier versions of both sides, looked through once.
final class LineHistory: Sendable {
  /// The side with the newer value, and the commit in its line that has the value of the other
  /// side.
  struct Answer {
    var newer: MergeSide
    var commit: String
  }

  private struct Version {
    var commit: String
    var values: FieldValues
  }

  private let lines: BySide<[Version]>
  private let isComplete: Bool

  init(_ history: FieldHistory) {
    func versions(_ line: SideLine) -> [Version] {
      line.versions.map {
        Version(commit: $0.commit, values: FieldValues($0.model))
      }
    }
    isComplete = history.ours.isComplete && history.theirs.isComplete
    lines =
      isComplete
      ? BySide(ours: versions(history.ours), theirs: versions(history.theirs))
      : BySide(ours: [], theirs: [])
  }

  /// The newer of two values; nil if history does not decide.
  ///
  /// A value is the newer one if the line of its side has the other value. It must hold for exactly
  /// one side, and both lines must be complete.
  func answer(_ question: FieldQuestion) -> Answer? {
    guard isComplete else { return nil }
    let commits = BySide(
      ours: commit(in: .ours, with: question.theirs, question),
      theirs: commit(in: .theirs, with: question.ours, question))
    switch (commits.ours, commits.theirs) {
    case (let commit?, nil): return Answer(newer: .ours, commit: commit)
    case (nil, let commit?): return Answer(newer: .theirs, commit: commit)
    default: return nil
    }
  }

  /// The newest commit of a line in which the field has a value.
  private func commit(
    in side: MergeSide, with value: FieldValue?, _ question: FieldQuestion
  ) -> String? {
    lines[side].first { version in
      version.values.has(question.key)
        && version.values.value(of: question.field, of: question.key) == value
    }?.commit
  }
}
