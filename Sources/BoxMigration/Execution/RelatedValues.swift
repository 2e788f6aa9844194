internal import BoxEngine
internal import BoxModel
internal import BoxStorage

/// Reads values of related objects.
///
/// While objects are visited their store cannot be used, so these values are read before.
struct RelatedValues {
  private var readers: [Reader] = []

  /// Whether there is nothing to read.
  var isEmpty: Bool { readers.isEmpty }

  /// Adds a value.
  ///
  /// - Returns: Its position in what ``read(_:in:)`` returns.
  mutating func add(_ origin: RelatedOrigin, in store: ObjectStore) -> Int {
    readers.append(Reader(origin, in: store))
    return readers.count - 1
  }

  /// The values for an object, in the order in which they were added; several ids are unsigned integers, and none are
  /// null.
  ///
  /// - Throws: ``StoreError``.
  /// - Complexity: O(log *n*) for each relation on the way, and O(1) for each id.
  func read(_ entity: EntitySchema, _ id: UInt64, in transaction: Transaction) throws -> [Value] {
    try readers.map { try $0.read(entity, id, in: transaction) }
  }
}

extension RelatedValues {
  /// Visits the objects of an entity in the order of their ids, with these values.
  ///
  /// - Throws: ``StoreError``, and the error of `body`.
  /// - Complexity: O(*n*) in the objects, and as ``read(_:_:in:)`` for each.
  func visit(
    _ entity: EntitySchema, in transaction: Transaction,
    _ body: (UInt64, borrowing RecordView, [Value]) throws -> VisitStep
  ) throws {
    if isEmpty { return try transaction.visit(entity) { try body($0, $1, []) } }
    var start: UInt64 = 0
    while true {
      let ids = try transaction.ids(of: entity, from: start, limit: 10_000)
      for id in ids {
        let values = try read(entity, id, in: transaction)
        if try transaction.get(entity, id, { try body(id, $0, values) }) == .stop { return }
      }
      guard let last = ids.last, last < .max else { return }
      start = last + 1
    }
  }
}

extension Transaction {
  /// The ids of the first objects from one on, in order.
  ///
  /// - Throws: ``StoreError``.
  /// - Complexity: O(*n*) in the ids.
  func ids(of entity: EntitySchema, from start: UInt64, limit: Int) throws -> [UInt64] {
    var ids: [UInt64] = []
    try visit(entity, from: start) { id, _ in
      ids.append(id)
      return ids.count < limit ? .next : .stop
    }
    return ids
  }
}

/// Reads one value.
private struct Reader {
  private enum End {
    case id
    case property(RecordSlot)
    case targets(RelationSchema)
    case sources(RelationSchema)
    case toOneSources(EntitySchema, PropertySchema)
    /// The store lacks the element.
    case missing
  }

  private struct RecordSlot {
    var slot: Int
    var type: SlotType

    init(_ property: PropertySchema) { (slot, type) = (property.slot, property.type) }

    func value(
      _ entity: EntitySchema, _ id: UInt64, in transaction: Transaction
    ) throws -> Value {
      try transaction.get(entity, id) { $0.dynamicValue(slot, type) } ?? .null
    }
  }

  /// The to-one relations on the way: positions of properties, and their target entities.
  private let hops: [(property: Int, target: EntitySchema)]
  private var end = End.missing

  init(_ origin: RelatedOrigin, in store: ObjectStore) {
    hops = origin.path.compactMap { hop in store.entity(hop.target).map { (hop.property, $0) } }
    guard hops.count == origin.path.count, let last = store.entity(origin.entity) else { return }
    switch origin.end {
    case .property(let position):
      end =
        position == last.idPosition ? .id : .property(RecordSlot(last.properties[position]))
    case .targets(let uid):
      if let relation = store.relation(uid) { end = .targets(relation) }
    case .sources(let uid):
      if let relation = store.relation(uid) { end = .sources(relation) }
    case .toOneSources(let uid, let position):
      if let entity = store.entity(uid) {
        end = .toOneSources(entity, entity.properties[position])
      }
    }
  }

  func read(_ entity: EntitySchema, _ id: UInt64, in transaction: Transaction) throws -> Value {
    var (entity, id) = (entity, id)
    for hop in hops {
      let slot = RecordSlot(entity.properties[hop.property])
      guard case .unsigned(let next) = try slot.value(entity, id, in: transaction), next != 0 else {
        return .null
      }
      (entity, id) = (hop.target, next)
    }
    switch end {
    case .missing: return .null
    case .id: return try transaction.contains(entity, id) ? .unsigned(id) : .null
    case .property(let slot): return try slot.value(entity, id, in: transaction)
    case .targets(let relation): return Self.list(try transaction.targets(relation, of: id))
    case .sources(let relation): return Self.list(try transaction.sources(relation, of: id))
    case .toOneSources(let entity, let property):
      return Self.list(try transaction.sources(entity, property, of: id))
    }
  }

  private static func list(_ ids: [UInt64]) -> Value {
    ids.isEmpty ? .null : .unsignedIntegers(ids)
  }
}

extension ObjectStore {
  /// The relation to many of a UID; nil if the store lacks it.
  fileprivate func relation(_ uid: UID) -> RelationSchema? {
    entities.lazy.flatMap(\.relations).first { $0.uid == uid }
  }
}
