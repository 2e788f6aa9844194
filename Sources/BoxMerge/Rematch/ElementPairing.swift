import BoxJSON
import BoxModel

/// The pairs of elements of a regenerated model and its earlier version: for positions in the side,
/// positions in the base.
struct ElementPairing {
  let side: Model
  let base: Model
  /// The entity of the base for each entity of the side.
  private(set) var entities: [Int?] = []
  /// The property of the base for each property of an entity of the side; likewise the relations.
  private(set) var properties: [[Int?]] = []
  private(set) var relations: [[Int?]] = []
  /// Elements with a name of the base that are not the same: (entity, position, position in base).
  private(set) var changedProperties: [(entity: Int, side: Int, base: Int)] = []
  private(set) var changedRelations: [(entity: Int, side: Int, base: Int)] = []

  private let sideLookup: ModelLookup
  private let baseLookup: ModelLookup

  init(side: Model, base: Model) {
    self.side = side
    self.base = base
    sideLookup = ModelLookup(side)
    baseLookup = ModelLookup(base)
    entities = pair(
      side.entities.map { ($0.pair.uid, $0.name) }, base.entities.map { ($0.pair.uid, $0.name) })
    properties = side.entities.map { Array(repeating: nil, count: $0.properties.count) }
    relations = side.entities.map { Array(repeating: nil, count: $0.relations?.count ?? 0) }
    for (e, match) in entities.enumerated() {
      if let match { pairParts(of: e, with: match) }
    }
  }

  private mutating func pairParts(of e: Int, with match: Int) {
    let (new, old) = (side.entities[e], base.entities[match])
    properties[e] = pair(
      new.properties.map { ($0.pair.uid, $0.name) }, old.properties.map { ($0.pair.uid, $0.name) })
    for (p, other) in properties[e].enumerated() {
      guard let other, !isSame(new.properties[p], old.properties[other]) else { continue }
      properties[e][p] = nil
      changedProperties.append((e, p, other))
    }
    let (newRelations, oldRelations) = (new.relations ?? [], old.relations ?? [])
    relations[e] = pair(
      newRelations.map { ($0.pair.uid, $0.name) }, oldRelations.map { ($0.pair.uid, $0.name) })
    for (r, other) in relations[e].enumerated() {
      guard let other, !isSame(newRelations[r], oldRelations[other]) else { continue }
      relations[e][r] = nil
      changedRelations.append((e, r, other))
    }
  }

  /// Pairs by UID, then by name; every element at most once, of equal names the first.
  private func pair(_ new: [(UID, String)], _ old: [(UID, String)]) -> [Int?] {
    var result = [Int?](repeating: nil, count: new.count)
    var isTaken = [Bool](repeating: false, count: old.count)
    var byUID: [UID: Int] = [:]
    for (position, (uid, _)) in old.enumerated() where byUID[uid] == nil { byUID[uid] = position }
    for (position, (uid, _)) in new.enumerated() {
      guard let match = byUID[uid], !isTaken[match] else { continue }
      result[position] = match
      isTaken[match] = true
    }
    var byName: [ExactText: Int] = [:]
    for (position, (_, name)) in old.enumerated() where !isTaken[position] {
      let name = foldedName(name)
      if byName[name] == nil { byName[name] = position }
    }
    for (position, (_, name)) in new.enumerated() where result[position] == nil {
      result[position] = byName.removeValue(forKey: foldedName(name))
    }
    return result
  }

  private func isSame(_ new: Property, _ old: Property) -> Bool {
    if new.pair.uid == old.pair.uid { return true }
    // Files of the first version of the format have no types.
    guard let newType = new.type, let oldType = old.type else { return true }
    guard newType == oldType else { return false }
    guard newType == .relation, let newTarget = new.relationTarget,
      let oldTarget = old.relationTarget
    else { return true }
    guard let e = sideLookup.entity(named: newTarget),
      let other = baseLookup.entity(named: oldTarget)
    else { return foldedName(newTarget) == foldedName(oldTarget) }
    return entities[e] == other
  }

  private func isSame(_ new: Relation, _ old: Relation) -> Bool {
    if new.pair.uid == old.pair.uid { return true }
    guard let e = sideLookup.entity(new.target.uid), let other = baseLookup.entity(old.target.uid)
    else { return new.target.uid == old.target.uid }
    return entities[e] == other
  }

  /// Whether a property of the side has the index that its counterpart has.
  func hasSameIndex(_ new: Property, _ old: Property) -> Bool {
    guard let index = new.indexID, let other = old.indexID else { return false }
    return index.uid == other.uid
      || new.flags.intersection(.indexKind) == old.flags.intersection(.indexKind)
  }

  /// The position of the target of a relation among the entities of the side; nil if it has none
  /// there.
  func target(of relation: Relation) -> Int? { sideLookup.entity(relation.target.uid) }
}
