internal import BoxEngine
internal import BoxStorage
internal import Synchronization

/// The stores that are open in this process, by the identity of their data.
///
/// A store is here until it is closed, which its last handle does when it is released. The references are
/// strong: once there is a weak one to an object, every count of its references takes longer, and each
/// relation that is read counts one to its store.
enum StoreRegistry {
  private static let cores = Mutex<[StorageIdentity: StoreCore]>([:])

  /// The open store at a place; nil if there is none.
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
      // The data file can be removed by now, so that the place has no identity any more.
      cores = cores.filter { $0.value !== core }
    }
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
