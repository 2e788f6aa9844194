internal import BoxStorage

/// The objects whose unique values other objects have taken over, in a call that puts several.
///
/// One of them may be put again by the same call, with another value. So it stays without the value until the call
/// ends, and only then those are removed, by their delete rules, that were not put again.
package struct DisplacedObjects: Sendable {
  /// An object.
  package struct Key: Hashable, Sendable {
    /// The position of its entity in the store.
    package var entity: Int
    /// Its id.
    package var id: UInt64

    /// Creates the key of an object.
    package init(entity: Int, id: UInt64) {
      self.entity = entity
      self.id = id
    }
  }

  /// The objects that were not put again.
  package private(set) var objects: Set<Key> = []
  /// The objects that were put.
  fileprivate private(set) var put: Set<Key> = []
  /// Whether an object that cannot be removed is refused at once, even if it might be put again.
  fileprivate let requiresRemovable: Bool
  /// Whether the objects that are put are kept in `put`.
  private let keepsPut: Bool
  /// The changes of `objects` since they were taken last, in order.
  private var changes: [(key: Key, isAdded: Bool)] = []

  /// Creates an empty set.
  ///
  /// - Parameters:
  ///   - requiresRemovable: Whether an object that cannot be removed is refused at once, even if it might be put again.
  ///   - keepsPut: Whether the removal of an object is refused that the call has put itself.
  package init(requiresRemovable: Bool = false, keepsPut: Bool = true) {
    (self.requiresRemovable, self.keepsPut) = (requiresRemovable, keepsPut)
  }

  /// Adds an object that has given its value up.
  package mutating func add(_ key: Key) {
    if objects.insert(key).inserted { changes.append((key, true)) }
  }

  /// Records that an object was put.
  package mutating func recordPut(_ key: Key) {
    if !objects.isEmpty, objects.remove(key) != nil { changes.append((key, false)) }
    if keepsPut { put.insert(key) }
  }

  /// Returns the changes since the last call, in order.
  package mutating func takeChanges() -> [(key: Key, isAdded: Bool)] {
    defer { changes = [] }
    return changes
  }

  /// Forgets the objects that were not put again, as they were removed.
  package mutating func forgetObjects() { (objects, changes) = ([], []) }
}

extension Transaction {
  /// Runs a call that puts several objects, which may take unique values from each other.
  ///
  /// The objects that lose their value to another one and are not put again are removed by their delete rules at the
  /// end of the outermost call.
  ///
  /// The caller undoes everything if this throws.
  ///
  /// - Throws: ``StoreError/removalRefused(entity:id:relation:count:first:)``,
  ///   ``StoreError/replacementRefused(entity:id:replaced:)``, as ``remove(_:_:)``, and the error of `body`.
  /// - Complexity: Memory for each object that loses a value, and in a store with such rules for each that is put.
  package func displacing<R>(_ body: () throws -> R) throws -> R {
    if displaced != nil || !store.schema.displaces { return try body() }
    // Without rules nothing is removed but what has lost its value.
    displaced = DisplacedObjects(keepsPut: store.schema.displacesByRules)
    defer { displaced = nil }
    let result = try body()
    try removeDisplaced()
    return result
  }

  /// Removes the objects that lost their unique values in this call and were not put again, by their delete rules.
  ///
  /// - Throws: As ``displacing(_:)``.
  /// - Complexity: As ``remove(_:_:)``.
  package func removeDisplaced() throws(StoreError) {
    guard let displaced, !displaced.objects.isEmpty else { return }
    let removal = try removal(of: displaced.objects)
    for key in displaced.put where !displaced.objects.contains(key) {
      let entity = store.schema.entities[key.entity]
      if removal.contains(entity, key.id) { throw refusal(of: entity, key.id, displaced.objects) }
    }
    displacement.add(removal.effects)
    try removal.write()
    self.displaced?.forgetObjects()
  }

  /// The removal of objects that lost their unique values, which may be refused for what else they remove.
  ///
  /// - Throws: As ``removal(of:)``.
  package func removal(of displaced: Set<DisplacedObjects.Key>) throws(StoreError) -> RemovalClosure
  {
    let ids = Dictionary(grouping: displaced, by: \.entity).sorted { $0.key < $1.key }
    return try RemovalClosure(
      ids.map { (store.schema.entities[$0.key], $0.value.map(\.id)) }, self)
  }

  /// The error for an object that is put, and would be removed with those that lose their values.
  package func refusal(
    of entity: EntitySchema, _ id: UInt64, _ displaced: Set<DisplacedObjects.Key>
  ) -> StoreError {
    let first = displaced.min { ($0.entity, $0.id) < ($1.entity, $1.id) }
    let name = first.map { "\(store.schema.entities[$0.entity].name) \($0.id)" }
    return .replacementRefused(entity: entity.name, id: id, replaced: name ?? "")
  }

  /// Requires that rules allow to remove objects that are about to lose unique values, where that is asked at once.
  func requireRemovable(
    _ ids: [UInt64], _ entity: EntitySchema, _ taker: UInt64
  ) throws(StoreError) {
    guard entity.rules != nil, displaced?.requiresRemovable ?? false else { return }
    if try RemovalClosure([(entity, ids)], self).contains(entity, taker) {
      let keys = ids.map { DisplacedObjects.Key(entity: entity.position, id: $0) }
      throw refusal(of: entity, taker, Set(keys))
    }
  }

  /// Takes the unique values from an object that another one is about to have.
  func displace(_ holder: ValueHolder, of entity: EntitySchema) throws(StoreError) {
    let mark = pending.changes.end
    if pending.capture != nil {
      try captureDisplacing(entity, holder.id, isKept: true, try writing())
    }
    defer { pending.capture?.endDisplacing() }
    try setNull(entity, holder.id) { slot, _ in holder.slots.contains(slot) }
    // Observers hear of the put or the removal that follows.
    pending.changes.forgetObjects(since: mark)
    displaced?.add(DisplacedObjects.Key(entity: entity.position, id: holder.id))
  }

  /// Writes an object again with some values null, if it exists.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - id: The id of the object.
  ///   - isNull: Whether the value of a slot becomes null, called with the object before.
  /// - Throws: As ``remove(_:_:)``.
  func setNull(
    _ entity: EntitySchema, _ id: UInt64, _ isNull: (Int, borrowing RecordView) -> Bool
  ) throws(StoreError) {
    let storage = try writing()
    guard let record = try unsafe storage.value(entity.space, id) else { return }
    let old = try unsafe view(entity, id, record)
    // The writer of the transaction may be in use.
    let writer = unsafe spareWriters.acquire()
    defer { unsafe spareWriters.release(writer) }
    unsafe writer.pointee.begin(entity.layout)
    for position in entity.writeOrder {
      let slot = entity.properties[position].slot
      if !isNull(slot, old) { unsafe writer.pointee.copy(slot, from: old) }
    }
    try unsafe writeBuilt(entity, Place(id: id, old: record), &writer.pointee, storage)
  }
}
