import BoxModel

/// Conflicts about UIDs of elements of different kinds, and of the indexes of several properties.
extension MergePass {
  /// Resolves UIDs of elements of two kinds, unless one version uses a UID for both, and UIDs of two
  /// indexes.
  mutating func settleKinds() throws(Obstacle) {
    var indexed: [UID: [UID]] = [:]
    var byUID: [UID: [ElementKey]] = [:]
    func record(_ kind: ElementKind, _ uid: UID) {
      byUID[uid, default: []].append(ElementKey(kind, uid))
    }
    for entity in draft.entities.all { record(.entity, entity.uid) }
    for property in draft.properties.all {
      record(.property, property.uid)
      guard let index = property.value.indexID else { continue }
      record(.index, index.uid)
      indexed[index.uid, default: []].append(property.uid)
    }
    for relation in draft.relations.all { record(.relation, relation.uid) }
    for uid in byUID.keys.sorted() {
      // The next pass lacks the elements that another conflict of this pass removes.
      let keys = Set(byUID[uid] ?? []).subtracting(state.rulings.dropped)
      if keys.count > 1, !isInOneVersion(keys) { try settleKinds(keys.sorted()) }
    }
    for (uid, properties) in indexed.sorted(by: { $0.key < $1.key }) where properties.count > 1 {
      if state.rulings.dropped.contains(ElementKey(.index, uid)) { continue }
      try settleIndex(uid, of: properties.sorted())
    }
  }

  /// Leaves an index to one of the properties that have one of this UID: a side gave the UID to the index
  /// of another property.
  private mutating func settleIndex(_ uid: UID, of properties: [UID]) throws(Obstacle) {
    let key = ElementKey(.index, uid)
    func holder(_ view: SideView?) -> UID? {
      view?.property(of: key).flatMap { properties.contains($0) ? $0 : nil }
    }
    func kept(_ side: MergeSide) -> UID { holder(sides[side]) ?? holder(base) ?? properties[0] }
    func name(_ property: UID) -> String { label(ElementKey(.property, property)) }
    func meaning(_ side: MergeSide) -> String {
      "it is the index of \(name(kept(side))); the other property has none until its next build"
    }
    let list = properties.map(name).joined(separator: " and of ")
    let conflict = Conflict(
      id: "two-kinds/\(uid)", rule: MergeRule.twoKinds,
      elements: properties.map { ElementKey(.property, $0) }, label: name(properties[0]),
      message: "the UID \(uid) would identify the index of \(list)",
      ours: meaning(.ours), theirs: meaning(.theirs),
      help: "give one of the indexes a new UID on its branch to keep both")
    let winner = resolve(conflict).side.map(kept) ?? holder(base) ?? properties[0]
    for property in properties where property != winner {
      if !state.rulings.unindexed.insert(property).inserted {
        throw Obstacle(
          reason: "the UID \(uid) would identify the index of \(list)",
          elements: conflict.elements)
      }
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
