#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A lock that is held across calls which return values of any type.
///
/// `Mutex` demands that what leaves it can be sent to another thread. The pointer is written once,
/// and the functions of pthread are safe to call from several threads.
@safe package final class Lock: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>

  /// Creates a lock that nobody holds.
  package init() {
    unsafe mutex = .allocate(capacity: 1)
    unsafe pthread_mutex_init(mutex, nil)
  }

  deinit {
    unsafe pthread_mutex_destroy(mutex)
    unsafe mutex.deallocate()
  }

  /// Calls a function while the lock is held.
  ///
  /// - Throws: The error of the function.
  package func withLock<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return try body()
  }
}
