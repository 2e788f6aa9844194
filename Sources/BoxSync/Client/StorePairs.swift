internal import BoxEngine

/// The pairs of a client's store.
struct StorePairs {
  private struct Changed {
    var before: PairRecord
    var record: PairRecord
    /// Whether there is an entry about the server's version.
    var hasVersion: Bool
  }

  /// Whether others may have written versions since they were read.
  var isStale = true
  /// Whether the server has the pairs about which there are entries.
  private var versions: [StoredPair: Bool] = [:]
  /// The same pairs by their ends.
  private var versionsOf: [LocalKey: Set<LocalPair>] = [:]
  private var changes: [LocalPair: Changed] = [:]
  /// The pairs of objects, as they are now.
  private var pairsOf: [LocalKey: Set<LocalPair>] = [:]

  /// Reads the versions of the server.
  mutating func read(
    _ transaction: Arrivals, _ relations: [UID: RelationSchema]
  ) throws(StoreError) {
    versions = try transaction.pairVersions()
    versionsOf = [:]
    for pair in versions.keys {
      guard let relation = relations[pair.relation] else { continue }
      for end in Self.ends(of: pair.local, relation) {
        versionsOf[end, default: []].insert(pair.local)
      }
    }
    isStale = false
  }

  private static func ends(of pair: LocalPair, _ relation: RelationSchema) -> [LocalKey] {
    [
      LocalKey(entity: relation.source, id: pair.source),
      LocalKey(entity: relation.target, id: pair.target),
    ]
  }

  private mutating func changed(
    _ pair: LocalPair, _ relation: RelationSchema, _ transaction: Arrivals
  ) throws(StoreError) -> Changed {
    if let changed = changes[pair] { return changed }
    var record = PairRecord()
    let version = versions[StoredPair(pair)]
    record.isVisible = try transaction.isLinked(relation, pair.source, pair.target)
    record.isInBase = version ?? record.isVisible
    record.isNamed = version != nil
    let changed = Changed(before: record, record: record, hasVersion: version != nil)
    changes[pair] = changed
    return changed
  }

  mutating func record(
    _ pair: LocalPair, _ relation: RelationSchema, _ transaction: Arrivals
  ) throws(StoreError) -> PairRecord {
    try changed(pair, relation, transaction).record
  }

  /// Sets the record of a pair, whose ends were asked for before.
  mutating func set(
    _ pair: LocalPair, _ record: PairRecord, _ relation: RelationSchema, _ ends: [LocalKey],
    _ transaction: Arrivals
  ) throws(StoreError) {
    var changed = try changed(pair, relation, transaction)
    changed.record = record
    changes[pair] = changed
    for end in ends {
      if record == PairRecord() {
        pairsOf[end]?.remove(pair)
      } else {
        pairsOf[end, default: []].insert(pair)
      }
    }
  }

  /// The pairs of an object.
  mutating func of(
    _ key: LocalKey, _ codec: StoreCodec, _ transaction: Arrivals
  ) throws(StoreError) -> Set<LocalPair> {
    if let known = pairsOf[key] { return known }
    var pairs = versionsOf[key] ?? []
    for relation in codec.outgoing {
      for target in try transaction.transaction.targets(relation, of: key.id) {
        pairs.insert(LocalPair(relation: relation.uid, source: key.id, target: target))
      }
    }
    for relation in codec.incoming {
      for source in try transaction.transaction.sources(relation, of: key.id) {
        pairs.insert(LocalPair(relation: relation.uid, source: source, target: key.id))
      }
    }
    pairsOf[key] = pairs
    return pairs
  }

  /// Writes what was changed, after the objects.
  mutating func write(
    _ transaction: Arrivals, _ relations: [UID: RelationSchema]
  ) throws(StoreError) {
    for (pair, changed) in changes {
      guard let relation = relations[pair.relation] else { continue }
      let record = changed.record
      if record.isVisible != changed.before.isVisible {
        if record.isVisible {
          try transaction.transaction.link(relation, pair.source, pair.target)
        } else {
          // Perhaps it went with an object.
          try transaction.transaction.unlink(relation, pair.source, pair.target)
        }
      }
      let needsVersion = record.isNamed || record.isInBase != record.isVisible
      if needsVersion == changed.hasVersion,
        !needsVersion || record.isInBase == changed.before.isInBase
      {
        continue
      }
      let stored = StoredPair(pair)
      try transaction.setVersion(of: stored, needsVersion ? record.isInBase : nil)
      versions[stored] = needsVersion ? record.isInBase : nil
      for end in Self.ends(of: pair, relation) {
        if needsVersion {
          versionsOf[end, default: []].insert(pair)
        } else {
          versionsOf[end]?.remove(pair)
        }
      }
    }
  }

  /// Forgets what belongs to a transaction.
  mutating func forget() { (changes, pairsOf) = ([:], [:]) }
}

extension StoredPair {
  fileprivate init(_ pair: LocalPair) {
    self.init(relation: pair.relation, source: pair.source, target: pair.target)
  }

  fileprivate var local: LocalPair {
    LocalPair(relation: relation, source: source, target: target)
  }
}
