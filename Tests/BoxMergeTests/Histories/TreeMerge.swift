import BoxMerge
import BoxModel
import BoxReport

/// One call of git's merge of two versions: the sources as git merges them, the model by UID.
struct TreeMerge: Sendable {
  var base: Tree?
  var ours: Tree
  var theirs: Tree
  /// The seed of the answers about conflicting lines, and about questions that the sources leave
  /// open.
  var salt: UInt64
  /// Looks up what is published, with its history or without.
  var published: @Sendable (_ hasHistory: Bool) -> Published = { _ in .nothing }

  struct Outcome: Sendable {
    var tree: Tree
    /// The merged sources: the base and both sides.
    var inputs: [Sources]
    /// Whether git would merge the sources alone.
    var hasCleanSources: Bool
    /// The questions about the model, and their answers.
    var answers: [String: Resolution] = [:]
    /// The rules that asked.
    var asked: [String] = []
    /// The elements that the report names as lost, retired or kept against a side.
    var rules: [String] = []
    /// The violations of the law.
    var losses: [String] = []
    /// The elements that have other ids if the sides are swapped.
    var asymmetries: [String] = []
    /// The number of times that the law did not apply, by the reason.
    var exemptions: [SourceLaw.Exemption: Int] = [:]
    /// The number of declarations for which the law asked for a UID.
    var demands = 0
  }

  func merged(_ merge: MergeFunction) -> Outcome {
    let salt = salt
    let built = (base.map { BuiltTree($0) }, BuiltTree(ours), BuiltTree(theirs))
    let sourceMerge = SourceMerge(
      base: built.0, ours: built.1, theirs: built.2,
      prefers: { (UInt64($0) &* 0x9E37_79B9 ^ salt) >> 7 & 1 == 0 ? .ours : .theirs })
    let sources = sourceMerge.merged()
    var (lines, twins) = sourceMerge.withoutTwins(sources, in: nil)
    var law = SourceLaw(base: built.0, ours: built.1, theirs: built.2, twins: twins)
    var outcome = Outcome(
      tree: Tree(sources: lines, model: ours.model),
      inputs: [base?.sources ?? Sources(), ours.sources, theirs.sources],
      hasCleanSources: sources.isClean && twins.isEmpty)
    if let whole = unmerged {
      outcome.tree.model = whole
    } else {
      mergeModel(merge, law, &outcome)
    }
    if !twins.isEmpty {
      (lines, twins) = sourceMerge.withoutTwins(sources, in: outcome.tree.model.model)
      outcome.tree.sources = lines
      law.twins = twins
    }
    let verdict = law.verdict(on: outcome.tree)
    outcome.losses += verdict.losses
    outcome.exemptions = verdict.exemptions
    outcome.demands = verdict.demands
    if sources.unshownEdits > 0 { outcome.exemptions[.unshownEdit] = sources.unshownEdits }
    let errors = outcome.tree.model.check().filter { $0.severity == .error }
    outcome.losses += errors.map { "the model has an error: \($0.rule.id) \($0.message)" }
    return outcome
  }

  /// The model where git calls no driver, since one side did not change it, or both did the same.
  private var unmerged: ModelDocument? {
    if ours.model.bytes == theirs.model.bytes { return ours.model }
    guard let base, base.isModelUsable else { return nil }
    if theirs.model.bytes == base.model.bytes { return ours.model }
    return ours.model.bytes == base.model.bytes ? theirs.model : nil
  }

  private func mergeModel(_ merge: MergeFunction, _ law: SourceLaw, _ outcome: inout Outcome) {
    var input = MergeInput(
      base: base.flatMap { $0.isModelUsable ? $0.model : nil }, ours: ours.model,
      theirs: theirs.model)
    do {
      // As the driver does, which asks git only for what can matter.
      var result = try merge(input)
      if result.dependsOnPublished {
        input.published = published(false)
        result = try merge(input)
        if result.asksForPublishedHistory {
          input.published = published(true)
          result = try merge(input)
        }
      }
      if result.isClean, salt & 6 == 0 {
        let mirror = try ModelDocument(parsing: merge(input.swapped).bytes)
        outcome.asymmetries = Self.idsThatDiffer(
          try ModelDocument(parsing: result.bytes).model, mirror.model)
      }
      while let conflict = result.conflicts.first(where: { input.choices[$0.id] == nil }) {
        let answer = try answered(conflict, input, merge, law, outcome.tree.sources)
        input.choices[conflict.id] = answer
        outcome.asked.append(conflict.rule.id)
        result = try merge(input)
      }
      outcome.answers = input.choices
      outcome.rules = result.decisions.map(\.rule.id)
      if !result.isClean {
        outcome.losses.append("conflicts stay open: \(result.conflicts.map(\.id))")
      }
      outcome.tree.model = try ModelDocument(parsing: result.bytes)
    } catch {
      outcome.losses.append("the merge was refused: \(error)")
    }
  }

  /// The elements that two models have under different ids.
  private static func idsThatDiffer(_ a: Model, _ b: Model) -> [String] {
    var ids: [ElementKey: UInt32] = [:]
    b.forEachElement { ids[ElementKey($0.kind, $1.uid)] = $1.id }
    var result: [String] = []
    a.forEachElement { place, pair in
      guard let other = ids[ElementKey(place.kind, pair.uid)], other != pair.id else { return }
      result.append("\(a.label(place)): \(pair.id) and \(other)")
    }
    return result
  }

  /// The answer after which the model fits the merged sources best; where both fit alike, any.
  private func answered(
    _ conflict: Conflict, _ input: MergeInput, _ merge: MergeFunction, _ law: SourceLaw,
    _ sources: Sources
  ) throws -> Resolution {
    func misfit(_ side: MergeSide, otherwise favor: MergeSide) throws -> Misfit {
      var trial = input
      trial.choices[conflict.id] = Resolution(side)
      trial.favor = favor
      let document = try ModelDocument(parsing: try merge(trial).bytes)
      return Misfit(law.verdict(on: Tree(sources: sources, model: document)))
    }
    var (a, b) = try (misfit(.ours, otherwise: .ours), misfit(.theirs, otherwise: .theirs))
    if a.losses > 0 || b.losses > 0 {
      // What is still open may be the reason.
      let (c, d) = try (misfit(.ours, otherwise: .theirs), misfit(.theirs, otherwise: .ours))
      (a, b) = (min(a, c), min(b, d))
    }
    if a == b { return salt & 1 == 0 ? .ours : .theirs }
    return a < b ? .ours : .theirs
  }
}

/// The misfit of a model and sources: the number of losses, then of elements under a UID that was
/// given to other lines, then of elements to retire.
private struct Misfit: Comparable {
  var losses: Int
  var strangers: Int
  var surplus: Int

  init(_ verdict: SourceLaw.Verdict) {
    // Where both have a UID, one is lost: other answers may keep both.
    losses = verdict.losses.count + (verdict.exemptions[.sharedUID] ?? 0)
    strangers = verdict.exemptions[.uidOfOtherLines] ?? 0
    surplus = verdict.surplus
  }

  static func < (a: Misfit, b: Misfit) -> Bool {
    (a.losses, a.strangers, a.surplus) < (b.losses, b.strangers, b.surplus)
  }
}
