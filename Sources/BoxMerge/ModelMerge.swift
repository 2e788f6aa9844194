package import BoxModel
import BoxReport

/// The versions to merge, and the options of the merge.
package struct MergeInput: Sendable {
  /// The version that both sides come from; nil if it does not exist or is not a model.
  package var base: ModelDocument?
  /// The side whose file is written.
  package var ours: ModelDocument
  /// The other side.
  package var theirs: ModelDocument
  /// The published models, whose elements keep contested ids.
  package var published: Published
  /// The resolutions that the user chose, by the ids of the conflicts.
  package var choices: [String: Resolution]
  /// The side that wins every other conflict; nil leaves them open.
  package var favor: MergeSide?
  /// The earlier versions of both sides; nil where they are not known, or not read yet.
  ///
  /// A merge that would use them has ``MergeResult/asksForHistory``. Reading them is expensive, so a
  /// caller merges without, and merges again with the history only where it is asked for.
  package var history: FieldHistory?

  /// Creates the input of a merge.
  package init(
    base: ModelDocument?, ours: ModelDocument, theirs: ModelDocument,
    published: Published = .nothing, choices: [String: Resolution] = [:], favor: MergeSide? = nil,
    history: FieldHistory? = nil
  ) {
    self.base = base
    self.ours = ours
    self.theirs = theirs
    self.published = published
    self.choices = choices
    self.favor = favor
    self.history = history
  }
}

/// The merged file, the decisions and the open conflicts.
package struct MergeResult: Sendable {
  /// The merged file; where conflicts are open it has ours.
  package var bytes: [UInt8]
  /// The decisions, in the order of the model; while conflicts are open, those that both answers to
  /// them have in common.
  package var decisions: [Decision]
  /// The open conflicts.
  package var conflicts: [Conflict]
  /// The file with all open conflicts resolved as each side, and the base, has it; empty without
  /// open conflicts.
  ///
  /// Each side's file passes the check, or has no issue that the inputs did not have.
  package var resolved: [Resolution: [UInt8]]
  /// Whether the input has no history, and both sides changed a field differently: with
  /// ``MergeInput/history`` the merge may answer that by itself.
  ///
  /// True also where such a field was decided by ``MergeInput/favor``, and never where
  /// ``MergeInput/choices`` decided all of them.
  package var asksForHistory = false
  /// Whether an element has a number that the base does not have, so that what is published can change the
  /// result.
  package var hasNewNumbers = false
  /// Whether a published version may have had an element that it no longer has, and its history is not
  /// read: with ``PublishedModel/history`` the element gets the id that it had.
  package var asksForPublishedHistory = false

  /// Whether knowing what is published could change the result, or what there is to say about it.
  package var dependsOnPublished: Bool {
    let rules = [
      MergeRule.unified, MergeRule.indexUnified, MergeRule.generatedFlags, MergeRule.removed,
      MergeRule.withdrawn,
    ]
    return hasNewNumbers || !conflicts.isEmpty || decisions.contains { rules.contains($0.rule) }
  }

  /// Whether nothing is open.
  package var isClean: Bool { conflicts.isEmpty }
}

/// The reason why two files are not merged.
package enum MergeRefusal: Error, Hashable, Sendable {
  /// Elements of the file could not be read: `check` says which.
  case incomplete(MergeSide)
  /// The side has no UID in common with the base: it was regenerated.
  case regenerated(MergeSide)
  /// Without a base, the sides have no UID in common.
  case unrelated
}

extension MergeInput {
  /// Merges.
  ///
  /// The file is written as ours is written; where ours is the base, as theirs is. `docs/merging.md`
  /// has the rules.
  ///
  /// - Throws: ``MergeRefusal`` if a file has elements that cannot be read, or the files have nothing
  ///   to do with each other.
  /// - Complexity: O(*n*) in the size of the files, and as much again for each conflict that depends
  ///   on another.
  package func merged() throws(MergeRefusal) -> MergeResult {
    try checkSides()
    if ours.model == theirs.model {
      return MergeResult(
        bytes: ours.bytes, decisions: headDecisions(Layout(self)), conflicts: [], resolved: [:])
    }
    let views = Views(self)
    let layout = Layout(self)
    func merger(_ fallback: Resolution) -> Merger {
      views.merger(self, fallback: fallback, layoutSide: layout.side)
    }
    do {
      let first = try written(merger(favor.map { Resolution($0) } ?? .ours), layout)
      // The side that is not favoured counts too: answering one by one gives the same.
      let other =
        first.answers.conflicts.isEmpty
        ? nil : try written(merger(Resolution(favor?.other ?? .theirs)), layout)
      guard let other else {
        return MergeResult(
          bytes: first.bytes, decisions: decisions(of: first, layout), conflicts: [],
          resolved: [:]
        ).asking(as: [first.answers])
      }
      if let favor { return favored(favor, first, other, layout) }
      let before = base == nil ? nil : try? merger(.base).merged()
      return open(first, other, before.map { layout.rendered($0.model) }, layout)
    } catch {
      return wholeModelConflict(layout, error)
    }
  }

  /// A merged model and its file.
  private struct Written {
    var bytes: [UInt8]
    var decisions: [Decision]
    var answers: Answers
  }

  private func written(_ merger: Merger, _ layout: Layout) throws(MergeFailure) -> Written {
    let merged = try merger.merged()
    do {
      return Written(
        bytes: try rendered(merged.model, layout), decisions: merged.decisions,
        answers: merged.answers)
    } catch {
      throw MergeFailure(obstacle: error, asksForHistory: merged.answers.asksForHistory)
    }
  }

  private func decisions(of file: Written, _ layout: Layout) -> [Decision] {
    headDecisions(layout) + file.answers.explicitDecisions + file.decisions
  }

  /// The result where one side wins every open conflict.
  private func favored(
    _ favor: MergeSide, _ file: Written, _ other: Written, _ layout: Layout
  ) -> MergeResult {
    let favored = file.answers.conflicts.map { conflict in
      Decision(
        rule: MergeRule.resolvedAsDecided, element: conflict.elements.first, label: conflict.label,
        side: favor, message: "\(conflict.message); \(favor) is favoured: \(conflict[favor])")
    }
    return MergeResult(
      bytes: file.bytes, decisions: decisions(of: file, layout) + favored, conflicts: [],
      resolved: [:]
    ).asking(as: [file.answers, other.answers])
  }

  /// The result with open conflicts, from the files in which each side, and the base, wins them.
  private func open(
    _ ours: Written, _ theirs: Written, _ base: [UInt8]?, _ layout: Layout
  ) -> MergeResult {
    let known = Set(ours.answers.conflicts.map(\.id))
    // A decision of only one of the answers is not made yet.
    let either = Set(theirs.decisions.map { DecisionKey($0) })
    var common = ours
    common.decisions.removeAll { !either.contains(DecisionKey($0)) }
    var resolved: [Resolution: [UInt8]] = [.ours: ours.bytes, .theirs: theirs.bytes]
    resolved[.base] = base
    return MergeResult(
      bytes: ours.bytes, decisions: decisions(of: common, layout),
      conflicts: ours.answers.conflicts
        + theirs.answers.conflicts.filter { !known.contains($0.id) },
      resolved: resolved
    ).asking(as: [ours.answers, theirs.answers])
  }

  private func checkSides() throws(MergeRefusal) {
    if !ours.isComplete { throw .incomplete(.ours) }
    if !theirs.isComplete { throw .incomplete(.theirs) }
    guard let base else {
      if isRegenerated(theirs.model, from: ours.model),
        isRegenerated(ours.model, from: theirs.model),
        knownEntities(ours.model).isDisjoint(with: knownEntities(theirs.model))
      {
        throw .unrelated
      }
      return
    }
    let isTheirs = isRegenerated(theirs.model, from: base.model)
    if isRegenerated(ours.model, from: base.model), !isTheirs { throw .regenerated(.ours) }
    if isTheirs { throw .regenerated(.theirs) }
  }

  /// The UIDs of entities that a model has or had.
  private func knownEntities(_ model: Model) -> Set<UID> {
    Set(model.entities.map(\.pair.uid)).union(model.retiredEntityUIDs ?? [])
  }

  /// The file with a model.
  ///
  /// - Throws: ``Obstacle`` if it has an error that the inputs did not have.
  private func rendered(_ model: Model, _ layout: Layout) throws(Obstacle) -> [UInt8] {
    let bytes = layout.rendered(model)
    let document: ModelDocument
    do {
      document = try ModelDocument(parsing: bytes, fields: ours.fields)
    } catch {
      throw Obstacle(reason: "the merged file would be invalid: \(error.message)", elements: [])
    }
    let errors = document.check().filter { $0.severity == .error }
    if errors.isEmpty { return bytes }
    let known = Set([ours, theirs, base].compactMap(\.self).flatMap { $0.check() }.map(\.rule.id))
    guard let error = errors.first(where: { !known.contains($0.rule.id) }) else { return bytes }
    throw Obstacle(
      reason: "the merged model would not pass the check \(error.rule.id) \(error.rule.name): "
        + error.message,
      elements: [document.element(at: error.range.lowerBound)].compactMap(\.self))
  }

  /// The name of an element in the first version that has it.
  private func label(_ key: ElementKey) -> String {
    let versions = [ours, theirs, base].compactMap(\.self).filter(\.isComplete)
    let labels = versions.lazy.compactMap { version in
      version.lookup[key.kind, key.uid].map { version.model.label($0) }
    }
    return labels.first ?? "\(key.uid)"
  }

  /// The last resort: each side as it is.
  private func wholeModelConflict(_ layout: Layout, _ failure: MergeFailure) -> MergeResult {
    let obstacle = failure.obstacle
    let conflict = Conflict(
      id: "whole-model", rule: MergeRule.wholeModel, elements: obstacle.elements,
      label: obstacle.elements.first.map { label($0) } ?? "the model",
      message: obstacle.reason,
      ours: "the file of ours, without what theirs did",
      theirs: "the file of theirs, without what ours did",
      help: "take one side and make the changes of the other again")
    let theirFile = ours.rendered(theirs.model, in: layout.dialects.ours)
    if let choice = choices[conflict.id]?.side ?? favor {
      let decision = Decision(
        rule: MergeRule.resolvedAsDecided, element: nil, label: conflict.label, side: choice,
        message: "\(conflict.message); resolved as requested: \(conflict[choice])")
      return MergeResult(
        bytes: choice == .ours ? ours.bytes : theirFile, decisions: [decision], conflicts: [],
        resolved: [:])
    }
    return MergeResult(
      bytes: ours.bytes, decisions: [], conflicts: [conflict],
      resolved: [.ours: ours.bytes, .theirs: theirFile], asksForHistory: failure.asksForHistory)
  }
}

extension MergeResult {
  /// The result with the questions that runs of the merge had.
  fileprivate func asking(as runs: [Answers]) -> MergeResult {
    var result = self
    result.asksForHistory = runs.contains(where: \.asksForHistory)
    result.hasNewNumbers = runs.contains(where: \.hasNewNumbers)
    result.asksForPublishedHistory = runs.contains(where: \.asksForPublishedHistory)
    return result
  }
}

/// A key by which two decisions are the same, whatever names their elements have in the result.
private struct DecisionKey: Hashable {
  let rule: Rule
  let element: ElementKey?
  let side: MergeSide?

  init(_ decision: Decision) {
    rule = decision.rule
    element = decision.element
    side = decision.side
  }
}

/// The layout in which the result is written.
private struct Layout {
  /// The dialect of each side; the dialect of the other inputs if the side alone does not show it.
  let dialects: BySide<Dialect>
  /// The side whose file the result overwrites.
  let side: MergeSide
  let file: ModelDocument

  init(_ input: MergeInput) {
    let base = [input.base].compactMap(\.self)
    dialects = BySide(
      ours: input.ours.dialect(like: [input.theirs] + base),
      theirs: input.theirs.dialect(like: [input.ours] + base))
    side = input.base.map { $0.bytes == input.ours.bytes } ?? false ? .theirs : .ours
    file = side == .ours ? input.ours : input.theirs
  }

  func rendered(_ model: Model) -> [UInt8] { file.rendered(model, in: dialects[side]) }
}

/// The versions of a merge, looked through once and used by every run of it.
private struct Views {
  let base: SideView?
  let sides: BySide<SideView>
  let history: LineHistory?

  init(_ input: MergeInput) {
    history = input.history.map { LineHistory($0) }
    let usableBase = input.base.flatMap { $0.isComplete ? $0 : nil }
    let base = usableBase.map { SideView($0.model, $0.lookup, from: nil) }
    self.base = base
    sides = BySide(
      ours: SideView(input.ours.model, input.ours.lookup, from: base),
      theirs: SideView(input.theirs.model, input.theirs.lookup, from: base))
  }

  func merger(_ input: MergeInput, fallback: Resolution, layoutSide: MergeSide) -> Merger {
    Merger(
      base: base, sides: sides, published: input.published, history: history,
      choices: input.choices,
      fallback: fallback, layoutSide: layoutSide)
  }
}

extension MergeInput {
  private func headDecisions(_ layout: Layout) -> [Decision] {
    var decisions: [Decision] = []
    if !(base?.isComplete ?? false) {
      decisions.append(
        Decision(
          rule: MergeRule.withoutBase, element: nil, label: "the model",
          message: "no base is a model, so both sides are compared directly"))
    }
    let (ours, theirs) = (layout.dialects.ours.generator, layout.dialects.theirs.generator)
    if ours != theirs {
      decisions.append(
        Decision(
          rule: MergeRule.dialectKept, element: nil, label: "the model", side: .ours,
          message: "ours has the style of the generator for \(ours), theirs the style of "
            + "the one for \(theirs): the result has the style of ours"))
    }
    return decisions
  }
}
