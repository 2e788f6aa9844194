internal import BoxEngine
internal import BoxStorage
internal import Synchronization

/// The stores that are open in this process, by the identity of their data.
enum StoreRegistry {
  private struct Entry: Sendable {
    weak var core: StoreCore?
  }

  private static let entries = Mutex<[StorageIdentity: Entry]>([:])

  /// The open store at a place; nil if there is none.
  static func core(at location: StorageLocation) -> StoreCore? {
    guard let identity = location.identity else { return nil }
    return entries.withLock { $0[identity]?.core }
  }

  /// Registers a store that was just opened.
  ///
  /// - Returns: Whether no other store is open at its place.
  static func add(_ core: StoreCore) -> Bool {
    guard let identity = core.engine.location.identity else { return true }
    return entries.withLock { entries in
      if entries[identity]?.core != nil { return false }
      entries[identity] = Entry(core: core)
      return true
    }
  }

  /// Frees the place of a store that is being closed.
  static func remove(_ core: StoreCore) {
    entries.withLock { entries in
      // The data file can be removed by now, so that the place has no identity any more.
      entries = entries.filter { $0.value.core != nil && $0.value.core !== core }
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
