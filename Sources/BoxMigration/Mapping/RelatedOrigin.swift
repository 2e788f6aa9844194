internal import BoxModel

/// The origin of a value that is found along relations: a value of another object, or the ids of several.
struct RelatedOrigin: Sendable {
  /// A to-one relation on the way.
  struct Hop: Sendable {
    /// The position of the property in the entity before.
    var property: Int
    /// The UID of the target entity.
    var target: UID
  }

  /// The values of the object at the end of the way.
  enum End: Sendable {
    /// The value of the property at a position; for the id property, the id if the object exists.
    case property(Int)
    /// The objects of a to-many relation.
    case targets(UID)
    /// The objects whose to-many relation includes it.
    case sources(UID)
    /// The objects of an entity whose to-one relation, at a position, refers to it.
    case toOneSources(entity: UID, property: Int)
  }

  /// The to-one relations, in order.
  var path: [Hop] = []
  /// The UID of the entity at the end of the path.
  var entity: UID
  var end: End

  /// The element that has the data.
  func key(in model: Model, _ lookup: ModelLookup) -> ElementKey? {
    func property(_ entity: UID, _ position: Int) -> ElementKey? {
      lookup.entity(entity).map {
        ElementKey(.property, model.entities[$0].properties[position].pair.uid)
      }
    }
    switch end {
    case .property(let position): return property(entity, position)
    case .targets(let relation), .sources(let relation): return ElementKey(.relation, relation)
    case .toOneSources(let entity, let position): return property(entity, position)
    }
  }
}
