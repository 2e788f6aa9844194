internal import BoxEngine
internal import BoxModel

/// Turns the values of an entity in a store into fields, and back.
struct StoreCodec {
  private struct Place {
    var position: Int
    var slot: Int
    var uid: UID
    var isReference: Bool
  }

  let schema: EntitySchema
  let entity: SyncEntity
  /// The properties of the model, in the order of their UIDs.
  private let places: [Place]
  /// The relations of the model that lead from the entity, and to it.
  var outgoing: [RelationSchema] = []
  var incoming: [RelationSchema] = []

  init(_ schema: EntitySchema, _ entity: SyncEntity) {
    (self.schema, self.entity) = (schema, entity)
    let positions = Dictionary(schema.properties.enumerated().map { ($1.uid, $0) }) { $1 }
    places = entity.properties.compactMap { property in
      positions[property.uid].map { position in
        Place(
          position: position, slot: schema.properties[position].slot, uid: property.uid,
          isReference: schema.properties[position].target != nil)
      }
    }
  }

  private func value(_ place: Place, _ values: [Value?]) -> SyncValue<UInt64> {
    let value = values[place.position] ?? .null
    if place.isReference, case .unsigned(let id) = value { return .reference(id) }
    return .value(value)
  }

  /// The values that are not null.
  func state(_ life: UInt32, _ values: [Value?]) -> ObjectState<UInt64> {
    let fields = places.compactMap { place in
      let value = value(place, values)
      return value.isNull ? nil : Fields<UInt64>.Field(place.uid, value)
    }
    return ObjectState(life: life, fields: Fields(fields))
  }

  /// The values of the properties that an operation names: some slots, or all.
  func fields(_ values: [Value?], ofSlots slots: [Int]?) -> Fields<UInt64> {
    Fields(
      places.filter { slots?.contains($0.slot) ?? true }.map { .init($0.uid, value($0, values)) })
  }

  /// The values in the order of the properties; nil for those that the model does not have.
  func values(_ fields: Fields<UInt64>) -> [Value?] {
    var values = [Value?](repeating: nil, count: schema.properties.count)
    if let id = schema.idPosition { values[id] = .null }
    for place in places {
      switch fields[place.uid] {
      case .value(let value): values[place.position] = value
      case .reference(let id): values[place.position] = .unsigned(id)
      case nil: values[place.position] = .null
      }
    }
    return values
  }
}
