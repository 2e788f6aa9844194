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

/// The law of histories: no element of the sources ever gets a new UID.
///
/// It knows nothing of how models are merged. Of two versions and what git made of their sources it
/// asks which UIDs the next build may find for each declaration: those that a side's build found for
/// the same lines. A side that only has the UID of the base gives way to one that reset it.
///
/// It asks nothing of a declaration whose model was not in step on a side, since nobody built there
/// yet: the side gave it no UID, or has it under another name. Nor of what the base had beyond its
/// sources: there a side retired it without a change of sources, and no model says so.
struct SourceLaw: Sendable {
  var base: Tree?
  var ours: Tree
  var theirs: Tree
  /// The numbers of declarations that somebody took out as twins, with what stands for each.
  var twins: [Int: Int] = [:]

  /// What the next build would lose of the sources of a merged version; empty if nothing.
  func losses(in merged: Tree) -> [String] {
    let before = base.map { SourceMatch($0.model.model, $0.sources) }
    let sides = [ours, theirs].map { tree in
      Side(tree: tree, match: SourceMatch(tree.model.model, tree.sources))
    }
    let found = SourceMatch(merged.model.model, merged.sources)
    var losses: [String] = []
    var lost: Set<Int> = []
    for number in merged.sources.numbers {
      guard let group = merged.sources.groups[number], !lost.contains(group.owner) else { continue }
      let ownerUID = group.kind == .entity ? nil : found.uids[group.owner]
      if group.kind != .entity, ownerUID == nil { continue }
      let allowed = allowedUIDs(number, group, ownerUID, sides, before, found)
      // A UID that a side has for a twin, or without a declaration, is not new either.
      let old = before?.uids[number]
      let live = Set(sides.flatMap { $0.match.surplus.union($0.match.uids.values) })
      let known = allowed.union(live.filter { $0 != old })
      if !allowed.isEmpty, found.uids[number].map({ !known.contains($0) }) ?? true {
        lost.insert(number)
        losses.append(
          "\(group.kind) \(label(number, merged)) would get "
            + (found.uids[number].map { "the UID \($0)" } ?? "a new UID")
            + ", had \(allowed.sorted())")
        continue
      }
      if before?.indexes[number] != nil, base?.sources.groups[number]?.index == nil { continue }
      losses += indexLoss(number, group, found, sides, merged)
    }
    return losses
  }

  /// How many elements of the model have no declaration: what the next build retires.
  static func surplus(in merged: Tree) -> Int {
    SourceMatch(merged.model.model, merged.sources).surplus.count
  }

  private struct Side {
    var tree: Tree
    var match: SourceMatch
  }

  private func allowedUIDs(
    _ number: Int, _ group: Declaration, _ ownerUID: UID?, _ sides: [Side], _ before: SourceMatch?,
    _ found: SourceMatch
  ) -> Set<UID> {
    if let before, !before.isInStep(number) { return [] }
    // Whoever merged wrote a line that neither side had.
    let heads = sides.compactMap { $0.tree.sources.groups[number]?.head }
    if !heads.isEmpty, !heads.contains(group.head) { return [] }
    let names = [number] + twins.filter { $0.value == number }.map(\.key)
    var allowed: [UID] = []
    for side in sides {
      for name in names {
        guard let declared = side.tree.sources.groups[name], isSame(declared.head, group.head)
        else { continue }
        guard let uid = side.match.uids[name], side.match.isInStep(name) else { return [] }
        // A relation to an entity that is a new one is another relation.
        if let target = declared.target, side.match.uids[target] != found.uids[target] { return [] }
        // In an entity that is a new one, all is new.
        if let ownerUID, side.match.uids[declared.owner] != ownerUID { continue }
        allowed.append(uid)
      }
    }
    if Set(allowed).count > 1, let old = before?.uids[number] { allowed.removeAll { $0 == old } }
    // A UID that is written beside the name is what the sources ask for.
    if let named = group.head.uid, before?.uids[number] == named {
      allowed.removeAll { $0 != named }
    }
    if let surplus = before?.surplus { allowed.removeAll { surplus.contains($0) } }
    return Set(allowed)
  }

  /// Whether a declaration still says what it said on a side: the name, or the UID beside it.
  private func isSame(_ a: Declaration.Head, _ b: Declaration.Head) -> Bool {
    a.name == b.name || (a.uid != nil && a.uid == b.uid)
  }

  private func indexLoss(
    _ number: Int, _ group: Declaration, _ found: SourceMatch, _ sides: [Side], _ merged: Tree
  ) -> [String] {
    guard group.index != nil, let uid = found.uids[number] else { return [] }
    var allowed: [UID] = []
    for side in sides
    where side.tree.sources.groups[number]?.index != nil && side.match.uids[number] == uid {
      guard let index = side.match.indexes[number] else { return [] }
      allowed.append(index)
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
