internal import BoxEngine
internal import BoxModel

/// Builds records of a new entity from records of an old one, along a route.
///
/// Values that stay as they are go from slot to slot, without being read.
struct RecordCarrier {
  /// The origin of the value of a property of the new entity.
  private struct Step {
    /// The property of the new entity.
    var position: Int
    var slot: Int
    /// The origin of the value; nil if there is no old value.
    var source: RecordSource?
    /// The position of the carrier that converts the value; nil if the value is copied.
    var carrier: Int?
  }

  /// The route.
  let route: ResolvedMapping.Route
  /// The new entity.
  let target: EntitySchema
  /// Reads the values that the route needs of other objects.
  private(set) var related = RelatedValues()
  private var steps: [Step] = []
  private var carriers: [ValueCarrier] = []
  /// For each carrier, whether nothing else takes its values as they are.
  private var areOnlyTakers: [Bool] = []
  private let conditions: RouteConditions
  /// The origin of the id, where a rule gives it.
  private let idSource: RecordSource?

  init(
    _ route: ResolvedMapping.Route, from old: EntitySchema, in store: ObjectStore,
    to new: EntitySchema, _ mapping: ResolvedMapping, _ becameOptional: Set<UID> = []
  ) {
    func source(_ position: Int, for destination: Int) -> RecordSource {
      var source = RecordSource(old, position)
      let uid = old.properties[position].uid
      source.leavesConstant =
        uid == new.properties[destination].uid && becameOptional.contains(uid)
      return source
    }
    var related = RelatedValues()
    self.route = route
    target = new
    if let position = route.assignedID?.source {
      idSource = RecordSource(old, position)
    } else {
      idSource = (route.assignedID?.related).map {
        RecordSource(related: related.add($0, in: store))
      }
    }
    conditions = RouteConditions(route.conditions, of: old, in: store, &related)
    for position in new.writeOrder {
      let slot = new.properties[position].slot
      if let copy = route.copies.first(where: { $0.destination == position }) {
        let source = source(copy.source, for: position)
        steps.append(Step(position: position, slot: slot, source: source, carrier: nil))
      } else if let carrier = route.carriers.first(where: { $0.destination == position }) {
        let origin =
          carrier.source.map { source($0, for: position) }
          ?? carrier.related.map { RecordSource(related: related.add($0, in: store)) }
        steps.append(
          Step(position: position, slot: slot, source: origin, carrier: carriers.count))
        carriers.append(carrier)
        areOnlyTakers.append(mapping.isOnlyTaker(carrier, in: route))
      }
    }
    self.related = related
  }

  /// Whether an object meets all conditions of the route.
  func includes(_ record: borrowing RecordView, _ id: UInt64, _ related: [Value]) -> Bool {
    conditions.areFulfilled(for: record, id, related)
  }

  /// The value from which the rule for the id makes it.
  func idValue(_ record: borrowing RecordView, _ id: UInt64, _ related: [Value]) -> Value {
    idSource?.value(record, id, related) ?? .null
  }

  /// The part of an old value that a new record lacks.
  struct Lost {
    /// The carrier that did not take it.
    var carrier: Int
    /// 1 for a value, or the number of links.
    var count: Int
  }

  /// The carrier at a position.
  func carrier(_ position: Int) -> ValueCarrier { carriers[position] }

  /// Sets the values of a new record.
  ///
  /// - Parameters:
  ///   - record: The old record.
  ///   - id: The old id.
  ///   - related: The values of other objects.
  ///   - offsets: The new ids.
  ///   - writer: The new record.
  ///   - lost: Receives what the new record lacks, and nothing else takes.
  /// - Throws: ``UnfitValue``, and ``StoreError/wrongValue(entity:property:value:expected:)``.
  func write(
    _ record: borrowing RecordView, _ id: UInt64, _ related: [Value], _ offsets: IDOffsets,
    to writer: inout RecordWriter, lost: inout [Lost]
  ) throws {
    var missing = 0
    for step in steps {
      if let carrier = step.carrier {
        let value = step.source?.value(record, id, related) ?? .null
        try writer.set(
          step.position, of: target,
          to: try carriers[carrier].carry(value, offsets, lost: &missing))
        if missing > 0, areOnlyTakers[carrier] {
          lost.append(Lost(carrier: carrier, count: missing))
        }
      } else if let slot = step.source?.copied(record) {
        writer.copy(step.slot, from: record, slot)
      }
    }
  }
}
