package import BoxEngine
internal import BoxModel
internal import BoxStorage

/// A store of the engine, whose other users write to it meanwhile: what they write is captured, and what the server says
/// is written past the capture.
///
/// It is used within ``SyncClientMachine/perform(_:)`` alone: all that a call of the machine does is one transaction.
package final class StoreClientBase: ClientBase {
  /// The store.
  package let store: ObjectStore
  /// The model; one that has less than the store leaves the rest of each object as it is.
  package var model: SyncModel {
    didSet {
      codecs = Self.codecs(store, model)
      if saved.isLoaded { noteProperties() }
    }
  }
  package var status = ClientStatus()
  package private(set) var parked: Set<LocalKey> = []

  private var lock: SyncLock?
  private var codecs: [UID: StoreCodec]
  /// The properties with a unique value, with their entities.
  private let uniques: [UID: (entity: EntitySchema, property: PropertySchema)]
  let relations: [UID: RelationSchema]

  // MARK: - A transaction under way

  /// The transaction.
  private var transaction: Arrivals?
  /// The first error in it, after which nothing of it is kept.
  var failure: StoreError?

  /// An object, as it was and as it is going to be.
  private struct Changed {
    var stored: Arrivals.StoredObject
    var before: ObjectRecord
    var record: ObjectRecord
  }

  private var objects: [LocalKey: Changed] = [:]
  /// The identities that were given.
  private var identities: [LocalKey: GlobalID] = [:]
  private var locals: [GlobalKey: UInt64?] = [:]
  private var holders: [UniqueKey: LocalKey?] = [:]
  var pairs = StorePairs()
  var saved = SavedStatus()

  /// Takes the right to be the client of a store, and switches capture on for the entities that its model has flagged.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - model: The part of its model that is synchronized; nil for what is flagged.
  /// - Throws: `StoreError.storage` of kind `inUse` if the store has a client or server, and the errors of
  ///   `switchOnSync`.
  /// - Complexity: O(*n* log *n*) in the objects that are not captured yet.
  package init(_ store: ObjectStore, model: SyncModel? = nil) throws(StoreError) {
    lock = try store.takeSyncLock()
    let flagged = Set(
      store.model.entities.filter { $0.flags.contains(.syncEnabled) }.map(\.pair.uid))
    try store.switchOnSync(store.entities.filter { flagged.contains($0.uid) })
    let model = model ?? SyncModel(flaggedIn: store)
    (self.store, self.model) = (store, model)
    codecs = Self.codecs(store, model)
    let properties = store.entities.flatMap { entity in
      entity.properties.filter { $0.index?.isUnique ?? false }.map {
        ($0.uid, (entity: entity, property: $0))
      }
    }
    uniques = Dictionary(properties) { $1 }
    relations = Dictionary(store.entities.flatMap(\.relations).map { ($0.uid, $0) }) { $1 }
  }

  /// Gives the right to be the client of the store back; the store stays open.
  package func close() { lock = nil }

  private static func codecs(_ store: ObjectStore, _ model: SyncModel) -> [UID: StoreCodec] {
    var codecs: [UID: StoreCodec] = [:]
    for entity in model.entities.values {
      codecs[entity.uid] = store.entity(entity.uid).map { StoreCodec($0, entity) }
    }
    for relation in store.entities.flatMap(\.relations)
    where model.relations[relation.uid] != nil {
      codecs[relation.source]?.outgoing.append(relation)
      codecs[relation.target]?.incoming.append(relation)
    }
    return codecs
  }

  func codec(_ entity: UID) -> StoreCodec? { codecs[entity] }

  // MARK: - Transactions

  /// Begins to use a transaction.
  ///
  /// - Returns: The transactions that apps have committed meanwhile, without numbers.
  func begin(_ arrivals: Arrivals) throws(StoreError) -> [PendingTransaction] {
    try beginReading(arrivals)
    let captured = try takeCaptured(arrivals)
    if !captured.isEmpty { try pairs.read(arrivals, relations) }
    return captured
  }

  /// Begins to use a transaction, and leaves what apps have committed for later.
  func beginReading(_ arrivals: Arrivals) throws(StoreError) {
    (transaction, failure) = (arrivals, nil)
    if !saved.isLoaded {
      parked = Set(
        try arrivals.parkedObjects().map { LocalKey(entity: $0.entity, id: $0.id) })
      try load(arrivals)
    }
    try readClock(arrivals)
    if pairs.isStale { try pairs.read(arrivals, relations) }
  }

  /// Writes all that was changed.
  func finish() throws(StoreError) {
    guard let transaction else { return }
    if let failure { throw failure }
    try writeObjects(transaction)
    try pairs.write(transaction, relations)
    try save(transaction)
  }

  /// Ends the use of a transaction.
  func end(isCommitted: Bool) {
    (transaction, failure) = (nil, nil)
    (objects, identities, locals, holders) = ([:], [:], [:], [:])
    pairs.forget()
    if !isCommitted { (saved.isLoaded, pairs.isStale) = (false, true) }
  }

  /// Reads from the transaction; what it answers after an error does not matter.
  private func read<R>(
    _ fallback: R, _ body: (Arrivals) throws(StoreError) -> R
  ) -> R {
    guard let transaction else {
      preconditionFailure("a client's store is used outside of a transaction")
    }
    if failure != nil { return fallback }
    do throws(StoreError) {
      return try body(transaction)
    } catch {
      failure = error
      return fallback
    }
  }

  // MARK: - Objects

  private func changed(_ key: LocalKey) -> Changed? {
    if let changed = objects[key] { return changed }
    guard let codec = codecs[key.entity] else { return nil }
    let stored = read(Arrivals.StoredObject()) { (transaction) throws(StoreError) in
      try transaction.object(codec.schema, key.id)
    }
    let record = Self.record(stored, codec)
    let changed = Changed(stored: stored, before: record, record: record)
    objects[key] = changed
    return changed
  }

  private static func record(_ stored: Arrivals.StoredObject, _ codec: StoreCodec) -> ObjectRecord {
    var record = ObjectRecord()
    let life = stored.identity?.life
    if let values = stored.values {
      record.visible = codec.state((life ?? 1) | 1, values)
    } else if stored.isParked {
      record.visible = ObjectState(life: (life ?? 1) | 1)
    } else {
      record.visible = ObjectState(life: ((life ?? 0) + 1) & ~1)
    }
    record.isParked = stored.isParked && stored.values == nil
    if let version = stored.version {
      record.shadow =
        version.values.map { codec.state(version.life, $0) } ?? ObjectState(life: version.life)
    }
    return record
  }

  package func record(_ key: LocalKey) -> ObjectRecord { changed(key)?.record ?? ObjectRecord() }

  package func setRecord(_ key: LocalKey, _ record: ObjectRecord) {
    guard var changed = changed(key) else { return }
    changed.record = record
    objects[key] = changed
    if record.isParked { parked.insert(key) } else if !parked.isEmpty { parked.remove(key) }
  }

  package func objects(of entity: UID) -> [LocalKey] {
    guard let codec = codecs[entity] else { return [] }
    var ids = read([]) { (transaction) throws(StoreError) in
      try transaction.knownIDs(codec.schema)
    }
    for key in objects.keys where key.entity == entity { ids.insert(key.id) }
    return ids.sorted().map { LocalKey(entity: entity, id: $0) }
  }

  package func holder(_ key: UniqueKey) -> LocalKey? {
    if let known = holders[key] { return known }
    guard let (entity, property) = uniques[key.property] else { return nil }
    return read(nil) { (transaction) throws(StoreError) in
      try transaction.holder(entity, property, key.value)
    }.map { LocalKey(entity: entity.uid, id: $0) }
  }

  package func setHolder(_ key: UniqueKey, _ holder: LocalKey?) { holders[key] = .some(holder) }

  private func writeObjects(_ transaction: Arrivals) throws(StoreError) {
    // An identity can change alone.
    for key in identities.keys { _ = changed(key) }
    if let failure { throw failure }
    var changes: [Arrivals.ObjectChange] = []
    for (key, changed) in objects {
      guard let codec = codecs[key.entity] else { continue }
      if let change = change(key, changed, codec) { changes.append(change) }
    }
    if !changes.isEmpty { try transaction.write(changes) }
  }

  private func change(
    _ key: LocalKey, _ changed: Changed, _ codec: StoreCodec
  ) -> Arrivals.ObjectChange? {
    let (record, stored) = (changed.record, changed.stored)
    var change = Arrivals.ObjectChange(codec.schema, key.id)
    var isNeeded = false
    if record.isInStore {
      if stored.values == nil || record.visible.fields != changed.before.visible.fields {
        change.presence = .put(codec.values(record.visible.fields))
        isNeeded = true
      }
    } else if stored.values != nil {
      (change.presence, isNeeded) = (.gone, true)
    }
    if record.shadow != changed.before.shadow || record.isParked != stored.isParked {
      change.version = .some(
        record.shadow.map { state in
          Arrivals.Version(
            life: state.life, values: state.isAlive ? codec.values(state.fields) : nil)
        })
      (change.isParked, isNeeded) = (record.isParked, true)
    }
    let identity = identity(key, record, stored)
    if identity != stored.identity { (change.identity, isNeeded) = (.some(identity), true) }
    return isNeeded ? change : nil
  }

  /// The entry about the life and the identity of an object; nil if it needs none.
  private func identity(
    _ key: LocalKey, _ record: ObjectRecord, _ stored: Arrivals.StoredObject
  ) -> LocalIdentity? {
    var identity = LocalIdentity(
      life: record.visible.life, number: stored.identity?.number ?? 0, id: stored.identity?.id ?? 0)
    if let given = identities[key] {
      let isOwn = given == ownID(key)
      (identity.number, identity.id) = isOwn ? (0, 0) : (given.number, given.id)
    }
    if record.isInStore && identity == LocalIdentity(life: 1) { return nil }
    // Of an object that never was, and to which nothing refers, nothing is to be said.
    if identity == LocalIdentity(life: 0), identities[key] == nil, stored.identity == nil,
      stored.values == nil, stored.version == nil
    {
      return nil
    }
    return identity
  }

  // MARK: - Identities

  /// Whether objects about which nothing is noted have a number.
  func isOwn(_ number: UInt64) -> Bool { number == saved.ownNumber }

  /// Notes the number of new transactions; objects about which nothing is noted have the first one.
  func noteNumber(_ number: UInt64) {
    if saved.ownNumber == nil { saved.ownNumber = number }
  }

  /// The identity of an object about which nothing is noted.
  private func ownID(_ key: LocalKey) -> GlobalID {
    GlobalID(
      number: codecs[key.entity]?.entity.sharesIDs ?? false ? 0 : saved.ownNumber ?? 0, id: key.id)
  }

  package func localID(_ key: GlobalKey) -> UInt64? {
    if let known = locals[key] { return known }
    let noted = read(nil) { (transaction) throws(StoreError) in
      try transaction.localID(key.entity, number: key.id.number, id: key.id.id)
    }
    if let noted { return noted }
    let own = LocalKey(entity: key.entity, id: key.id.id)
    guard ownID(own) == key.id, identities[own] == nil, let known = changed(own) else { return nil }
    if let identity = known.stored.identity { return identity.isForeign ? nil : own.id }
    return known.stored.values != nil || known.stored.version != nil ? own.id : nil
  }

  package func globalID(_ key: LocalKey) -> GlobalID? {
    if let given = identities[key] { return given }
    let identity =
      objects[key].map(\.stored.identity)
      ?? read(nil) { (transaction) throws(StoreError) in
        try transaction.identity(key.entity, key.id)
      }
    guard let identity, identity.isForeign else { return ownID(key) }
    return GlobalID(number: identity.number, id: identity.id)
  }

  package func bind(_ key: LocalKey, to id: GlobalID) {
    // A reserved id can equal the id of the identity, and that is noted too. The id of the old identity can belong
    // to another object by now.
    if let old = globalID(key), old != id {
      let known = GlobalKey(entity: key.entity, id: old)
      if localID(known) == key.id { locals[known] = .some(nil) }
    }
    identities[key] = id
    locals[GlobalKey(entity: key.entity, id: id)] = .some(key.id)
  }

  /// Does nothing: the engine undoes inserts.
  package func unbind(_ key: LocalKey) {}

  package func reserveID(_ entity: UID) -> UInt64 {
    guard let codec = codecs[entity] else { return 0 }
    return read(0) { (transaction) throws(StoreError) in
      try transaction.transaction.reserveID(codec.schema)
    }
  }

  package func useID(_ key: LocalKey) -> Bool {
    guard let codec = codecs[key.entity] else { return false }
    return read(false) { (transaction) throws(StoreError) in
      try transaction.useID(codec.schema, key.id)
    }
  }

  // MARK: - Pairs

  package func pairRecord(_ pair: LocalPair) -> PairRecord {
    guard let relation = relations[pair.relation] else { return PairRecord() }
    return read(PairRecord()) { (transaction) throws(StoreError) in
      try pairs.record(pair, relation, transaction)
    }
  }

  package func setPairRecord(
    _ pair: LocalPair, _ record: PairRecord, _ relation: SyncRelation
  ) {
    guard let schema = relations[pair.relation] else { return }
    let ends = [
      LocalKey(entity: relation.source, id: pair.source),
      LocalKey(entity: relation.target, id: pair.target),
    ]
    for end in ends { _ = pairs(of: end) }
    read(()) { (transaction) throws(StoreError) in
      try pairs.set(pair, record, schema, ends, transaction)
    }
  }

  package func pairs(of key: LocalKey) -> Set<LocalPair> {
    guard let codec = codecs[key.entity] else { return [] }
    return read([]) { (transaction) throws(StoreError) in
      try pairs.of(key, codec, transaction)
    }
  }
}
