#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The kinds of locks on open files.
package enum FileLockKind: Hashable, Sendable {
  /// Held by any number of processes.
  case shared
  /// Held by one process.
  case exclusive
}

/// Takes the lock on an open file, or changes its kind, without waiting.
///
/// - Returns: False if another open file has a lock that excludes it.
/// - Throws: ``SystemError``.
package func lockFile(_ descriptor: Int32, _ kind: FileLockKind) throws(SystemError) -> Bool {
  do throws(SystemError) {
    let operation = kind == .shared ? LOCK_SH : LOCK_EX
    _ = try retryingInterrupts { flock(descriptor, operation | LOCK_NB) }
    return true
  } catch {
    if error.code == EWOULDBLOCK { return false }
    throw error
  }
}

/// Releases the lock on an open file, and closes the file.
///
/// It is unlocked before it is closed: a process that is being started has a copy of the descriptor
/// until its program runs, and would keep the lock that long.
package func unlockAndClose(_ descriptor: Int32) {
  flock(descriptor, LOCK_UN)
  close(descriptor)
}
