internal import BoxStorage

/// A storage whose functions throw ``StoreError``.
///
/// The engine uses a storage only by way of this type and ``StorageAccess``, so no ``StorageError``
/// leaves it.
struct StorageHandle: Sendable {
  let base: Storage

  init(_ base: Storage) { self.base = base }

  /// Opens the storage of a location.
  init(
    opening location: StorageLocation, _ options: StorageOptions, alone: Bool
  ) throws(StoreError) {
    base = try StoreError.wrapping(try location.open(options, alone: alone))
  }

  var id: ObjectIdentifier { ObjectIdentifier(base) }
  var isReadOnly: Bool { base.isReadOnly }
  var hasLocks: Bool { base.hasLocks }
  var isAlone: Bool { base.isAlone }
  var spacesLock: Lock { base.spacesLock }

  func share() throws(StoreError) {
    try StoreError.wrapping(try base.share())
  }

  func beginRead() throws(StoreError) -> StorageAccess {
    try StoreError.wrapping(StorageAccess(try base.beginRead()))
  }

  func beginWrite() throws(StoreError) -> StorageAccess {
    try StoreError.wrapping(StorageAccess(try base.beginWrite()))
  }

  func status() throws(StoreError) -> StorageStatus {
    try StoreError.wrapping(try base.status())
  }

  func copy(to descriptor: Int32, compacting: Bool) throws(StoreError) {
    try StoreError.wrapping(try base.copy(to: descriptor, compacting: compacting))
  }

  /// Begins a transaction for a look at the last committed state.
  ///
  /// If all reader slots are taken it waits for the writer's turn, which needs none; a read-only
  /// storage has no such turn, nor has a thread that is writing to it.
  func beginSnapshot() throws(StoreError) -> StorageAccess {
    do throws(StoreError) {
      return try beginRead()
    } catch {
      guard error.isTooManyReaders, !isReadOnly,
        !ThreadTransactions.isWriting(to: id)
      else { throw error }
      return try beginWrite()
    }
  }
}

extension StoreError {
  /// Whether all places for readers of the store are taken.
  var isTooManyReaders: Bool {
    if case .storage(let cause) = self { cause.kind == .tooManyReaders } else { false }
  }

  /// Calls a function of the storage, and wraps its error.
  @inline(__always)
  static func wrapping<R>(
    _ body: @autoclosure () throws(StorageError) -> R
  ) throws(StoreError) -> R {
    do throws(StorageError) {
      return try body()
    } catch {
      throw .storage(error)
    }
  }

  /// Runs a function whose type says less about its errors than is known: they are of the store or
  /// of the storage.
  package static func only<R>(_ body: () throws -> R) throws(StoreError) -> R {
    do {
      return try body()
    } catch {
      throw StoreError(error)
    }
  }

  /// Wraps an error of a function that throws errors of the store and of the storage.
  init(_ error: any Error) {
    self =
      switch error {
      case let error as StoreError: error
      case let error as StorageError: .storage(error)
      default: .storage(StorageError(.other, "\(error)"))
      }
  }

  /// The error of a visit that calls a closure of the caller, whose errors are left as they are.
  static func ofVisit(_ error: any Error) -> any Error {
    if let error = error as? StorageError { StoreError.storage(error) } else { error }
  }
}
