internal import BoxEngine

extension DraftContent {
  /// Takes over what a transaction has changed, in which the content was applied before.
  ///
  /// - Parameters:
  ///   - transaction: The transaction, which is undone afterwards.
  ///   - mark: The mark of the changes.
  ///   - seen: The hashes of objects that the application has read in the draft; nil for missing ones.
  /// - Throws: The errors of reading.
  mutating func capture(
    _ transaction: EngineTransaction, since mark: Int, seen: [DraftKey: Int?]
  ) throws {
    var changed: [(entity: EntitySchema, ids: [UInt64])] = []
    for entity in transaction.store.entities {
      let changes = transaction.recordedChanges(of: entity, since: mark)
      if changes.isEmpty { continue }
      let removed = Set(changes.filter { $0.kind == .removed }.map(\.id))
      forgetLinks(of: entity, removed)
      let ids = Set(changes.map(\.id)).sorted()
      changed.append((entity, ids))
      let stored = try transaction.store.readCommitted { try $0.get(entity, ids) }
      for (id, stored) in zip(ids, stored) {
        let key = DraftKey(entity: entity, id: id)
        let now = try transaction.get(entity, id)
        set(record(key, now, stored, isRemoved: removed.contains(id), seen), for: key)
      }
    }
    // A target can be of an entity that comes later.
    for (entity, ids) in changed {
      for relation in entity.relations {
        for id in ids {
          try captureLinks(DraftLinkKey(relation: relation, source: id), transaction)
        }
      }
    }
  }

  /// An object as the draft has it now; nil if it is as it is stored.
  private func record(
    _ key: DraftKey, _ now: DynamicObject?, _ stored: DynamicObject?, isRemoved: Bool,
    _ seen: [DraftKey: Int?]
  ) -> DraftRecord? {
    let known = records[key]
    // Put as the draft has it, although the store may have it by now, too.
    if let now, known?.object == now, !isRemoved { return known }
    let wasRemoved = isRemoved || known.map { $0.isReplaced || $0.object == nil } ?? false
    let isReplaced = wasRemoved && now != nil && stored != nil
    if !isReplaced && now?.storedHash == stored?.storedHash { return nil }
    let base = known.map(\.base) ?? seen[key] ?? stored?.storedHash
    return DraftRecord(object: now, isReplaced: isReplaced, base: base)
  }

  /// Forgets the changed relations from and to objects that were removed, perhaps to be put again.
  private mutating func forgetLinks(of entity: EntitySchema, _ removed: Set<UInt64>) {
    if removed.isEmpty { return }
    for (key, links) in links {
      var left = links
      if key.relation.target == entity.uid {
        left.added.subtract(removed)
        left.removed.subtract(removed)
      }
      if key.relation.source == entity.uid, removed.contains(key.source) {
        left = DraftLinks(added: [], removed: [])
      }
      set(left, for: key)
    }
  }

  /// Compares a relation of an object with the stored one.
  private mutating func captureLinks(
    _ key: DraftLinkKey, _ transaction: EngineTransaction
  ) throws {
    guard let (source, target) = transaction.store.ends(of: key.relation) else { return }
    let now = Set(try transaction.targets(key.relation, of: key.source))
    let stored = Set(
      try transaction.store.readCommitted { try $0.targets(key.relation, of: key.source) })
    func record(_ id: UInt64) -> DraftRecord? { records[DraftKey(entity: target, id: id)] }
    if let own = records[DraftKey(entity: source, id: key.source)],
      own.object == nil || own.isReplaced
    {
      // Its stored links go with the stored object.
      return set(DraftLinks(added: now, removed: []), for: key)
    }
    set(
      DraftLinks(
        added: now.filter { !stored.contains($0) || record($0)?.isReplaced ?? false },
        removed: stored.subtracting(now).filter { id in
          record(id).map { $0.object != nil && !$0.isReplaced } ?? true
        }),
      for: key)
  }
}
