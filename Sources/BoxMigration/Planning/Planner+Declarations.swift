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
    for change in declared.changes(since: earlier) {
      let removesMore = change.after == .cascade || change.after == .deny
      add(
        removesMore ? .deleteRuleAdded : .deleteRuleChanged, subject(change.declaration.relation),
        before: change.before.rawValue, after: change.after.rawValue, change.message, covers: [])
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
