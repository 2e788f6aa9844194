internal import BoxModel
internal import BoxStorage

/// Removes from the entries of data sync what the model of a store lacks, and everything that was not sent.
struct SyncPurge {
  private let schema: StoreSchema
  private let spaces: SyncSpaces
  private let storage: StorageAccess
  private let gone: Set<UID>

  init(_ schema: StoreSchema, _ spaces: SyncSpaces, _ storage: StorageAccess) {
    (self.schema, self.spaces, self.storage) = (schema, spaces, storage)
    gone = Set(schema.hiddenEntities.map(\.uid) + schema.hiddenRelations.map(\.uid))
  }

  /// - Throws: ``StoreError/storage(_:)``.
  /// - Complexity: O(*n* log *n*) in the entries.
  func run() throws(StoreError) {
    if try storage.lastKey(spaces.outbox) != nil { try discardUnsent() }
    for space in [spaces.shadows, spaces.pairs, spaces.localIDs, spaces.globalIDs] {
      for key in try goneKeys(space) { _ = try storage.remove(space, key) }
    }
    try rewriteParked()
  }

  /// Removes all transactions and what the objects would be without them: the next connection gets everything again.
  private func discardUnsent() throws(StoreError) {
    for space in [spaces.outbox, spaces.shadows, spaces.pairs] { try storage.clear(space) }
    _ = try storage.remove(spaces.state, StoredBase.key)
  }

  private func goneKeys(_ space: Space) throws(StoreError) -> [[UInt8]] {
    var keys: [[UInt8]] = []
    try storage.values(space) { key, _ in
      let element = key.prefix(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
      if gone.contains(element) { keys.append(key) }
      return .next
    }
    return keys
  }

  /// Writes the records of objects that are parked without the values of hidden properties.
  private func rewriteParked() throws(StoreError) {
    let entities = schema.entities.filter { !$0.hiddenSlots.isEmpty }
    for entity in entities {
      for (id, life, record) in try parked(entity) {
        let rewritten = try unsafe record.withBytes { (record) throws(StoreError) in
          try unsafe withoutHidden(entity, id, record)
        }
        let shadow = Shadow.object(life: life, record: rewritten, isParked: true)
        try ShadowBuffer.put(shadow, entity.uid, id, spaces.shadows, storage)
      }
    }
  }

  private func parked(
    _ entity: EntitySchema
  ) throws(StoreError) -> [(id: UInt64, life: UInt32, record: [UInt8])] {
    var found: [(id: UInt64, life: UInt32, record: [UInt8])] = []
    try storage.values(spaces.shadows, from: SyncKey.object(entity.uid, 0)) { key, stored in
      guard let words = SyncKey.words(key, 2), words[0] == entity.uid else { return .stop }
      let shadow = StoredCheckpoint.content(of: stored, under: key)
        .flatMap { Shadow(decoding: $0) }
      if case .object(let life, let record, true) = shadow {
        found.append((words[1], life, record))
      }
      return .next
    }
    return found
  }

  private func withoutHidden(
    _ entity: EntitySchema, _ id: UInt64, _ record: UnsafeRawBufferPointer
  ) throws(StoreError) -> [UInt8] {
    let reader = RecordReader(entity.layout)
    defer { withExtendedLifetime(reader) {} }
    let view = try unsafe reader.view(of: entity, id, record)
    var writer = RecordWriter()
    writer.begin(entity.layout)
    for position in entity.writeOrder {
      writer.copy(entity.properties[position].slot, from: view)
    }
    return unsafe [UInt8](writer.finish(id))
  }
}
