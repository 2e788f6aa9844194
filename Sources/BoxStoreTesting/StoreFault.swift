internal import BoxStorage
public import BoxStore
internal import Synchronization

/// An operation of a store that a test lets fail.
@nonexhaustive public enum StoreOperation: Hashable, Sendable {
  /// A read transaction begins. A call inside of a transaction begins none.
  case read
  /// A write transaction begins.
  case write
  /// An object is written, or an entry of a relation or of an index.
  case put
  /// An object is removed, or an entry of a relation or of an index.
  case remove
  /// A write transaction is committed: nothing of it is kept.
  case commit
}

/// An error with which an operation of a store fails, named after the case of `ObjectBoxError` that is thrown.
@nonexhaustive public enum StoreFault: Hashable, Sendable {
  /// The disk is full, or the store has reached its maximum size.
  case dbFull
  /// All places for readers are taken.
  case maxReadersExceeded
  /// A page of the file is damaged.
  case filePagesCorrupt
  /// The file system refuses.
  case storageGeneral
}

extension Store {
  /// Lets the next operation of a kind fail, on any thread.
  ///
  /// ```swift
  /// store.fail(next: .put, with: .dbFull)
  /// #expect(throws: ObjectBoxError.self) { try books.put(Book("Eden")) }
  /// ```
  ///
  /// An operation fails once for each call of this function, in the order of the calls, and one operation of a
  /// transaction at most. It is a programmer error to call it for a store that was not made by this library, or
  /// that is closed.
  ///
  /// - Parameters:
  ///   - operation: The operation.
  ///   - fault: The error.
  /// - Complexity: O(1).
  public func fail(next operation: StoreOperation, with fault: StoreFault) {
    guard let faults = PlannedFaults.of(self) else {
      preconditionFailure(
        "operations fail only in an open store that Store.test or the trait .store has made")
    }
    faults.plan(operation, fault)
  }
}

/// The faults of one store that are yet to come.
final class PlannedFaults: Sendable {
  private struct Fault: Sendable {
    var call: StorageCall
    var error: StorageError
  }

  /// The faults, in the order of the calls.
  private struct Plan: Sendable {
    var faults: [Fault] = []
    /// Whether a fault was met since the last transaction began: what undoes it must not fail, too.
    var isStruck = false

    mutating func next(_ call: StorageCall) -> StorageError? {
      if call == .beginRead || call == .beginWrite { isStruck = false }
      guard !isStruck, let place = faults.firstIndex(where: { $0.call == call }) else { return nil }
      isStruck = true
      return faults.remove(at: place).error
    }
  }

  private let planned = Mutex(Plan())
  /// Whether the object was made for a store of this library.
  private let isUsed: Bool

  init(isUsed: Bool = true) { self.isUsed = isUsed }

  /// The faults as the storage asks for them.
  var ofStorage: StorageFaults {
    StorageFaults { [self] (call) throws(StorageError) in
      if let error = planned.withLock({ $0.next(call) }) { throw error }
    }
  }

  func plan(_ operation: StoreOperation, _ fault: StoreFault) {
    planned.withLock { $0.faults.append(Fault(call: operation.call, error: fault.error)) }
  }

  // MARK: - The store

  private static let key = "BoxStoreTesting"

  /// Makes the faults known to a store.
  func attach(to store: Store) { _ = store.lazyAttachedObject(key: Self.key) { self } }

  /// The faults of a store; nil for a store of an application, and a closed one.
  static func of(_ store: Store) -> PlannedFaults? {
    let found = store.lazyAttachedObject(key: key) { PlannedFaults(isUsed: false) }
    return found.isUsed ? found : nil
  }
}

extension StoreOperation {
  fileprivate var call: StorageCall {
    switch self {
    case .read: .beginRead
    case .write: .beginWrite
    case .put: .put
    case .remove: .remove
    case .commit: .commit
    }
  }
}

extension StoreFault {
  fileprivate var error: StorageError {
    switch self {
    case .dbFull: StorageError(.sizeLimit, "the store is full, as the test wants it")
    case .maxReadersExceeded:
      StorageError(.tooManyReaders, "all places for readers are taken, as the test wants it")
    case .filePagesCorrupt: StorageError(.damaged, "a page is damaged, as the test wants it")
    case .storageGeneral: StorageError(.other, "the file system refuses, as the test wants it")
    }
  }
}
