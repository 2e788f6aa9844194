internal import BoxEngine
internal import BoxModel
internal import BoxReport
internal import BoxStorage

/// The relations to one that a mapping carries over although it may drop objects that they refer to.
///
/// A relation to what it drops becomes null instead if the mapping gives its targets other ids, one at a time.
struct DanglingLinks {
  /// A relation to one of a new entity, as a route fills it.
  private struct Link {
    /// The name of the new relation, its entity first.
    var entity: String
    var member: String
    var uid: UID
    var route: ResolvedMapping.Route
    /// The position of the old property, where it is one of the object itself.
    var property: Int?
    var related: RelatedOrigin?
    /// The old entity that the ids are of.
    var target: UID
    var targetName: String
    /// The routes of its objects to where the new relation looks for them.
    var takers: [ResolvedMapping.Route]
  }

  private var links: [Link] = []

  /// Finds the relations of a mapping.
  ///
  /// The values that functions make are not known.
  init(_ mapping: ResolvedMapping, from old: Model, to new: Model) {
    let (lookup, newLookup) = (ModelLookup(old), ModelLookup(new))
    var origins: [UID: Set<UID>] = [:]
    for route in mapping.sources.flatMap(\.routes) {
      origins[route.new, default: []].insert(route.old)
    }
    for source in mapping.sources where source.function == nil {
      for route in source.routes {
        guard let from = lookup.entity(route.old).map({ old.entities[$0] }),
          let to = newLookup.entity(route.new).map({ new.entities[$0] })
        else { continue }
        let origin = Origins(route, of: from, old, lookup)
        for (position, property) in to.properties.enumerated() where property.type == .relation {
          guard let end = new.target(of: property, newLookup)?.entity,
            let found = origin.target(ofPropertyAt: position),
            let target = lookup.entity(found.target)
          else { continue }
          let targets = mapping.sources.first { $0.entity == found.target }
          let takers = targets?.routes.filter { $0.new == end } ?? []
          let others = origins[end] ?? []
          // Ids that are given one by one are looked up, and none is found of what is dropped.
          let areLookedUp =
            takers.contains { $0.assignedID != nil } || !takers.isEmpty && others.count > 1
            || found.target == end && !others.isEmpty && !others.contains(end)
          if targets?.function != nil || areLookedUp
            || takers.contains(where: \.conditions.isEmpty)
          {
            continue
          }
          links.append(
            Link(
              entity: to.name, member: property.name, uid: property.pair.uid, route: route,
              property: found.property, related: found.related, target: found.target,
              targetName: old.entities[target].name, takers: takers))
        }
      }
    }
  }

  /// The steps that say what is left dangling.
  ///
  /// - Parameter store: The store, with the old model of the mapping; nil for a step after the first, whose objects are
  ///   not there yet.
  /// - Returns: A step for each relation that is left so by at least one object.
  /// - Throws: ``StoreError``.
  /// - Complexity: O(*n* log *n*) in the objects that have such relations.
  func steps(in store: ObjectStore?) throws -> [PlanStep] {
    var steps: [PlanStep] = []
    var told: Set<UID> = []
    for link in links where told.insert(link.uid).inserted {
      let same = links.filter { $0.uid == link.uid }
      let count = try store.map { store in
        try same.reduce(0) { $0 + (try Self.count($1, in: store)) }
      }
      if count != 0 { steps.append(Self.step(link, count)) }
    }
    return steps
  }

  private static func step(_ link: Link, _ count: Int?) -> PlanStep {
    let rule = ChangeRule.leftDangling
    var step = PlanStep(
      // It is about some values of the element, and not to be counted with all of them.
      rule: rule.rule, changeClass: rule.engine.changeClass, kind: nil, uid: link.uid,
      entity: link.entity, member: link.member, before: nil, after: nil,
      message: "the mapping drops \(link.targetName) objects to which "
        + "\(link.entity).\(link.member) refers", data: rule.data, engine: rule.engine,
      objectBox: rule.objectBox, remedy: rule.remedy, covers: [])
    let words = count.map { "leaves \(counted($0, "object"))" } ?? "can leave objects"
    step.engine.outcome = "the migration \(words) dangling; `boxjoint store orphans` lists them"
    step.counts = count.map { DataCounts(affected: $0, unit: .objects) }
    return step
  }

  /// The number of objects whose relation refers to an object that no route takes.
  private static func count(_ link: Link, in store: ObjectStore) throws -> Int {
    guard let entity = store.entity(link.route.old), let target = store.entity(link.target) else {
      return 0
    }
    var related = RelatedValues()
    let conditions = RouteConditions(link.route.conditions, of: entity, in: store, &related)
    let source =
      link.property.map { RecordSource(entity, $0) }
      ?? link.related.map { RecordSource(related: related.add($0, in: store)) }
    guard let source else { return 0 }
    var ofTarget = RelatedValues()
    let takers = link.takers.map {
      RouteConditions($0.conditions, of: target, in: store, &ofTarget)
    }
    var count = 0
    try store.read { transaction in
      var start: UInt64 = 0
      while true {
        let ids = try transaction.ids(of: entity, from: start, limit: 10_000)
        for id in ids {
          let values = try related.read(entity, id, in: transaction)
          let value = try transaction.get(entity, id) { record -> Value in
            conditions.areFulfilled(for: record, id, values)
              ? source.value(record, id, values) : .null
          }
          guard let other = value?.firstID else { continue }
          let others = try ofTarget.read(target, other, in: transaction)
          let isTaken = try transaction.get(target, other) { record -> Bool in
            for taker in takers where taker.areFulfilled(for: record, other, others) { return true }
            return false
          }
          // One without an object before is not left so by the migration.
          if isTaken == false { count += 1 }
        }
        guard let last = ids.last, last < .max else { return }
        start = last + 1
      }
    }
    return count
  }
}

/// The values that a route gives the relations to one of its new entity.
private struct Origins {
  let route: ResolvedMapping.Route
  let entity: Entity
  let model: Model
  let lookup: ModelLookup

  init(
    _ route: ResolvedMapping.Route, of entity: Entity, _ model: Model, _ lookup: ModelLookup
  ) {
    (self.route, self.entity, self.model, self.lookup) = (route, entity, model, lookup)
  }

  /// The origin of the ids of a new property, and the old entity that they are of; nil if they are of none.
  func target(
    ofPropertyAt position: Int
  ) -> (target: UID, property: Int?, related: RelatedOrigin?)? {
    if let copy = route.copies.first(where: { $0.destination == position }) {
      guard let target = target(of: entity.properties[copy.source]) else { return nil }
      return (target, copy.source, nil)
    }
    guard let carrier = route.carriers.first(where: { $0.destination == position }) else {
      return nil
    }
    switch carrier.kind {
    case .id(let old, _), .only(let old, _): return (old, carrier.source, carrier.related)
    case .same:
      guard let position = carrier.source, let target = target(of: entity.properties[position])
      else { return nil }
      return (target, position, nil)
    case .types, .converters, .none: return nil
    }
  }

  private func target(of property: Property) -> UID? {
    property.type == .relation ? model.target(of: property, lookup)?.entity : nil
  }
}

extension FieldValue {
  fileprivate var entity: UID? { if case .entity(let uid) = self { uid } else { nil } }
}

extension Value {
  /// The object that a relation to one gets of the value.
  fileprivate var firstID: UInt64? {
    switch self {
    case .unsigned(let id): id == 0 ? nil : id
    case .unsignedIntegers(let ids): ids.first
    default: nil
    }
  }
}
