internal import BoxEngine
internal import BoxJSON
internal import BoxModel
internal import BoxReport

extension MappingResolver {
  /// An element of the old model that a rule or a condition names.
  struct Origin {
    /// The name as in the mapping.
    var name: String
    /// The entity that has the property or the relation.
    var entity: Entity
    /// The property; nil for the objects of a relation.
    var property: Property?
    /// The position of a property of the object itself.
    var position: Int?
    /// The way to anything else.
    var related: RelatedOrigin?
    /// The UID of the target entity of a reference; nil for any other property.
    var target: UID?

    /// The origin, also of a property of the object itself.
    var relatedOrigin: RelatedOrigin? {
      related
        ?? position.map { RelatedOrigin(entity: entity.pair.uid, end: .property($0)) }
    }
  }

  /// The origin that a rule names; nil after a report.
  mutating func origin(
    of rule: PropertyRule, _ from: IndexedEntity, _ position: JSONPosition?
  ) -> Origin? {
    if let name = rule.backlink { return backlink(name, to: from, position) }
    return rule.source.flatMap { origin($0, from, position) }
  }

  /// The property or relation of a name or a path; nil after a report.
  ///
  /// A name that has a period is itself before it is a path, unless a name is between backquotes.
  mutating func origin(
    _ name: String, _ from: IndexedEntity, _ position: JSONPosition?
  ) -> Origin? {
    let single = NamePath.name(name) {
      from.position(named: $0) != nil || from.relation(named: $0) != nil
    }
    if let found = end(name, single, of: from, [], position) { return found }
    var names = NamePath(reading: name).names
    if names.count > ConditionParser.maximumDepth { names = [name] }
    guard let last = names.last else { return nil }
    var path: [RelatedOrigin.Hop] = []
    var entity = from
    for hop in names.dropLast() {
      guard let (property, target) = follow(hop, of: entity, position) else { return nil }
      path.append(.init(property: property, target: target.pair.uid))
      entity = IndexedEntity(target)
    }
    if let found = end(name, last, of: entity, path, position) { return found }
    let members = entity.properties.map(\.name) + (entity.entity.relations ?? []).map(\.name)
    report("'\(entity.name)' has no property '\(last)'; it has: \(members.listed)", position)
    return nil
  }

  /// The property or relation at the end of a path; nil if the entity has none of the name.
  private func end(
    _ path: String, _ name: String, of entity: IndexedEntity, _ hops: [RelatedOrigin.Hop],
    _ position: JSONPosition?
  ) -> Origin? {
    if let found = entity.position(named: name) {
      let property = entity.properties[found]
      var origin = Origin(name: path, entity: entity.entity, property: property)
      if hops.isEmpty {
        origin.position = found
      } else {
        origin.related = RelatedOrigin(path: hops, entity: entity.uid, end: .property(found))
      }
      origin.target = reference(property, of: entity.entity)
      return origin
    }
    guard let relation = entity.relation(named: name) else { return nil }
    return Origin(
      name: path, entity: entity.entity,
      related: RelatedOrigin(path: hops, entity: entity.uid, end: .targets(relation.pair.uid)),
      target: relation.target.uid)
  }

  /// The entity that a property of the old model refers to: the id refers to its own.
  func reference(_ property: Property, of entity: Entity) -> UID? {
    property.flags.contains(.id) ? entity.pair.uid : old.target(of: property)
  }

  /// The to-one relation with a name, and its target entity; nil after a report.
  private mutating func follow(
    _ name: String, of entity: IndexedEntity, _ position: JSONPosition?
  ) -> (Int, Entity)? {
    // As in conditions, `customer` is `customerId` too.
    let found = ["", "Id", "ID", "_id"].lazy.compactMap { entity.position(named: name + $0) }
      .first { entity.properties[$0].type == .relation }
    guard let found else {
      if entity.relation(named: name) != nil {
        report(
          "'\(entity.name).\(name)' is a relation to many, and a path goes over relations to one",
          position)
      } else if entity.position(named: name) != nil {
        report("'\(entity.name).\(name)' is not a relation", position)
      } else {
        let names = entity.properties.filter { $0.type == .relation }.map(\.name)
        report(
          "'\(entity.name)' has no relation '\(name)'; "
            + (names.isEmpty ? "it has none to one" : "it has: \(names.listed)"), position)
      }
      return nil
    }
    guard let uid = old.target(of: entity.properties[found]), let target = old.entity(uid) else {
      report("'\(entity.name).\(name)' refers to an entity that the old model lacks", position)
      return nil
    }
    return (found, target)
  }

  /// The relation `Entity.relation` to an entity, followed backwards; nil after a report.
  private mutating func backlink(
    _ path: String, to entity: IndexedEntity, _ position: JSONPosition?
  ) -> Origin? {
    let names = NamePath(reading: path).names
    guard names.count == 2, let owner = old.entity(named: names[0]) else {
      report(
        "'backlink' needs a relation of the old model to '\(entity.name)', as Entity.relation",
        position)
      return nil
    }
    let indexed = IndexedEntity(owner)
    var origin = Origin(name: path, entity: owner, target: owner.pair.uid)
    if let relation = indexed.relation(named: names[1]), relation.target.uid == entity.uid {
      origin.related = RelatedOrigin(entity: entity.uid, end: .sources(relation.pair.uid))
      return origin
    }
    if let found = indexed.position(named: names[1]),
      old.target(of: indexed.properties[found]) == entity.uid
    {
      if indexed.properties[found].indexID == nil {
        report("'\(path)' has no index, by which it could be followed backwards", position)
        return nil
      }
      origin.related = RelatedOrigin(
        entity: entity.uid, end: .toOneSources(entity: owner.pair.uid, property: found))
      return origin
    }
    report("'\(path)' is not a relation to '\(entity.name)'", position)
    return nil
  }
}
