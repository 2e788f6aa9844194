import BoxModel

/// The state of a UID in one version of a model.
enum Presence {
  /// An element of the version has it.
  case live
  /// It is in the retired list of its kind.
  case retired
  /// The version does not mention it.
  case absent
}

/// The outcome for an element, from the state of its UID in the base and on both sides.
///
/// Git merges the sources without knowledge of UIDs. An element that is missing from the model
/// although its source exists gets a new UID at the next build, and loses its data. An element
/// without a source is retired by the next build. So an uncertain merge keeps the element.
enum Fate: Hashable {
  /// Live on both sides: merged field by field.
  case merged
  /// Live on this side; new, and unknown to the other.
  case added(MergeSide)
  /// Live on this side, and retired on the other or in the base: it stays live.
  case revived(MergeSide)
  /// Live on the other side; this one retired it and has a new element of its name: it stays retired.
  case replaced(by: MergeSide)
  /// This side retired it.
  case removed(by: MergeSide)
  /// Ours gave it a number and then lost it.
  case lost
  /// Ours does not have it, and nothing shows that ours ever had.
  case notInOurs
  /// Theirs no longer has it.
  case withdrawn
  /// Live on neither side.
  case absent

  /// The side without the element, where the other side may have edited it.
  var remover: MergeSide? {
    switch self {
    case .removed(let side), .replaced(let side): side
    case .lost, .notInOurs: .ours
    case .withdrawn: .theirs
    case .merged, .added, .revived, .absent: nil
    }
  }
}

extension SideView {
  func presence(_ key: ElementKey) -> Presence {
    if lookup[key.kind, key.uid] != nil { return .live }
    return lookup.isRetired(key.kind, key.uid) ? .retired : .absent
  }
}

extension MergePass {
  /// The state of an element on a side; where a conflict was resolved to keep the element, it is live.
  func presence(_ side: MergeSide, _ key: ElementKey) -> Presence {
    state.rulings.restored[side].contains(key) ? .live : sides[side].presence(key)
  }

  func fate(_ key: ElementKey) -> Fate {
    let before = base?.presence(key) ?? .absent
    let (ours, theirs) = (presence(.ours, key), presence(.theirs, key))
    switch (ours, theirs) {
    case (.live, .live): return .merged
    case (.live, .retired): return fate(key, before, retiredBy: .theirs)
    case (.retired, .live): return fate(key, before, retiredBy: .ours)
    case (.live, .absent):
      return before == .live ? .withdrawn : before == .absent ? .added(.ours) : .revived(.ours)
    case (.absent, .live):
      if before == .live { return isLastOfOurs(key) ? .lost : .notInOurs }
      return before == .absent ? .added(.theirs) : .revived(.theirs)
    default: return .absent
    }
  }

  private func fate(_ key: ElementKey, _ before: Presence, retiredBy side: MergeSide) -> Fate {
    switch before {
    case .live: .removed(by: side)
    case .absent where isReplaced(key, on: side): .replaced(by: side)
    case .absent, .retired: .revived(side.other)
    }
  }

  /// Whether a side has an element that replaces one that it retired, and that element stays there: otherwise
  /// neither would be left for the declaration that has their name.
  private func isReplaced(_ key: ElementKey, on side: MergeSide) -> Bool {
    guard let uid = successor(of: key, on: side) else { return false }
    let other = ElementKey(key.kind, uid)
    if presence(side.other, other) == .live {
      // The other side has both, so in two places: one of the sides moved or renamed this one.
      return base?.presence(other) == .live
        && base.flatMap { successor(of: key, on: side.other, in: $0) } != uid
    }
    switch base?.presence(other) ?? .absent {
    case .live: return false
    // Else each side would have replaced the element of the other.
    case .absent: return presence(side.other, other) != .retired
    case .retired: return true
    }
  }

  /// The element with which a side replaced one that it retired.
  func successor(of key: ElementKey, on side: MergeSide) -> UID? {
    successor(of: key, on: side.other, in: sides[side])
  }

  /// The element of a version that replaces an element of a side: it has the same name, in the same entity
  /// or in its successor.
  private func successor(of key: ElementKey, on side: MergeSide, in view: SideView) -> UID? {
    let other = sides[side]
    guard let place = other.lookup[key.kind, key.uid] else { return nil }
    let owner = other.model.entities[place.entity]
    if key.kind == .entity {
      return view.lookup.entity(named: owner.name).map { view.model.entities[$0].pair.uid }
    }
    let ownerKey = ElementKey(.entity, owner.pair.uid)
    let home =
      view.entity(owner.pair.uid)
      ?? successor(of: ownerKey, on: side, in: view).flatMap { view.entity($0) }
    guard let home else { return nil }
    switch place {
    case .entity: return nil
    case .property(_, let p):
      let name = foldedName(owner.properties[p].name)
      return home.properties.first { foldedName($0.name) == name }?.pair.uid
    case .index(_, let p):
      let property = owner.properties[p]
      let same =
        view.property(property.pair.uid)?.element
        ?? home.properties.first { foldedName($0.name) == foldedName(property.name) }
      return same?.indexID?.uid
    case .relation(_, let r):
      guard let name = (owner.relations?[r].name).map(foldedName) else { return nil }
      return (home.relations ?? []).first { foldedName($0.name) == name }?.pair.uid
    }
  }

  /// Whether the last pair of a counter of ours names an element that ours does not mention otherwise:
  /// only a version that had it can have that pair.
  func isLastOfOurs(_ key: ElementKey) -> Bool {
    let ours = sides.ours
    switch key.kind {
    case .entity: return ours.model.lastEntityID?.uid == key.uid
    case .index: return ours.model.lastIndexID?.uid == key.uid
    case .relation: return ours.model.lastRelationID?.uid == key.uid
    case .property:
      guard let owner = (base?.property(key.uid) ?? sides.theirs.property(key.uid))?.owner else {
        return false
      }
      return ours.entity(owner)?.lastPropertyID?.uid == key.uid
    }
  }
}
