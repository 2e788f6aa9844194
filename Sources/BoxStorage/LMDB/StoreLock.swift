#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The lock on `store.lock`, which every opener of a store shares and whoever replaces its files
/// needs alone.
package final class StoreLock: Sendable {
  private let descriptor: Int32

  private init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Takes the lock that openers share; nil where the folder cannot be written, so that nobody can
  /// replace its files either.
  ///
  /// It waits for half a second: an opener that was the first one, and opened the store alone, shares
  /// it as soon as it has taken its model over.
  ///
  /// - Throws: ``StorageError`` of kind `inUse` if another process replaces the store.
  package static func shared(
    in directory: String, fileMode: UInt32, readOnly: Bool
  ) throws(StorageError) -> StoreLock? {
    let path = directory + "/store.lock"
    var file = StoreFolder.openLockFile(path, in: directory, fileMode: fileMode)
    if file < 0 && readOnly { file = open(path, O_RDONLY | O_CLOEXEC) }
    if file < 0 {
      if readOnly { return nil }
      throw systemError(.other, "open \(path)")
    }
    return try take(
      LOCK_SH, file, path, "another process is replacing the store; try again later",
      attempts: 100)
  }

  /// Takes the lock that excludes all others.
  ///
  /// - Throws: ``StorageError`` of kind `inUse` if the store is open anywhere.
  package static func exclusive(
    in directory: String, fileMode: UInt32
  ) throws(StorageError) -> StoreLock {
    let path = directory + "/store.lock"
    let file = StoreFolder.openLockFile(path, in: directory, fileMode: fileMode)
    if file < 0 { throw systemError(.other, "open \(path)") }
    return try take(LOCK_EX, file, path, "close every program that has the store open")
  }

  private static func take(
    _ kind: Int32, _ file: Int32, _ path: String, _ hint: String, attempts: Int = 1
  ) throws(StorageError) -> StoreLock {
    var attempts = attempts
    while flock(file, kind | LOCK_NB) != 0 {
      if errno == EINTR { continue }
      let code = errno
      attempts -= 1
      if code == EWOULDBLOCK && attempts > 0 {
        usleep(5000)
        continue
      }
      close(file)
      if code == EWOULDBLOCK {
        throw StorageError(.inUse, "\(path) is locked; \(hint)", code: code)
      }
      errno = code
      throw systemError(.other, "lock \(path)")
    }
    return StoreLock(file)
  }

  /// Takes the lock that excludes all others; nil if the store is open anywhere, or cannot be locked.
  static func exclusiveIfFree(in directory: String, fileMode: UInt32) -> StoreLock? {
    try? exclusive(in: directory, fileMode: fileMode)
  }

  /// Lets others share a lock that excluded them.
  ///
  /// - Throws: ``StorageError`` of kind `inUse` if another process replaces the store by now.
  func share() throws(StorageError) {
    while flock(descriptor, LOCK_SH | LOCK_NB) != 0 {
      if errno == EINTR { continue }
      throw systemError(.inUse, "share the lock of a store")
    }
  }

  /// Gives the lock back.
  ///
  /// It is unlocked before it is closed: a process that is being started has a copy of the descriptor
  /// until its program runs, and would keep the lock that long.
  package func release() {
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}
