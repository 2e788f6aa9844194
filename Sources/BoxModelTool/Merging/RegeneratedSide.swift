internal import BoxMerge
internal import BoxModel
internal import BoxReport

/// The handling of a side that was regenerated, and its messages.
enum RegeneratedSide {
  /// Matches each side for which the merge is refused onto the base, or theirs onto ours without a
  /// base.
  ///
  /// - Returns: The input with the matched sides, and the kept and lost elements, one sentence
  ///   each; no sentence if no merge was refused or nothing can be matched.
  /// - Complexity: As ``MergeInput/merged()``.
  static func rematched(_ input: MergeInput) -> (input: MergeInput, notes: [String]) {
    var input = input
    var notes: [String] = []
    var done: Set<MergeSide> = []
    while true {
      do throws(MergeRefusal) {
        _ = try input.merged()
        break
      } catch {
        guard let side = error.rematchableSide, done.insert(side).inserted,
          let found = match(side, in: input)
        else { break }
        if found.kept.isEmpty {
          notes.append("nothing in \(side) has the name and the type of what was there before")
          break
        }
        switch side {
        case .ours: input.ours = found.document
        case .theirs: input.theirs = found.document
        }
        notes += found.summary.map { "matched \(side) by name and type: \($0)" }
      }
    }
    return (input, notes)
  }

  private static func match(_ side: MergeSide, in input: MergeInput) -> Rematch? {
    let (document, other) =
      side == .ours ? (input.ours, input.theirs) : (input.theirs, input.ours)
    guard let found = try? rematch(document, onto: input.base ?? other) else { return nil }
    return input.base == nil ? keepingWhatOnlyTheOtherHas(found) : found
  }

  /// A match with the other side instead of a base: what the side does not have it never had, and
  /// has not removed.
  private static func keepingWhatOnlyTheOtherHas(_ found: Rematch) -> Rematch? {
    var found = found
    var model = found.document.model
    let others = found.removed.map(\.uid) + found.changed.map(\.oldUID)
    for kind in ElementKind.allCases {
      model[retired: kind]?.removeAll { others.contains($0) }
    }
    guard let document = try? ModelDocument(parsing: found.document.rendered(model)) else {
      return nil
    }
    found.document = document
    found.removed = []
    return found
  }

  /// The share of elements that matching would keep, such as `12 of 14 elements`; nil without a
  /// match.
  fileprivate static func extent(_ refusal: MergeRefusal, _ input: MergeInput) -> String? {
    guard let side = refusal.rematchableSide, let found = match(side, in: input) else { return nil }
    let count = found.counts.values.reduce(0, +)
    return "\(found.kept.count) of \(counted(count, "element"))"
  }
}

/// The words of a refused merge.
struct RefusalWords: Sendable {
  /// The names of the sides.
  var ours = MergeSide.ours.rawValue
  var theirs = MergeSide.theirs.rawValue
  /// The command that matches the elements, such as `boxjoint resolve --rematch PATH`; nil if that was
  /// tried.
  var command: String?
  /// Whether the help tells the share of elements that the command would keep; otherwise notes tell it of each
  /// kind.
  var isBrief = false

  /// The record of a refused merge, with the elements that matching would keep or lose, for a user who has
  /// not decided yet.
  ///
  /// - Complexity: As ``MergeInput/merged()``.
  func record(
    of refusal: MergeRefusal, _ input: MergeInput, _ published: PublishedModels?
  ) -> MergeRecord {
    let notes = command == nil || isBrief ? [] : RegeneratedSide.rematched(input).notes
    return MergeRecord(
      status: .refused, reason: reason(refusal, input),
      published: published?.published.sources ?? [],
      notes: notes.map { "when matched again: \($0)" })
  }

  private func reason(_ refusal: MergeRefusal, _ input: MergeInput) -> MergeRecord.Reason {
    let extent = isBrief ? RegeneratedSide.extent(refusal, input) : nil
    let matching = command.map { command in
      "`\(command)` matches its elements by name and type onto the UIDs that were there before"
        + (extent.map { ", and would keep \($0)" } ?? "") + "; "
    }
    let help = (matching ?? "") + "`boxjoint recover` finds the file as it was"
    switch refusal {
    case .regenerated(let side):
      return MergeRecord.Reason(
        rule: MergeRule.regenerated,
        message: "\(name(side)) has no UID in common with the base: it was newly generated",
        help: help)
    case .unrelated:
      return MergeRecord.Reason(
        rule: MergeRule.unrelated,
        message: "\(ours) and \(theirs) have no UID in common, and there is no base", help: help)
    case .incomplete(let side):
      return MergeRecord.Reason(
        rule: MergeRule.wholeModel, message: "not all of \(name(side)) could be read",
        help: "`boxjoint check` says what is wrong with it")
    }
  }

  private func name(_ side: MergeSide) -> String { side == .ours ? ours : theirs }
}

extension MergeRefusal {
  /// The side that can be matched with the earlier model.
  fileprivate var rematchableSide: MergeSide? {
    switch self {
    case .regenerated(let side): side
    case .unrelated: .theirs
    case .incomplete: nil
    }
  }
}
