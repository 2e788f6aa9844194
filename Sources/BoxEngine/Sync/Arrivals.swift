package import BoxModel
internal import BoxReport
internal import BoxStorage

/// A write transaction for what the server says: nothing of it is captured, objects get the ids that they are given, and
/// delete rules are not asked.
package struct Arrivals {
  /// The transaction.
  package let transaction: Transaction
  let spaces: SyncSpaces

  /// The server's version of an object.
  package struct Version: Hashable, Sendable {
    /// The life.
    package var life: UInt32
    /// The values in the order of the properties; nil for an object that the server does not have.
    ///
    /// In a version that is written, nil stands for the value that the object has here.
    package var values: [Value?]?

    /// Creates a version.
    package init(life: UInt32, values: [Value?]?) { (self.life, self.values) = (life, values) }
  }

  /// All that a store has of an object.
  package struct StoredObject: Hashable, Sendable {
    /// The values that the object itself has, in the order of the properties; nil if it is not in the store.
    package var values: [Value?]?
    /// The server's version, where that is kept.
    package var version: Version?
    /// Whether the object is out of the store, as another one has a unique value of it.
    ///
    /// An app can have inserted it again meanwhile.
    package var isParked = false
    /// The life and the identity; nil for life 1 and an id of the own branch.
    package var identity: LocalIdentity?

    /// Creates what a store has of an object that never was.
    package init() {}
  }

  /// The spaces that have transactions.
  package enum Queue: Sendable {
    case outbox, rejections
  }

  func storage() throws(StoreError) -> StorageAccess { try transaction.writing() }

  func space(_ queue: Queue) -> Space {
    switch queue {
    case .outbox: spaces.outbox
    case .rejections: spaces.rejections
    }
  }

  /// The error for an entry that is not what was written.
  func damaged(_ rule: Rule, _ message: String) -> StoreError {
    .damaged([Finding(rule: rule, message: message, path: transaction.store.location.description)])
  }

  private func name(_ entity: UID) -> String {
    transaction.store.entity(entity)?.name ?? "\(entity)"
  }

  // MARK: - Transactions

  /// The transactions of a space after a place, in order.
  ///
  /// - Throws: ``StoreError/damaged(_:)`` with BOX712 and the place of one that is damaged, and
  ///   ``StoreError/storage(_:)``.
  /// - Complexity: O(*n*) in their bytes.
  package func transactions(
    _ queue: Queue, after place: UInt64 = 0
  ) throws(StoreError) -> [CapturedTransaction] {
    let reader = OutboxReader(space: space(queue), storage: try storage())
    var transactions: [CapturedTransaction] = []
    try reader.visit(after: place) { (place, transaction) throws(StoreError) in
      guard let transaction else {
        throw damaged(
          StoreRule.damagedOutbox,
          queue == .outbox
            ? "transaction \(place) of the outbox is damaged"
            : "the rejected transaction \(place) is damaged")
      }
      transactions.append(transaction)
      return .next
    }
    return transactions
  }

  /// The place of the last transaction of the outbox; 0 without one.
  ///
  /// - Throws: ``StoreError/storage(_:)``.
  /// - Complexity: O(log *n*).
  package func lastPlace() throws(StoreError) -> UInt64 {
    OutboxKey.transaction(try storage().lastKey(spaces.outbox) ?? 0)
  }

  /// The values of the record of an operation; nil for another kind, and for an entity that the model lacks.
  ///
  /// - Throws: ``StoreError/damagedRecord(entity:id:_:)``.
  /// - Complexity: O(*n*) in the size of the record.
  package func values(of operation: CapturedOperation) throws(StoreError) -> [Value?]? {
    guard !operation.record.isEmpty, let entity = transaction.store.entity(operation.element) else {
      return nil
    }
    return try values(entity, operation.id, operation.record)
  }

  private func values(
    _ entity: EntitySchema, _ id: UInt64, _ record: [UInt8]
  ) throws(StoreError) -> [Value?] {
    try unsafe record.withBytes { (record) throws(StoreError) in
      try unsafe values(entity, id, record)
    }
  }

  private func values(
    _ entity: EntitySchema, _ id: UInt64, _ record: UnsafeRawBufferPointer
  ) throws(StoreError) -> [Value?] {
    let view = try unsafe transaction.view(entity, id, record)
    return entity.properties.indices.map { position in
      let access = entity.accesses[position]
      guard view.isStored(access.slot) else { return .null }
      let value = view.value(access.slot, access.type)
      if entity.properties[position].target != nil, case .unsigned(0) = value { return .null }
      return value
    }
  }

  // MARK: - Objects

  /// All that the store has of an object.
  ///
  /// - Throws: ``StoreError/damagedRecord(entity:id:_:)``, ``StoreError/damaged(_:)`` for an entry of data sync, and
  ///   ``StoreError/storage(_:)``.
  /// - Complexity: O(log *n*), and O(*n*) in the size of the object.
  package func object(_ entity: EntitySchema, _ id: UInt64) throws(StoreError) -> StoredObject {
    let storage = try storage()
    var object = StoredObject()
    if let record = try unsafe storage.value(entity.space, id) {
      object.values = try unsafe values(entity, id, record)
    }
    object.identity = try identity(entity.uid, id)
    guard let shadow = try shadow(entity, id)?.shadow else { return object }
    object.isParked = shadow.isParked
    switch shadow {
    case .absent: object.version = Version(life: 0, values: nil)
    case .dead(let life, _): object.version = Version(life: life, values: nil)
    case .object(let life, let record, _):
      object.version = Version(life: life, values: try values(entity, id, record))
    }
    return object
  }

  /// The server's version of an object, and the ids that the same entry is about.
  func shadow(
    _ entity: EntitySchema, _ id: UInt64
  ) throws(StoreError) -> (shadow: Shadow, ids: ClosedRange<UInt64>)? {
    var found: (Shadow, ClosedRange<UInt64>)?
    try storage().values(spaces.shadows, from: SyncKey.object(entity.uid, id)) {
      (key, stored) throws(StoreError) in
      guard let words = SyncKey.words(key, 2), words[0] == entity.uid else { return .stop }
      guard let content = StoredCheckpoint.content(of: stored, under: key),
        let shadow = Shadow(decoding: content)
      else {
        throw damaged(
          StoreRule.needlessShadow, "the server's version of \(entity.name) \(words[1]) is damaged")
      }
      let ids = shadow.ids(through: words[1])
      if ids.contains(id) { found = (shadow, ids) }
      return .stop
    }
    return found
  }

  /// The life and the identity of an object; nil for life 1 and an id of the own branch.
  ///
  /// - Throws: ``StoreError/damaged(_:)`` for an entry of data sync, and ``StoreError/storage(_:)``.
  /// - Complexity: O(log *n*).
  package func identity(_ entity: UID, _ id: UInt64) throws(StoreError) -> LocalIdentity? {
    let key = SyncKey.object(entity, id)
    guard let stored = try storage().bytes(spaces.localIDs, key) else { return nil }
    guard let content = StoredCheckpoint.content(of: stored, under: key),
      let identity = LocalIdentity(decoding: content)
    else {
      throw damaged(
        StoreRule.mapsDisagree,
        "the identity of \(name(entity)) \(id) is damaged")
    }
    return identity
  }

  /// The ids of which the store knows anything, in no order.
  ///
  /// - Throws: ``StoreError/damaged(_:)`` for an entry of data sync, and ``StoreError/storage(_:)``.
  /// - Complexity: O(*n*) in their number.
  package func knownIDs(_ entity: EntitySchema) throws(StoreError) -> Set<UInt64> {
    let storage = try storage()
    var ids: Set<UInt64> = []
    try storage.keys(entity.space) { id in
      ids.insert(id)
      return .next
    }
    for space in [spaces.shadows, spaces.localIDs] {
      try storage.values(space, from: SyncKey.object(entity.uid, 0)) {
        (key, stored) throws(StoreError) in
        guard let words = SyncKey.words(key, 2), words[0] == entity.uid else { return .stop }
        if space == spaces.shadows,
          let shadow = StoredCheckpoint.content(of: stored, under: key).flatMap(
            Shadow.init(decoding:))
        {
          ids.formUnion(shadow.ids(through: words[1]))
        } else {
          ids.insert(words[1])
        }
        return .next
      }
    }
    return ids
  }

  /// The objects that are out of the store, as others have unique values of theirs.
  ///
  /// - Throws: ``StoreError/storage(_:)``.
  /// - Complexity: O(*n*) in the versions of the server that are kept.
  package func parkedObjects() throws(StoreError) -> [(entity: UID, id: UInt64)] {
    var parked: [(entity: UID, id: UInt64)] = []
    try storage().values(spaces.shadows) { key, stored in
      if let words = SyncKey.words(key, 2),
        let content = StoredCheckpoint.content(of: stored, under: key),
        Shadow(decoding: content)?.isParked ?? false
      {
        parked.append((words[0], words[1]))
      }
      return .next
    }
    return parked
  }

  /// The object that has a unique value; nil if none has it, or if the property cannot have it.
  ///
  /// - Throws: ``StoreError/damagedRecord(entity:id:_:)`` where strings have to be compared, and
  ///   ``StoreError/storage(_:)``.
  /// - Complexity: O(log *n*).
  package func holder(
    _ entity: EntitySchema, _ property: PropertySchema, _ value: Value
  ) throws(StoreError) -> UInt64? {
    do throws(StoreError) {
      return try transaction.firstID(entity, where: property, equals: value)
    } catch .wrongValue {
      return nil
    }
  }

  // MARK: - Identities

  /// The id here that an identity was given; nil if it was given none.
  ///
  /// - Throws: ``StoreError/damaged(_:)`` for an entry of data sync, and ``StoreError/storage(_:)``.
  /// - Complexity: O(log *n*).
  package func localID(
    _ entity: UID, number: UInt64, id: UInt64
  ) throws(StoreError) -> UInt64? {
    let key = SyncKey.bytes(entity, number, id)
    guard let stored = try storage().bytes(spaces.globalIDs, key) else { return nil }
    if let content = StoredCheckpoint.content(of: stored, under: key) {
      var reader = SyncReader(content[...])
      if let local = reader.varint(), reader.rest.isEmpty { return local }
    }
    throw damaged(StoreRule.mapsDisagree, "an identity of \(name(entity)) is damaged")
  }

  /// Marks an id as used.
  ///
  /// - Returns: Whether no later id was given before.
  /// - Throws: ``StoreError/idTooLarge(entity:id:)`` and ``StoreError/storage(_:)``.
  /// - Complexity: O(log *n*).
  package func useID(_ entity: EntitySchema, _ id: UInt64) throws(StoreError) -> Bool {
    let last = try transaction.pending.lastID(entity, try storage())
    try transaction.reserveIDs(entity, through: id)
    return id > last
  }

  // MARK: - Pairs

  /// Whether a pair is in the store.
  ///
  /// - Throws: ``StoreError/storage(_:)``.
  /// - Complexity: O(log *n*).
  package func isLinked(
    _ relation: RelationSchema, _ source: UInt64, _ target: UInt64
  ) throws(StoreError) -> Bool {
    try storage().contains(relation.forward, source, target)
  }

  /// The pairs of which the server has another version, or that waiting transactions name, and whether it has them.
  ///
  /// - Throws: ``StoreError/damaged(_:)`` for an entry of data sync, and ``StoreError/storage(_:)``.
  /// - Complexity: O(*n*) in their number.
  package func pairVersions() throws(StoreError) -> [StoredPair: Bool] {
    var pairs: [StoredPair: Bool] = [:]
    try storage().values(spaces.pairs) { (key, stored) throws(StoreError) in
      guard let words = SyncKey.words(key, 3),
        let content = StoredCheckpoint.content(of: stored, under: key), content.count == 1
      else { throw damaged(StoreRule.pairShadow, "the server's version of a pair is damaged") }
      let pair = StoredPair(relation: words[0], source: words[1], target: words[2])
      pairs[pair] = content[0] == 1
      return .next
    }
    return pairs
  }

  // MARK: - State

  /// The place in the log of the server up to which the store has applied it; 0 before the first base.
  ///
  /// - Throws: ``StoreError/damaged(_:)`` for an entry of data sync, and ``StoreError/storage(_:)``.
  /// - Complexity: O(1).
  package func base() throws(StoreError) -> (position: UInt64, chain: UInt64) {
    guard let content = try state(StoredBase.key) else { return (0, 0) }
    guard let base = StoredBase(decoding: content) else { throw damagedState }
    return (base.position, base.chain)
  }

  /// The clock of the last put, and the server's time less the time of this machine.
  ///
  /// - Throws: ``StoreError/storage(_:)``.
  /// - Complexity: O(1).
  package func clock() throws(StoreError) -> (value: UInt64, offset: Int64) {
    let clock = try StoredClock.read(spaces.state, try storage())
    return (clock.value, clock.offset)
  }

  /// The error for a value of the state that cannot be read.
  package var damagedState: StoreError {
    damaged(StoreRule.positionWithoutChain, "the state of data sync is damaged")
  }

  /// A value of the state of data sync; nil if it was never set.
  ///
  /// - Throws: ``StoreError/damaged(_:)`` for an entry of data sync, and ``StoreError/storage(_:)``.
  /// - Complexity: O(1).
  package func state(_ name: String) throws(StoreError) -> [UInt8]? {
    try state(Array(name.utf8))
  }

  private func state(_ key: [UInt8]) throws(StoreError) -> [UInt8]? {
    guard let stored = try storage().bytes(spaces.state, key) else { return nil }
    guard let content = StoredCheckpoint.content(of: stored, under: key) else { throw damagedState }
    return content
  }
}

extension ObjectStore {
  /// Runs a function in a write transaction for what the server says.
  ///
  /// - Throws: ``StoreError/readTransaction`` inside a transaction of this thread,
  ///   ``StoreError/modelChangedElsewhere`` if data sync was switched off, and as ``write(_:)``.
  package func writeArrivals<R>(_ body: (Arrivals) throws -> R) throws -> R {
    if ThreadTransactions.current(of: self) != nil { throw StoreError.readTransaction }
    return try write { transaction in
      guard let spaces = captureSchema?.spaces else { throw StoreError.modelChangedElsewhere }
      transaction.pending.capture = nil
      return try body(Arrivals(transaction: transaction, spaces: spaces))
    }
  }
}
