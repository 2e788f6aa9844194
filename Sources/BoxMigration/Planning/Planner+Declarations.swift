internal import BoxModel

/// The declarations about relations.
extension Planner {
  /// Adds a step for each side of a relation that gets another rule, and one for the first rule of all.
  ///
  /// A new version that declares nothing leaves the rules of a store as they are.
  mutating func planDeclarations() {
    guard let declared = newSide.declarations else { return }
    let earlier = oldSide.declarations ?? Declarations()
    if earlier.isEmpty, let first = declared.relations.first {
      add(
        .deleteRulesBegun, Subject(), "the model has rules about removals, as of \(first.label)",
        covers: [])
    }
    for uid in Set((earlier.relations + declared.relations).map(\.relation)).sorted() {
      let (before, after) = (earlier.relation(uid), declared.relation(uid))
      guard let label = (after ?? before)?.label else { continue }
      let sides = [
        ("source", before?.sourceRemoved, after?.sourceRemoved),
        ("target", before?.targetRemoved, after?.targetRemoved),
      ]
      for (side, old, new) in sides {
        let (old, new) = (old ?? .noAction, new ?? .noAction)
        if old == new { continue }
        let removesMore = new == .cascade || new == .deny
        add(
          removesMore ? .deleteRuleAdded : .deleteRuleChanged, subject(uid), before: old.rawValue,
          after: new.rawValue,
          "\(label): the rule for a removal of the \(side) was \(old.rawValue) and is \(new.rawValue)",
          covers: [])
      }
    }
  }

  /// The relation of a UID; the model as a whole if neither version has it.
  private func subject(_ uid: UID) -> Subject {
    for kind in [ElementKind.property, .relation] {
      let (old, new) = (oldLookup[kind, uid], newLookup[kind, uid])
      if old != nil || new != nil {
        return Subject(kind: kind, uid: uid, oldPlace: old, newPlace: new)
      }
    }
    return Subject()
  }
}
