package import BoxModel
internal import BoxStorage

extension Arrivals {
  /// A change of all that a store has of an object.
  package struct ObjectChange: Sendable {
    /// The fate of the object in the store.
    package enum Presence: Sendable {
      case kept, gone
      /// The values in the order of the properties; nil for one that it keeps.
      case put([Value?])
    }

    /// The entity.
    package var entity: EntitySchema
    /// The id.
    package var id: UInt64
    /// The object in the store.
    package var presence = Presence.kept
    /// The server's version: nil if it stays as it is, and nil in it if none is kept.
    package var version: Version??
    /// Whether the object is out of the store, if the version changes.
    package var isParked = false
    /// The identity: nil if it stays as it is, and nil in it for life 1 and an id of the own branch.
    package var identity: LocalIdentity??

    /// Creates a change of nothing.
    package init(_ entity: EntitySchema, _ id: UInt64) { (self.entity, self.id) = (entity, id) }
  }

  private func noteWritten() { transaction.pending.hasWrittenArrivals = true }

  // MARK: - Objects

  /// Changes objects: first goes what goes, then comes what comes, so that they may exchange unique values.
  ///
  /// - Parameter changes: The changes, of each object one.
  /// - Throws: ``StoreError/uniqueViolation(entity:property:value:existing:)``,
  ///   ``StoreError/wrongValue(entity:property:value:expected:)``, ``StoreError/damaged(_:)`` for an entry of data sync,
  ///   and as `Transaction.put`.
  /// - Complexity: O(log *n*) for each object, index entry and pair.
  package func write(_ changes: [ObjectChange]) throws(StoreError) {
    let changes = changes.sorted { ($0.entity.uid, $0.id) < ($1.entity.uid, $1.id) }
    var old: [[UInt8]?] = []
    old.reserveCapacity(changes.count)
    for change in changes { old.append(try keptRecord(change)) }
    for change in changes {
      if case .gone = change.presence { try transaction.removeAlone(change.entity, change.id) }
    }
    try freeUniqueValues(changes)
    for (change, old) in zip(changes, old) {
      if case .put(let values) = change.presence { try put(change, values, old) }
    }
    for (change, old) in zip(changes, old) { try writeShadow(change, old) }
    for change in changes {
      if let identity = change.identity { try write(identity, change.entity.uid, change.id) }
    }
  }

  /// The record from which a change keeps values that it does not have itself; nil without one.
  private func keptRecord(_ change: ObjectChange) throws(StoreError) -> [UInt8]? {
    var keeps = change.entity.hasHiddenSlots
    if case .put(let values) = change.presence, values.contains(where: { $0 == nil }) {
      keeps = true
    }
    if case .some(.some(let version)) = change.version,
      version.values?.contains(where: { $0 == nil }) ?? false
    {
      keeps = true
    }
    if !keeps { return nil }
    if let record = try storage().bytes(change.entity.space, change.id) { return record }
    if case .object(_, let record, _)? = try shadow(change.entity, change.id)?.shadow {
      return record
    }
    return nil
  }

  /// Takes unique values from objects that lose them to others, or exchange them.
  private func freeUniqueValues(_ changes: [ObjectChange]) throws(StoreError) {
    var taken: [UID: Set<Value>] = [:]
    for change in changes {
      guard case .put(let values) = change.presence else { continue }
      for (position, property) in change.entity.properties.enumerated()
      where property.index?.isUnique ?? false {
        if let value = values[position], value != .null {
          taken[property.uid, default: []].insert(value)
        }
      }
    }
    if taken.isEmpty { return }
    for change in changes {
      guard case .put(let values) = change.presence,
        change.entity.properties.contains(where: { taken[$0.uid] != nil }),
        let old = try object(change.entity, change.id).values
      else { continue }
      var freed = old
      for (position, property) in change.entity.properties.enumerated() {
        guard let value = old[position], let new = values[position], !new.isIdentical(to: value),
          taken[property.uid]?.contains(value) ?? false
        else { continue }
        freed[position] = .null
      }
      if freed == old { continue }
      let record = try storage().bytes(change.entity.space, change.id)
      try put(change, freed, record)
    }
  }

  private func put(
    _ change: ObjectChange, _ values: [Value?], _ old: [UInt8]?
  ) throws(StoreError) {
    let (entity, id) = (change.entity, change.id)
    try transaction.reserveIDs(entity, through: id)
    try StoreError.only {
      try unsafe transaction.withRecordWriter { writer in
        try unsafe build(entity, id, values, old, &writer.pointee)
        try unsafe transaction.putBuilt(entity, id: id, mode: .put, in: &writer.pointee)
      }
    }
  }

  private func build(
    _ entity: EntitySchema, _ id: UInt64, _ values: [Value?], _ old: [UInt8]?,
    _ writer: inout RecordWriter
  ) throws(StoreError) {
    writer.begin(entity.layout)
    for position in entity.writeOrder {
      if let value = values[position] { try writer.set(position, of: entity, to: value) }
    }
    guard let old else { return }
    try unsafe old.withBytes { (old) throws(StoreError) in
      let view = try unsafe transaction.view(entity, id, old)
      for position in entity.writeOrder where values[position] == nil {
        writer.copy(entity.accesses[position].slot, from: view)
      }
      for slot in entity.hiddenSlots { writer.copy(slot, from: view) }
    }
  }

  // MARK: - The server's versions

  private func writeShadow(_ change: ObjectChange, _ old: [UInt8]?) throws(StoreError) {
    guard let version = change.version else { return }
    let (entity, id, storage) = (change.entity, change.id, try storage())
    var new: Shadow?
    if let version {
      if let values = version.values {
        let record = try StoreError.only {
          try unsafe transaction.withRecordWriter { writer in
            try unsafe build(entity, id, values, old, &writer.pointee)
            return unsafe [UInt8](writer.pointee.finish(id))
          }
        }
        new = .object(life: version.life, record: record, isParked: change.isParked)
      } else if version.life > 0 || change.isParked {
        new = .dead(life: version.life, isParked: change.isParked)
      } else {
        new = .absent(count: 1)
      }
    }
    let known = try shadow(entity, id)
    if case .absent? = known?.shadow, case .absent? = new { return }
    noteWritten()
    if let known, known.ids.count > 1 || new == nil {
      _ = try storage.remove(spaces.shadows, SyncKey.object(entity.uid, known.ids.upperBound))
      for ids in [(known.ids.lowerBound, id), (id + 1, known.ids.upperBound + 1)]
      where ids.0 < ids.1 {
        try ShadowBuffer.put(
          .absent(count: ids.1 - ids.0), entity.uid, ids.1 - 1, spaces.shadows, storage)
      }
    }
    if let new { try ShadowBuffer.put(new, entity.uid, id, spaces.shadows, storage) }
  }

  // MARK: - Identities

  private func write(
    _ identity: LocalIdentity?, _ entity: UID, _ id: UInt64
  ) throws(StoreError) {
    let storage = try storage()
    noteWritten()
    if let old = try self.identity(entity, id), old.isForeign,
      old.number != identity?.number || old.id != identity?.id,
      try localID(entity, number: old.number, id: old.id) == id
    {
      _ = try storage.remove(spaces.globalIDs, SyncKey.bytes(entity, old.number, old.id))
    }
    guard let identity else {
      _ = try storage.remove(spaces.localIDs, SyncKey.object(entity, id))
      return
    }
    try StoredCheckpoint.put(
      identity.encoded, under: SyncKey.object(entity, id), spaces.localIDs, storage)
    if !identity.isForeign { return }
    var content: [UInt8] = []
    content.append(varint: id)
    try StoredCheckpoint.put(
      content, under: SyncKey.bytes(entity, identity.number, identity.id), spaces.globalIDs,
      storage)
  }

  // MARK: - Pairs

  /// Keeps whether the server has a pair; nil where nothing has to be kept.
  ///
  /// - Throws: ``StoreError/storage(_:)``.
  /// - Complexity: O(log *n*).
  package func setVersion(of pair: StoredPair, _ isInBase: Bool?) throws(StoreError) {
    let (key, storage) = (SyncKey.pair(pair), try storage())
    noteWritten()
    if let isInBase {
      try StoredCheckpoint.put([isInBase ? 1 : 0], under: key, spaces.pairs, storage)
    } else {
      _ = try storage.remove(spaces.pairs, key)
    }
  }

  // MARK: - Transactions

  /// Writes the head of a transaction, which loses its operations if the head has none.
  ///
  /// - Throws: ``StoreError/storage(_:)``.
  /// - Complexity: O(log *n*) for each part.
  package func setHead(_ head: OutboxHead, at place: UInt64) throws(StoreError) {
    let storage = try storage()
    noteWritten()
    if head.chunks == 0 { try removeTransaction(.outbox, at: place) }
    try OutboxValue.put(head.encoded, OutboxKey.key(place), spaces.outbox, storage)
  }

  /// Removes a transaction.
  ///
  /// - Throws: ``StoreError/storage(_:)``.
  /// - Complexity: O(log *n*) for each part.
  package func removeTransaction(_ queue: Queue, at place: UInt64) throws(StoreError) {
    let storage = try storage()
    noteWritten()
    for key in try parts(queue, place) { _ = try storage.remove(space(queue), key) }
  }

  /// Copies a transaction of the outbox to those that were rejected.
  ///
  /// - Parameters:
  ///   - place: Its place.
  ///   - head: The head that it has there.
  /// - Returns: Its place there.
  /// - Throws: ``StoreError/damaged(_:)`` with BOX712, and ``StoreError/storage(_:)``.
  /// - Complexity: O(*n*) in its bytes.
  package func reject(_ place: UInt64, as head: OutboxHead) throws(StoreError) -> UInt64 {
    let storage = try storage()
    noteWritten()
    let new = OutboxKey.transaction(try storage.lastKey(spaces.rejections) ?? 0) + 1
    try copy(place, to: new, of: .rejections)
    try OutboxValue.put(head.encoded, OutboxKey.key(new), spaces.rejections, storage)
    return new
  }

  /// Gives transactions of the outbox other places, each of which one of them has.
  ///
  /// - Throws: ``StoreError/damaged(_:)`` with BOX712, and ``StoreError/storage(_:)``.
  /// - Complexity: O(*n*) in their bytes.
  package func moveTransactions(_ moves: [(from: UInt64, to: UInt64)]) throws(StoreError) {
    let moves = moves.filter { $0.from != $0.to }
    if moves.isEmpty { return }
    // By places that are free meanwhile.
    let free = try lastPlace() + 1
    for (index, move) in moves.enumerated() {
      try copy(move.from, to: free + UInt64(index), of: .outbox)
      try removeTransaction(.outbox, at: move.from)
    }
    for (index, move) in moves.enumerated() {
      try copy(free + UInt64(index), to: move.to, of: .outbox)
      try removeTransaction(.outbox, at: free + UInt64(index))
    }
  }

  private func copy(_ place: UInt64, to new: UInt64, of queue: Queue) throws(StoreError) {
    let storage = try storage()
    noteWritten()
    for key in try parts(.outbox, place) {
      guard let stored = try unsafe storage.value(spaces.outbox, key),
        let content = unsafe OutboxValue.content(stored, key)
      else {
        throw damaged(
          StoreRule.damagedOutbox, "transaction \(place) of the outbox is damaged")
      }
      let part = key & OutboxKey.maximumPart
      try OutboxValue.put(content, OutboxKey.key(new, part: part), space(queue), storage)
    }
  }

  private func parts(_ queue: Queue, _ place: UInt64) throws(StoreError) -> [UInt64] {
    var keys: [UInt64] = []
    try storage().keys(space(queue), from: OutboxKey.key(place)) { key in
      if OutboxKey.transaction(key) != place { return .stop }
      keys.append(key)
      return .next
    }
    return keys
  }

  // MARK: - State

  /// Sets the place in the log of the server.
  ///
  /// - Throws: ``StoreError/storage(_:)``.
  /// - Complexity: O(1).
  package func setBase(position: UInt64, chain: UInt64) throws(StoreError) {
    noteWritten()
    try StoredCheckpoint.put(
      StoredBase(position: position, chain: chain).encoded, under: StoredBase.key, spaces.state,
      try storage())
  }

  /// Sets the clock of the last put, and the server's time less the time of this machine.
  ///
  /// - Throws: ``StoreError/storage(_:)``.
  /// - Complexity: O(1).
  package func setClock(_ value: UInt64, offset: Int64) throws(StoreError) {
    noteWritten()
    var clock = StoredClock()
    (clock.value, clock.offset) = (value, offset)
    try clock.put(spaces.state, try storage())
  }

  /// Sets a value of the state of data sync; nil removes it.
  ///
  /// - Throws: ``StoreError/storage(_:)``.
  /// - Complexity: O(1).
  package func setState(_ name: String, _ content: [UInt8]?) throws(StoreError) {
    let (key, storage) = (Array(name.utf8), try storage())
    noteWritten()
    if let content {
      try StoredCheckpoint.put(content, under: key, spaces.state, storage)
    } else {
      _ = try storage.remove(spaces.state, key)
    }
  }
}
