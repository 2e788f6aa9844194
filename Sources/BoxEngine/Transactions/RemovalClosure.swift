internal import BoxModel
internal import BoxStorage

/// The objects that the removal of some objects concerns by the delete rules: all is read before anything is written.
///
/// Removed are the named objects and all that `cascade` reaches from them. If `deny` connects one of them
/// with an object that stays, nothing is removed. In objects that stay, `nullify` makes the relations to
/// one null that lead to a removed object. So neither the order of the ids nor that of the rules matters.
struct RemovalClosure {
  private let transaction: Transaction
  private let storage: StorageAccess
  private let entities: [EntitySchema]
  /// The objects that were named, by the position of their entity.
  private var named: [IDSet?]
  /// The objects that a cascade has led to, by the position of their entity.
  private var reached: [Set<UInt64>]
  /// Those among them whose relations were not followed yet.
  private var waiting: [[UInt64]]
  /// The positions of the entities that have such objects, each once.
  private var positions: [Int] = []
  /// All objects to remove, once they are known.
  private var removed: [IDSet?] = []
  /// The objects that stay and have a relation that becomes null, by the position of their entity.
  private var nullified: [IDSet?]
  /// Whether a cascade has followed a link, by its number.
  private var followed: [Bool]
  /// The relations that become null, and in how many objects.
  private var nullCounts: [RemovalEffects.Nullified] = []
  private var visited = 0

  /// The objects of one entity.
  typealias Objects = (entity: EntitySchema, ids: [UInt64])

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
    named = Array(repeating: nil, count: entities.count)
    nullified = named
    reached = Array(repeating: [], count: entities.count)
    waiting = Array(repeating: [], count: entities.count)
    followed = Array(
      repeating: false, count: 2 * transaction.store.schema.declarations.relations.count)
    try name(objects)
    try follow()
    // Each id takes 8 bytes or less from here on.
    removed = entities.indices.map { position in
      let ids = reached[position]
      return ids.isEmpty ? named[position] : IDSet((named[position]?.ids ?? []) + ids)
    }
    reached = []
    try requireAllowed()
    try findNullified()
  }

  private mutating func name(_ objects: [Objects]) throws(StoreError) {
    var existing: [[UInt64]] = entities.map { _ in [] }
    for (entity, ids) in objects {
      for id in ids where try storage.hasValue(entity.space, id) {
        existing[entity.position].append(id)
      }
    }
    named = existing.map { $0.isEmpty ? nil : IDSet($0) }
  }

  // MARK: - Cascades

  private mutating func follow() throws(StoreError) {
    for position in entities.indices where entities[position].rules != nil {
      for id in named[position]?.ids ?? [] { try follow(position, id, isNamed: true) }
    }
    while let position = positions.popLast() {
      while let id = waiting[position].popLast() { try follow(position, id, isNamed: false) }
    }
  }

  /// Follows the relations of an object to those that are removed too.
  private mutating func follow(
    _ position: Int, _ id: UInt64, isNamed: Bool
  ) throws(StoreError) {
    try look()
    let entity = entities[position]
    // Whoever named no object should not lose one that nobody can read.
    var targets: [(link: RuledLink, id: UInt64)] = []
    if !isNamed || entity.rules?.readsRecord ?? false {
      guard let record = try unsafe storage.value(entity.space, id) else {
        reached[position].remove(id)
        return
      }
      do throws(StoreError) {
        let view = try unsafe transaction.view(entity, id, record)
        for link in entity.rules?.cascades ?? [] {
          if case .target(let slot) = link.way, let target = view.integerBits(slot), target != 0 {
            targets.append((link, target))
          }
        }
      } catch {
        guard isNamed, case .damagedRecord = error else { throw error }
      }
    }
    for (link, target) in targets { reach(target, by: link) }
    for link in entity.rules?.cascades ?? [] {
      for other in try others(link, of: id) { reach(other, by: link) }
    }
  }

  private mutating func reach(_ id: UInt64, by link: RuledLink) {
    let other = link.other
    if named[other].contains(id) { return }
    followed[link.number] = true
    guard reached[other].insert(id).inserted else { return }
    if waiting[other].isEmpty { positions.append(other) }
    waiting[other].append(id)
  }

  /// The objects at the other side of a relation, in ascending order; none if the record itself refers to them.
  private func others(_ link: RuledLink, of id: UInt64) throws(StoreError) -> [UInt64] {
    switch link.way {
    case .target: return []
    case .sources(let property):
      let entity = entities[link.other]
      return try transaction.sources(entity, entity.properties[property], of: id)
    case .targets(let relation): return try transaction.targets(relation, of: id)
    case .owners(let relation): return try transaction.sources(relation, of: id)
    }
  }

  private mutating func look() throws(StoreError) {
    visited &+= 1
    if visited % Transaction.visitsBetweenLooks == 0 { try transaction.checkInterruption() }
  }

  // MARK: - The objects that stay

  private mutating func requireAllowed() throws(StoreError) {
    for (position, entity) in entities.enumerated() {
      guard let denials = entity.rules?.denials, !denials.isEmpty else { continue }
      for id in removed[position]?.ids ?? [] {
        try look()
        for link in denials { try requireAllowed(entity, id, link) }
      }
    }
  }

  private func requireAllowed(
    _ entity: EntitySchema, _ id: UInt64, _ link: RuledLink
  ) throws(StoreError) {
    let other = entities[link.other]
    var candidates = try others(link, of: id)
    if case .target(let slot) = link.way, let target = try readableTarget(entity, id, slot) {
      candidates = [target]
    }
    var staying: (count: Int, first: UInt64)?
    for candidate in candidates where !removed[link.other].contains(candidate) {
      if try !storage.hasValue(other.space, candidate) { continue }
      staying = ((staying?.count ?? 0) + 1, staying?.first ?? candidate)
    }
    guard let staying else { return }
    throw .removalRefused(
      entity: entity.name, id: id, relation: link.name, count: staying.count,
      first: "\(other.name) \(staying.first)")
  }

  /// The id in a relation to one; nil for null, and for a damaged object.
  private func readableTarget(
    _ entity: EntitySchema, _ id: UInt64, _ slot: Int
  ) throws(StoreError) -> UInt64? {
    guard let record = try unsafe storage.value(entity.space, id) else { return nil }
    do throws(StoreError) {
      let target = try unsafe transaction.view(entity, id, record).integerBits(slot)
      return target == 0 ? nil : target
    } catch {
      guard case .damagedRecord = error else { throw error }
      return nil
    }
  }

  private mutating func findNullified() throws(StoreError) {
    var found: [[UInt64]] = entities.map { _ in [] }
    for (position, entity) in entities.enumerated() {
      for link in entity.rules?.nullified ?? [] {
        let before = found[link.other].count
        for id in removed[position]?.ids ?? [] {
          try look()
          for source in try others(link, of: id) where !removed[link.other].contains(source) {
            if try isReadable(entities[link.other], source) { found[link.other].append(source) }
          }
        }
        let count = found[link.other].count - before
        if count > 0 {
          nullCounts.append(RemovalEffects.Nullified(relation: link.name, count: count))
        }
      }
    }
    nullified = found.map { $0.isEmpty ? nil : IDSet($0) }
  }

  /// Whether an object exists.
  ///
  /// - Throws: ``StoreError/damagedRecord(entity:id:_:)``.
  private func isReadable(_ entity: EntitySchema, _ id: UInt64) throws(StoreError) -> Bool {
    guard let record = try unsafe storage.value(entity.space, id) else { return false }
    _ = try unsafe transaction.view(entity, id, record)
    return true
  }

  // MARK: - The result

  /// The number of objects that were named and exist.
  var namedCount: Int { named.reduce(0) { $0 + ($1?.count ?? 0) } }

  /// The numbers of the objects that are removed and changed.
  var effects: RemovalEffects {
    let links = entities.flatMap { $0.rules?.cascades ?? [] }.filter { followed[$0.number] }
    let counts: [RemovalEffects.Removed] = entities.indices.compactMap { position in
      guard let all = removed[position]?.count else { return nil }
      let count = named[position]?.count ?? 0
      return RemovalEffects.Removed(
        entity: entities[position].name, named: count, reached: all - count,
        relations: all == count ? [] : links.filter { $0.other == position }.map(\.name))
    }
    return RemovalEffects(removed: counts, nullified: nullCounts)
  }

  /// Whether an object is removed.
  func contains(_ entity: EntitySchema, _ id: UInt64) -> Bool {
    removed[entity.position].contains(id)
  }

  /// Removes and changes the objects: first those that stay, then the others, each by entity and id.
  ///
  /// - Parameter whole: An entity all of whose objects are removed in another way.
  /// - Throws: ``StoreError/storage(_:)``; then the transaction cannot be committed.
  /// - Complexity: O(log *n*) for each object, and each of its entries in indexes and relations.
  func write(except whole: EntitySchema? = nil) throws(StoreError) {
    do throws(StoreError) {
      for (position, entity) in entities.enumerated() {
        if let objects = nullified[position] { try nullify(entity, objects.ids) }
      }
      for (position, entity) in entities.enumerated() where entity != whole {
        for id in removed[position]?.ids ?? [] { try transaction.removeAlone(entity, id) }
      }
    } catch {
      // A half of it must not be kept.
      transaction.doom("\(error)")
      throw error
    }
  }

  private func nullify(_ entity: EntitySchema, _ ids: [UInt64]) throws(StoreError) {
    var links: [(slot: Int, target: IDSet)] = []
    for (position, target) in entities.enumerated() {
      guard let objects = removed[position] else { continue }
      for link in target.rules?.nullified ?? [] where link.other == entity.position {
        guard case .sources(let property) = link.way else { continue }
        links.append((entity.properties[property].slot, objects))
      }
    }
    // The writer of the transaction may be in use: an object that is put removes others.
    let writer = unsafe transaction.spareWriters.take()
    defer { unsafe transaction.spareWriters.keep(writer) }
    for id in ids {
      guard let record = try unsafe storage.value(entity.space, id) else { continue }
      let old = try unsafe transaction.view(entity, id, record)
      unsafe writer.pointee.begin(entity.layout)
      for position in entity.writeOrder {
        let slot = entity.properties[position].slot
        let isNull = links.contains { link in
          link.slot == slot && link.target.contains(old.integerBits(slot) ?? 0)
        }
        if !isNull { unsafe writer.pointee.copy(slot, from: old) }
      }
      try unsafe transaction.writeBuilt(
        entity, Transaction.Place(id: id, old: record), &writer.pointee, storage)
    }
  }
}

/// The numbers of objects that a removal concerns by the delete rules.
package struct RemovalEffects: Hashable, Sendable {
  /// The objects of one entity that are removed.
  package struct Removed: Hashable, Sendable {
    /// The name of the entity.
    package var entity: String
    /// The number of objects that were named.
    package var named: Int
    /// The number of objects that a cascade has led to.
    package var reached: Int
    /// The relations by which it has, as `Entity.relation`.
    package var relations: [String]
  }

  /// A relation to one that becomes null.
  package struct Nullified: Hashable, Sendable {
    /// The relation, as `Entity.relation`.
    package var relation: String
    /// The number of its sources that stay.
    package var count: Int
  }

  /// The removed objects, in the order of the model.
  package var removed: [Removed]
  /// The relations that become null.
  package var nullified: [Nullified]
}

extension IDSet? {
  fileprivate func contains(_ id: UInt64) -> Bool { self?.contains(id) ?? false }
}
