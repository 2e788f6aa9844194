#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A lock that any number of readers hold at once, or one writer.
///
/// The pointer is written once, and the functions of pthread are safe to call from several threads.
@safe package final class ReadersLock: @unchecked Sendable {
  private let lock: UnsafeMutablePointer<pthread_rwlock_t>

  /// Creates a lock that nobody holds.
  package init() {
    unsafe lock = .allocate(capacity: 1)
    unsafe pthread_rwlock_init(lock, nil)
  }

  deinit {
    unsafe pthread_rwlock_destroy(lock)
    unsafe lock.deallocate()
  }

  /// Calls a function while the lock is held for reading; it must not ask for the lock again.
  ///
  /// - Throws: The error of the function.
  package func withReading<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    unsafe pthread_rwlock_rdlock(lock)
    defer { unsafe pthread_rwlock_unlock(lock) }
    return try body()
  }

  /// Calls a function while the lock is held for writing; it must not ask for the lock again.
  ///
  /// - Throws: The error of the function.
  package func withWriting<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    unsafe pthread_rwlock_wrlock(lock)
    defer { unsafe pthread_rwlock_unlock(lock) }
    return try body()
  }
}
