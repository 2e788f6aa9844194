import BoxJSON
import BoxModel
import BoxReport

/// The state that one pass of a merge hands to the next.
struct MergeState {
  /// The resolutions that change what earlier steps of a pass work on.
  var rulings = Rulings()
  /// The answers to the conflicts that were met.
  var answers = Answers()
}

/// The resolutions of earlier passes that a pass begins with.
struct Rulings: Equatable {
  /// Elements whose removal by a side was overruled, or whose changes were: they are as in the base.
  var restored = BySide<Set<ElementKey>>(ours: [], theirs: [])
  /// Elements that a resolution removes.
  var dropped: Set<ElementKey> = []
  /// Properties whose index a resolution removes, as its UID belongs to the index of another one.
  var unindexed: Set<UID> = []
  /// Elements of which only the version of one side counts, as the other side gave the UID to something else.
  var sideOverrides: [ElementKey: MergeSide] = [:]
  /// Elements that a side made again, and that give way to those from before.
  var superseded: Set<ElementKey> = []
  /// Elements of theirs that a resolution does not take in: ours never had them.
  var leftOut: Set<ElementKey> = []
  /// Relations whose target is as a side has it.
  var targetsFrom: [ElementKey: MergeSide] = [:]
  /// Elements whose new name a resolution reverts.
  var renamedBack: Set<ElementKey> = []
  /// Elements whose move to another entity a resolution reverts.
  var movedBack: Set<ElementKey> = []
  /// Elements whose flags and index are all taken from one version.
  var flagsFrom: [ElementKey: Resolution] = [:]
  /// The replacement of each dropped entity that has one, by the UID of the dropped one.
  var redirected: [UID: UID] = [:]
}

/// The conflicts that a merge met, and the answer to each: once it is given it stays.
struct Answers {
  /// The conflicts that nobody but the fallback answered.
  private(set) var conflicts: [Conflict] = []
  /// The decisions that the user made.
  private(set) var explicitDecisions: [Decision] = []
  /// Whether a field is a conflict that a history could resolve, but no history was given.
  private(set) var asksForHistory = false
  /// Whether an element has a number that the base does not have, or a counter another last pair, so that
  /// what is published can change the result.
  private(set) var hasNewNumbers = false
  /// Whether an element may have been published in a version that is not known.
  private(set) var asksForPublishedHistory = false
  private var given: [ExactText: Resolution] = [:]

  /// Whether a conflict has an answer.
  func have(_ conflict: Conflict) -> Bool { given[ExactText(conflict.id)] != nil }

  /// The answer to a conflict: the user's `choice`, or the one of all that are open.
  mutating func resolve(
    _ conflict: Conflict, choice: Resolution?, fallback: Resolution
  ) -> Resolution {
    if let answer = given[ExactText(conflict.id)] { return answer }
    given[ExactText(conflict.id)] = choice ?? fallback
    guard let choice else {
      conflicts.append(conflict)
      return fallback
    }
    let taken = choice.side.map { conflict[$0] } ?? "as before"
    explicitDecisions.append(
      Decision(
        rule: MergeRule.resolvedAsDecided, element: conflict.elements.first, label: conflict.label,
        side: choice.side, message: "\(conflict.message); resolved as requested: \(taken)"))
    return choice
  }

  /// Notes that what is published can change the numbers.
  mutating func noteNewNumbers() { hasNewNumbers = true }

  /// Notes that an element may have been published in a version that is not known.
  mutating func askForPublishedHistory() { asksForPublishedHistory = true }

  /// Notes that a history could answer a conflict.
  mutating func askForHistory() { asksForHistory = true }
}
