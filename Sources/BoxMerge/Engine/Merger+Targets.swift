import BoxModel

/// Relations whose target the other side removed.
extension Merger {
  mutating func followTargets() {
    for relation in relations.all {
      follow(ElementKey(.relation, relation.uid), relation.value.target.uid)
    }
    for property in properties.all {
      if case .entity(let target) = property.target {
        follow(ElementKey(.property, property.uid), target)
      }
    }
  }

  private mutating func follow(_ key: ElementKey, _ target: UID) {
    if entities[target] != nil { return }
    let targetKey = ElementKey(.entity, target)
    // The side that removed the target, and has no relation to it itself, or none that stayed.
    guard
      let remover = MergeSide.allCases.first(where: { side in
        sides[side].lookup.entity(target) == nil && !rulings.restored[side].contains(targetKey)
          && (!leads(key, to: target, on: side)
            || rulings.restored[side].contains(key) && !changes(side.other, key).isEmpty)
      }), leads(key, to: target, on: remover.other)
    else { return dropWithTarget(key, target) }
    let label = label(key)
    let targetLabel = self.label(targetKey)
    let removed = "\(targetLabel) is removed, and \(label) with it: its UID is retired"
    let kept = "\(targetLabel) stays with its data, and so does \(label)"
    let conflict = Conflict(
      id: "target-removed/\(key.kind)/\(key.uid)/\(target)", rule: MergeRule.targetRemoved,
      elements: [key, targetKey], label: label,
      message: "\(remover) removed \(targetLabel), and \(remover.other) has \(label) lead to it",
      ours: remover == .ours ? removed : kept, theirs: remover == .theirs ? removed : kept)
    let resolution = resolve(conflict)
    if resolution.side == remover {
      rulings.dropped.insert(key)
    } else {
      restore(targetKey, on: remover)
      if view(remover, targetKey).entity(target) == nil { isUnsolvable = true }
    }
  }

  /// A relation to an entity that a resolution dropped goes too, and one that came back with its
  /// owner and leads to what the same side removed; not one that was astray before.
  private mutating func dropWithTarget(_ key: ElementKey, _ target: UID) {
    let isDropped = rulings.dropped.contains(ElementKey(.entity, target))
    let cameBack = MergeSide.allCases.contains { side in
      rulings.restored[side].contains(key) && sides[side].lookup.entity(target) == nil
        && view(side, key).lookup.entity(target) != nil
    }
    if isDropped || cameBack { rulings.dropped.insert(key) }
  }

  private func leads(_ key: ElementKey, to target: UID, on side: MergeSide) -> Bool {
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
