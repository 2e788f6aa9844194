import BoxModel
import BoxReport

/// One pass of a merge: from the state before it to the state after it, and a draft of the result.
///
/// Each extension is a step. A step that cannot continue throws the ``Obstacle``.
struct MergePass {
  let merger: Merger
  /// The state before the pass; with what the pass adds, the state after it.
  var state: MergeState
  var draft: MergeDraft
  var log = DecisionLog()
  /// The retired UID of each kind to pair with last numbers, as far as it was looked up.
  var youngestRetired: [ElementKind: UID?] = [:]

  init(_ merger: Merger, _ state: MergeState) {
    self.merger = merger
    self.state = state
    draft = MergeDraft(redirected: state.rulings.redirected)
  }

  /// Goes through the model from entities to flags.
  mutating func run() throws(Obstacle) {
    mergeEntities()
    try unifyEntities()
    mergeProperties()
    mergeRelations()
    try followTargets()
    try unifyMembers()
    try settleFlags()
    try settleKinds()
  }

  var base: SideView? { merger.base }
  var sides: BySide<SideView> { merger.sides }
  var published: Published { merger.published }

  /// The answer to a conflict: the user's, or what all that are open are answered with.
  mutating func resolve(_ conflict: Conflict) -> Resolution {
    state.answers.resolve(
      conflict, choice: merger.choices[conflict.id], fallback: merger.fallback)
  }

  /// The answer to a conflict about a field: the user's, then what the history says, then the one
  /// that all that are open are answered with.
  mutating func resolve(_ conflict: Conflict, _ question: FieldQuestion) -> Resolution {
    guard !state.answers.have(conflict), merger.choices[conflict.id] == nil else {
      return resolve(conflict)
    }
    guard let history = merger.history else {
      state.answers.askForHistory()
      return resolve(conflict)
    }
    guard let answer = history.answer(question) else { return resolve(conflict) }
    let label = conflict.label
    let values = BySide(ours: text(question.ours), theirs: text(question.theirs))
    decide(
      MergeRule.newerValue, question.key, label, side: answer.newer,
      "the \(question.field.name(in: question.key.kind)) of \(label) is "
        + "\(values[answer.newer]) as in \(answer.newer): "
        + "\(values[answer.newer.other]) of \(answer.newer.other) stood in \(answer.commit) of "
        + "\(answer.newer), which changed it since",
      consequence: "the source has to say \(values[answer.newer])")
    return Resolution(answer.newer)
  }

  mutating func decide(
    _ rule: Rule, _ key: ElementKey?, _ label: String, side: MergeSide? = nil, _ message: String,
    consequence: String? = nil
  ) {
    log.decisions.append(
      Decision(
        rule: rule, element: key, label: label, side: side, message: message,
        consequence: consequence))
  }

  /// The changes of a side to an element of the base.
  func changes(_ side: MergeSide, _ key: ElementKey) -> [FieldChange] {
    guard !state.rulings.restored[side].contains(key),
      case .changed(let changes) = sides[side].difference.changes[key]
    else { return [] }
    return changes
  }

  /// Whether the element is live on a side and not in the base.
  func isNew(_ key: ElementKey, on side: MergeSide) -> Bool {
    sides[side].presence(key) == .live && base?.presence(key) != .live
  }

  /// The version of the model that holds a side's element: the base if the side's removal was overruled, and
  /// the other side if the UID belongs to an element of that side.
  func view(_ side: MergeSide, _ key: ElementKey) -> SideView {
    if let taken = state.rulings.sideOverrides[key] { return sides[taken] }
    guard state.rulings.restored[side].contains(key) else { return sides[side] }
    if let base, base.lookup[key.kind, key.uid] != nil { return base }
    return sides[side.other]
  }

  func label(_ key: ElementKey) -> String { merger.label(key) }

  /// Every element of a kind: the elements of the base, then what the sides added.
  func union(_ kind: ElementKind) -> [UID] {
    var seen: Set<UID> = []
    var all: [UID] = []
    for model in [base?.model, sides.ours.model, sides.theirs.model].compactMap(\.self) {
      model.forEachElement { place, pair in
        if place.kind == kind, seen.insert(pair.uid).inserted { all.append(pair.uid) }
      }
    }
    return all
  }
}
