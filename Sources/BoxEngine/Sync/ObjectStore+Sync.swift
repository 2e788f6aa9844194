package import BoxModel
package import BoxStorage

extension ObjectStore {
  /// The number of existing objects that one transaction captures.
  package static let seededAtOnce = 10_000

  /// The entities whose changes are captured for data sync, in the order of the model; nil in a store where it is not
  /// switched on.
  package var synchronizedEntities: [EntitySchema]? {
    captureSchema.map { capture in entities.filter { capture.entities[$0.position] != nil } }
  }

  /// Takes the right to be the one client or server of the store; it ends with the last reference to it.
  ///
  /// - Throws: ``StoreError/storage(_:)`` of kind `inUse` if another one has it, in this process too.
  package func takeSyncLock() throws(StoreError) -> SyncLock {
    try StoreError.wrapping(try SyncLock(location))
  }

  /// Requires that no entity is captured, as all objects are about to be written again.
  ///
  /// - Throws: ``StoreError/synchronized(entity:)``.
  package func requireNotSynchronized() throws(StoreError) {
    if let entity = synchronizedEntities?.first { throw .synchronized(entity: entity.name) }
  }

  /// Captures the changes of entities from now on, and their existing objects as if they were new.
  ///
  /// This opening stays usable. Every other one, in this process or in another, has to open the store again before it
  /// writes, and then captures too. If the program ends before all existing objects are captured, the next call
  /// continues there; nothing that was written meanwhile is missed.
  ///
  /// - Parameters:
  ///   - entities: The entities, beside those that are captured already.
  ///   - count: The number of existing objects that one transaction captures.
  ///   - progress: Called after each transaction, with the number of objects and pairs that it captured.
  /// - Throws: ``StoreError/readTransaction`` inside a transaction of this thread, ``StoreError/writingElsewhere``,
  ///   ``StoreError/foreignSchema(_:)``, ``StoreError/modelChangedElsewhere``, ``StoreError/damagedCheckpoint`` if the
  ///   place of the seeding is damaged, ``StoreError/closed`` or ``StoreError/storage(_:)``.
  /// - Complexity: O(*n* log *n*) in the objects and pairs of the entities.
  package func switchOnSync(
    _ entities: [EntitySchema], atOnce count: Int = seededAtOnce,
    progress: (Int) -> Void = { _ in }
  ) throws(StoreError) {
    for entity in entities where entity.identity !== schema.identity {
      throw StoreError.foreignSchema(entity.name)
    }
    try changeSync { (sync, storage) throws(StoreError) in try sync.add(entities, storage) }
    while true {
      let captured = try StoreError.only { try write { try $0.seedSync(atMost: count) } }
      guard let captured else { return }
      progress(captured)
    }
  }

  /// Ends the capture, and removes everything that the store has for data sync; changes that were not sent are lost to
  /// others.
  ///
  /// A store that is not switched on stays as it is.
  ///
  /// - Throws: As ``switchOnSync(_:progress:)``.
  /// - Complexity: O(*n*) in the pages of what is removed.
  package func switchOffSync() throws(StoreError) {
    try changeSync { (sync, storage) throws(StoreError) in try sync.removeAll(storage) }
  }

  /// Changes which entities are captured, in one transaction.
  private func changeSync(
    _ change: (inout SyncSwitch, StorageAccess) throws(StoreError) -> Void
  ) throws(StoreError) {
    if ThreadTransactions.current(of: self) != nil { throw StoreError.readTransaction }
    if ThreadTransactions.isWriting(to: storageID) { throw StoreError.writingElsewhere }
    // The transaction that applied the model is still open.
    if hasUnappliedModel { try StoreError.only { try write { _ in } } }
    let storage = try storage
    try storage.spacesLock.withLock { () throws(StoreError) in
      try writing.withLock { () throws(StoreError) in
        do throws(StoreError) {
          try changeSync(in: try storage.beginWrite(), change)
        } catch {
          // A space that is removed loses its handle even if the removal is undone.
          try? reopenSync(storage)
          throw error
        }
      }
    }
  }

  private func changeSync(
    in access: StorageAccess,
    _ change: (inout SyncSwitch, StorageAccess) throws(StoreError) -> Void
  ) throws(StoreError) {
    defer { access.abort() }
    try requireSameCatalog(access)
    var sync = try SyncSwitch(schema, access)
    try change(&sync, access)
    guard let state = try sync.write(access) else { return }
    try access.commit()
    adopt(state)
  }

  /// Opens the spaces of data sync again, if there are any.
  private func reopenSync(_ storage: StorageHandle) throws(StoreError) {
    let catalog = catalog
    if catalog.sync == nil { return }
    let access = try storage.beginWrite()
    defer { access.abort() }
    let spaces = try SyncSpaces { (space) throws(StoreError) in
      guard let opened = try access.openSpace(space.rawValue, space.kind, create: false) else {
        throw StoreError.damagedCatalog("the space \(space.rawValue) is missing")
      }
      return opened
    }
    // Only a transaction that ends well leaves its handles to later ones.
    try access.commit()
    adopt(SyncState(schema, generation: catalog.generation, catalog.sync, spaces))
  }
}

/// A change of the entities that are captured, in a transaction of the storage.
private struct SyncSwitch {
  private let schema: StoreSchema
  private var catalog: Catalog
  private let before: Catalog
  private let model: [UInt8]
  private var spaces: SyncSpaces?

  init(_ schema: StoreSchema, _ storage: StorageAccess) throws(StoreError) {
    self.schema = schema
    guard let catalog = try StoredCatalog.read(schema.catalogSpace, storage),
      let model = try StoredCatalog.model(schema.catalogSpace, storage)
    else { throw StoreError.damagedCatalog("it is missing") }
    (self.catalog, before, self.model) = (catalog, catalog, model)
  }

  /// Adds entities, and notes that their objects are yet to be captured.
  mutating func add(_ entities: [EntitySchema], _ storage: StorageAccess) throws(StoreError) {
    let known = Set(catalog.sync ?? [])
    let new = entities.filter { !known.contains($0.uid) }
    if catalog.sync != nil && new.isEmpty { return }
    let all = known.union(new.map(\.uid))
    catalog.sync = all.sorted()
    let spaces = try SyncSpaces { (space) throws(StoreError) in
      guard let opened = try storage.openSpace(space.rawValue, space.kind, create: true) else {
        throw StoreError.damagedCatalog("the space \(space.rawValue) cannot be created")
      }
      return opened
    }
    self.spaces = spaces
    try seed(new, from: known, to: all, spaces, storage)
  }

  private func seed(
    _ new: [EntitySchema], from known: Set<UID>, to all: Set<UID>, _ spaces: SyncSpaces,
    _ storage: StorageAccess
  ) throws(StoreError) {
    var steps: [SyncSeed.Step] = []
    for entity in new {
      let last = try StoredCatalog.lastID(
        entity.uid, records: entity.space, schema.idsSpace, storage)
      steps.append(.init(element: entity.uid, isRelation: false, limit: last))
    }
    for relation in schema.entities.flatMap(\.relations)
    where all.contains(relation.source) && all.contains(relation.target)
      && !(known.contains(relation.source) && known.contains(relation.target))
    {
      steps.append(.init(element: relation.uid, isRelation: true, limit: .max))
    }
    var seed = SyncSeed(steps: steps)
    if let unfinished = try SyncSeed.read(spaces.state, storage) {
      seed.steps = unfinished.steps[unfinished.index...] + steps
      seed.next = unfinished.next
    }
    try seed.write(spaces.state, storage)
  }

  /// Removes all spaces of data sync.
  mutating func removeAll(_ storage: StorageAccess) throws(StoreError) {
    if catalog.sync == nil { return }
    for space in SyncSpace.allCases {
      if let opened = try storage.openSpace(space.rawValue, space.kind, create: false) {
        try storage.dropSpace(opened)
      }
    }
    (catalog.sync, spaces) = (nil, nil)
  }

  /// Writes the catalog; nil if nothing has changed.
  mutating func write(_ storage: StorageAccess) throws(StoreError) -> SyncState? {
    if catalog == before { return nil }
    catalog.generation += 1
    try StoredCatalog.write(
      catalog, model: model, schema.catalogSpace, ids: schema.idsSpace, storage)
    return SyncState(schema, generation: catalog.generation, catalog.sync, spaces)
  }
}

extension Transaction {
  /// Captures objects and pairs that were there before capture was switched on.
  ///
  /// - Parameter limit: The number of objects and pairs that are looked at.
  /// - Returns: The number that this call captured; nil at the end.
  /// - Throws: ``StoreError/damagedCheckpoint``, and as ``put(_:id:mode:_:)``.
  /// - Complexity: O(log *n*) for each.
  package func seedSync(atMost limit: Int) throws(StoreError) -> Int? {
    guard let capture = pending.capture else { return nil }
    let storage = try writing()
    guard var seed = try SyncSeed.read(capture.schema.spaces.state, storage) else { return nil }
    try pending.capture?.prepare(storage)
    var count = 0
    if !seed.isFinished {
      let step = seed.steps[seed.index]
      count =
        step.isRelation
        ? try seedPairs(step, &seed, limit, storage) : try seedObjects(step, &seed, limit, storage)
    }
    try pending.capture?.moveSeed(to: seed, storage)
    return count
  }

  private func seedObjects(
    _ step: SyncSeed.Step, _ seed: inout SyncSeed, _ limit: Int, _ storage: StorageAccess
  ) throws(StoreError) -> Int {
    guard let entity = store.entity(step.element) else {
      seed.finishStep()
      return 0
    }
    var (count, visited) = (0, 0)
    var last = max(1, seed.next) - 1
    while visited < limit {
      guard let (id, record) = try unsafe storage.nextRecord(entity.space, after: last),
        id <= step.limit
      else {
        seed.finishStep()
        return count
      }
      (last, visited) = (id, visited + 1)
      let key = Capture.Key(entity: entity.position, id: id)
      if try unsafe pending.capture?.seedObject(key, record, storage) ?? false { count += 1 }
      try flushLargeCapture(storage)
    }
    seed.next = last &+ 1
    return count
  }

  private func seedPairs(
    _ step: SyncSeed.Step, _ seed: inout SyncSeed, _ limit: Int, _ storage: StorageAccess
  ) throws(StoreError) -> Int {
    guard
      let relation = store.entities.lazy.flatMap(\.relations).first(where: {
        $0.uid == step.element
      })
    else {
      seed.finishStep()
      return 0
    }
    var pairs: [StoredPair] = []
    var isAtEnd = true
    try storage.entries(relation.forward, from: seed.next, .forward) { source, target in
      // All targets of a source at once.
      if pairs.count >= limit, source != pairs.last?.source {
        isAtEnd = false
        return .stop
      }
      pairs.append(StoredPair(relation: relation.uid, source: source, target: target))
      return .next
    }
    for pair in pairs {
      try pending.capture?.seedPair(pair, storage)
      try flushLargeCapture(storage)
    }
    if isAtEnd { seed.finishStep() } else { seed.next = (pairs.last?.source ?? 0) &+ 1 }
    return pairs.count
  }
}
