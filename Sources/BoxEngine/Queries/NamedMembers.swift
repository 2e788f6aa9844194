internal import BoxJSON
package import BoxModel

extension EntitySchema {
  /// Whether the entity has a property or a relation of a name.
  package func hasMember(named name: String) -> Bool {
    property(named: name) != nil || relation(named: name) != nil
  }

  /// The names of the properties and relations.
  package var memberNames: [String] { properties.map(\.name) + relations.map(\.name) }

  /// The name of the property or relation that a text means, between backquotes or as it is; of none the
  /// name that it would have.
  package func memberName(_ text: String) -> String {
    NamePath.name(text, where: hasMember)
  }
}

extension [EntitySchema] {
  /// The entity that a text means, between backquotes or as it is.
  package func entity(named text: String) -> EntitySchema? {
    let name = NamePath.name(text) { name in contains { $0.name.hasSameBytes(as: name) } }
    return first { $0.name.hasSameBytes(as: name) }
  }

  /// The entity and the name of the member that a text such as `Person.name` means.
  ///
  /// Names may have periods of their own, so of all readings the first whose member exists is meant, and
  /// otherwise the first whose entity does.
  ///
  /// - Returns: The entity and a name, which need not belong to a member; nil if no entity fits.
  /// - Complexity: O(*n* · *m*) in the length of the text and the number of entities.
  package func member(named text: String) -> (entity: EntitySchema, name: String)? {
    var readings: [(entity: EntitySchema, name: String)] = []
    let path = NamePath(reading: text)
    if let (owner, name) = path.member,
      let entity = first(where: { $0.name.hasSameBytes(as: owner) })
    {
      readings.append((entity, name))
      readings.append((entity, path.text(from: 1)))
    }
    for entity in self {
      guard let name = text.withoutPrefix("\(entity.name).") else { continue }
      readings.append((entity, entity.memberName(name)))
    }
    return readings.first { $0.entity.hasMember(named: $0.name) } ?? readings.first
  }
}

extension QueryOrder {
  /// The order by the property of an entity that its name means, between backquotes or as it is.
  package func naming(in entity: EntitySchema) -> QueryOrder {
    var order = self
    order.property = entity.memberName(property)
    return order
  }
}
