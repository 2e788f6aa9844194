import BoxModel
import BoxReport

/// Merges two versions of a model, with a given answer to every conflict.
///
/// The merge is a fold. A pass goes through the model from entities to flags. Where it meets a
/// conflict whose resolution changes what earlier steps of the pass worked on, it adds a ruling to
/// the ``MergeState``, and another pass begins with that. Rulings only grow, so this ends: the first
/// pass that adds none has the result.
struct Merger {
  let base: SideView?
  let sides: BySide<SideView>
  let published: Published
  /// The earlier versions of both sides, if they are known.
  let history: LineHistory?
  /// The resolutions that the user chose, by the ids of the conflicts.
  let choices: [String: Resolution]
  /// The resolution of every other conflict in the merged model.
  let fallback: Resolution
  /// The side whose file is overwritten; it decides which keys without a content are written.
  let layoutSide: MergeSide

  /// Whether the last ids of the base are kept, as of the version that a single model comes from.
  var keepsLastsOfBase = false

  /// The difference between the sides; nil if there is a base and the sides added no element in
  /// common.
  let oursToTheirs: ModelDifference?

  init(
    base: SideView?, sides: BySide<SideView>, published: Published, history: LineHistory?,
    choices: [String: Resolution], fallback: Resolution, layoutSide: MergeSide
  ) {
    self.history = history
    self.base = base
    self.sides = sides
    self.published = published
    self.choices = choices
    self.fallback = fallback
    self.layoutSide = layoutSide
    let additions = sides.theirs.difference.changes
    let isAddedTwice = sides.ours.difference.changes.contains { key, change in
      change == .added && additions[key] == .added
    }
    oursToTheirs =
      base == nil || isAddedTwice
      ? ModelDifference(
        from: sides.ours.model, sides.ours.lookup, to: sides.theirs.model, sides.theirs.lookup)
      : nil
  }

  /// The maximum number of passes, more than any model with interdependent conflicts needs.
  private static let passLimit = 24

  /// The merged model.
  ///
  /// - Throws: ``MergeFailure`` if no model fulfils the answers.
  /// - Complexity: O(*n* log *n*) in the size of the versions for each pass.
  func merged() throws(MergeFailure) -> MergeOutcome {
    var state = MergeState()
    for _ in 0..<Self.passLimit {
      var pass = MergePass(self, state)
      do {
        try pass.run()
        if pass.state.rulings == state.rulings { return try pass.assembled() }
      } catch {
        throw MergeFailure(obstacle: error, asksForHistory: pass.state.answers.asksForHistory)
      }
      state = pass.state
    }
    let open = state.answers.conflicts.filter { choices[$0.id] == nil }
    throw MergeFailure(
      obstacle: Obstacle(
        reason: "the answers to \(open.count) conflicts cause new conflicts without end",
        elements: open.flatMap(\.elements)),
      asksForHistory: state.answers.asksForHistory)
  }

  func label(_ key: ElementKey) -> String {
    sides.ours.label(key) ?? sides.theirs.label(key) ?? base?.label(key) ?? "\(key.uid)"
  }
}

/// The reason why a merge gives no model.
struct Obstacle: Error {
  /// One sentence without a trailing period.
  var reason: String
  var elements: [ElementKey]
}

/// The failure of a merge.
struct MergeFailure: Error {
  var obstacle: Obstacle
  /// Whether a field was a conflict that a history could answer.
  var asksForHistory: Bool
}

/// The merged model, and the way to it.
struct MergeOutcome {
  var model: Model
  var decisions: [Decision]
  var answers: Answers
}
