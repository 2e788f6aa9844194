internal import BoxEngine
internal import BoxStorage
internal import Synchronization

/// The stores that are open in this process, by the identity of their data.
///
/// A store is here until it is closed, which its last handle does when it is released. The references are
/// strong: once there is a weak one to an object, every count of its references takes longer.
enum StoreRegistry {
  private static let cores = Mutex<[StorageIdentity: StoreCore]>([:])

  /// The open store at a place, if any.
  static func core(at location: StorageLocation) -> StoreCore? {
    guard let identity = location.identity else { return nil }
    return cores.withLock { $0[identity] }
  }

  /// Registers a store that was just opened.
  ///
  /// - Returns: Whether no other store is open at its place.
  static func add(_ core: StoreCore) -> Bool {
    guard let identity = core.engine.location.identity else { return true }
    return cores.withLock { cores in
      if cores[identity] != nil { return false }
      cores[identity] = core
      return true
    }
  }

  /// Frees the place of a store that is being closed.
  static func remove(_ core: StoreCore) {
    cores.withLock { cores in
      // The data file can be removed by now, and with it the identity of the place.
      cores = cores.filter { $0.value !== core }
    }
  }
}

/// The stores of this process by a number, which the relations of objects have instead of a reference.
///
/// A reference would be counted for each relation that is read, in one place for all threads.
enum StoreNumbers {
  private enum Entry: Sendable {
    case open(StoreCore)
    /// A closed store, held weakly; relations report through it that it is closed.
    case closed(ClosedStore)
  }

  private struct ClosedStore: Sendable {
    weak var core: StoreCore?
  }

  private static let entries = Mutex<(last: UInt32, cores: [UInt32: Entry])>((0, [:]))

  /// The number of a new store, which no other one of this process has or had; never 0.
  static func next() -> UInt32 {
    entries.withLock { entries in
      entries.last += 1
      return entries.last
    }
  }

  /// Makes an open store known.
  static func add(_ core: StoreCore) {
    entries.withLock { $0.cores[core.number] = .open(core) }
  }

  /// Releases a closed store.
  static func close(_ core: StoreCore) {
    entries.withLock { entries in
      if entries.cores[core.number] == nil { return }
      entries.cores[core.number] = .closed(ClosedStore(core: core))
    }
  }

  /// Forgets a store at its end.
  static func remove(_ number: UInt32) {
    // Released after the lock.
    _ = entries.withLock { $0.cores.removeValue(forKey: number) }
  }

  /// The store of a number; nil if it is closed, and nobody has it.
  static func core(_ number: UInt32) -> StoreCore? {
    switch entries.withLock({ $0.cores[number] }) {
    case .open(let core): core
    case .closed(let closed): closed.core
    case nil: nil
    }
  }

  /// The store of a number.
  ///
  /// - Throws: ``ObjectBoxError/illegalState(message:)`` if it is closed, and nobody has it.
  static func requireCore(_ number: UInt32) throws -> StoreCore {
    guard let core = core(number) else {
      throw ObjectBoxError.illegalState(message: "the store of the relation is closed")
    }
    return core
  }
}

extension StorageLocation {
  /// The place that a path names: a directory, or a name in memory after the prefix.
  init(directory: String) {
    self =
      directory.hasPrefix(Store.inMemoryPrefix)
      ? .memory(String(directory.dropFirst(Store.inMemoryPrefix.count))) : .directory(directory)
  }
}
