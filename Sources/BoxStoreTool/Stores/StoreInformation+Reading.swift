internal import BoxEngine
internal import BoxStorage

extension StoreInformation {
  /// Reads the sizes of a store.
  ///
  /// Of a store whose relations are damaged there is information too.
  ///
  /// - Parameters:
  ///   - directory: The directory of the store.
  ///   - access: The way to open it.
  ///   - observer: The receiver of warnings and progress.
  /// - Returns: The information, and the failure for damaged relations; nil for undamaged ones.
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` without a store, and as
  ///   ``onStore(_:_:)``.
  /// - Complexity: O(*n*) in the number of pages.
  package static func read(
    _ directory: String, _ access: StoreAccess, _ observer: any WorkObserver
  ) throws -> (information: StoreInformation, damage: CommandFailure?) {
    if let session = access.session {
      return try onStore(directory) { try inspect(directory, try session.store(observer)) }
    }
    return try onExistingStore(directory) {
      do throws(any Error) {
        return try inspect(directory, access.options(isReadOnly: true, observer), observer)
      } catch StoreError.storage(let error) where error.kind == .tooManyReaders {
        // Opened for writing, which it does not do, it can wait for the writer's turn.
        return try inspect(directory, access.options(isReadOnly: false, observer), observer)
      }
    }
  }

  private static func inspect(
    _ directory: String, _ options: StoreOptions, _ observer: any WorkObserver
  ) throws -> (StoreInformation, CommandFailure?) {
    defer { observer.finish() }
    let store = try ObjectStore.open(.directory(directory), options: options)
    defer { store.close() }
    observer.warn(store.warnings, of: directory)
    return try inspect(directory, store)
  }

  private static func inspect(
    _ directory: String, _ store: ObjectStore
  ) throws -> (StoreInformation, CommandFailure?) {
    let information = StoreInformation(
      path: directory, status: try store.status(), statistics: try store.statistics())
    do throws(any Error) {
      try onStore(directory) { try store.requireWholeRelations() }
      return (information, nil)
    } catch let failure as CommandFailure where failure.kind == .badInput {
      return (information, failure)
    }
  }
}
