internal import BoxStorage

extension Transaction {
  /// Visits the checksums of the records of objects, in the order of the ids.
  ///
  /// The checksum is the stored one, which does not match the content of a damaged object.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - ids: The ids, in ascending order and each once.
  ///   - body: Called with each id and its checksum; nil for an object that does not exist. It must not write to the
  ///     store.
  /// - Throws: ``StoreError/transactionEnded``, ``StoreError/storage(_:)`` and the error of `body`.
  /// - Complexity: O(log *n*) for each id, or O(*n*) in the objects between the first and the last one.
  package func visitChecksums(
    of entity: EntitySchema, _ ids: [UInt64], _ body: (UInt64, UInt32?) throws -> Void
  ) throws {
    try require(entity)
    let storage = try reading()
    guard let first = ids.first else { return }
    // A walk is several times as fast as a search for each.
    if try storage.statistics(entity.space).entries / 8 > ids.count {
      for id in ids {
        try body(id, try unsafe storage.value(entity.space, id).map { unsafe Self.checksum($0) })
      }
      return
    }
    var next = ids.startIndex
    try unsafe storage.visitRecords(entity.space, from: first, .forward) { id, record in
      while next < ids.endIndex, ids[next] < id {
        try body(ids[next], nil)
        next += 1
      }
      if next == ids.endIndex { return .stop }
      if ids[next] == id {
        try unsafe body(id, Self.checksum(record))
        next += 1
      }
      return .next
    }
    for id in ids[next...] { try body(id, nil) }
  }

  /// Visits the checksums of the records of all objects of an entity, in the order of the ids.
  ///
  /// - Throws: As ``visitChecksums(of:_:_:)``.
  /// - Complexity: O(*n*).
  package func visitChecksums(
    of entity: EntitySchema, _ body: (UInt64, UInt32) throws -> Void
  ) throws {
    try require(entity)
    let storage = try reading()
    try unsafe storage.visitRecords(entity.space, from: nil, .forward) { id, record in
      try unsafe body(id, Self.checksum(record))
      return .next
    }
  }

  /// The stored checksum of a record; 0 for one that is too short.
  static func checksum(_ record: UnsafeRawBufferPointer) -> UInt32 {
    unsafe record.count < 4 ? 0 : UInt32(littleEndian: record.loadUnaligned(as: UInt32.self))
  }
}
