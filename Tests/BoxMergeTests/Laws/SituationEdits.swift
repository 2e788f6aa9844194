import BoxMerge
import BoxModel
import TestSupport

/// Makes the edits that lead to a situation; which side does which is left to chance.
///
/// The numbers are those of the table of situations in the documentation of merging.
extension CaseGenerator {
  static let situations: [Int] = [
    1, 2, 3, 4, 5, 5, 6, 6, 7, 7, 7, 8, 9, 9, 10, 10, 10, 11, 12, 12, 13, 13, 13, 13, 14, 14,
    14, 14, 15, 15, 16, 17, 17, 17, 17, 18, 18, 18, 18, 19, 20, 21, 22, 23, 24, 31, 32,
  ]

  /// Those that seldom or never lead to a conflict.
  static let calmSituations: [Int] = [
    1, 2, 3, 4, 5, 6, 7, 11, 12, 15, 16, 19, 20, 21, 22, 23, 24, 31, 32,
  ]

  mutating func make(situation number: Int) {
    let a = rng.pick(MergeSide.allCases)
    let b = a.other
    switch number {
    case 1, 31: bothAddEntities()
    case 2: bothAddProperties(sameName: false)
    case 3: bothAddIndexes()
    case 4: bothAddRelations()
    case 5: bothAddSameEntity(a)
    case 6: bothAddProperties(sameName: true)
    case 7: bothIndex()
    case 8: removeAndChange(a)
    case 9: removeAndAddTo(a)
    case 10: removeTarget(a)
    case 11, 12: bothRemove(same: number == 11)
    case 13: resetAndEdit(a)
    case 14: bothReset()
    case 15: if let uid = plain(a) { add(.retype(property: uid, rng.pick([.int, .string])), a) }
    case 16: bothChangeFlags(a)
    case 17: bothRename()
    case 18:
      guard let (entity, uid) = someProperty() else { return }
      let name = freshName("n")
      add(.renameProperty(uid, name), a)
      add(.addProperty(entity: entity, freshUID(), name: name, type: .string), b)
    case 19:
      let target = someEntity()
      add(.renameEntity(target, freshName("R")), a)
      addToOne(to: target, b)
    case 20, 32: bothAddEntitiesWith(sync: number == 32)
    case 21:
      addEntity(a)
      addEntity(b)
      addEntity(a)
    case 22: ghosts(a)
    case 23 where rng.oneIn(4): bothTakeOffer(a)
    case 23:
      add(.offer(freshUID()), a)
      if rng.oneIn(2) { add(.offer(freshUID()), b) }
    case 24:
      add(.setVersion(1 + rng.below(5)), a)
      add(.setVersion(1 + rng.below(5)), b)
    default: break
    }
  }

  private mutating func someEntity() -> UID { rng.pick(base.model.entities).pair.uid }

  private mutating func someProperty(
    where isFit: (Property) -> Bool = { _ in true }
  ) -> (entity: UID, property: UID)? {
    let fits = base.model.entities.flatMap { entity in
      entity.properties.filter { !$0.flags.contains(.id) && isFit($0) }.map {
        (entity.pair.uid, $0.pair.uid)
      }
    }
    return fits.isEmpty ? nil : rng.pick(fits)
  }

  private mutating func plain(_ side: MergeSide) -> UID? {
    someProperty { $0.indexID == nil && $0.type != .string && $0.flags.isEmpty }?.property
      ?? someProperty { $0.indexID == nil && $0.flags.isEmpty }?.property
  }

  @discardableResult
  private mutating func addEntity(_ side: MergeSide, name: String? = nil) -> UID {
    let uid = freshUID()
    let entity = name ?? freshName("N")
    add(.addEntity(uid, name: entity, idProperty: freshUID()), side)
    return uid
  }

  private mutating func addToOne(to target: UID, _ side: MergeSide) {
    let owners = tool(side).model.entities.map(\.pair.uid).filter { $0 != target }
    guard !owners.isEmpty else { return }
    add(
      .addToOne(
        entity: rng.pick(owners), freshUID(), index: freshUID(), name: freshName("to"),
        target: target), side)
  }

  private mutating func bothAddEntities() {
    for side in MergeSide.allCases {
      let uid = addEntity(side)
      if rng.oneIn(2) {
        add(.addProperty(entity: uid, freshUID(), name: "a", type: .string), side)
      }
      if rng.oneIn(4) { add(.reorder(1 + rng.below(3)), side) }
    }
  }

  private mutating func bothAddProperties(sameName: Bool) {
    let entity = someEntity()
    let shared = freshName("p")
    let type = rng.pick(Self.types)
    for side in MergeSide.allCases {
      let isOther = sameName && side == .theirs && rng.oneIn(3)
      let name = sameName ? shared : freshName("p")
      let uid = freshUID()
      add(
        .addProperty(entity: entity, uid, name: name, type: isOther ? rng.pick(Self.types) : type),
        side)
      if rng.oneIn(4) {
        add(.addIndex(property: uid, freshUID(), .value, unique: rng.oneIn(3)), side)
      }
      if rng.oneIn(3) { add(.toggleFlag(uid, .notNull), side) }
    }
  }

  private mutating func bothAddIndexes() {
    for side in MergeSide.allCases {
      if let (_, uid) = someProperty(where: { $0.indexID == nil }) {
        add(.addIndex(property: uid, freshUID(), .value, unique: rng.oneIn(3)), side)
      }
    }
  }

  private mutating func bothAddRelations() {
    let shared = freshName("many")
    let isShared = rng.oneIn(4)
    let entity = someEntity()
    let target = someEntity()
    for side in MergeSide.allCases {
      add(
        .addRelation(
          entity: isShared ? entity : someEntity(), freshUID(),
          name: isShared ? shared : freshName("many"), target: isShared ? target : someEntity()),
        side)
    }
  }

  private mutating func bothAddSameEntity(_ a: MergeSide) {
    let name = freshName("Same")
    let type = rng.pick(Self.types)
    let withRelation = rng.oneIn(3)
    for side in MergeSide.allCases {
      let uid = addEntity(side, name: name)
      let property = freshUID()
      add(.addProperty(entity: uid, property, name: "a", type: type), side)
      if rng.oneIn(3) {
        add(.addIndex(property: property, freshUID(), .value, unique: false), side)
      }
      if side == a, rng.oneIn(2) {
        let type = rng.pick(Self.types)
        add(.addProperty(entity: uid, freshUID(), name: freshName("own"), type: type), side)
      }
      if withRelation {
        add(
          .addRelation(entity: someEntity(), freshUID(), name: freshName("to"), target: uid), side)
      }
      if rng.oneIn(3) { addToOne(to: uid, side) }
    }
  }

  private mutating func bothIndex() {
    guard let (_, uid) = someProperty(where: { $0.indexID == nil }) else { return }
    let kind = rng.pick(IndexKind.allCases)
    for side in MergeSide.allCases {
      add(
        .addIndex(
          property: uid, freshUID(), rng.oneIn(8) ? rng.pick(IndexKind.allCases) : kind,
          unique: rng.oneIn(3)), side)
    }
  }

  private mutating func removeAndChange(_ a: MergeSide) {
    guard let (entity, uid) = someProperty() else { return }
    switch rng.below(4) {
    case 0:
      add(.removeEntity(entity), a)
      add(.renameEntity(entity, freshName("R")), a.other)
    case 1:
      add(.removeEntity(entity), a)
      add(.toggleFlag(uid, .notNull), a.other)
    case 2:
      add(.removeProperty(uid), a)
      add(.renameProperty(uid, freshName("r")), a.other)
    default:
      add(.removeProperty(uid), a)
      add(.toggleFlag(uid, .notNull), a.other)
    }
  }

  private mutating func removeAndAddTo(_ a: MergeSide) {
    guard let (entity, uid) = someProperty(where: { $0.indexID == nil }) else { return }
    add(.removeEntity(entity), a)
    switch rng.below(3) {
    case 0: add(.addProperty(entity: entity, freshUID(), name: freshName("p"), type: .int), a.other)
    case 1: add(.addIndex(property: uid, freshUID(), .value, unique: false), a.other)
    default:
      let target = someEntity()
      add(.addRelation(entity: entity, freshUID(), name: freshName("r"), target: target), a.other)
    }
  }

  private mutating func removeTarget(_ a: MergeSide) {
    let target = someEntity()
    add(.removeEntity(target), a)
    let owners = tool(a.other).model.entities.map(\.pair.uid).filter { $0 != target }
    guard !owners.isEmpty else { return }
    if rng.oneIn(2) {
      addToOne(to: target, a.other)
    } else {
      let owner = rng.pick(owners)
      add(.addRelation(entity: owner, freshUID(), name: freshName("r"), target: target), a.other)
    }
  }

  private mutating func bothRemove(same: Bool) {
    let kind = rng.below(3)
    var first: ToolEdit?
    for side in MergeSide.allCases {
      var edit: ToolEdit?
      switch kind {
      case 0: edit = .removeEntity(someEntity())
      case 1: edit = someProperty().map { .removeProperty($0.property) }
      default:
        edit = someProperty { $0.indexID != nil && $0.type != .relation }
          .map { .removeIndex(property: $0.property) }
      }
      if same, let first { edit = first }
      first = edit
      if let edit { add(edit, side) }
    }
  }

  /// Both sides give one UID on offer to elements of their own.
  private mutating func bothTakeOffer(_ a: MergeSide) {
    guard let (_, one) = someProperty(where: { $0.type != .relation }),
      let (_, other) = someProperty(where: { $0.type != .relation && $0.pair.uid != one })
    else { return }
    let uid = freshUID()
    result.baseScript.append(.offer(uid))
    base.apply(.offer(uid))
    add(.reset(property: one, to: uid, index: freshUID(), type: rng.pick(Self.types)), a)
    add(.reset(property: other, to: uid, index: freshUID(), type: rng.pick(Self.types)), a.other)
  }

  /// Removes something and adds it again, while the other side changes it.
  private mutating func makeAgain(_ a: MergeSide) {
    if rng.oneIn(2) { return makeEntityAgain(a) }
    guard let (entity, uid) = someProperty(where: { $0.type != .relation }),
      let (e, p) = base.property(uid)
    else { return }
    let property = base.model.entities[e].properties[p]
    add(.removeProperty(uid), a)
    add(
      .addProperty(
        entity: entity, freshUID(), name: property.name, type: property.type ?? .string), a)
    switch rng.below(4) {
    case 0: add(.renameProperty(uid, freshName("r")), a.other)
    case 1: add(.toggleFlag(uid, rng.pick(Self.flags)), a.other)
    case 2: add(.setExternalName(uid, "ext"), a.other)
    default: add(.addIndex(property: uid, freshUID(), .value, unique: false), a.other)
    }
  }

  private mutating func makeEntityAgain(_ a: MergeSide) {
    let uid = someEntity()
    guard let e = base.entity(uid) else { return }
    let entity = base.model.entities[e]
    let next = freshUID()
    add(.removeEntity(uid), a)
    add(.addEntity(next, name: entity.name, idProperty: freshUID()), a)
    for property in entity.properties where !property.flags.contains(.id) {
      guard property.type != .relation, !rng.oneIn(4) else { continue }
      add(
        .addProperty(
          entity: next, freshUID(), name: property.name, type: property.type ?? .string), a)
    }
    if rng.oneIn(3) {
      add(.addProperty(entity: next, freshUID(), name: freshName("z"), type: .int), a)
    }
    let property = rng.pick(entity.properties).pair.uid
    switch rng.below(4) {
    case 0: add(.renameProperty(property, freshName("r")), a.other)
    case 1: add(.renameEntity(uid, freshName("R")), a.other)
    case 2:
      add(
        .addRelation(entity: uid, freshUID(), name: freshName("r"), target: someEntity()), a.other)
    default:
      add(.addProperty(entity: uid, freshUID(), name: freshName("p"), type: .int), a.other)
    }
  }

  /// Removes something and adds it again, while the other side has met the new one before, and retired it.
  mutating func makeAgainWhatIsRefused(_ a: MergeSide) {
    guard let (owner, uid) = someProperty(where: { $0.type != .relation }),
      let (e, p) = base.property(uid)
    else { return }
    let entity = base.model.entities[e]
    let (next, id, name) = (freshUID(), freshUID(), freshName("d"))
    if rng.oneIn(2) {
      add(.removeEntity(owner), a)
      add(.addEntity(next, name: entity.name, idProperty: id), a)
      add(.addEntity(next, name: name, idProperty: id), a.other)
      add(.removeEntity(next), a.other)
    } else {
      let old = entity.properties[p]
      let type = rng.oneIn(3) ? rng.pick(Self.types) : old.type ?? .string
      add(.removeProperty(uid), a)
      add(.addProperty(entity: owner, next, name: old.name, type: type), a)
      add(.addProperty(entity: owner, next, name: name, type: type), a.other)
      add(.removeProperty(next), a.other)
    }
  }

  private mutating func resetAndEdit(_ a: MergeSide) {
    if rng.oneIn(5) { return makeAgain(a) }
    guard let (_, uid) = someProperty(where: { $0.type != .relation && $0.indexID == nil }) else {
      return
    }
    add(.reset(property: uid, to: freshUID(), index: freshUID(), type: rng.pick(Self.types)), a)
    if rng.oneIn(2) {
      add(.renameProperty(uid, freshName("r")), a.other)
    } else {
      add(.addIndex(property: uid, freshUID(), .value, unique: false), a.other)
    }
  }

  private mutating func bothReset() {
    guard let (_, uid) = someProperty(where: { $0.type != .relation }) else { return }
    let type = rng.pick(Self.types)
    let differ = rng.oneIn(2)
    for side in MergeSide.allCases {
      let chosen = differ ? rng.pick(Self.types) : type
      add(.reset(property: uid, to: freshUID(), index: freshUID(), type: chosen), side)
    }
  }

  private mutating func bothChangeFlags(_ a: MergeSide) {
    if rng.oneIn(3), let (_, uid) = someProperty(where: { $0.indexID != nil }) {
      add(.toggleFlag(uid, .notNull), a)
      add(.toggleFlag(uid, .unique), a.other)
    } else if rng.oneIn(3),
      let (_, uid) = someProperty(where: {
        $0.type == .string && $0.indexID != nil
      })
    {
      add(.changeIndex(property: uid, .hash64), a)
      add(.toggleFlag(uid, .notNull), a.other)
    } else if let (_, uid) = someProperty(where: { $0.type == .int || $0.type == .long }) {
      add(.toggleFlag(uid, .notNull), a)
      add(.toggleFlag(uid, .unsigned), a.other)
    }
  }

  private mutating func bothRename() {
    if rng.oneIn(2) {
      let uid = someEntity()
      for side in MergeSide.allCases { add(.renameEntity(uid, freshName("R")), side) }
    } else if let (_, uid) = someProperty() {
      for side in MergeSide.allCases { add(.renameProperty(uid, freshName("r")), side) }
    }
  }

  private mutating func bothAddEntitiesWith(sync: Bool) {
    for side in MergeSide.allCases {
      let uid = addEntity(side)
      if sync { add(.setSync(uid, true), side) }
      if !sync || rng.oneIn(2) {
        let owner = someEntity()
        add(.addRelation(entity: owner, freshUID(), name: freshName("to"), target: uid), side)
      }
    }
  }

  private mutating func ghosts(_ a: MergeSide) {
    let entity = someEntity()
    switch rng.below(4) {
    case 0:
      add(.removeEntity(addEntity(a)), a)
      addEntity(a.other)
    case 1:
      let uid = freshUID()
      add(.addProperty(entity: entity, uid, name: freshName("g"), type: .int), a)
      add(.removeProperty(uid), a)
      add(.addProperty(entity: entity, freshUID(), name: freshName("p"), type: .int), a.other)
    case 2:
      guard let (_, uid) = someProperty(where: { $0.indexID == nil }) else { return }
      add(.addIndex(property: uid, freshUID(), .value, unique: false), a)
      add(.removeIndex(property: uid), a)
      if let (_, other) = someProperty(where: { $0.indexID == nil }) {
        add(.addIndex(property: other, freshUID(), .value, unique: false), a.other)
      }
    default:
      let uid = freshUID()
      add(.addRelation(entity: entity, uid, name: freshName("g"), target: entity), a)
      add(.removeRelation(uid), a)
      let target = someEntity()
      add(.addRelation(entity: entity, freshUID(), name: freshName("r"), target: target), a.other)
    }
  }
}
