internal import BoxEngine
internal import BoxStorage
internal import BoxSystem

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The directory that a store is copied to.
///
/// The data file gets its name when it is whole and synced, so that a copy that was interrupted is
/// not taken for a store.
package struct StoreBackup {
  private let target: String
  private let mode: mode_t
  private var data: String { target + "/data.mdb" }
  private var temporary: String { target + "/data.mdb.new" }

  /// The directories that were created for the copy, the outermost first.
  private var made: [String] = []

  /// Creates the directory, and its missing parents.
  ///
  /// - Throws: ``CommandFailure`` with status 2 if there is a store already, and 74 if a directory
  ///   cannot be created, or if a link of a repository leaves its work tree; created directories
  ///   are removed then.
  package init(of directory: String, to target: String) throws(CommandFailure) {
    try WriteTarget.resolve(target)
    self.target = target
    var attributes = stat()
    mode = stat(directory + "/data.mdb", &attributes) == 0 ? attributes.st_mode & 0o777 : 0o600
    do throws(CommandFailure) {
      try makeFolders()
      if access(data, F_OK) == 0 {
        throw CommandFailure(
          .impossible, "there is a store already; name another folder", path: target)
      }
    } catch {
      removeFolders()
      throw error
    }
  }

  private mutating func makeFolders() throws(CommandFailure) {
    var path = target.hasPrefix("/") ? "/" : ""
    for name in target.split(separator: "/") {
      path += name
      if mkdir(path, 0o700 | (mode & 0o444) >> 2 | (mode & 0o044)) == 0 {
        made.append(path)
      } else if errno == EEXIST, !isFolder(path) {
        throw CommandFailure(
          .inputOutput, "this is a file, not a folder; name a folder for the copy", path: path)
      } else if errno != EEXIST {
        throw Self.failure("cannot be made", path)
      }
      path += "/"
    }
  }

  private func removeFolders() {
    for path in made.reversed() { rmdir(path) }
  }

  /// Writes the data file.
  ///
  /// - Parameters:
  ///   - progress: Is told how many bytes are written, and whether these are all.
  ///   - copying: Writes to the open file, on another thread.
  /// - Returns: Its size in bytes.
  /// - Throws: ``CommandFailure`` with status 74, and what `copying` throws; nothing that was made
  ///   is left then.
  package func write(
    progress: (_ done: Int, _ isComplete: Bool) -> Void,
    copying: @escaping @Sendable (Int32) throws -> Void
  ) throws -> Int {
    do {
      return try writeFile(progress, copying)
    } catch {
      unlink(temporary)
      removeFolders()
      if case StoreError.storage(let error) = error, error.kind == .noSpace {
        // The message of the storage names the store that is copied.
        throw CommandFailure(
          .inputOutput, "cannot be written: there is no space left; make room and try again",
          path: target)
      }
      throw error
    }
  }

  private func writeFile(
    _ progress: (Int, Bool) -> Void, _ copying: @escaping @Sendable (Int32) throws -> Void
  ) throws -> Int {
    let descriptor = open(temporary, O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, mode)
    if descriptor < 0 { throw Self.failure("cannot be written", temporary) }
    defer { close(descriptor) }
    // The umask has taken permissions away that the original has.
    if fchmod(descriptor, mode) != 0 { throw Self.failure("cannot be written", temporary) }
    try watchingSize(of: temporary, { progress($0, false) }) { try copying(descriptor) }
    if fsync(descriptor) != 0 || rename(temporary, data) != 0 {
      throw Self.failure("cannot be written", data)
    }
    synchronize()
    var attributes = stat()
    let size = fstat(descriptor, &attributes) == 0 ? Int(attributes.st_size) : 0
    progress(size, true)
    return size
  }

  private func synchronize() {
    let folder = open(target, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if folder < 0 { return }
    _ = fsync(folder)
    close(folder)
  }

  private static func failure(_ message: String, _ path: String) -> CommandFailure {
    CommandFailure(.inputOutput, "\(message): \(SystemError.last.reason)", path: path)
  }
}
