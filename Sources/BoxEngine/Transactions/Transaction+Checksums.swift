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
    try unsafe visitRecords(of: entity, ids) { id, record in
      try unsafe body(id, record.map { unsafe Self.checksum($0) })
    }
  }

  /// Visits the objects of some ids whose records have another checksum than in an older state, in the order of the ids.
  ///
  /// Objects that are missing in the older state are left out.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - ids: The ids, in ascending order and each once.
  ///   - old: The older state of the same store.
  ///   - body: Called with each id, the checksum before, the one now (0 for an object that no longer exists), and
  ///     whether a value that is not null is another one now; a damaged record has lost its values. It must not write to
  ///     the store.
  /// - Throws: ``StoreError/transactionEnded``, ``StoreError/storage(_:)`` and the error of `body`.
  /// - Complexity: As ``visitChecksums(of:_:_:)``, and O(*n*) in the bytes of the records that differ.
  package func visitReplaced(
    of entity: EntitySchema, _ ids: [UInt64], since old: Transaction,
    _ body: (UInt64, _ before: UInt32, _ after: UInt32, _ losesValue: Bool) throws -> Void
  ) throws {
    try require(entity)
    let storage = try reading()
    let slots = entity.properties.map(\.slot)
    let links = entity.relationPositions.map { slots[$0] }
    // A command nearly always changes the same property of all objects. No slot is negative.
    var last = -1
    try unsafe old.visitRecords(of: entity, ids) { id, record in
      guard let record = unsafe record else { return }
      let before = unsafe Self.checksum(record)
      guard let newer = try unsafe storage.value(entity.space, id) else {
        return try body(id, before, 0, true)
      }
      let after = unsafe Self.checksum(newer)
      if before == after { return }
      var losesValue = true
      do throws(StoreError) {
        // This transaction has made it.
        let view = try unsafe structure(entity, id, newer)
        losesValue = try unsafe old.view(entity, id, record).hasValueDiffering(
          from: view, slots, links, last: &last)
      } catch {
        guard case .damagedRecord = error else { throw error }
      }
      try body(id, before, after, losesValue)
    }
  }

  /// Visits the records of objects in the order of the ids; nil for an object that does not exist.
  private func visitRecords(
    of entity: EntitySchema, _ ids: [UInt64],
    _ body: (UInt64, UnsafeRawBufferPointer?) throws -> Void
  ) throws {
    try require(entity)
    let storage = try reading()
    guard let first = ids.first else { return }
    // A walk is several times as fast as a search for each.
    if try storage.statistics(entity.space).entries / 8 > ids.count {
      for id in ids { try unsafe body(id, try unsafe storage.value(entity.space, id)) }
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
        try unsafe body(id, record)
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
