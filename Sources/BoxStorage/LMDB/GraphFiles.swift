internal import BoxSystem

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The files of graphs beside a store, which are derived from its data and can be removed at any time.
///
/// They are in a directory of the store's directory. If it, or a file in it, is a symbolic link, the link is
/// not followed: a foreign store must not make this process write elsewhere.
package struct GraphFiles: Hashable, Sendable {
  /// The name of the directory.
  package static let directoryName = "graphs"
  private static let lockName = "graphs.lock"
  private static let suffix = ".graph"

  private let store: StoreFiles
  private var directory: String { store.directory + "/" + Self.directoryName }

  /// The files of a store; nil for one in memory.
  package init?(_ location: StorageLocation) {
    guard case .directory(let path) = location else { return nil }
    store = StoreFiles(path)
  }

  init(_ store: StoreFiles) { self.store = store }

  private func path(_ name: String) -> String { "\(directory)/\(name)\(Self.suffix)" }

  /// The bytes of a file; nil if it does not exist, cannot be read, or is larger than `maximum` bytes.
  ///
  /// - Complexity: O(*n*).
  package func read(_ name: String, atMost maximum: Int) -> [UInt8]? {
    if !StoreDirectory.isDirectoryItself(directory) { return nil }
    let file = StoreDirectory.openKnownLockFile(path(name), O_RDONLY)
    if file < 0 { return nil }
    defer { close(file) }
    guard let size = (try? fileAttributes(of: file)).map({ Int($0.st_size) }), size <= maximum
    else { return nil }
    if size == 0 { return [] }
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      count = unsafe (try? readAll(file, at: 0, into: UnsafeMutableRawBufferPointer(buffer))) ?? 0
    }
    return bytes.count == size ? bytes : nil
  }

  /// Writes a file, which gets its name when it is complete and on the disk.
  ///
  /// One process at a time writes.
  ///
  /// - Returns: Whether it was written: false while another process writes.
  /// - Throws: ``StorageError`` if the directory or the file cannot be written.
  /// - Complexity: O(*n*).
  package func write(_ name: String, _ bytes: [UInt8]) throws(StorageError) -> Bool {
    let mode = mode_t(store.dataMode)
    if unsafe mkdir(directory, mode | (mode & 0o444) >> 2) != 0, errno != EEXIST {
      throw systemError(.other, "create the directory \(directory)")
    }
    guard StoreDirectory.isDirectoryItself(directory) else {
      throw StorageError(.other, "\(directory) is not a directory; remove it")
    }
    let lockPath = directory + "/" + Self.lockName
    let lock = StoreDirectory.openLockFile(
      lockPath, in: store.directory, fileMode: store.dataMode)
    if lock < 0 { throw systemError(.other, "open \(lockPath)") }
    defer { unlockAndClose(lock) }
    let isMine: Bool
    do throws(SystemError) {
      isMine = try lockFile(lock, .exclusive)
    } catch {
      throw systemError(error, .other, "lock \(lockPath)")
    }
    if !isMine { return false }
    try replace(path(name), with: bytes, mode)
    return true
  }

  private func replace(
    _ path: String, with bytes: [UInt8], _ mode: mode_t
  ) throws(StorageError) {
    let new = path + ".new"
    // One that was left by a crash; the lock says that nobody writes it.
    unsafe unlink(new)
    let file = unsafe open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
    if file < 0 { throw systemError(.other, "create \(new)") }
    var isKept = false
    defer {
      close(file)
      if !isKept { unsafe unlink(new) }
    }
    do throws(SystemError) {
      try writeAll(bytes, to: file)
      try synchronize(file)
      if unsafe rename(new, path) != 0 { throw SystemError.last }
      isKept = true
      try synchronizeDirectory(directory)
    } catch {
      throw systemError(error, .other, "write \(path)")
    }
  }

  /// Removes a file, if it exists.
  package func remove(_ name: String) {
    if StoreDirectory.isDirectoryItself(directory) { unsafe unlink(path(name)) }
  }

  /// Removes all files of graphs, and the directory if nothing else is in it.
  func removeAll() {
    guard StoreDirectory.isDirectoryItself(directory),
      let stream = unsafe opendir(directory)
    else { return }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
        unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if name == Self.lockName || name.hasSuffix(Self.suffix)
        || name.hasSuffix(Self.suffix + ".new")
      {
        names.append(name)
      }
    }
    for name in names { unsafe unlink(directory + "/" + name) }
    unsafe rmdir(directory)
  }
}
