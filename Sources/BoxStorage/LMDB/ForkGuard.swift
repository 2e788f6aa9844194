internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Counts how many times the running process was forked from one that used a storage.
///
/// LMDB is not usable in a child process: its locks belong to the parent. Asking the system for the
/// process id at every transaction costs as much as the rest of a small one.
enum ForkGuard {
  private static let forks = Atomic<Int>(0)
  private static let registration: Void = {
    _ = pthread_atfork(nil, nil, { ForkGuard.countFork() })
  }()

  /// The number of this process; another one after a fork.
  static var generation: Int {
    _ = registration
    return forks.load(ordering: .relaxed)
  }

  private static func countFork() { forks.wrappingAdd(1, ordering: .relaxed) }
}
