/// A kind of calls of a storage and of its transactions.
package enum StorageCall: Hashable, Sendable {
  /// A read transaction begins.
  case beginRead
  /// The write transaction begins.
  case beginWrite
  /// An entry is written.
  case put
  /// An entry is removed.
  case remove
  /// The write transaction is committed.
  case commit
  /// Anything else: entries are read, spaces are opened, a part of a transaction ends.
  case other
}

/// A function that is called before each call of a storage and of its transactions: tests let calls fail.
package final class StorageFaults: Sendable {
  private let call: @Sendable (StorageCall) throws(StorageError) -> Void

  /// Creates faults.
  ///
  /// - Parameter call: Called before each function that can throw; the function throws its error.
  package init(_ call: @escaping @Sendable (StorageCall) throws(StorageError) -> Void) {
    self.call = call
  }

  /// Lets the function that calls it fail, if it is its turn.
  func strike(_ kind: StorageCall) throws(StorageError) { try call(kind) }
}

extension StorageFaults: Hashable {
  /// Whether both are the same object.
  package static func == (first: StorageFaults, second: StorageFaults) -> Bool { first === second }

  /// Hashes the identity.
  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
