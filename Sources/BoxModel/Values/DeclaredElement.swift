/// An element by its names, as sources have them.
package struct DeclaredElement: Hashable, Sendable {
  /// The name of the entity.
  package var entity: String
  /// The name of the property or relation; nil for the entity itself.
  package var member: String?

  /// Creates an element.
  package init(entity: String, member: String? = nil) {
    self.entity = entity
    self.member = member
  }
}

extension Model {
  /// The names of an element; nil for an index.
  package func declared(_ place: ElementPlace) -> DeclaredElement? {
    let owner = entities[place.entity].name
    switch place {
    case .entity: return DeclaredElement(entity: owner)
    case .property(let e, let p):
      return DeclaredElement(entity: owner, member: entities[e].properties[p].name)
    case .relation(let e, let r):
      return DeclaredElement(entity: owner, member: entities[e].relations?[r].name)
    case .index: return nil
    }
  }

  /// Whether an element with these names exists, ignoring case.
  ///
  /// - Complexity: O(*n*) in the number of entities, and of the members of one.
  package func has(_ element: DeclaredElement) -> Bool {
    let name = foldedName(element.entity)
    guard let entity = entities.first(where: { foldedName($0.name) == name }) else { return false }
    guard let member = element.member.map(foldedName) else { return true }
    return entity.properties.contains { foldedName($0.name) == member }
      || (entity.relations ?? []).contains { foldedName($0.name) == member }
  }
}
