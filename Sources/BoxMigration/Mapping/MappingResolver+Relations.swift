internal import BoxEngine
internal import BoxJSON
internal import BoxModel
internal import BoxReport

extension MappingResolver {
  func routes(from old: UID, to new: UID) -> [Route] {
    sourcePositions[old].map { result.sources[$0].routes.filter { $0.new == new } } ?? []
  }

  // MARK: - Links

  /// The links that a rule gives a to-many relation; nil after a report.
  mutating func links(
    _ given: NamedRule, _ relation: Relation, _ from: IndexedEntity, _ to: IndexedEntity
  ) -> ResolvedMapping.LinkRule? {
    let rule = given.rule
    let name = "'\(to.name).\(relation.name)'"
    if rule.read != nil || rule.write != nil || rule.defaultValue != nil || rule.unfit != .fail {
      report(
        "\(name) is a relation to many, whose rule has 'from' or 'backlink' and nothing else",
        given.position)
      return nil
    }
    guard let origin = origin(of: rule, from, given.position) else { return nil }
    guard let related = origin.relatedOrigin, let target = origin.target else {
      report(
        "'\(origin.entity.name).\(origin.property?.name ?? origin.name)' is not a relation, "
          + "and \(name) takes objects", given.position)
      return nil
    }
    return .init(
      relation: relation.pair.uid, origin: related, target: target, position: given.position)
  }

  /// The carrier of the one object of a relation; nil after a report.
  mutating func only(
    _ carrier: ValueCarrier, _ rule: PropertyRule, of origin: Origin, for property: Property,
    of entity: IndexedEntity, _ position: JSONPosition?
  ) -> ValueCarrier? {
    let name = "'\(entity.name).\(property.name)'"
    guard let before = origin.target, let after = new.target(of: property) else {
      report("'\(origin.name)' has objects, and \(name) is not a relation", position)
      return nil
    }
    if rule.read != nil || rule.write != nil {
      report("\(name) takes an object, which no converter reads or writes", position)
      return nil
    }
    var carrier = carrier
    carrier.related = origin.related
    carrier.kind = .only(of: before, in: after)
    return carrier
  }

  mutating func resolveLinks(_ source: Int, _ number: Int) {
    let route = result.sources[source].routes[number]
    guard let from = old.entity(route.old), let to = new.entity(route.new) else { return }
    let members = MemberIndex(from)
    for relation in to.relations ?? [] {
      let label = "'\(to.name).\(relation.name)'"
      let origin: RelatedOrigin
      let target: UID
      var place = route.position
      if let rule = route.links.first(where: { $0.relation == relation.pair.uid }) {
        (origin, target, place) = (rule.origin, rule.target, rule.position)
        if route.ids == .new {
          report("\(label) cannot have the links of objects that get new ids", place)
          continue
        }
      } else {
        let position =
          members.relation(relation.pair.uid)
          ?? (from.pair.uid == to.pair.uid ? nil : members.relation(named: relation.name))
        guard route.ids != .new, let found = position.flatMap({ from.relations?[$0] }) else {
          continue
        }
        origin = RelatedOrigin(entity: route.old, end: .targets(found.pair.uid))
        target = found.target.uid
      }
      if follows(from: target, to: relation.target.uid, label, place) {
        result.links.append(
          .init(
            source: source, route: number, origin: origin, new: relation.pair.uid,
            sources: (route.old, route.new), targets: (target, relation.target.uid)))
      }
    }
  }

  /// Whether references to objects of an old entity can follow them to a new one; reported if not.
  private mutating func follows(
    from old: UID, to new: UID, _ label: String, _ position: JSONPosition?
  ) -> Bool {
    let candidates = routes(from: old, to: new)
    if candidates.isEmpty {
      if old == new { return false }
      report(
        "\(label) refers to another entity, and no objects of the old one become it", position)
    } else if candidates.allSatisfy({ $0.ids == .new }) {
      report("\(label) cannot follow objects that get new ids", position)
    } else {
      return true
    }
    return false
  }

  // MARK: - To-one relations

  /// Redirects the values of to-one relations to the new places of their targets.
  mutating func resolveTargets() {
    for source in result.sources.indices {
      for number in result.sources[source].routes.indices {
        let route = result.sources[source].routes[number]
        guard let from = old.entity(route.old), let to = new.entity(route.new) else { continue }
        for index in route.carriers.indices {
          let carrier = route.carriers[index]
          let after = to.properties[carrier.destination]
          let label = "'\(to.name).\(after.name)'"
          if case .only(let old, let new) = carrier.kind {
            if routes(from: old, to: new).isEmpty, old == new { continue }
            _ = follows(from: old, to: new, label, route.position)
            continue
          }
          guard case .same = carrier.kind, let old = reference(carrier, from),
            let new = new.target(of: after)
          else { continue }
          // Nothing of the entity stays, and other objects have its ids now.
          if old == new, routes(from: old, to: new).isEmpty, isFilled(new) {
            result.sources[source].routes[number].carriers[index].kind = .id(of: old, in: new)
            continue
          }
          if follows(from: old, to: new, label, route.position) {
            result.sources[source].routes[number].carriers[index].kind = .id(of: old, in: new)
          }
        }
      }
    }
  }

  /// Whether objects are made for a new entity.
  private func isFilled(_ entity: UID) -> Bool {
    result.sources.contains { $0.routes.contains { $0.new == entity } }
  }

  /// The entity that the value of a carrier refers to; nil for a value that is not a reference.
  private func reference(_ carrier: ValueCarrier, _ from: Entity) -> UID? {
    if let position = carrier.source { return reference(from.properties[position], of: from) }
    guard let related = carrier.related, case .property(let position) = related.end,
      let entity = old.entity(related.entity)
    else { return nil }
    return reference(entity.properties[position], of: entity)
  }
}
