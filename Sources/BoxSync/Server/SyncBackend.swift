/// The database of a space.
///
/// Any number of server processes share it.
package protocol SyncBackend: AnyObject {
  /// The state of the space in a transaction.
  associatedtype Reader: SpaceReader
  /// The position of the last committed entry.
  var head: UInt64 { get }
  /// Begins a transaction and locks the row of the space.
  ///
  /// - Parameter owner: The process.
  /// - Returns: Nil while another process has the row.
  func lock(_ owner: Int) -> Reader?
  /// Commits the transaction of a process, and frees the row.
  ///
  /// - Returns: Whether the transaction was committed; else nothing of it is there.
  func commit(_ changes: SpaceChanges, _ owner: Int) -> Bool
  /// Ends the transaction of a process, if it has one.
  func release(_ owner: Int)
  /// The chain at a position; nil if the position is not in the log.
  func chain(at position: UInt64) -> UInt64?
  /// The entries after a position; nil if some of them were trimmed.
  func entries(after position: UInt64, limit: Int) -> [LogEntry]?
  /// The keys of all objects and tombstones of entities, in order.
  func keys(of entities: Set<UID>) -> [GlobalKey]
  /// An object and its pairs as they are now.
  func object(_ key: GlobalKey) -> (state: ObjectState<GlobalID>, pairs: Set<GlobalPair>)
  /// The model that a client had sent; nil if it does not exist of this digest.
  func model(_ digest: UInt64) -> SyncModel?
  /// Stores the model of a client.
  func add(_ model: SyncModel)
}

/// The state of a space in memory.
package struct MemorySpace: SpaceReader, Sendable {
  package private(set) var space: SpaceRow
  package private(set) var objects: [GlobalKey: ObjectState<GlobalID>] = [:]
  package private(set) var pairs: [GlobalKey: Set<GlobalPair>] = [:]
  private var holders: [UniqueKey: GlobalKey] = [:]
  private var rows: [UInt64: NumberRow] = [:]
  /// The entries after the floor.
  package private(set) var log: [LogEntry] = []
  var models: [UInt64: SyncModel] = [:]

  /// Creates an empty space with a random start of its chain.
  package init(start: UInt64) { space = SpaceRow(start: start) }

  package func object(_ key: GlobalKey) -> ObjectState<GlobalID> { objects[key] ?? ObjectState() }
  package func pairs(of key: GlobalKey) -> Set<GlobalPair> { pairs[key] ?? [] }
  package func holder(_ key: UniqueKey) -> GlobalKey? { holders[key] }
  package func row(_ number: UInt64) -> NumberRow? { rows[number] }

  mutating func apply(_ changes: SpaceChanges) {
    space = changes.space
    objects.merge(changes.objects) { $1 }
    for (key, pairs) in changes.pairs { self.pairs[key] = pairs.isEmpty ? nil : pairs }
    for (key, holder) in changes.holders { holders[key] = holder }
    rows.merge(changes.rows) { $1 }
    log += changes.entries
  }

  func chain(at position: UInt64) -> UInt64? {
    if position == space.floor { return space.floorChain }
    guard position > space.floor, position <= space.head else { return nil }
    return log[Int(position - space.floor) - 1].chain
  }

  /// Forgets the log up to a position, and the tombstones that it made, except tombstones of shared ids.
  package mutating func trim(to position: UInt64, _ model: SyncModel) {
    guard position > space.floor, let chain = chain(at: position) else { return }
    let count = Int(position - space.floor)
    let later = Set(log.dropFirst(count).flatMap(\.effects).compactMap(\.removedKey))
    for key in log.prefix(count).flatMap(\.effects).compactMap(\.removedKey)
    where !later.contains(key) && model.entities[key.entity]?.sharesIDs != true {
      if objects[key]?.isAlive == false { objects[key] = nil }
    }
    log.removeFirst(count)
    (space.floor, space.floorChain) = (position, chain)
  }
}

extension LoggedEffect {
  fileprivate var removedKey: GlobalKey? {
    if case .remove(let key, _) = effect { key } else { nil }
  }
}

/// A database in memory with one space.
package final class MemoryBackend: SyncBackend {
  /// The committed state; a backup is a copy of it.
  package var space: MemorySpace
  private var owner: Int?

  /// Creates the database of a space.
  package init(start: UInt64) { space = MemorySpace(start: start) }

  package var head: UInt64 { space.space.head }

  package func lock(_ owner: Int) -> MemorySpace? {
    guard self.owner == nil || self.owner == owner || PlantedFault.omits(.lockOfRow) else {
      return nil
    }
    self.owner = owner
    return space
  }

  package func commit(_ changes: SpaceChanges, _ owner: Int) -> Bool {
    guard self.owner == owner || PlantedFault.omits(.lockOfRow) else { return false }
    space.apply(changes)
    self.owner = nil
    return true
  }

  package func release(_ owner: Int) { if self.owner == owner { self.owner = nil } }

  package func chain(at position: UInt64) -> UInt64? { space.chain(at: position) }

  package func entries(after position: UInt64, limit: Int) -> [LogEntry]? {
    guard position >= space.space.floor, position <= head else { return nil }
    return Array(space.log.dropFirst(Int(position - space.space.floor)).prefix(limit))
  }

  package func keys(of entities: Set<UID>) -> [GlobalKey] {
    space.objects.keys.filter { entities.contains($0.entity) }.sorted {
      ($0.entity, $0.id) < ($1.entity, $1.id)
    }
  }

  package func object(
    _ key: GlobalKey
  ) -> (state: ObjectState<GlobalID>, pairs: Set<GlobalPair>) {
    (space.object(key), space.pairs(of: key))
  }

  package func model(_ digest: UInt64) -> SyncModel? { space.models[digest] }

  package func add(_ model: SyncModel) { space.models[SyncModelCoding.digest(model)] = model }
}
