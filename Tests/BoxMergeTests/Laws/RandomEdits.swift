import BoxModel
import TestSupport

/// Any edit at all.
extension CaseGenerator {
  static let entityNames = ["Ant", "Bear", "Cat", "ant", "Größe"]
  static let propertyNames = ["a", "b", "c", "d", "A", "x"]
  static let relationNames = ["many", "r", "s"]
  static let types: [PropertyType] = [.bool, .int, .long, .string, .date, .double]

  mutating func randomEdit(on tool: ModelTool) -> ToolEdit {
    let entity = rng.pick(tool.model.entities)
    let other = rng.pick(tool.model.entities)
    let property = rng.pick(entity.properties)
    let owner = entity.pair.uid
    let uid = property.pair.uid
    switch rng.below(35) {
    case 0, 1:
      return .addEntity(freshUID(), name: rng.pick(Self.entityNames), idProperty: freshUID())
    case 2: return .removeEntity(owner)
    case 3: return .renameEntity(owner, rng.pick(Self.entityNames))
    case 4: return .setSync(owner, rng.oneIn(2))
    case 5: return .setEntityExternalName(owner, rng.oneIn(2) ? nil : "ext\(rng.below(3))")
    case 6, 7, 8:
      return .addProperty(
        entity: owner, freshUID(), name: rng.pick(Self.propertyNames), type: rng.pick(Self.types))
    case 9, 10: return .removeProperty(uid)
    case 11, 12: return .renameProperty(uid, rng.pick(Self.propertyNames))
    case 13, 14: return .toggleFlag(uid, rng.pick(Self.flags))
    case 15: return .setExternalName(uid, rng.oneIn(3) ? nil : "ext\(rng.below(3))")
    case 16, 17:
      return .addIndex(
        property: uid, freshUID(), rng.pick(IndexKind.allCases), unique: rng.oneIn(3))
    case 18: return .removeIndex(property: uid)
    case 19: return .changeIndex(property: uid, rng.pick(IndexKind.allCases))
    case 20:
      return .reset(property: uid, to: freshUID(), index: freshUID(), type: rng.pick(Self.types))
    case 21:
      return .addToOne(
        entity: owner, freshUID(), index: freshUID(), name: rng.pick(Self.propertyNames),
        target: other.pair.uid)
    case 22: return .retargetToOne(uid, target: other.pair.uid)
    case 23, 24:
      return .addRelation(
        entity: owner, freshUID(), name: rng.pick(Self.relationNames), target: other.pair.uid)
    case 25: return relationEdit(entity, target: other.pair.uid)
    case 26: return .offer(freshUID())
    case 27: return .setVersion(1 + rng.below(4))
    case 28:
      let kind = rng.pick([ElementKind.entity, .property, .index])
      return .renumber(kind, kind == .entity ? owner : uid)
    case 29: return .setOther("custom", rng.oneIn(3) ? nil : "\(rng.below(3))")
    case 30: return .setEntityOther(owner, "note", rng.oneIn(3) ? nil : "\"\(rng.below(3))\"")
    case 31: return .move(property: uid, to: other.pair.uid)
    case 32: return .addBareRelation(entity: owner, freshUID(), name: rng.pick(Self.relationNames))
    case 33: return .retype(property: uid, rng.pick(Self.types))
    default: return .reorder(1 + rng.below(3))
    }
  }

  static let flags: [PropertyFlags] = [
    .notNull, .unsigned, .expirationTime, .unique, .uniqueOnConflictReplace, .syncClock,
  ]

  private mutating func relationEdit(_ entity: Entity, target: UID) -> ToolEdit {
    let relations = entity.relations ?? []
    if relations.isEmpty {
      return .addRelation(
        entity: entity.pair.uid, freshUID(), name: rng.pick(Self.relationNames), target: target)
    }
    let uid = rng.pick(relations).pair.uid
    switch rng.below(4) {
    case 0: return .removeRelation(uid)
    case 1: return .renameRelation(uid, rng.pick(Self.relationNames))
    case 2: return .renumber(.relation, uid)
    default: return .retargetRelation(uid, target: target)
    }
  }
}
