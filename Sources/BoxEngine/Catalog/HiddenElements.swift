package import BoxModel

/// A stored element that the current model lacks.
package struct HiddenElement: Hashable, Sendable {
  /// The kind and the UID of the element.
  package var key: ElementKey
  /// The name of the entity in the last model that had it.
  package var entity: String
  /// The name of the property or relation; nil for an entity.
  package var member: String?

  /// The name for people: `Entity` or `Entity.member`.
  package var label: String { member.map { "\(entity).\($0)" } ?? entity }
}

extension ObjectStore {
  /// The stored elements that are hidden; of a hidden entity only the entity itself.
  ///
  /// - Complexity: O(*n*) in the number of stored elements.
  package func hiddenElements() -> [HiddenElement] {
    schema.catalog.entities.flatMap { entity -> [HiddenElement] in
      if entity.isHidden {
        return [HiddenElement(key: ElementKey(.entity, entity.uid), entity: entity.name)]
      }
      return entity.properties.filter(\.isHidden).map {
        HiddenElement(
          key: ElementKey(.property, $0.uid), entity: entity.name, member: $0.name)
      }
        + entity.relations.filter(\.isHidden).map {
          HiddenElement(
            key: ElementKey(.relation, $0.uid), entity: entity.name, member: $0.name)
        }
    }
  }
}
