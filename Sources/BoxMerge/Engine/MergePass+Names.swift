import BoxJSON
import BoxModel

/// Elements of both sides with one name.
extension MergePass {
  mutating func unifyEntities() throws(Obstacle) {
    for group in groupsByName(draft.entities.all) {
      if let (a, b) = newOnBothSides(.entity, group), haveSameForm(a.value, b.value),
        let winner = survivor(.entity, a.uid, b.uid)
      {
        let (kept, lost) = winner == a.uid ? (a, b) : (b, a)
        draft.redirected[lost.uid] = kept.uid
        let generated = Field.generatedEntityFlags.rawValue
        let bits = unifiedFlags(.entity, kept, kept.value.flags.rawValue, lost.value.flags.rawValue)
        draft.entities[kept.uid]?.value.flags = EntityFlags(
          rawValue: kept.value.flags.rawValue & ~generated | bits & generated)
        unify(.entity, lost.uid, into: kept.uid, label: kept.name)
        draft.entities.remove(lost.uid)
      } else {
        try settle(group, label: group[0].name)
      }
    }
  }

  mutating func unifyMembers() throws(Obstacle) {
    for (owner, group) in groupsByOwnerAndName(draft.properties.all.map { ($0.owner, $0) }) {
      let label = "\(draft.entities[owner]?.name ?? "").\(group[0].name)"
      if let (a, b) = newOnBothSides(.property, group), haveSameForm(a, b),
        let winner = memberSurvivor(.property, a.uid, b.uid, owner)
      {
        let (kept, lost) = winner == a.uid ? (a, b) : (b, a)
        if let index = lost.value.indexID { draft.retirees.insert(ElementKey(.index, index.uid)) }
        let generated = Field.generatedPropertyFlags.rawValue
        let bits = unifiedFlags(
          .property, kept, kept.value.flags.rawValue, lost.value.flags.rawValue)
        draft.properties[kept.uid]?.value.flags = PropertyFlags(
          rawValue: kept.value.flags.rawValue & ~generated | bits & generated)
        unify(.property, lost.uid, into: kept.uid, label: label)
        draft.properties.remove(lost.uid)
      } else {
        try settle(group, label: label)
      }
    }
    for (owner, group) in groupsByOwnerAndName(draft.relations.all.map { ($0.owner, $0) }) {
      let label = "\(draft.entities[owner]?.name ?? "").\(group[0].name)"
      if let (a, b) = newOnBothSides(.relation, group), haveSameForm(a.value, b.value),
        let winner = memberSurvivor(.relation, a.uid, b.uid, owner)
      {
        let (kept, lost) = winner == a.uid ? (a, b) : (b, a)
        unify(.relation, lost.uid, into: kept.uid, label: label)
        draft.relations.remove(lost.uid)
      } else {
        try settle(group, label: label)
      }
    }
  }

  private mutating func unify(
    _ kind: ElementKind, _ lost: UID, into kept: UID, label: String
  ) {
    let key = ElementKey(kind, lost)
    draft.retirees.insert(key)
    let loser: MergeSide = sides.ours.lookup[kind, lost] == nil ? .theirs : .ours
    // A member of two entities that became one stays with its entity, whatever its UID is.
    let reason =
      survivorIsPublished(kind, kept)
      ?? (kept < lost ? "it has the lower UID" : "its entity stays")
    decide(
      MergeRule.unified, ElementKey(kind, kept), label, side: loser.other,
      "both sides added \(label): the \(kind) \(kept) of \(loser.other) stays, as \(reason); "
        + "\(lost) is retired",
      consequence: kind == .relation
        ? "links that databases of \(loser) hold under \(lost) are no longer found"
        : "what databases of \(loser) hold under \(lost) is no longer found")
  }

  /// The flags that a build writes, of two elements that became one.
  private mutating func unifiedFlags(
    _ kind: ElementKind, _ kept: some MergedElement, _ a: UInt32, _ b: UInt32
  ) -> UInt32 {
    let key = ElementKey(kind, kept.uid)
    let flags = published.flags(of: key) ?? (a | b)
    for bit in (0..<32).map({ UInt32(1) << $0 }) where (a ^ b) & bit != 0 {
      if Field.flag(bit).isGenerated(kind) { noteGenerated(key, .flag(bit), flags & bit != 0) }
    }
    return flags
  }

  private func survivorIsPublished(_ kind: ElementKind, _ uid: UID) -> String? {
    let key = ElementKey(kind, uid)
    guard let model = published.model(with: key) else { return nil }
    return "it is published in \(model.name)"
  }

  /// The two elements of a group, if each side added one of them.
  ///
  /// Nil if each was retired by the other side: then both sides have decided already.
  private func newOnBothSides<Element: MergedElement>(
    _ kind: ElementKind, _ group: [Element]
  ) -> (ours: Element, theirs: Element)? {
    guard group.count == 2 else { return nil }
    func isNew(_ element: Element, on side: MergeSide) -> Bool {
      let uid = element.uid
      return base?.lookup[kind, uid] == nil && sides[side].lookup[kind, uid] != nil
        && sides[side.other].lookup[kind, uid] == nil
    }
    func isRetired(_ element: Element, by side: MergeSide) -> Bool {
      sides[side].lookup.isRetired(kind, element.uid)
    }
    for (ours, theirs) in [(group[0], group[1]), (group[1], group[0])]
    where isNew(ours, on: .ours) && isNew(theirs, on: .theirs) {
      let isDecided = isRetired(ours, by: .theirs) && isRetired(theirs, by: .ours)
      return isDecided ? nil : (ours, theirs)
    }
    return nil
  }

  /// The one of two equal members that stays: the member of the entity that stayed, else the
  /// ``survivor(_:_:_:)``.
  private func memberSurvivor(_ kind: ElementKind, _ a: UID, _ b: UID, _ owner: UID) -> UID? {
    func isOwn(_ uid: UID) -> Bool {
      MergeSide.allCases.contains { side in
        guard let place = sides[side].lookup[kind, uid] else { return false }
        return sides[side].model.entities[place.entity].pair.uid == owner
      }
    }
    switch (isOwn(a), isOwn(b)) {
    case (true, false): return a
    case (false, true): return b
    default: return survivor(kind, a, b)
    }
  }

  /// Whether two elements of one name differ in nothing but their identity, and in what the next
  /// build writes.
  private func haveSameForm<Element: FieldHolder>(_ a: Element, _ b: Element) -> Bool {
    a.ownDifferences(from: b).allSatisfy { change in
      switch (change.field, change.before, change.after) {
      case (.id, _, _), (.name, _, _): true
      case (.index, .index(let kind, let a), .index(let other, let b)):
        kind == other && (a == nil) == (b == nil)
      default: change.field.isGenerated(Element.kind)
      }
    }
  }

  private func haveSameForm(_ a: MergedProperty, _ b: MergedProperty) -> Bool {
    a.target == b.target && haveSameForm(a.value, b.value)
  }

  // MARK: - Conflicts

  /// Resolves a conflict about a name: the element of one side keeps it.
  private mutating func settle<Element: MergedElement>(
    _ all: [Element], label: String
  ) throws(Obstacle) {
    let kind = Element.kind
    // The next pass lacks the elements that another conflict of this pass removes.
    let group = all.filter { !state.rulings.dropped.contains(ElementKey(kind, $0.uid)) }
    guard group.count > 1 else { return }
    let name = foldedName(group[0].name)
    func hasName(_ uid: UID, _ side: MergeSide) -> Bool {
      // An element that a side gave up, or has in another entity, has no claim there.
      guard let owner = sides[side].owner(of: ElementKey(kind, uid)) else { return false }
      return sideName(kind, uid, sides[side]) == name
        && (kind == .entity || joined(owner) == currentOwner(ElementKey(kind, uid)))
    }
    let claims = group.map { element in
      BySide(ours: hasName(element.uid, .ours), theirs: hasName(element.uid, .theirs))
    }
    // A name that occurs twice on one side is a fault of that side, and not of the merge.
    if claims.count(where: \.ours) > 1 || claims.count(where: \.theirs) > 1 { return }
    let keys = group.map { ElementKey(kind, $0.uid) }.sorted()
    let claimants = { (side: MergeSide) in
      zip(group, claims).filter { $0.1[side] }.map { "\($0.0.uid)" }.joined(separator: ", ")
    }
    let conflict = Conflict(
      id: "same-name/\(kind)/" + keys.map { "\($0.uid)" }.joined(separator: "+"),
      rule: MergeRule.sameName, elements: keys, label: label,
      message: "\(group.count) different \(kind.plural) are called \(label): "
        + group.map { nameOrigin(kind, $0.uid) }.joined(separator: ", "),
      ours: settleMeaning(kind, label, claimants(.ours)),
      theirs: settleMeaning(kind, label, claimants(.theirs)),
      help: "rename one of them on its branch to keep both")
    let resolution = resolve(conflict)
    for (element, claim) in zip(group, claims) {
      if let side = resolution.side, claim[side] { continue }
      try yieldName(
        ElementKey(kind, element.uid),
        to: group.first { other in
          guard let side = resolution.side else { return base?.lookup[kind, other.uid] != nil }
          return hasName(other.uid, side)
        }?.uid)
    }
  }

  private func nameOrigin(_ kind: ElementKind, _ uid: UID) -> String {
    let key = ElementKey(kind, uid)
    if isNew(key, on: .ours) { return "\(uid), added by ours" }
    if isNew(key, on: .theirs) { return "\(uid), added by theirs" }
    for side in MergeSide.allCases {
      if changes(side, key).contains(where: { $0.field == .name }) {
        return "\(uid), renamed by \(side)"
      }
    }
    return "\(uid), there before"
  }

  private func settleMeaning(_ kind: ElementKind, _ label: String, _ uid: String) -> String {
    if uid.isEmpty { return "neither has the name" }
    return "\(label) is the \(kind) \(uid); the other one gives way: removed and retired where it "
      + "is new, under its old name or in its old entity where it had one"
  }

  private mutating func yieldName(_ key: ElementKey, to winner: UID?) throws(Obstacle) {
    let isRenamed =
      base.flatMap { sideName(key.kind, key.uid, $0) }
      .map { $0 != currentName(key) } ?? false
    let home = base?.owner(of: key).map { joined($0) }
    if key.kind != .entity, let home, draft.entities[home] != nil, home != currentOwner(key),
      state.rulings.movedBack.insert(key).inserted
    {
      return
    }
    if isRenamed, !state.rulings.renamedBack.contains(key) {
      state.rulings.renamedBack.insert(key)
    } else if state.rulings.dropped.insert(key).inserted {
      if key.kind == .entity, let winner { state.rulings.redirected[key.uid] = winner }
    } else {
      throw Obstacle(
        reason: "\(label(key)) cannot give way to another element of its name", elements: [key])
    }
  }

  /// The entity of the result that a property or relation belongs to.
  private func currentOwner(_ key: ElementKey) -> UID? {
    draft.properties[key.uid].flatMap { key.kind == .property ? $0.owner : nil }
      ?? draft.relations[key.uid].flatMap { key.kind == .relation ? $0.owner : nil }
  }

  private func currentName(_ key: ElementKey) -> ExactText? {
    switch key.kind {
    case .entity: draft.entities[key.uid].map { foldedName($0.name) }
    case .property, .index: draft.properties[key.uid].map { foldedName($0.name) }
    case .relation: draft.relations[key.uid].map { foldedName($0.name) }
    }
  }

  private func sideName(_ kind: ElementKind, _ uid: UID, _ view: SideView) -> ExactText? {
    switch kind {
    case .entity: view.entity(uid).map { foldedName($0.name) }
    case .property, .index: view.property(uid).map { foldedName($0.element.name) }
    case .relation: view.relation(uid).map { foldedName($0.element.name) }
    }
  }

  // MARK: - Groups

  private func groupsByName<Element: MergedElement>(_ elements: [Element]) -> [[Element]] {
    groupsByOwnerAndName(elements.map { (0, $0) }).map(\.group)
  }

  /// The elements that share a name with another of the same owner.
  private func groupsByOwnerAndName<Element: MergedElement>(
    _ elements: [(owner: UID, element: Element)]
  ) -> [(owner: UID, group: [Element])] {
    var firsts: [NamePlace: Int] = [:]
    firsts.reserveCapacity(elements.count)
    var groups: [NamePlace: [Element]] = [:]
    var order: [NamePlace] = []
    for (position, (owner, element)) in elements.enumerated() {
      let place = NamePlace(owner: owner, name: foldedName(element.name))
      guard let first = firsts[place] else {
        firsts[place] = position
        continue
      }
      if groups[place] == nil {
        order.append(place)
        groups[place] = [elements[first].element]
      }
      groups[place]?.append(element)
    }
    return order.map { ($0.owner, groups[$0] ?? []) }
  }
}

/// A name among the members of an entity.
private struct NamePlace: Hashable {
  var owner: UID
  var name: ExactText
}
