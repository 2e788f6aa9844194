internal import BoxSystem

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The lock on `store.lock`: shared by every process that opens the store, exclusive for a process
/// that replaces its files.
package final class StoreLock: Sendable {
  private let descriptor: Int32

  private init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Takes the shared lock; nil if the directory cannot be written, so that no process can replace
  /// its files either.
  ///
  /// Waits for up to half a second: a process that opened the store first, and with exclusive
  /// access, shares the lock as soon as it has applied its model.
  ///
  /// - Throws: ``StorageError`` of kind `inUse` if another process replaces the store.
  package static func shared(
    in directory: String, fileMode: UInt32, readOnly: Bool
  ) throws(StorageError) -> StoreLock? {
    let path = StoreFiles(directory).lock
    var file = StoreDirectory.openLockFile(path, in: directory, fileMode: fileMode)
    if file < 0 && readOnly { file = StoreDirectory.openKnownLockFile(path, O_RDONLY) }
    if file < 0 {
      if readOnly { return nil }
      throw systemError(.other, "open \(path)")
    }
    return try acquire(.shared, file, attempts: 100) {
      "the store is being replaced by \(Self.holders(of: file)); try again later"
    }
  }

  /// Takes the exclusive lock.
  ///
  /// - Parameters:
  ///   - directory: The directory of the store.
  ///   - fileMode: The permissions of the lock file, if it does not exist.
  ///   - attempts: The number of attempts, five milliseconds apart.
  /// - Returns: The lock.
  /// - Throws: ``StorageError`` of kind `inUse` if the store is open anywhere.
  package static func exclusive(
    in directory: String, fileMode: UInt32, attempts: Int = 1
  ) throws(StorageError) -> StoreLock {
    let path = StoreFiles(directory).lock
    let file = StoreDirectory.openLockFile(path, in: directory, fileMode: fileMode)
    if file < 0 { throw systemError(.other, "open \(path)") }
    return try acquire(.exclusive, file, attempts: attempts) {
      "the store is in use by \(Self.holders(of: file)); close every program that has the store open"
    }
  }

  /// Takes the lock of the one client or server of a store.
  ///
  /// - Parameter files: The files of the store.
  /// - Returns: The lock.
  /// - Throws: ``StorageError`` of kind `inUse` if another client or server has it, in this process too.
  static func sync(in files: StoreFiles) throws(StorageError) -> StoreLock {
    let path = files.syncLock
    let file = StoreDirectory.openLockFile(path, in: files.directory, fileMode: files.dataMode)
    if file < 0 { throw systemError(.other, "open \(path)") }
    return try acquire(.exclusive, file) {
      "\(path) is held by \(Self.holders(of: file)): a store has one client or server of data sync; close the other one"
    }
  }

  private static func acquire(
    _ kind: FileLockKind, _ file: Int32, attempts: Int = 1, _ refusal: () -> String
  ) throws(StorageError) -> StoreLock {
    do throws(SystemError) {
      for attempt in 1...attempts {
        if try lockFile(file, kind) { return StoreLock(file) }
        if attempt < attempts { usleep(5000) }
      }
    } catch {
      close(file)
      throw systemError(error, .other, "lock \(StoreFiles.lockName)")
    }
    let message = refusal()
    close(file)
    throw StorageError(.inUse, message)
  }

  /// Takes the exclusive lock; nil if the store is open anywhere, or cannot be locked.
  static func exclusiveIfFree(in directory: String, fileMode: UInt32) -> StoreLock? {
    try? exclusive(in: directory, fileMode: fileMode)
  }

  /// Whether a process has the store open; nil if that cannot be known.
  ///
  /// No file is created. A process that asks the same holds the lock for a moment, so a lock that is held
  /// is looked at again.
  static func isHeld(in directory: String) -> Bool? {
    for _ in 0..<5 {
      let file = StoreDirectory.openKnownLockFile(StoreFiles(directory).lock, O_RDONLY)
      if file < 0 { return errno == ENOENT ? false : nil }
      if let lock = try? acquire(.exclusive, file, { "" }) {
        lock.release()
        return false
      }
      usleep(5000)
    }
    return true
  }

  /// Calls a function while no process has the store open, and none can open it; creates no file.
  ///
  /// - Returns: The value of the function; nil if the store may be open.
  /// - Throws: The error of the function.
  static func whileUnused<R>(in directory: String, _ body: () throws -> R) rethrows -> R? {
    let file = StoreDirectory.openKnownLockFile(StoreFiles(directory).lock, O_RDONLY)
    // Every process that opens the store for writing creates the lock file first.
    if file < 0 { return errno == ENOENT ? try body() : nil }
    guard let lock = try? acquire(.exclusive, file, { "" }) else { return nil }
    defer { lock.release() }
    return try body()
  }

  /// Turns an exclusive lock into a shared one.
  ///
  /// - Throws: ``StorageError`` of kind `inUse` if another process replaces the store meanwhile.
  func share() throws(StorageError) {
    do throws(SystemError) {
      if try lockFile(descriptor, .shared) { return }
      throw SystemError(code: EWOULDBLOCK)
    } catch {
      throw systemError(error, .inUse, "share the lock of a store")
    }
  }

  /// The holders of a lock on an open file, in words.
  private static func holders(of file: Int32) -> String {
    let own = getpid()
    let others = processes(holding: file)
    if others.isEmpty { return "another process" }
    return others.map { id in
      if id == own { return "this process" }
      return name(of: id).map { "process \(id) (\($0))" } ?? "process \(id)"
    }.joined(separator: ", ")
  }

  /// The processes that hold a lock on an open file, as far as the system reports them.
  private static func processes(holding file: Int32) -> [pid_t] {
    #if os(Linux)
      var attributes = stat()
      if unsafe fstat(file, &attributes) != 0 { return [] }
      var found: [pid_t] = []
      // Such as `1: FLOCK  ADVISORY  READ 4711 fd:01:131 0 EOF`: the process, and the file by its
      // device and its number.
      for line in text(of: "/proc/locks").split(separator: "\n") {
        let words = line.split(separator: " ")
        guard words.count >= 6, words[1] == "FLOCK", let id = pid_t(words[4]), id > 0,
          words[5].split(separator: ":").last.flatMap({ UInt64($0) }) == UInt64(attributes.st_ino),
          !found.contains(id)
        else { continue }
        found.append(id)
      }
      return found
    #else
      return []
    #endif
  }

  private static func name(of process: pid_t) -> String? {
    #if os(Linux)
      let name = text(of: "/proc/\(process)/comm").split(separator: "\n").first.map(String.init)
      return name?.isEmpty == false ? name : nil
    #else
      return nil
    #endif
  }

  #if os(Linux)
    /// The contents of a file of the system that reports no size; empty if it cannot be read.
    private static func text(of path: String) -> String {
      let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
      if file < 0 { return "" }
      defer { close(file) }
      var bytes: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 1 << 14)
      while true {
        let count = unsafe read(file, &buffer, buffer.count)
        if count <= 0 { return String(decoding: bytes, as: UTF8.self) }
        bytes += buffer[..<count]
      }
    }
  #endif

  /// Releases the lock.
  package func release() { unlockAndClose(descriptor) }
}
