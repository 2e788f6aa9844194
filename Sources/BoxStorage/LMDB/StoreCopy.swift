internal import BoxSystem

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A copy of a data file in another directory.
///
/// The file gets its name when it is complete and synced, so that a copy that was interrupted is not
/// a store.
package struct StoreCopy: Sendable {
  private let files: StoreFiles
  private let mode: UInt32
  private let created: CreatedDirectories

  /// Creates the directory of the copy, and the missing ones above it.
  ///
  /// - Parameters:
  ///   - directory: The directory of the store, whose permissions the copy gets.
  ///   - target: The directory of the copy.
  /// - Throws: ``StorageError`` of kind `alreadyExists` if there is a data file, and `other` or
  ///   `noPermission` if a directory cannot be created; created directories are removed then.
  package init(of directory: String, to target: String) throws(StorageError) {
    files = StoreFiles(target)
    mode = StoreFiles(directory).dataMode
    do throws(CreatedDirectories.Failure) {
      // Users who may read the file must be able to enter the directories.
      created = try CreatedDirectories(
        target, mode: mode_t(0o700 | (mode & 0o444) >> 2 | mode & 0o044))
    } catch {
      if error.error.code == ENOTDIR {
        throw StorageError(
          .other, "\(error.path) is a file, not a directory; name a directory for the copy")
      }
      throw systemError(error.error, .other, "create the directory \(error.path)")
    }
    if !files.hasData { return }
    created.remove()
    throw StorageError(.alreadyExists, "a store already exists there; name another directory")
  }

  /// Writes the data file.
  ///
  /// - Parameters:
  ///   - progress: Called with the number of bytes written, and whether these are all.
  ///   - copy: Writes to the open file, on another thread.
  /// - Returns: The size of the copy in bytes.
  /// - Throws: ``StorageError``, and the error of `copy`; nothing that was created is left then.
  package func write(
    progress: (_ done: Int, _ isComplete: Bool) -> Void,
    copy: @escaping @Sendable (_ descriptor: Int32) throws -> Void
  ) throws -> Int {
    do {
      return try writeFile(progress, copy)
    } catch {
      unsafe unlink(files.newData)
      created.remove()
      throw error
    }
  }

  private func writeFile(
    _ progress: (Int, Bool) -> Void, _ copy: @escaping @Sendable (Int32) throws -> Void
  ) throws -> Int {
    let new = files.newData
    let file = unsafe open(
      new, O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, mode_t(mode))
    if file < 0 { throw systemError(.other, "create \(new)") }
    defer { close(file) }
    // The umask has taken permissions away that the original has.
    if fchmod(file, mode_t(mode)) != 0 { throw systemError(.other, "create \(new)") }
    try watchingSize(of: new, { progress($0, false) }) { try copy(file) }
    if unsafe fsync(file) != 0 || rename(new, files.data) != 0 {
      throw systemError(.other, "write \(files.data)")
    }
    // A file system that cannot sync directories does so by itself.
    try? StoreDirectory.sync(files.directory)
    let size = files.dataSize
    progress(size, true)
    return size
  }
}
