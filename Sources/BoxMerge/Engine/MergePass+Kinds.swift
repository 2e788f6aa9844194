import BoxModel

/// Conflicts about UIDs of elements of different kinds.
extension MergePass {
  /// Resolves UIDs of elements of two kinds, unless one version uses a UID for both.
  mutating func settleKinds() throws(Obstacle) {
    var byUID: [UID: [ElementKey]] = [:]
    func note(_ kind: ElementKind, _ uid: UID) {
      byUID[uid, default: []].append(ElementKey(kind, uid))
    }
    for entity in draft.entities.all { note(.entity, entity.uid) }
    for property in draft.properties.all {
      note(.property, property.uid)
      if let index = property.value.indexID { note(.index, index.uid) }
    }
    for relation in draft.relations.all { note(.relation, relation.uid) }
    for uid in byUID.keys.sorted() {
      // The next pass lacks the elements that another conflict of this pass removes.
      let keys = Set(byUID[uid] ?? []).subtracting(state.rulings.dropped)
      if keys.count > 1, !isInOneVersion(keys) { try settleKinds(keys.sorted()) }
    }
  }

  private func isInOneVersion(_ keys: Set<ElementKey>) -> Bool {
    [base, sides.ours, sides.theirs].contains { view in
      guard let view else { return false }
      return keys.allSatisfy { view.presence($0) == .live }
    }
  }

  private mutating func settleKinds(_ keys: [ElementKey]) throws(Obstacle) {
    let label = label(keys[0])
    func kept(_ side: MergeSide) -> ElementKey {
      keys.first { sides[side].presence($0) == .live } ?? keys[0]
    }
    func meaning(_ side: MergeSide) -> String {
      let key = kept(side)
      return "it is the \(key.kind) \(self.label(key)); the other is removed, and needs a new UID"
    }
    let list = keys.map { "the \($0.kind) \(self.label($0))" }.joined(separator: " and ")
    let conflict = Conflict(
      id: "two-kinds/\(keys[0].uid)", rule: MergeRule.twoKinds, elements: keys, label: label,
      message: "the UID \(keys[0].uid) would identify \(list)",
      ours: meaning(.ours), theirs: meaning(.theirs),
      help: "give one of the two a new UID on its branch to keep both")
    let resolution = resolve(conflict)
    let winner =
      resolution.side.map(kept) ?? keys.first { base?.presence($0) == .live } ?? keys[0]
    for key in keys where key != winner {
      if !state.rulings.dropped.insert(key).inserted {
        throw Obstacle(reason: "the UID \(key.uid) would identify \(list)", elements: keys)
      }
    }
  }
}
