internal import Synchronization

/// The right to be the one client or server of a store, which ends with the last reference to it.
package final class SyncLock: Sendable {
  private let file: StoreLock?
  private let name: String?
  /// The names of the stores in memory that have one.
  private static let inMemory = Mutex<Set<String>>([])

  /// Takes the right.
  ///
  /// - Parameter location: The location of the store.
  /// - Throws: ``StorageError`` of kind `inUse` if another client or server has it, in this process too.
  package init(_ location: StorageLocation) throws(StorageError) {
    switch location {
    case .directory(let path):
      file = try StoreLock.sync(in: StoreFiles(path))
      name = nil
    case .memory(let memory):
      guard Self.inMemory.withLock({ $0.insert(memory).inserted }) else {
        throw StorageError(
          .inUse,
          "\(location) has a client or server of data sync, which would hold \(StoreFiles.syncLockName); close that one"
        )
      }
      (file, name) = (nil, memory)
    }
  }

  deinit {
    file?.release()
    if let name { Self.inMemory.withLock { _ = $0.remove(name) } }
  }
}
