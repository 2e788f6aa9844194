internal import Synchronization

/// A lock of four bytes inside of a relation.
///
/// Relations are edited by several threads at a time, and there is one of these in each of millions of
/// objects. `Mutex` with a value would demand that targets can be sent to other threads.
struct RelationLock: ~Copyable {
  private let mutex = Mutex(())

  /// Calls a function while the lock is held; it must not use the store.
  @inline(__always)
  func withLock<R>(_ body: () throws -> R) rethrows -> R {
    mutex._unsafeLock()
    defer { mutex._unsafeUnlock() }
    return try body()
  }
}
