internal import Synchronization

/// The last id that an opening of a store gave to an object of each entity, or reserved.
///
/// It never decreases. So an id that a transaction gave before it was undone is not given to another
/// object, and ids can be reserved by any thread, outside of transactions.
final class IssuedIDs: Sendable {
  private final class Last: Sendable {
    let id = Atomic<UInt64>(0)
  }

  /// By the position of the entity.
  private let lasts: [Last]
  /// The ids of transactions that were undone.
  let undone = UndoneIDs()

  init(_ schema: StoreSchema) { lasts = schema.entities.map { _ in Last() } }

  /// The last id given; 0 if none was.
  @inline(__always)
  func last(of entity: EntitySchema) -> UInt64 {
    lasts[entity.position].id.load(ordering: .relaxed)
  }

  /// Records that all ids up to one are issued.
  @inline(__always)
  func raise(to id: UInt64, of entity: EntitySchema) {
    _ = lasts[entity.position].id.max(id, ordering: .relaxed)
  }

  /// Issues consecutive ids.
  ///
  /// - Parameters:
  ///   - count: The number of ids.
  ///   - last: The last id that is in the store.
  ///   - entity: The entity.
  /// - Returns: The first of them; it is above ``ObjectStore/maximumID`` if there are too few left, and
  ///   then none is given.
  func issue(_ count: UInt64, after last: UInt64, of entity: EntitySchema) -> UInt64 {
    let given = lasts[entity.position]
    var seen = given.id.load(ordering: .relaxed)
    while true {
      let first = max(seen, last) + 1
      guard first <= ObjectStore.maximumID, count <= ObjectStore.maximumID - first + 1 else {
        return ObjectStore.maximumID + 1
      }
      let (isDone, found) = given.id.weakCompareExchange(
        expected: seen, desired: first + count - 1, ordering: .relaxed)
      if isDone { return first }
      seen = found
    }
  }
}

extension ObjectStore {
  /// Reserves ids for new objects of an entity, which are put later with these ids.
  ///
  /// They stay reserved until the store is closed. Another process can give the same ids meanwhile: put
  /// the objects with ``PutMode/insert``, so that nothing is overwritten.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - count: The number of ids, at least 1.
  /// - Returns: The ids, in order.
  /// - Throws: ``StoreError/idsExhausted(entity:)``, ``StoreError/foreignSchema(_:)``,
  ///   ``StoreError/readTransaction`` if the store is read only, and as ``read(_:)``.
  /// - Complexity: O(log *n*).
  package func reserveIDs(
    _ entity: EntitySchema, count: Int
  ) throws(StoreError) -> ClosedRange<UInt64> {
    guard let issuedIDs, !isReadOnly else { throw StoreError.readTransaction }
    let last = try reading { (transaction) throws(StoreError) in
      try transaction.require(entity)
      return try PendingWrites.storedIDs(entity, schema, try transaction.reading()).last
    }
    let count = UInt64(max(1, count))
    let first = issuedIDs.issue(count, after: last, of: entity)
    if first > ObjectStore.maximumID { throw StoreError.idsExhausted(entity: entity.name) }
    return first...first + count - 1
  }
}
