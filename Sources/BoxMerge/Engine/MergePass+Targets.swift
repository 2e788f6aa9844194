import BoxModel

/// Relations whose target the other side removed.
extension MergePass {
  mutating func followTargets() throws(Obstacle) {
    // An element that one relation restores must not change the question about the next.
    let restored = state.rulings.restored
    for relation in draft.relations.all {
      try follow(ElementKey(.relation, relation.uid), relation.value.target.uid, restored)
    }
    for property in draft.properties.all {
      if case .entity(let target) = property.target {
        try follow(ElementKey(.property, property.uid), target, restored)
      }
    }
  }

  private mutating func follow(
    _ key: ElementKey, _ target: UID, _ restored: BySide<Set<ElementKey>>
  ) throws(Obstacle) {
    // A target that no version has is a fault of the sides, or was not stated.
    if draft.entities[target] != nil || target == 0 { return }
    let targetKey = ElementKey(.entity, target)
    // The side that removed the target, and has no relation to it itself, or none that stayed.
    guard
      let remover = MergeSide.allCases.first(where: { side in
        sides[side].lookup.entity(target) == nil && !restored[side].contains(targetKey)
          && (!refers(key, to: target, on: side)
            || state.rulings.restored[side].contains(key) && !changes(side.other, key).isEmpty)
      }), refers(key, to: target, on: remover.other)
    else { return dropWithTarget(key, target) }
    let conflict = targetConflict(key, targetKey, remover)
    let resolution = resolve(conflict)
    if resolution.side != remover {
      restore(targetKey, on: remover)
      if view(remover, targetKey).entity(target) == nil {
        throw Obstacle(
          reason: "the target of \(label(key)) is in no version", elements: [key, targetKey])
      }
    } else if hasOwnTarget(key, on: remover) {
      state.rulings.targetsFrom[key] = remover
    } else if isForeign(key), sides.ours.presence(targetKey) == .absent {
      state.rulings.leftOut.insert(key)
    } else {
      state.rulings.dropped.insert(key)
    }
  }

  /// Whether ours does not have the element and never had.
  private func isForeign(_ key: ElementKey) -> Bool { sides.ours.presence(key) == .absent }

  /// Whether the target of the element on a side is in the result.
  private func hasOwnTarget(_ key: ElementKey, on side: MergeSide) -> Bool {
    guard state.rulings.targetsFrom[key] == nil else { return false }
    let view = sides[side]
    let target: UID
    switch key.kind {
    case .relation:
      guard let relation = view.relation(key.uid)?.element else { return false }
      target = relation.target.uid
    case .property:
      guard let property = view.property(key.uid)?.element,
        case .entity(let uid) = view.model.target(of: property, view.lookup)
      else { return false }
      target = uid
    case .entity, .index: return false
    }
    return draft.entities[redirect(target)] != nil
  }

  private func targetConflict(
    _ key: ElementKey, _ targetKey: ElementKey, _ remover: MergeSide
  ) -> Conflict {
    let label = label(key)
    let target = self.label(targetKey)
    let isForeign = remover == .ours && sides.ours.presence(targetKey) == .absent
    let removed =
      if hasOwnTarget(key, on: remover) {
        "\(target) is not in the result; \(label) keeps the target that \(remover) gave it"
      } else if isForeign && self.isForeign(key) {
        "\(target) stays out, and \(label) with it: no UID is retired"
      } else {
        "\(target) is removed, and \(label) with it: its UID is retired"
      }
    let kept = "\(target) stays with its data, and so does \(label)"
    let how = isForeign ? "ours does not have \(target)" : "\(remover) removed \(target)"
    return Conflict(
      id: "target-removed/\(key.kind)/\(key.uid)/\(targetKey.uid)", rule: MergeRule.targetRemoved,
      elements: [key, targetKey], label: label,
      message: "\(how), and \(remover.other) has \(label) refer to it",
      ours: remover == .ours ? removed : kept, theirs: remover == .theirs ? removed : kept)
  }

  /// Drops a relation if a resolution dropped its target.
  ///
  /// A relation that was restored with its owner is dropped too, if the same side removed the target.
  /// A relation that had no target before stays.
  private mutating func dropWithTarget(_ key: ElementKey, _ target: UID) {
    let isDropped = state.rulings.dropped.contains(ElementKey(.entity, target))
    let cameBack = MergeSide.allCases.contains { side in
      state.rulings.restored[side].contains(key) && sides[side].lookup.entity(target) == nil
        && view(side, key).lookup.entity(target) != nil
    }
    if isDropped || cameBack { state.rulings.dropped.insert(key) }
  }

  private func refers(_ key: ElementKey, to target: UID, on side: MergeSide) -> Bool {
    let view = view(side, key)
    switch key.kind {
    case .relation: return view.relation(key.uid).map { redirect($0.element.target.uid) } == target
    case .property:
      guard let property = view.property(key.uid)?.element else { return false }
      return redirect(view.model.target(of: property, view.lookup)) == .entity(target)
    case .entity, .index: return false
    }
  }
}
