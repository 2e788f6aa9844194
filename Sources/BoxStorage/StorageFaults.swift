/// A function that is called before each call of a storage and of its transactions: tests let calls fail.
package final class StorageFaults: Sendable {
  private let call: @Sendable () throws(StorageError) -> Void

  /// Creates faults.
  ///
  /// - Parameter call: Called before each function that can throw; the function throws its error.
  package init(_ call: @escaping @Sendable () throws(StorageError) -> Void) { self.call = call }

  /// Lets the function that calls it fail, if it is its turn.
  func strike() throws(StorageError) { try call() }
}

extension StorageFaults: Hashable {
  /// Whether both are the same object.
  package static func == (first: StorageFaults, second: StorageFaults) -> Bool { first === second }

  /// Hashes the identity.
  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
