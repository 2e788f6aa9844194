internal import BoxModel
internal import BoxStorage

/// The objects that the removal of some objects concerns by the delete rules: all is read before anything is written.
///
/// Removed are the named objects and all that `cascade` reaches from them. If `deny` connects one of them
/// with an object that stays, nothing is removed. In objects that stay, `nullify` makes the relations to
/// one null that lead to a removed object. So neither the order of the ids nor that of the rules matters.
package struct RemovalClosure {
  private let transaction: Transaction
  private let storage: StorageAccess
  private let entities: [EntitySchema]
  /// The entities with such objects; in the order of the model once all is read.
  private var parts: [Part] = []
  /// The places of the parts, by the positions of their entities.
  private var places: [Int: Int] = [:]
  /// The numbers of the links by which a cascade has reached an object.
  private var followed: Set<Int> = []
  /// The relations that become null, and in how many objects.
  private var nullCounts: [RemovalEffects.Nullified] = []
  private var visited = 0

  /// The objects of one entity.
  typealias Objects = (entity: EntitySchema, ids: [UInt64])

  /// The objects of one entity that the removal concerns.
  private struct Part {
    let entity: EntitySchema
    /// The objects that were named.
    var named: IDSet?
    /// The objects that a cascade has reached and whose relations were followed; each set has at least twice as many as
    /// the next one.
    var reached: [IDSet] = []
    /// The objects that a cascade has reached since, none of them named, some perhaps reached before.
    var waiting: [UInt64] = []
    /// All objects to remove, once they are known.
    var removed: IDSet?
    /// The objects that stay and have a relation that becomes null.
    var nullified: IDSet?

    /// Moves the objects that were reached for the first time from the waiting ones to the others.
    ///
    /// - Returns: Their ids, in ascending order.
    /// - Complexity: O(*n* log *n*) in the waiting ones, and O(log *n*) in the others for each, over all calls.
    mutating func takeWaiting() -> [UInt64] {
      var new = IDSet(waiting)
      waiting = []
      var ids = new.ids
      if !reached.isEmpty {
        ids.removeAll { id in reached.contains { $0.contains(id) } }
        if ids.isEmpty { return [] }
        if ids.count < new.count { new = IDSet(ids) }
      }
      // A chain of objects is reached one by one, and must not cost a copy of the set for each.
      while let last = reached.last, last.count < 2 * new.count {
        new = IDSet(reached.removeLast().ids + new.ids)
      }
      reached.append(new)
      return ids
    }
  }

  /// Reads which objects a removal concerns.
  ///
  /// - Parameters:
  ///   - objects: The objects to remove; those that do not exist are skipped. A damaged one among them is removed, and
  ///     its relations to one are not followed.
  ///   - transaction: The transaction.
  /// - Throws: ``StoreError/removalRefused(entity:id:relation:count:first:)``,
  ///   ``StoreError/damagedRecord(entity:id:_:)`` for an object that was not named,
  ///   ``StoreError/notIndexed(entity:property:)`` if an index is not built yet, ``StoreError/interrupted``,
  ///   ``StoreError/transactionEnded`` or ``StoreError/storage(_:)``.
  /// - Complexity: O(log *n*) for each of the objects and each of their entries in relations that have a rule.
  init(_ objects: [Objects], _ transaction: Transaction) throws(StoreError) {
    self.transaction = transaction
    storage = try transaction.reading()
    entities = transaction.store.schema.entities
    try name(objects)
    try follow()
    for place in parts.indices {
      let sets = [parts[place].named].compactMap { $0 } + parts[place].reached
      parts[place].removed = sets.count > 1 ? IDSet(sets.flatMap(\.ids)) : sets.first
      parts[place].reached = []
    }
    try requireAllowed()
    try findNullified()
    parts.sort { $0.entity.position < $1.entity.position }
    for (place, part) in parts.enumerated() { places[part.entity.position] = place }
  }

  private mutating func name(_ objects: [Objects]) throws(StoreError) {
    var existing: [Int: [UInt64]] = [:]
    for (entity, ids) in objects {
      for id in ids where try storage.hasValue(entity.space, id) {
        existing[entity.position, default: []].append(id)
      }
    }
    for (position, ids) in existing.sorted(by: { $0.key < $1.key }) {
      parts[place(of: position)].named = IDSet(ids)
    }
  }

  /// The place of the part of an entity, which is added if there is none.
  private mutating func place(of position: Int) -> Int {
    if let place = places[position] { return place }
    places[position] = parts.count
    parts.append(Part(entity: entities[position]))
    return parts.count - 1
  }

  private func removed(_ position: Int) -> IDSet? { places[position].flatMap { parts[$0].removed } }

  // MARK: - Cascades

  private mutating func follow() throws(StoreError) {
    for place in parts.indices where parts[place].entity.rules != nil {
      for id in parts[place].named?.ids ?? [] { try follow(place, id, isNamed: true) }
    }
    while let place = parts.firstIndex(where: { !$0.waiting.isEmpty }) {
      for id in parts[place].takeWaiting() { try follow(place, id, isNamed: false) }
    }
  }

  /// Follows the relations of an object to those that are removed too.
  private mutating func follow(_ place: Int, _ id: UInt64, isNamed: Bool) throws(StoreError) {
    try countVisit()
    let entity = parts[place].entity
    let links = entity.rules?.cascades ?? []
    var targets: [(link: RuledLink, id: UInt64)] = []
    // A damaged object is only removed if it was named.
    if !isNamed || entity.rules?.readsRecord ?? false {
      do throws(StoreError) {
        guard let view = try view(entity, id) else { return }
        for link in links {
          if case .target(let slot) = link.route, let target = view.target(slot) {
            targets.append((link, target))
          }
        }
      } catch {
        guard isNamed, case .damagedRecord = error else { throw error }
      }
    }
    for (link, target) in targets where try storage.hasValue(entities[link.other].space, target) {
      reach([target], by: link)
    }
    for link in links { reach(try others(link, of: id), by: link) }
  }

  private mutating func reach(_ ids: [UInt64], by link: RuledLink) {
    if ids.isEmpty { return }
    let place = place(of: link.other)
    let before = parts[place].waiting.count
    if let named = parts[place].named {
      parts[place].waiting += ids.lazy.filter { !named.contains($0) }
    } else {
      parts[place].waiting += ids
    }
    if parts[place].waiting.count > before { followed.insert(link.number) }
  }

  /// The objects at the other side of a relation, in ascending order; none if the record itself refers to them.
  private func others(_ link: RuledLink, of id: UInt64) throws(StoreError) -> [UInt64] {
    switch link.route {
    case .target: return []
    case .sources(let property):
      let entity = entities[link.other]
      return try transaction.sources(entity, entity.properties[property], of: id)
    case .targets(let relation): return try transaction.targets(relation, of: id)
    case .owners(let relation): return try transaction.sources(relation, of: id)
    }
  }

  /// The record of an object; nil if there is none.
  ///
  /// - Throws: ``StoreError/damagedRecord(entity:id:_:)``.
  private func view(_ entity: EntitySchema, _ id: UInt64) throws(StoreError) -> RecordView? {
    guard let record = try unsafe storage.value(entity.space, id) else { return nil }
    return try unsafe transaction.view(entity, id, record)
  }

  private mutating func countVisit() throws(StoreError) {
    visited &+= 1
    if visited % Transaction.visitsBetweenLooks == 0 { try transaction.checkInterruption() }
  }

  // MARK: - The objects that stay

  private mutating func requireAllowed() throws(StoreError) {
    for place in parts.indices {
      let entity = parts[place].entity
      guard let denials = entity.rules?.denials, !denials.isEmpty else { continue }
      for id in parts[place].removed?.ids ?? [] {
        try countVisit()
        try requireAllowed(entity, id, denials)
      }
    }
  }

  /// Requires that no object stays to which a relation with `deny` connects an object.
  private func requireAllowed(
    _ entity: EntitySchema, _ id: UInt64, _ denials: [RuledLink]
  ) throws(StoreError) {
    var refusal: (link: RuledLink, count: Int, first: UInt64)?
    // Both sides of a relation of an entity to itself have one name.
    for link in denials where refusal.map({ $0.link.name == link.name }) ?? true {
      let other = entities[link.other]
      var candidates = try others(link, of: id)
      if case .target(let slot) = link.route, let target = try readableTarget(entity, id, slot) {
        candidates = [target]
      }
      let removed = removed(link.other)
      for candidate in candidates where !removed.contains(candidate) {
        if try !storage.hasValue(other.space, candidate) { continue }
        let before = refusal ?? (link, 0, candidate)
        refusal = (before.link, before.count + 1, min(before.first, candidate))
      }
    }
    guard let refusal else { return }
    throw .removalRefused(
      entity: entity.name, id: id, relation: refusal.link.name, count: refusal.count,
      first: "\(entities[refusal.link.other].name) \(refusal.first)")
  }

  /// The id in a relation to one; nil for null, and for a damaged object.
  private func readableTarget(
    _ entity: EntitySchema, _ id: UInt64, _ slot: Int
  ) throws(StoreError) -> UInt64? {
    do throws(StoreError) {
      return try view(entity, id)?.target(slot)
    } catch {
      guard case .damagedRecord = error else { throw error }
      return nil
    }
  }

  private mutating func findNullified() throws(StoreError) {
    var found: [Int: [UInt64]] = [:]
    for part in parts {
      for link in part.entity.rules?.nullified ?? [] {
        let removed = removed(link.other)
        var sources: [UInt64] = []
        for id in part.removed?.ids ?? [] {
          try countVisit()
          for source in try others(link, of: id) where !removed.contains(source) {
            if try view(entities[link.other], source) != nil { sources.append(source) }
          }
        }
        if sources.isEmpty { continue }
        nullCounts.append(RemovalEffects.Nullified(relation: link.name, count: sources.count))
        found[link.other, default: []] += sources
      }
    }
    for (position, ids) in found { parts[place(of: position)].nullified = IDSet(ids) }
  }

  // MARK: - The result

  /// The number of objects that were named and exist.
  package var namedCount: Int { parts.reduce(0) { $0 + ($1.named?.count ?? 0) } }

  /// The numbers of the objects that are removed and changed.
  package var effects: RemovalEffects {
    let links = parts.flatMap { $0.entity.rules?.cascades ?? [] }
      .filter { followed.contains($0.number) }
    let counts: [RemovalEffects.Removed] = parts.compactMap { part in
      guard let all = part.removed?.count else { return nil }
      let count = part.named?.count ?? 0
      return RemovalEffects.Removed(
        entity: part.entity.name, named: count, reached: all - count,
        relations: all == count
          ? [] : links.filter { $0.other == part.entity.position }.names)
    }
    return RemovalEffects(removed: counts, nullified: nullCounts)
  }

  /// All objects that are removed, by entity in the order of the model.
  package var removedObjects: [(entity: EntitySchema, ids: [UInt64])] {
    parts.compactMap { part in part.removed.map { (part.entity, $0.ids) } }
  }

  /// Whether an object is removed.
  ///
  /// - Complexity: O(log *n*).
  package func contains(_ entity: EntitySchema, _ id: UInt64) -> Bool {
    removed(entity.position).contains(id)
  }

  /// Removes all entries of removed objects from the indexes by which a cascade goes from an object to those that
  /// refer to it: these are removed too, all of them, and pages of an index that are freed as a whole cost far less than
  /// their entries one by one.
  private func removeReferences() throws(StoreError) -> [RemovedReferences] {
    var found: [RemovedReferences] = []
    for part in parts {
      guard let ids = part.removed?.ids else { continue }
      for link in part.entity.rules?.cascades ?? [] {
        guard case .sources(let property) = link.route,
          let index = entities[link.other].properties[property].index
        else { continue }
        try transaction.pending.flush(index, to: storage)
        let keys = ids.compactMap { index.extractor.key(ofBits: $0) }
        for key in keys { _ = try storage.remove(index.space, key) }
        found.append(RemovedReferences(index: index.position, keys: IDSet(keys)))
      }
    }
    return found
  }

  /// Removes and changes the objects: first those that stay, then the others, each by entity and id.
  ///
  /// - Parameter whole: An entity all of whose objects are removed in another way.
  /// - Throws: ``StoreError/storage(_:)``; then the transaction cannot be committed.
  /// - Complexity: O(log *n*) for each object, and each of its entries in indexes and relations.
  package func write(except whole: EntitySchema? = nil) throws(StoreError) {
    do throws(StoreError) {
      for part in parts {
        if let objects = part.nullified { try nullify(part.entity, objects.ids) }
      }
      let references = try removeReferences()
      for part in parts where part.entity != whole {
        let ids = part.removed?.ids ?? []
        // All that a cascade has reached was read, so checksums are not computed again.
        if part.named == nil, let first = ids.first, let last = ids.last {
          transaction.verified.record(part.entity.position, first, last)
        }
        // From the end: the records after a removed one have to move in its page.
        for id in ids.reversed() {
          _ = try transaction.removeUnrecorded(part.entity, id, except: references)
        }
        for id in ids { transaction.pending.changes.record(.removed, part.entity.position, id) }
        transaction.verified = VerifiedRecords()
      }
    } catch {
      // A half of it must not be kept.
      transaction.markFailed("\(error)")
      throw error
    }
  }

  private func nullify(_ entity: EntitySchema, _ ids: [UInt64]) throws(StoreError) {
    var links: [(slot: Int, target: IDSet)] = []
    for part in parts {
      guard let objects = part.removed else { continue }
      for link in part.entity.rules?.nullified ?? [] where link.other == entity.position {
        guard case .sources(let property) = link.route else { continue }
        links.append((entity.properties[property].slot, objects))
      }
    }
    for id in ids {
      try transaction.setNull(entity, id) { slot, old in
        links.contains { $0.slot == slot && $0.target.contains(old.integerBits(slot) ?? 0) }
      }
    }
  }
}

/// The entries of an index of a relation to one that a removal has removed as a whole.
struct RemovedReferences {
  /// The position of the index.
  let index: Int
  /// The keys, one for each object that was referred to.
  let keys: IDSet
}

extension [RemovedReferences] {
  /// Whether the entry of a key is removed.
  @inline(__always)
  func contains(_ index: Int, _ key: UInt64) -> Bool {
    contains { $0.index == index && $0.keys.contains(key) }
  }
}

extension RecordView {
  /// The id in a relation to one; nil for null.
  fileprivate func target(_ slot: Int) -> UInt64? {
    integerBits(slot).flatMap { $0 == 0 ? nil : $0 }
  }
}

extension IDSet? {
  fileprivate func contains(_ id: UInt64) -> Bool { self?.contains(id) ?? false }
}
