/// Puts another storage between the engine and the one that is opened: tests let its calls fail.
package final class StorageInterposer: Sendable {
  private let wrap: @Sendable (any Storage) -> any Storage

  /// Creates an interposer.
  ///
  /// - Parameter wrap: Called with each storage that is opened; returns the one that is used.
  package init(_ wrap: @escaping @Sendable (any Storage) -> any Storage) { self.wrap = wrap }

  fileprivate func callAsFunction(_ storage: any Storage) -> any Storage { wrap(storage) }
}

extension StorageInterposer: Hashable {
  /// Whether both are the same object.
  package static func == (first: StorageInterposer, second: StorageInterposer) -> Bool {
    first === second
  }

  /// Hashes the identity.
  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension StorageOptions {
  /// The storage that an opening with these options uses.
  func interposed(_ storage: any Storage) -> any Storage { interposer?(storage) ?? storage }
}
