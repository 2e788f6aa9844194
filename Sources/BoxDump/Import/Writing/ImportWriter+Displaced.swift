internal import BoxEngine
internal import BoxModel
internal import BoxReport

/// Objects whose unique values elements of the input take over.
///
/// A later element may put such an object again, with another value, and then it keeps its other values and its entries in
/// relations. So it stays in the store without the value, and a log in the store says so; what was not put again is
/// removed at the end of the input, with all that the delete rules say.
extension ImportWriter {
  /// Lets the puts of a transaction displace objects.
  func beginDisplacing(_ transaction: Transaction) throws {
    if !store.displaces { return }
    if displaced == nil { displaced = try loggedDisplaced(transaction) }
    transaction.displaced = displaced
  }

  /// Forgets an earlier import except for the objects that it has left without a value.
  func forgetEarlierImport(_ transaction: Transaction) throws {
    let before = try loggedDisplaced(transaction).objects
    try transaction.clearImport(CompletedImports(transaction))
    var displaced = noneDisplaced
    for key in before.sorted(by: { ($0.entity, $0.id) < ($1.entity, $1.id) }) {
      displaced.add(key)
    }
    loggedCount = 0
    self.displaced = displaced
  }

  /// Logs the objects of a transaction that lost their values, or were put again.
  func logDisplaced(_ transaction: Transaction) throws {
    guard var displaced = transaction.displaced else { return }
    for (key, isAdded) in displaced.takeChanges() {
      let entity = store.entities[key.entity]
      let record = isAdded ? try transaction.snapshot(entity, key.id) : nil
      try transaction.setCheckpoint(
        CheckpointKey.displaced(loggedCount),
        CheckpointKey.bytes(entity.uid) + CheckpointKey.bytes(key.id) + (record?.prefix(4) ?? []))
      loggedCount += 1
    }
    transaction.displaced = displaced
    self.displaced = displaced
  }

  /// Whether an object exists and is not about to be removed, as far as is known.
  func exists(
    _ entity: EntitySchema, _ id: UInt64, _ transaction: Transaction
  ) throws(StoreError) -> Bool {
    let key = DisplacedObjects.Key(entity: entity.position, id: id)
    if transaction.displaced?.objects.contains(key) ?? false { return false }
    return try transaction.contains(entity, id)
  }

  private var noneDisplaced: DisplacedObjects {
    DisplacedObjects(requiresRemovable: options.skipsErrors, keepsPut: false)
  }

  /// The objects that an interrupted import has left without a value, and that nobody has changed since.
  private func loggedDisplaced(_ transaction: Transaction) throws -> DisplacedObjects {
    var displaced = noneDisplaced
    var checksums: [DisplacedObjects.Key: ArraySlice<UInt8>] = [:]
    loggedCount = 0
    while let entry = try transaction.checkpoint(CheckpointKey.displaced(loggedCount)),
      entry.count >= 16
    {
      loggedCount += 1
      // Another model may have hidden its entity meanwhile.
      guard let entity = store.entity(CheckpointKey.integer(entry[..<8])) else { continue }
      let key = DisplacedObjects.Key(
        entity: entity.position, id: CheckpointKey.integer(entry[8..<16]))
      checksums[key] = entry.count > 16 ? entry[16...] : nil
    }
    for (key, checksum) in checksums {
      // A record begins with a checksum of its id and its values.
      let record = try transaction.snapshot(store.entities[key.entity], key.id)
      if record?.prefix(4).elementsEqual(checksum) ?? false { displaced.add(key) }
    }
    _ = displaced.takeChanges()
    return displaced
  }

  /// Removes the objects that lost their values and were not put again.
  ///
  /// - Throws: `StoreError.removalRefused` or `StoreError.replacementRefused` if a rule forbids it.
  func removeDisplaced(_ transaction: Transaction) throws {
    guard let objects = transaction.displaced?.objects, !objects.isEmpty else { return }
    let removal = try transaction.removal(of: objects)
    for (entity, ids) in removal.removedObjects where written.records(entity) {
      for id in ids where !objects.contains(.init(entity: entity.position, id: id)) {
        if try written.contains(entity, id, transaction) {
          throw transaction.refusal(of: entity, id, objects)
        }
      }
    }
    checkpoint.summary.notes.append(removal.effects.displacedText)
    try removal.write()
    transaction.displaced?.forgetObjects()
  }
}

extension ImportSummary {
  /// Whether objects were removed, as others have their unique values now.
  package var hasRemovedObjects: Bool {
    notes.contains { $0.hasPrefix(RemovalEffects.displacedStart) }
  }
}

extension RemovalEffects {
  /// The beginning of the note about objects that were removed.
  fileprivate static let displacedStart =
    "objects were removed, as others have their unique values now: "

  /// The objects that were removed as others have their unique values, and what delete rules did with them.
  var displacedText: String {
    let named = removed.filter { $0.named > 0 }.map { "\($0.named) of \($0.entity)" }
    let reached = removed.filter { $0.reached > 0 }.map {
      "\($0.reached) of \($0.entity) by \($0.relations.joined(separator: " and "))"
    }
    var text = Self.displacedStart + named.joined(separator: ", ")
    if !reached.isEmpty {
      text += "; by delete rules with them: \(reached.joined(separator: ", "))"
    }
    if !nullified.isEmpty {
      let nulls = nullified.map { "\($0.relation) in \(counted($0.count, "object"))" }
      text += "; null now: \(nulls.joined(separator: ", "))"
    }
    return text
  }
}
