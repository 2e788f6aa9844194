internal import BoxModel
internal import BoxStorage

/// The commits of others, found by comparing the last state that is known with a newer one.
///
/// The last known state is pinned by a read transaction. It moves with every commit of this opening, and whenever
/// something was written to the file. The differences are delivered before the next commit of this opening.
///
/// `@unchecked Sendable` holds because every access to the state holds the lock.
final class ForeignCommits: @unchecked Sendable {
  private let limit: Int
  private let lock = Lock()
  private let states = PinnedStates()
  /// The bytes of the file in the state of the pin.
  private var size = 0
  private var watch: CommitWatch?
  /// The positions of the entities that this opening has changed since the state of the pin.
  private var changedHere: Set<Int> = []
  /// The number of those who observe the store.
  private var users = 0
  /// Whether delivery has ended, because the meaning of the data has changed.
  private var hasEnded = false

  /// The number of changed pages of leaves in one space from which on its changes are not listed.
  private static let maximumPages = 4096

  /// Creates a listener that observes nothing yet.
  ///
  /// - Parameter limit: The number of bytes by which the file may grow beyond the last known state before changes are
  ///   not listed.
  init(limit: Int) { self.limit = limit }

  // MARK: - Beginning and ending

  /// Listens from now on, if nobody did.
  ///
  /// - Throws: ``StoreError/closed`` or ``StoreError/storage(_:)``.
  func retain(_ store: ObjectStore) throws(StoreError) {
    try lock.withLock { () throws(StoreError) in
      if users == 0 && !hasEnded {
        let storage = try store.storage
        let first = try storage.beginRead()
        do throws(StoreError) {
          watch = try StoreError.wrapping(
            try CommitWatch(storage.base, after: first.number) { [weak store] in
              if let store { store.foreign?.poll(store) }
            })
        } catch {
          first.abort()
          throw error
        }
        states.begin(first)
        noteMove(storage)
      }
      users += 1
    }
  }

  /// Ends the listening of one observer; the last one releases the pin.
  func release() {
    lock.withLock {
      users -= 1
      return users == 0 ? takeAll() : nil
    }?.cancel()
  }

  /// Ends all listening, as the store is closed.
  func end() {
    lock.withLock {
      hasEnded = true
      return takeAll()
    }?.cancel()
  }

  /// Gives the pin back; returns the watch, to be ended without the lock.
  private func takeAll() -> CommitWatch? {
    states.end()
    defer { watch = nil }
    return watch
  }

  // MARK: - Looking

  /// Begins a read transaction, whose state ends a difference that is delivered.
  ///
  /// - Throws: The error of ``StorageHandle/beginRead()``.
  func beginRead(_ storage: StorageHandle) throws(StoreError) -> StorageAccess {
    try states.beginRead(storage)
  }

  /// Delivers the commits of others up to now.
  func poll(_ store: ObjectStore) {
    lock.withLock { if watch != nil { follow(store) } }
  }

  /// Delivers what others committed before a write transaction, which has begun: the state cannot move.
  func poll(_ store: ObjectStore, before number: UInt64) {
    lock.withLock { if watch != nil, (states.number ?? 0) + 1 < number { follow(store) } }
  }

  /// Commits a transaction of this opening, and moves the pin to its state.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - number: The number of the transaction.
  ///   - commit: Commits it and queues its changes for the observers; returns whether the entity at each position
  ///     was changed.
  /// - Throws: The error of `commit`.
  func commit(_ store: ObjectStore, _ number: UInt64, _ commit: () throws -> [Bool]) throws {
    try lock.withLock {
      let touched = try commit()
      if watch == nil { return }
      // A transaction without a change gives its number back: by now it can be the number of another process.
      if !touched.contains(true) { return }
      changedHere.formUnion(touched.indices.filter { touched[$0] })
      // If another process has committed by now, or could not be followed before, its difference includes
      // this commit. A change here that another process has reverted is not in it, so these entities are
      // delivered as a whole.
      if let last = states.number, last + 1 == number, let storage = try? store.storage,
        states.move(to: number, of: storage)
      {
        noteMove(storage)
      }
    }
  }

  private func noteMove(_ storage: StorageHandle) {
    changedHere = []
    size = storage.base.usedBytes
  }

  /// Delivers the differences between the pin and the current state, and moves the pin; called with the lock
  /// held.
  private func follow(_ store: ObjectStore) {
    do throws(StoreError) {
      let storage = try store.storage
      guard let way = try states.advance(storage) else { return }
      defer { for state in way.states.dropLast() { state.abort() } }
      guard let newer = way.states.last else { return }
      try store.requireReadableCatalog(newer)
      if way.isIncomplete {
        deliverEverything(newer, store)
      } else {
        let isMuch = storage.base.usedBytes - size > limit
        for (older, newer) in zip(way.states, way.states.dropFirst()) {
          deliverDifference(older, newer, store, isMuch: isMuch)
        }
      }
      noteMove(storage)
    } catch {
      // The next call of the store throws the reason.
      hasEnded = true
      if let watch = takeAll() { store.observers.later { watch.cancel() } }
    }
  }

  /// Delivers that everything may have changed.
  private func deliverEverything(_ newer: StorageAccess, _ store: ObjectStore) {
    let observed = store.observers.entities
    let all = store.schema.entities.filter { observed.contains($0.position) }
    store.observers.deliver(
      all.map { ($0.position, EntityChanges(wholeOf: $0.uid)) }, number: newer.number)
  }

  /// Delivers the difference between two states.
  private func deliverDifference(
    _ older: StorageAccess, _ newer: StorageAccess, _ store: ObjectStore, isMuch: Bool
  ) {
    let observed = store.observers.entities
    let search = store.neighbourSearch
    var difference = StateDifference(
      older, newer, maximumPages: isMuch ? 0 : Self.maximumPages)
    for entity in store.schema.entities
    where observed.contains(entity.position) || search?.follows(entity) ?? false {
      if changedHere.contains(entity.position) {
        difference.markWhole(entity)
      } else {
        difference.compare(entity)
      }
    }
    let changes = difference.changes.filter { observed.contains($0.position) }
    if let search { follow(search, older.number, newer.number, difference, store) }
    store.observers.deliver(changes, number: newer.number)
  }

  /// Passes the ids of changed objects to a search for neighbours.
  private func follow(
    _ search: any NeighbourSearch, _ older: UInt64, _ newer: UInt64, _ difference: StateDifference,
    _ store: ObjectStore
  ) {
    var ids: [UID: [UInt64]] = [:]
    for (position, changes) in difference.changes
    where search.follows(store.schema.entities[position]) {
      // It sees that numbers are missing.
      if changes.isWhole { return }
      ids[changes.entity] = changes.changes.map(\.id)
    }
    search.recordChanges(FollowedChanges(first: older + 1, number: newer, ids: ids))
    search.end(newer, isCommitted: true)
  }
}
