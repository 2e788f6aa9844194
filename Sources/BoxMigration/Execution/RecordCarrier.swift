internal import BoxEngine
internal import BoxModel

/// Makes records of a new entity from those of an old one, along a route.
///
/// Values that stay as they are go from slot to slot, without being read.
struct RecordCarrier {
  /// The origin of the value of a property of the new entity.
  private struct Step {
    /// The property of the new entity.
    var position: Int
    var slot: Int
    /// The property of the old record; nil if there is no old value.
    var source: Source?
    /// The position of the carrier that converts the value; nil if the value is copied.
    var carrier: Int?
  }

  /// A value of an old object.
  struct Source {
    /// The slot of the property; -1 for the id, which is not a part of the record.
    var slot: Int
    var type: SlotType
    /// Whether an object without a value stays without one: the property has become optional.
    var leavesConstant = false

    init(_ entity: EntitySchema, _ position: Int) {
      let property = entity.properties[position]
      slot = position == entity.idPosition ? -1 : property.slot
      type = property.type
    }

    func value(_ record: borrowing RecordView, _ id: UInt64) -> Value {
      if slot < 0 { return .unsigned(id) }
      return isLeft(record) ? .null : record.dynamicValue(slot, type)
    }

    func isLeft(_ record: borrowing RecordView) -> Bool {
      leavesConstant && !record.isStored(slot)
    }
  }

  /// The route.
  let route: ResolvedMapping.Route
  /// The new entity.
  let target: EntitySchema
  private var steps: [Step] = []
  private var carriers: [ValueCarrier] = []
  private let conditions: [(source: Source, condition: ResolvedMapping.Condition)]
  /// The origin of the id, where a rule gives it.
  let idSource: Source?

  init(
    _ route: ResolvedMapping.Route, from old: EntitySchema, to new: EntitySchema,
    _ becameOptional: Set<UID> = []
  ) {
    func source(_ position: Int, for destination: Int) -> Source {
      var source = Source(old, position)
      let uid = old.properties[position].uid
      source.leavesConstant =
        uid == new.properties[destination].uid && becameOptional.contains(uid)
      return source
    }
    self.route = route
    target = new
    idSource = route.givenID?.source.map { Source(old, $0) }
    conditions = route.conditions.map { (Source(old, $0.property), $0) }
    for position in new.writeOrder {
      let slot = new.properties[position].slot
      if let copy = route.copies.first(where: { $0.destination == position }) {
        let source = source(copy.source, for: position)
        steps.append(Step(position: position, slot: slot, source: source, carrier: nil))
      } else if let carrier = route.carriers.first(where: { $0.destination == position }) {
        steps.append(
          Step(
            position: position, slot: slot,
            source: carrier.source.map { source($0, for: position) },
            carrier: carriers.count))
        carriers.append(carrier)
      }
    }
  }

  /// Whether an object meets all conditions of the route.
  func takes(_ record: borrowing RecordView, _ id: UInt64) -> Bool {
    for (source, condition) in conditions
    where !condition.holds(for: source.value(record, id)) {
      return false
    }
    return true
  }

  /// Sets the values of a new record.
  ///
  /// - Throws: ``UnfitValue``, and ``StoreError/wrongValue(entity:property:value:expected:)``.
  func write(
    _ record: borrowing RecordView, _ id: UInt64, _ offsets: IDOffsets,
    to writer: inout RecordWriter
  ) throws {
    for step in steps {
      if let carrier = step.carrier {
        let value = step.source?.value(record, id) ?? .null
        try writer.set(
          step.position, of: target, to: try carriers[carrier].carry(value, offsets))
      } else if let source = step.source, !source.isLeft(record) {
        writer.copy(step.slot, from: record, source.slot)
      }
    }
  }
}
