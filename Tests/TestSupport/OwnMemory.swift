public import BoxStorage
import Synchronization

extension StorageLocation {
  private static let given = Atomic(0)

  /// A place in memory that no other call gives, as tests and the cases of one test run side by
  /// side, and one name is one store for all of a process.
  public static func ownMemory() -> StorageLocation {
    .memory("test \(given.add(1, ordering: .relaxed).newValue)")
  }
}
