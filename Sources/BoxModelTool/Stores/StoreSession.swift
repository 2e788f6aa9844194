package import BoxEngine
internal import BoxStorage
internal import Synchronization

/// A store that stays open between requests.
///
/// If another program has opened the store with another model since, the store is opened again for the
/// next request.
package final class StoreSession: Sendable {
  /// The directory, as the user named it.
  package let path: String
  private let isTrusted: Bool
  private let isReadOnly: Bool
  private let opened = Mutex<ObjectStore?>(nil)
  /// Whether the pages of the file were checked, so that it need not be done again after a rest.
  private let isChecked = Atomic<Bool>(false)

  /// Creates a session, and opens nothing yet.
  package init(_ path: String, isTrusted: Bool, isReadOnly: Bool = false) {
    self.path = path
    self.isTrusted = isTrusted
    self.isReadOnly = isReadOnly
  }

  /// The open store.
  ///
  /// - Throws: ``CommandFailure``, as ``onStore(_:_:)``, and `StoreError`, if it has to be opened and
  ///   cannot be.
  package func store(_ observer: any WorkObserver) throws -> ObjectStore {
    try opened.withLock { opened in
      if let store = opened {
        if try isCurrent(store) { return store }
        store.close()
        opened = nil
      }
      try requireStoreInWorkTree(path)
      let isTrusted = isTrusted || isChecked.load(ordering: .relaxed)
      let options = StoreAccess(isTrusted: isTrusted).options(isReadOnly: isReadOnly, observer)
      let store = try ObjectStore.open(.directory(path), options: options)
      observer.finish()
      observer.warn(store.warnings, of: path)
      opened = store
      isChecked.store(true, ordering: .relaxed)
      return store
    }
  }

  /// Whether a transaction is open, so that changes are not stored yet.
  package var isInTransaction: Bool { opened.withLock { $0?.currentTransaction != nil } }

  /// Whether the model of an open store is the one that is in the store.
  private func isCurrent(_ store: ObjectStore) throws -> Bool {
    if store.currentTransaction != nil { return true }
    do throws(StoreError) {
      return try store.hasCurrentModel()
    } catch {
      if case .modelChangedElsewhere = error { return false }
      throw error
    }
  }

  /// Ends the visits of objects that are in progress; safe in a signal handler only through
  /// ``Interruption``.
  package func interruption(_ observer: any WorkObserver) throws -> Interruption {
    try store(observer).interruption
  }

  /// Closes the store until it is asked for again, so that other programs can have it for themselves meanwhile.
  ///
  /// Its pages are not checked again then.
  package func rest() {
    opened.withLock { opened in
      opened?.close()
      opened = nil
    }
  }

  /// Closes the store.
  package func close() {
    rest()
    isChecked.store(false, ordering: .relaxed)
  }
}
