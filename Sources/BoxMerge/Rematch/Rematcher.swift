import BoxModel

/// Gives the elements of a regenerated model the ids and UIDs of its earlier version.
struct Rematcher {
  private let side: Model
  private let base: Model
  private let sortsByID: Bool
  private let pairing: ElementPairing

  /// The model of the side with other pairs, every element in its place.
  private(set) var inPlace: Model
  /// The model with everything that follows from them.
  private(set) var result: Model
  private(set) var kept: [Rematch.Match] = []
  private(set) var new: [Rematch.Match] = []
  private(set) var removed: [Rematch.Match] = []
  private(set) var changed: [Rematch.Change] = []
  private(set) var replaced: [ElementKey] = []
  private(set) var counts: [ElementKind: Int] = [:]

  /// The UIDs that the base uses, has used or names; a new element cannot have one of them.
  private var claimedUIDs: Set<UID> = []
  /// The UIDs of the side, which a UID made up for another element cannot be.
  private var given: Set<UID> = []

  init(side: Model, base: Model, sortsByID: Bool) {
    self.side = side
    self.base = base
    self.sortsByID = sortsByID
    pairing = ElementPairing(side: side, base: base)
    inPlace = side
    result = side
    claimedUIDs = Self.uids(base)
    given = Self.uids(side)
  }

  mutating func run() {
    keepPairs()
    renew()
    retarget()
    result = inPlace
    sort()
    carryCounters()
    carryLists()
    result.version = base.version ?? side.version
    report()
  }

  /// Every UID that a model names.
  private static func uids(_ model: Model) -> Set<UID> {
    var uids: Set<UID> = Set(model.newUIDPool ?? [])
    model.forEachElement { _, pair in uids.insert(pair.uid) }
    for kind in ElementKind.allCases { uids.formUnion(model[retired: kind] ?? []) }
    for (_, pair) in lastPairs(model) { uids.insert(pair.uid) }
    return uids
  }

  private static func lastPairs(_ model: Model) -> [(ElementKind, IDPair)] {
    let pairs =
      [
        (ElementKind.entity, model.lastEntityID), (.index, model.lastIndexID),
        (.relation, model.lastRelationID),
      ] + model.entities.map { (.property, $0.lastPropertyID) }
    return pairs.compactMap { kind, pair in
      pair.flatMap { $0.isUnset ? nil : (kind, $0) }
    }
  }
}

/// The pairs of the elements.
extension Rematcher {
  private mutating func keepPairs() {
    for (e, match) in pairing.entities.enumerated() {
      guard let match else { continue }
      let old = base.entities[match]
      inPlace.entities[e].pair = old.pair
      for (p, other) in pairing.properties[e].enumerated() {
        guard let other else { continue }
        inPlace.entities[e].properties[p].pair = old.properties[other].pair
        if pairing.hasSameIndex(side.entities[e].properties[p], old.properties[other]) {
          inPlace.entities[e].properties[p].indexID = old.properties[other].indexID
        }
      }
      for (r, other) in pairing.relations[e].enumerated() {
        guard let other, let relation = old.relations?[other] else { continue }
        inPlace.entities[e].relations?[r].pair = relation.pair
      }
    }
  }

  /// Whether the element of the side at a place is one of the base.
  private func isKept(_ place: ElementPlace) -> Bool {
    switch place {
    case .entity(let e): return pairing.entities[e] != nil
    case .property(let e, let p): return pairing.properties[e][p] != nil
    case .relation(let e, let r): return pairing.relations[e][r] != nil
    case .index(let e, let p):
      guard let match = pairing.entities[e], let other = pairing.properties[e][p] else {
        return false
      }
      return pairing.hasSameIndex(
        side.entities[e].properties[p], base.entities[match].properties[other])
    }
  }

  /// Numbers what the base does not have, in the order in which it was numbered before.
  private mutating func renew() {
    var newPairs: [(place: ElementPlace, pair: IDPair)] = []
    side.forEachElement { place, pair in
      if !isKept(place) { newPairs.append((place, pair)) }
    }
    var next = highestGiven(by: base)
    // Sorting is not stable: the position in the file decides between equal ids.
    let order = newPairs.indices.sorted { a, b in
      (newPairs[a].pair.id, a) < (newPairs[b].pair.id, b)
    }
    for (place, pair) in order.map({ newPairs[$0] }) {
      var renewed = IDPair(id: pair.id, uid: freeUID(instead: pair.uid))
      if case .property(let e, _) = place, pairing.entities[e] == nil {
        // The properties of a new entity are numbered as they were.
      } else {
        let counter = inPlace.counter(of: place)
        let last = next[counter] ?? 0
        // Without a free number two elements share one, which `check` reports.
        renewed.id = IDPair.nextID(after: last) ?? last
        next[counter] = renewed.id
      }
      set(renewed, at: place)
    }
  }

  /// The highest number that each counter of a model gave, by its last pair and its elements.
  private func highestGiven(by model: Model) -> [Counter: UInt32] {
    var result: [Counter: UInt32] = [:]
    for counter in [Counter.entity, .index, .relation] {
      result[counter] = model[last: counter]?.id ?? 0
    }
    for entity in model.entities {
      let counter = Counter.property(entity: entity.pair.uid)
      // Of entities with one UID the first has the counter.
      if result[counter] == nil { result[counter] = entity.lastPropertyID?.id ?? 0 }
    }
    model.forEachElement { place, pair in
      result[model.counter(of: place), default: 0] = max(
        result[model.counter(of: place)] ?? 0, pair.id)
    }
    return result
  }

  private mutating func set(_ pair: IDPair, at place: ElementPlace) {
    switch place {
    case .entity(let e): inPlace.entities[e].pair = pair
    case .property(let e, let p):
      let old = side.entities[e].properties[p].pair
      inPlace.entities[e].properties[p].pair = pair
      if inPlace.entities[e].lastPropertyID == old { inPlace.entities[e].lastPropertyID = pair }
    case .index(let e, let p): inPlace.entities[e].properties[p].indexID = pair
    case .relation(let e, let r): inPlace.entities[e].relations?[r].pair = pair
    }
  }

  /// A UID that the base does not use: the same, or one made from it, a multiple of 256 as the
  /// generator for Swift asks for.
  private mutating func freeUID(instead uid: UID) -> UID {
    guard claimedUIDs.contains(uid) else { return uid }
    var candidate = uid
    repeat {
      candidate = candidate &* 0x5851_F42D_4C95_7F2D &+ 0x1405_7B7E_F767_814F
      candidate = (candidate ^ (candidate >> 31)) & 0x7FFF_FFFF_FFFF_FF00
    } while candidate == 0 || claimedUIDs.contains(candidate) || given.contains(candidate)
    given.insert(candidate)
    return candidate
  }

  private mutating func retarget() {
    for (e, entity) in side.entities.enumerated() {
      for (r, relation) in (entity.relations ?? []).enumerated() {
        guard let target = pairing.target(of: relation) else { continue }
        let pair = inPlace.entities[target].pair
        inPlace.entities[e].relations?[r].target = pair
      }
    }
  }
}

/// The order, counters and lists of the result.
extension Rematcher {
  private mutating func sort() {
    guard sortsByID else { return }
    result.entities.sort { ($0.pair.id, $0.pair.uid) < ($1.pair.id, $1.pair.uid) }
    for e in result.entities.indices {
      result.entities[e].properties.sort { ($0.pair.id, $0.pair.uid) < ($1.pair.id, $1.pair.uid) }
      result.entities[e].relations?.sort { ($0.pair.id, $0.pair.uid) < ($1.pair.id, $1.pair.uid) }
    }
  }

  /// The last pair of a counter; if an element of the counter has a higher id, its pair.
  private func lastPair(_ counter: Counter, of model: Model) -> IDPair? {
    var last = model[last: counter]
    func count(_ pair: IDPair?) {
      if let pair, pair.id > last?.id ?? 0 { last = pair }
    }
    for entity in model.entities {
      switch counter {
      case .entity: count(entity.pair)
      case .index: for property in entity.properties { count(property.indexID) }
      case .relation: for relation in entity.relations ?? [] { count(relation.pair) }
      case .property(let owner) where owner == entity.pair.uid:
        for property in entity.properties { count(property.pair) }
      case .property: break
      }
    }
    return last
  }

  private mutating func carryCounters() {
    for counter in [Counter.entity, .index, .relation] {
      result[last: counter] = base[last: counter] ?? (side[last: counter] == nil ? nil : .unset)
      result[last: counter] = lastPair(counter, of: result)
    }
    let owners = Dictionary(
      base.entities.map { ($0.pair.uid, $0.lastPropertyID) },
      uniquingKeysWith: { first, _ in first })
    for e in result.entities.indices {
      var entity = result.entities[e]
      if let last = owners[entity.pair.uid] { entity.lastPropertyID = last }
      for property in entity.properties where property.pair.id > entity.lastPropertyID?.id ?? 0 {
        entity.lastPropertyID = property.pair
      }
      result.entities[e] = entity
    }
  }

  /// Fills the retired lists: the UIDs that either file retires, and the UIDs of elements and counters of
  /// either file that no element of the result has.
  ///
  /// The UID pool of the result has the UIDs of both pools that are neither in use nor retired.
  private mutating func carryLists() {
    var live: Set<UID> = []
    result.forEachElement { _, pair in live.insert(pair.uid) }
    var seen = live
    var lists: [ElementKind: [UID]] = [:]
    func retire(_ kind: ElementKind, _ uid: UID) {
      if seen.insert(uid).inserted { lists[kind, default: []].append(uid) }
    }
    for model in [base, side] {
      for kind in ElementKind.allCases {
        for uid in model[retired: kind] ?? [] { retire(kind, uid) }
      }
    }
    for model in [base, side] {
      model.forEachElement { place, pair in retire(place.kind, pair.uid) }
    }
    for model in [base, side] {
      for (kind, pair) in Self.lastPairs(model) { retire(kind, pair.uid) }
    }
    for kind in ElementKind.allCases {
      let list = lists[kind] ?? []
      result[retired: kind] = list.isEmpty && side[retired: kind] == nil ? nil : list
    }
    if base.newUIDPool != nil || side.newUIDPool != nil {
      var offered: Set<UID> = []
      result.newUIDPool = ((base.newUIDPool ?? []) + (side.newUIDPool ?? [])).filter {
        !seen.contains($0) && offered.insert($0).inserted
      }
    }
  }
}

/// The report on each element.
extension Rematcher {
  private mutating func report() {
    var live: Set<ElementKey> = []
    inPlace.forEachElement { place, pair in live.insert(ElementKey(place.kind, pair.uid)) }
    var changedOld: Set<ElementKey> = []
    var changedNew: Set<ElementKey> = []
    for (element, oldUID, was, now) in changes() {
      changed.append(Rematch.Change(element: element, oldUID: oldUID, was: was, now: now))
      changedOld.insert(ElementKey(element.kind, oldUID))
      changedNew.insert(ElementKey(element.kind, element.uid))
    }
    inPlace.forEachElement { place, pair in
      let match = Rematch.Match(kind: place.kind, name: name(place, in: inPlace), uid: pair.uid)
      if isKept(place) {
        kept.append(match)
      } else if !changedNew.contains(ElementKey(place.kind, pair.uid)) {
        new.append(match)
      }
    }
    base.forEachElement { place, pair in
      counts[place.kind, default: 0] += 1
      let key = ElementKey(place.kind, pair.uid)
      if !live.contains(key), !changedOld.contains(key) {
        removed.append(
          Rematch.Match(kind: place.kind, name: name(place, in: base), uid: pair.uid))
      }
    }
    side.forEachElement { place, pair in
      let key = ElementKey(place.kind, pair.uid)
      if !live.contains(key) { replaced.append(key) }
    }
  }

  private func changes() -> [(Rematch.Match, UID, was: String, now: String)] {
    var changes: [(Rematch.Match, UID, was: String, now: String)] = []
    for (e, p, other) in pairing.changedProperties {
      guard let match = pairing.entities[e] else { continue }
      let property = inPlace.entities[e].properties[p]
      let old = base.entities[match].properties[other]
      let element = Rematch.Match(
        kind: .property, name: name(.property(entity: e, p), in: inPlace), uid: property.pair.uid)
      changes.append((element, old.pair.uid, describe(old), describe(property)))
    }
    if pairing.changedRelations.isEmpty { return changes }
    let (before, now) = (ModelLookup(base), ModelLookup(inPlace))
    for (e, r, other) in pairing.changedRelations {
      guard let match = pairing.entities[e], let relation = inPlace.entities[e].relations?[r],
        let old = base.entities[match].relations?[other]
      else { continue }
      let element = Rematch.Match(
        kind: .relation, name: name(.relation(entity: e, r), in: inPlace), uid: relation.pair.uid)
      changes.append(
        (
          element, old.pair.uid, target(old.target, before, base),
          target(relation.target, now, inPlace)
        ))
    }
    return changes
  }

  private func describe(_ property: Property) -> String {
    if property.type == .relation, let target = property.relationTarget { return "to \(target)" }
    return property.type.map { "type \($0)" } ?? "no type"
  }

  private func target(_ pair: IDPair, _ lookup: ModelLookup, _ model: Model) -> String {
    let entity = lookup.entity(pair.uid).map { model.entities[$0] }
    return "to \(entity?.name ?? pair.description)"
  }

  private func name(_ place: ElementPlace, in model: Model) -> String {
    if case .index(let e, let p) = place { return model.label(.property(entity: e, p)) }
    return model.label(place)
  }
}
