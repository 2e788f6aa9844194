import BoxModel

/// The sources and the model file of one version of a project.
struct Tree: Sendable {
  var sources: Sources
  var model: ModelDocument
  /// Whether the model can be read: not if it is a base with the markers of an inner merge.
  var isModelUsable = true

  /// Whether git takes both for the same.
  func isSame(as other: Tree) -> Bool {
    model.bytes == other.model.bytes && sources == other.sources
  }
}

/// A version with what a build finds in it.
struct BuiltTree: Sendable {
  let tree: Tree
  let match: SourceMatch

  var groups: [Int: Declaration] { tree.sources.groups }

  init(_ tree: Tree) {
    self.tree = tree
    match = SourceMatch(tree.model.model, tree.sources)
  }
}

/// The law of histories: no element of the sources ever gets a new UID.
///
/// It knows nothing of how models are merged. Of two versions and what git made of their sources it
/// asks which UIDs the next build may find for each declaration: those that a side's build found for
/// the same lines. A side that only has the UID of the base gives way to one that reset it.
struct SourceLaw: Sendable {
  var base: BuiltTree?
  var ours: BuiltTree
  var theirs: BuiltTree
  /// The numbers of declarations that somebody took out as twins, with what stands for each.
  var twins: [Int: Int] = [:]

  /// A reason why the law does not apply to a declaration, and why no merge of three models could
  /// obey it.
  enum Exemption: String, CaseIterable, Sendable {
    /// The model of the base has the declaration under another name or type, so that what a side did
    /// to it cannot be told from what a build of that side wrote.
    case baseIsStale = "the base was not built"
    /// Whoever merged wrote a line that neither side had: no side gave that a UID.
    case newLine = "the line is of neither side"
    /// A side has no element for the declaration, or has it under another name: nobody built there.
    case sideIsStale = "a side was not built"
    /// The relation leads to an entity that is a new one, and so is another relation.
    case newTarget = "the target is another entity"
    /// The base had the element without a declaration, so that a side's build retired it without a
    /// change of the sources.
    case surplusOfBase = "the base had no declaration for it"
    /// One side removed the lines that the other edited in a way that its model does not show: whoever
    /// merges the sources takes the removal, as the merge of the models does.
    case unshownEdit = "the edit of what is removed is in no model"
    /// It has on a side the UID of other lines of the base: as it took over their name, the model is as
    /// before, and who removes or edits those lines and the element does not touch these.
    case movedLines = "the element had other lines"
    /// It has a UID that a side gave to other lines, or has without lines.
    case uidOfOtherLines = "it has the UID of other lines"
    /// A side that was not built has the element without its lines: what it did to it before, such as a
    /// new name, is in its model and no longer in its sources.
    case elementWithoutLines = "a side has the element without its lines"
    /// The sides have its UID for different lines, and both of these are merged: one element cannot have two
    /// declarations.
    case sharedUID = "other lines that are merged too have its UID"
  }

  /// The verdict of the law on a version.
  struct Verdict: Sendable {
    /// The parts of the sources that the next build would lose.
    var losses: [String] = []
    var exemptions: [Exemption: Int] = [:]
    /// The number of declarations for which the law asked for a UID.
    var demands = 0
    /// The number of elements of the model without a declaration, which the next build retires.
    var surplus = 0
  }

  func verdict(on merged: Tree) -> Verdict {
    let found = SourceMatch(merged.model.model, merged.sources)
    var verdict = Verdict(surplus: found.surplus.count)
    var lost: Set<Int> = []
    for number in merged.sources.numbers {
      guard let group = merged.sources.groups[number], !lost.contains(group.owner) else { continue }
      let ownerUID = group.kind == .entity ? nil : found.uids[group.owner]
      if group.kind != .entity, ownerUID == nil { continue }
      switch allowedUIDs(number, group, ownerUID, found) {
      case .exempt(let exemption): verdict.exemptions[exemption, default: 0] += 1
      case .allowed(let allowed) where allowed.isEmpty: break
      case .allowed(let allowed):
        verdict.demands += 1
        if let uid = found.uids[number], allowed.contains(uid) { break }
        if let uid = found.uids[number], isKnown(uid, number) {
          verdict.exemptions[.uidOfOtherLines, default: 0] += 1
          break
        }
        if allowed.contains(where: { isWithoutLines($0, number) }) {
          verdict.exemptions[.elementWithoutLines, default: 0] += 1
          break
        }
        if allowed.allSatisfy({ isTaken($0, number, found) }) {
          verdict.exemptions[.sharedUID, default: 0] += 1
          break
        }
        lost.insert(number)
        verdict.losses.append(
          "\(group.kind) \(label(number, merged)) would get "
            + (found.uids[number].map { "the UID \($0)" } ?? "a new UID")
            + ", had \(allowed.sorted())")
        continue
      }
      verdict.losses += indexLoss(number, group, found, merged)
    }
    return verdict
  }

  private enum Demand {
    case exempt(Exemption)
    case allowed(Set<UID>)
  }

  /// Whether a side has an element with a UID, and that is not what the base had for the lines.
  private func isKnown(_ uid: UID, _ number: Int) -> Bool {
    uid != base?.match.uids[number]
      && [ours, theirs].contains { side in
        side.match.surplus.contains(uid) || side.match.uids.values.contains(uid)
      }
  }

  /// Whether a side has an element, and not the lines of it.
  private func isWithoutLines(_ uid: UID, _ number: Int) -> Bool {
    [ours, theirs].contains { $0.groups[number] == nil && $0.match.surplus.contains(uid) }
  }

  /// Whether other lines have a UID, to which no side gave another one.
  private func isTaken(_ uid: UID, _ number: Int, _ found: SourceMatch) -> Bool {
    found.uids.contains { other, given in
      given == uid && other != number
        && Set([ours, theirs].compactMap { $0.match.uids[other] }) == [uid]
    }
  }

  /// Whether the base has a UID for other lines.
  private func isOfOtherLines(_ uid: UID, _ number: Int) -> Bool {
    base?.match.uids.contains { $0.value == uid && $0.key != number } ?? false
  }

  private func allowedUIDs(
    _ number: Int, _ group: Declaration, _ ownerUID: UID?, _ found: SourceMatch
  ) -> Demand {
    if let base, !base.match.isInStep(number) { return .exempt(.baseIsStale) }
    // To its model such a side has the entity, and has taken out the member alone.
    if let ownerUID,
      [ours, theirs].contains(where: { side in
        side.groups[group.owner] == nil && side.match.surplus.contains(ownerUID)
      })
    {
      return .exempt(.sideIsStale)
    }
    let heads = [ours, theirs].compactMap { $0.groups[number]?.head }
    if !heads.isEmpty, !heads.contains(group.head) { return .exempt(.newLine) }
    let names = [number] + twins.filter { $0.value == number }.map(\.key)
    var allowed: [UID] = []
    for side in [ours, theirs] {
      for name in names {
        guard let declared = side.groups[name], isSame(declared.head, group.head) else { continue }
        guard let uid = side.match.uids[name], side.match.isInStep(name) else {
          return .exempt(.sideIsStale)
        }
        if let target = declared.target, side.match.uids[target] != found.uids[target] {
          return .exempt(.newTarget)
        }
        if name == number, isOfOtherLines(uid, number) { return .exempt(.movedLines) }
        // In an entity that is a new one, all is new.
        if let ownerUID, side.match.uids[declared.owner] != ownerUID { continue }
        allowed.append(uid)
      }
    }
    let old = base?.match.uids[number]
    // Of twins either stays: whoever merged said which, and was asked about the model.
    if Set(allowed).count > 1, names.count == 1, let old { allowed.removeAll { $0 == old } }
    // A UID that is written beside the name is what the sources ask for.
    if let named = group.head.uid, old == named { allowed.removeAll { $0 != named } }
    if let surplus = base?.match.surplus, !surplus.isDisjoint(with: allowed) {
      allowed.removeAll { surplus.contains($0) }
      if allowed.isEmpty { return .exempt(.surplusOfBase) }
    }
    return .allowed(Set(allowed))
  }

  /// Whether a declaration still says what it said on a side: the name, or the UID beside it.
  private func isSame(_ a: Declaration.Head, _ b: Declaration.Head) -> Bool {
    a.name == b.name || (a.uid != nil && a.uid == b.uid)
  }

  private func indexLoss(
    _ number: Int, _ group: Declaration, _ found: SourceMatch, _ merged: Tree
  ) -> [String] {
    guard group.index != nil, let uid = found.uids[number], !isWithoutLines(uid, number) else {
      return []
    }
    // An index that the base's model has without its sources, or in another way: a build of a side that
    // brought it in step has changed the model alone. The declaration can be missing there altogether.
    if let base {
      let declared = base.groups[number]?.index
      let isInModel =
        base.match.indexes[number] != nil || base.tree.model.index(ofProperty: uid) != nil
      if declared == nil ? isInModel : !base.match.isIndexInStep(number, declared) { return [] }
    }
    var allowed: [UID] = []
    for side in [ours, theirs] {
      let declared = side.groups[number]?.index
      // Other lines have the property there, and its index is what they say.
      if side.match.uids.contains(where: { $0.value == uid && $0.key != number }) { return [] }
      // Where nobody built yet, a side has an index without a declaration, or none or another for it.
      let isBuilt =
        side.match.uids[number] == uid && side.match.isIndexInStep(number, declared)
      if declared != nil, side.match.has(uid), !isBuilt { return [] }
      if let index = side.tree.model.index(ofProperty: uid) { allowed.append(index) }
    }
    if allowed.isEmpty || found.indexes[number].map({ allowed.contains($0) }) ?? false { return [] }
    return ["the index of \(label(number, merged)) would get a new UID, had \(allowed.sorted())"]
  }

  private func label(_ number: Int, _ tree: Tree) -> String {
    guard let group = tree.sources.groups[number] else { return "\(number)" }
    guard let owner = tree.sources.groups[group.owner] else { return group.head.name }
    return "\(owner.head.name).\(group.head.name)"
  }
}

extension ModelDocument {
  /// The UID of the index of a property.
  fileprivate func index(ofProperty uid: UID) -> UID? {
    guard case .property(let e, let p) = lookup[.property, uid] else { return nil }
    return model.entities[e].properties[p].indexID?.uid
  }
}
