#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The folder that a store is copied to.
///
/// The data file gets its name when it is whole and synced, so that a copy that was interrupted is
/// not taken for a store.
struct StoreBackup {
  private let target: String
  private let mode: mode_t
  private var data: String { target + "/data.mdb" }
  private var temporary: String { target + "/data.mdb.new" }

  /// Makes the folder.
  ///
  /// - Throws: ``CommandFailure`` with status 2 if there is a store already, and 74 if the folder
  ///   cannot be made.
  init(of directory: String, to target: String) throws(CommandFailure) {
    self.target = target
    var attributes = stat()
    mode = stat(directory + "/data.mdb", &attributes) == 0 ? attributes.st_mode & 0o777 : 0o600
    if mkdir(target, 0o700 | (mode & 0o444) >> 2 | (mode & 0o044)) != 0 && errno != EEXIST {
      throw Self.failure("cannot be made", target)
    }
    if access(target + "/data.mdb", F_OK) == 0 {
      throw CommandFailure(
        .impossible, "there is a store already; name another folder", path: target)
    }
  }

  /// Writes the data file.
  ///
  /// - Parameters:
  ///   - progress: Is told how many bytes are written.
  ///   - copying: Writes to the open file, on another thread.
  /// - Returns: Its size in bytes.
  /// - Throws: ``CommandFailure`` with status 74, and what `copying` throws; no file is left then.
  func write(
    progress: (Int) -> Void, copying: @escaping @Sendable (Int32) throws -> Void
  ) throws -> Int {
    let descriptor = open(temporary, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
    if descriptor < 0 { throw Self.failure("cannot be written", temporary) }
    defer { close(descriptor) }
    do {
      try watchingSize(of: temporary, progress) { try copying(descriptor) }
      if fsync(descriptor) != 0 || rename(temporary, data) != 0 {
        throw Self.failure("cannot be written", data)
      }
    } catch {
      unlink(temporary)
      throw error
    }
    synchronize()
    var attributes = stat()
    return fstat(descriptor, &attributes) == 0 ? Int(attributes.st_size) : 0
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
