internal import BoxModel
internal import BoxStorage

/// The changes of captured entities in a write transaction, until they are in the outbox.
///
/// Changes collect in memory, since a write moves the records that the caller looks at. They are written between two
/// changes, before and after a savepoint, and at the end.
struct Capture {
  typealias Key = DisplacedObjects.Key

  /// The operations of one transaction of the outbox; a larger one is cut into parts, each of which is one.
  static let maximumOperations: UInt32 = 50_000
  /// The bytes of the operations of one transaction of the outbox.
  static let maximumBytes: UInt64 = 32 << 20
  /// The bytes in memory after which they are written.
  static let bufferSize = 1 << 20

  let schema: CaptureSchema
  /// Whether the transaction has written to the spaces of data sync.
  private(set) var hasWritten = false

  private var operations = OperationWriter()
  private var shadows = ShadowBuffer()
  private var storedShadows = ShadowEntries()
  /// The lives of objects that are not written yet.
  private var lives: [Key: UInt32] = [:]
  private var identities = ObjectEntries()
  /// Whether the server has pairs that the transaction named first.
  private var pairs: [StoredPair: Bool] = [:]
  /// The transaction of the outbox; nil before its first write.
  private var transaction: UInt64?
  private var head = OutboxHead()
  /// The last ids of the entities, above which no operation has named one, by their positions.
  private var lastIDs: [Int: UInt64] = [:]
  /// The records of objects whose unique values others are taking over.
  private(set) var displaced: [Key: [UInt8]] = [:]
  /// The object that is just being written without such a value.
  private var displacing: Key?
  var clock = StoredClock()
  private(set) var seed: SyncSeed?
  private var isPrepared = false

  private let source: CaptureSource

  init(_ schema: CaptureSchema, _ source: CaptureSource) {
    (self.schema, self.source) = (schema, source)
  }

  /// Whether changes of an entity are captured.
  func isCapturing(_ position: Int) -> Bool { schema.entities[position] != nil }

  func isCapturing(_ relation: UID) -> Bool { schema.relations.contains(relation) }

  /// Reads what the transaction has to know before its first change.
  mutating func prepare(_ storage: StorageAccess) throws(StoreError) {
    if isPrepared { return }
    do throws(StoreError) {
      seed = try SyncSeed.read(schema.spaces.state, storage)
    } catch .damagedCheckpoint {
      // The next call of the seeding gets the error; the objects stay usable.
      seed = nil
    }
    clock = try StoredClock.read(schema.spaces.state, storage)
    isPrepared = true
  }

  // MARK: - Objects

  /// Notes a new object, before it is written.
  mutating func noteInsert(
    _ key: Key, _ record: UnsafeRawBufferPointer, _ storage: StorageAccess
  ) throws(StoreError) {
    guard let entity = schema.entities[key.entity] else { return }
    try prepare(storage)
    guard let life = try isAboveAll(key) ? nil : storedLife(key, storage) else {
      unsafe insert(key, entity.uid, life: 1, isFresh: true, record)
      return shadows.addNew(key)
    }
    // The next odd one; a store can say that the last one was the largest number.
    let next = life &+ 1 | 1
    unsafe insert(key, entity.uid, life: next, isFresh: false, record)
    shadows.add(key, life: life, nil)
    lives[key] = next
  }

  private mutating func insert(
    _ key: Key, _ entity: UID, life: UInt32, isFresh: Bool, _ record: UnsafeRawBufferPointer
  ) {
    operations.begin(.insert, entity, key.id, isFresh: isFresh)
    operations.add(UInt64(life))
    unsafe operations.add(record: record)
  }

  /// Notes the new record of an object, before it is written.
  ///
  /// The differences are the slots that differ, a bit each.
  ///
  /// - Throws: The errors of the storage.
  mutating func noteUpdate(
    _ key: Key, from old: UnsafeRawBufferPointer, to record: UnsafeRawBufferPointer,
    differences: [UInt64], _ storage: StorageAccess
  ) throws(StoreError) {
    guard let entity = schema.entities[key.entity] else { return }
    let life = try unsafe noteNamed(key, old, storage)
    operations.begin(.update, entity.uid, key.id)
    operations.add(UInt64(life))
    operations.add(slots: differences)
    unsafe operations.add(record: record)
  }

  /// Notes the removal of an object, before it is removed.
  mutating func noteRemoval(
    _ key: Key, _ old: UnsafeRawBufferPointer, _ storage: StorageAccess
  ) throws(StoreError) {
    guard let entity = schema.entities[key.entity] else { return }
    let life = try unsafe noteNamed(key, old, storage)
    let kind: CapturedKind = displaced.removeValue(forKey: key) == nil ? .remove : .replaced
    operations.begin(kind, entity.uid, key.id)
    operations.add(UInt64(life))
    lives[key] = life &+ 1
  }

  /// Saves the version of an object that an operation is about to name.
  ///
  /// - Returns: Its life.
  private mutating func noteNamed(
    _ key: Key, _ old: UnsafeRawBufferPointer, _ storage: StorageAccess
  ) throws(StoreError) -> UInt32 {
    try prepare(storage)
    try unsafe seedObject(key, old, storage)
    let life = try storedLife(key, storage) ?? 1
    if let original = displaced[key] {
      unsafe original.withBytes { unsafe shadows.add(key, life: life, $0) }
    } else {
      unsafe shadows.add(key, life: life, old)
    }
    return life
  }

  /// The life of an object that some operation has given another one than 1, or that came from the server.
  private mutating func storedLife(
    _ key: Key, _ storage: StorageAccess
  ) throws(StoreError) -> UInt32? {
    if let life = lives[key] { return life }
    guard let entity = schema.entities[key.entity],
      let content = try identities.content(entity.uid, key.id, schema.spaces.localIDs, storage)
    else { return nil }
    return LocalIdentity(decoding: content)?.life ?? 1
  }

  private func isAboveAll(_ key: Key) -> Bool {
    lastIDs[key.entity].map { key.id > $0 } ?? false && lives[key] == nil
  }

  func knowsLastID(_ position: Int) -> Bool { lastIDs[position] != nil }

  /// Notes the last id of an entity before its first new object, so that later ones need no look.
  mutating func noteLastID(_ position: Int, _ last: UInt64) { lastIDs[position] = last }

  // MARK: - Unique values

  /// Remembers an object that gives a unique value up, before it does.
  ///
  /// It is kept if it is written without the value now, and not removed.
  ///
  /// - Throws: The errors of the storage.
  mutating func beginDisplacing(
    _ key: Key, _ record: UnsafeRawBufferPointer, isKept: Bool, _ storage: StorageAccess
  ) throws(StoreError) {
    _ = try unsafe noteNamed(key, record, storage)
    if displaced[key] == nil { displaced[key] = unsafe [UInt8](record) }
    displacing = isKept ? key : nil
  }

  mutating func endDisplacing() { displacing = nil }

  /// Whether a record only lacks values that another object is about to have; its own change follows.
  func isDisplacing(_ key: Key) -> Bool { displacing == key }

  /// The record of an object before it gave unique values up; nil if it did not.
  mutating func takeDisplaced(_ key: Key) -> [UInt8]? {
    displaced.isEmpty ? nil : displaced.removeValue(forKey: key)
  }

  // MARK: - Pairs

  /// Notes that a pair is added or taken out.
  mutating func notePair(_ pair: StoredPair, isAdded: Bool, _ storage: StorageAccess)
    throws(StoreError)
  {
    try prepare(storage)
    if pairs[pair] == nil { pairs[pair] = !isAdded }
    operations.begin(isAdded ? .link : .unlink, pair.relation, pair.source)
    operations.add(pair.target)
  }

  /// Notes a pair that goes with an object.
  mutating func noteLostPair(_ pair: StoredPair) {
    if pairs[pair] == nil { pairs[pair] = true }
  }

  /// The clock of the next put.
  mutating func nextClock(after object: UInt64) -> UInt64 { clock.next(after: object, source) }

  // MARK: - Seeding

  /// Captures an object that was there before capture was switched on, unless that was done.
  ///
  /// - Returns: Whether it is captured now.
  @discardableResult
  mutating func seedObject(
    _ key: Key, _ record: UnsafeRawBufferPointer, _ storage: StorageAccess
  ) throws(StoreError) -> Bool {
    guard let seed, let entity = schema.entities[key.entity]?.uid,
      seed.isPending(entity, key.id), !shadows.contains(key),
      try !storedShadows.contains(entity, key.id, schema.spaces.shadows, storage)
    else { return false }
    unsafe insert(key, entity, life: 1, isFresh: true, record)
    shadows.addNew(key)
    return true
  }

  /// Captures a pair that was there before capture was switched on, unless that was done; its objects are captured.
  mutating func seedPair(_ pair: StoredPair, _ storage: StorageAccess) throws(StoreError) {
    guard let seed, seed.isPending(pair.relation, pair.source), pairs[pair] == nil,
      try !storage.hasValue(schema.spaces.pairs, SyncKey.pair(pair))
    else { return }
    try notePair(pair, isAdded: true, storage)
  }

  /// Moves the place of the seeding.
  mutating func moveSeed(to seed: SyncSeed, _ storage: StorageAccess) throws(StoreError) {
    try seed.write(schema.spaces.state, storage)
    self.seed = seed.isFinished ? nil : seed
    hasWritten = true
  }

  // MARK: - Writing

  /// Whether the changes in memory have reached a limit, and have to be written.
  var isLarge: Bool {
    operations.bytes.count + shadows.size > Self.bufferSize
      || head.operations + UInt32(operations.count) >= Self.maximumOperations
  }

  /// Writes what is in memory.
  mutating func flush(to storage: StorageAccess) throws(StoreError) {
    try flushOperations(to: storage)
    try shadows.write(schema, &storedShadows, to: storage)
    try flushPairs(to: storage)
    try flushLives(to: storage)
    if head.operations >= Self.maximumOperations || head.bytes >= Self.maximumBytes {
      try endTransaction(to: storage)
    }
  }

  private mutating func flushOperations(to storage: StorageAccess) throws(StoreError) {
    if operations.count == 0 { return }
    let outbox = schema.spaces.outbox
    var number = transaction ?? 0
    if transaction == nil {
      number = OutboxKey.transaction(try storage.lastKey(outbox) ?? 0) + 1
      transaction = number
    }
    head.chunks += 1
    head.operations += UInt32(operations.count)
    head.bytes += UInt64(operations.bytes.count)
    let key = OutboxKey.key(number, part: UInt64(head.chunks))
    try OutboxValue.put(operations.bytes, key, outbox, storage)
    operations.clear()
    hasWritten = true
  }

  private mutating func flushPairs(to storage: StorageAccess) throws(StoreError) {
    for (pair, isInBase) in pairs.sorted(by: { $0.key < $1.key }) {
      let key = SyncKey.pair(pair)
      if try storage.hasValue(schema.spaces.pairs, key) { continue }
      try StoredCheckpoint.put([isInBase ? 1 : 0], under: key, schema.spaces.pairs, storage)
    }
    pairs.removeAll(keepingCapacity: true)
  }

  private mutating func flushLives(to storage: StorageAccess) throws(StoreError) {
    if lives.isEmpty { return }
    let space = schema.spaces.localIDs
    for (key, life) in lives.sorted(by: { ($0.key.entity, $0.key.id) < ($1.key.entity, $1.key.id) })
    {
      guard let entity = schema.entities[key.entity]?.uid else { continue }
      let name = SyncKey.object(entity, key.id)
      let stored = try storage.bytes(space, name)
      var identity =
        stored.flatMap { StoredCheckpoint.content(of: $0, under: name) }
        .flatMap { LocalIdentity(decoding: $0) } ?? LocalIdentity()
      identity.life = life
      try StoredCheckpoint.put(identity.encoded, under: name, space, storage)
      // The object is found there from now on.
      if let last = lastIDs[key.entity] { lastIDs[key.entity] = max(last, key.id) }
    }
    lives.removeAll(keepingCapacity: true)
    identities.forget()
  }

  /// Ends the transaction of the outbox, so that what follows is another one.
  mutating func endTransaction(to storage: StorageAccess) throws(StoreError) {
    if operations.count > 0 { try flush(to: storage) }
    guard let transaction else { return }
    head.mark = max(1, source.mark())
    head.time = source.milliseconds()
    try OutboxValue.put(
      head.encoded, OutboxKey.key(transaction), schema.spaces.outbox, storage)
    (self.transaction, head) = (nil, OutboxHead())
  }

  /// Writes everything that a commit needs.
  mutating func finish(to storage: StorageAccess) throws(StoreError) {
    try flush(to: storage)
    try endTransaction(to: storage)
    if try clock.write(schema.spaces.state, storage) { hasWritten = true }
  }
}
