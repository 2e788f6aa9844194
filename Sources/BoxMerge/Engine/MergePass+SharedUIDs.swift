import BoxModel

/// One UID that both sides gave to different elements of one kind, as where both took it from the UIDs on
/// offer.
extension MergePass {
  /// Resolves whose element a UID stays with.
  ///
  /// The element of the other side is as it was before, under the UID that it had.
  mutating func settleShared(_ key: ElementKey) {
    guard let base, state.rulings.sideOverrides[key] == nil, !state.rulings.dropped.contains(key),
      base.presence(key) != .live,
      MergeSide.allCases.allSatisfy({ sides[$0].presence(key) == .live })
    else { return }
    // Under one name in one entity it is one element; the search below looks through all members.
    if sides.ours.label(key) == sides.theirs.label(key) { return }
    let before = BySide(
      ours: predecessor(of: key, on: .ours), theirs: predecessor(of: key, on: .theirs))
    // Of an element that one side took over from the other, and renamed, both retired the earlier one.
    let isShared = MergeSide.allCases.contains { side in
      before[side].map { sides[side.other].presence($0) == .live } ?? false
    }
    guard isShared, before.ours != before.theirs else { return }
    let resolution = resolve(sharedConflict(key, before))
    for side in MergeSide.allCases where resolution.side != side {
      if let old = before[side], sides[side.other].presence(old) == .live {
        restore(old, on: side)
      }
      if key.kind == .entity {
        let kept = Set(sides[side.other].children(of: key.uid))
        let members = sides[side].children(of: key.uid).filter { !kept.contains($0) }
        state.rulings.dropped.formUnion(members)
      }
    }
    if let winner = resolution.side {
      state.rulings.sideOverrides[key] = winner
    } else {
      state.rulings.dropped.insert(key)
    }
  }

  /// The element of the base that a side retired and replaced with another one of its name.
  private func predecessor(of key: ElementKey, on side: MergeSide) -> ElementKey? {
    guard let base else { return nil }
    let view = sides[side]
    let owner = view.owner(of: key).flatMap { base.entity($0) }
    let uid: UID?
    switch key.kind {
    case .entity:
      uid = view.entity(key.uid).flatMap { base.lookup.entity(named: $0.name) }
        .map { base.model.entities[$0].pair.uid }
    case .property:
      guard let name = view.property(key.uid).map({ foldedName($0.element.name) }) else {
        return nil
      }
      uid = owner?.properties.first { foldedName($0.name) == name }?.pair.uid
    case .relation:
      guard let name = view.relation(key.uid).map({ foldedName($0.element.name) }) else {
        return nil
      }
      uid = (owner?.relations ?? []).first { foldedName($0.name) == name }?.pair.uid
    case .index: uid = nil
    }
    let found = uid.map { ElementKey(key.kind, $0) }
    return found.flatMap { view.presence($0) == .retired ? $0 : nil }
  }

  private func sharedConflict(_ key: ElementKey, _ before: BySide<ElementKey?>) -> Conflict {
    func name(_ side: MergeSide) -> String { sides[side].label(key) ?? "\(key.uid)" }
    func meaning(_ side: MergeSide) -> String {
      let other = side.other
      let rest =
        before[other].map { "\(name(other)) is under \($0.uid) as before, with its data" }
        ?? "\(name(other)) is removed, and needs a new UID"
      return "it is \(name(side)); \(rest)"
    }
    return Conflict(
      id: "two-elements/\(key.kind)/\(key.uid)", rule: MergeRule.twoKinds,
      elements: [key] + [before.ours, before.theirs].compactMap(\.self).sorted(),
      label: name(.ours),
      message: "the UID \(key.uid) would identify \(name(.ours)) of ours and \(name(.theirs)) of "
        + "theirs",
      ours: meaning(.ours), theirs: meaning(.theirs),
      help:
        "remove the UID from the annotation of the other one; to reset it too, ask for a new one")
  }
}
