internal import BoxEngine
internal import BoxModel

/// The origin of a value of an old object: a slot of its record, its id, or a value of a related object.
struct RecordSource {
  private enum Place {
    case id
    case slot(Int, SlotType)
    case related(Int)
  }

  private let place: Place
  /// Whether an object without a value stays without one: the property has become optional.
  var leavesConstant = false

  /// The property at a position.
  init(_ entity: EntitySchema, _ position: Int) {
    let property = entity.properties[position]
    place = position == entity.idPosition ? .id : .slot(property.slot, property.type)
  }

  /// The value at a position of the related ones.
  init(related position: Int) { place = .related(position) }

  /// The value of an object.
  func value(_ record: borrowing RecordView, _ id: UInt64, _ related: [Value]) -> Value {
    switch place {
    case .id: .unsigned(id)
    case .related(let position): related[position]
    case .slot(let slot, let type): isLeft(record) ? .null : record.dynamicValue(slot, type)
    }
  }

  /// The slot to copy the value from; nil if there is nothing to copy.
  func copied(_ record: borrowing RecordView) -> Int? {
    guard case .slot(let slot, _) = place, !isLeft(record) else { return nil }
    return slot
  }

  private func isLeft(_ record: borrowing RecordView) -> Bool {
    guard leavesConstant, case .slot(let slot, _) = place else { return false }
    return !record.isStored(slot)
  }
}

/// The conditions of a route, for the objects of an old entity.
struct RouteConditions {
  private let conditions: [(source: RecordSource, condition: ResolvedMapping.Condition)]

  /// Binds the conditions to a store; what they need of other objects is added to the related values.
  init(
    _ conditions: [ResolvedMapping.Condition], of entity: EntitySchema, in store: ObjectStore,
    _ related: inout RelatedValues
  ) {
    var bound: [(source: RecordSource, condition: ResolvedMapping.Condition)] = []
    for condition in conditions {
      if let position = condition.property {
        bound.append((RecordSource(entity, position), condition))
      } else if let origin = condition.related {
        bound.append((RecordSource(related: related.add(origin, in: store)), condition))
      }
    }
    self.conditions = bound
  }

  /// Whether an object meets all of them.
  func areFulfilled(for record: borrowing RecordView, _ id: UInt64, _ related: [Value]) -> Bool {
    for (source, condition) in conditions
    where !condition.holds(for: source.value(record, id, related)) {
      return false
    }
    return true
  }
}
