internal import BoxSystem
internal import CLMDB

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The files of a store in a directory: no code outside of this target has their names.
package struct StoreFiles: Hashable, Sendable {
  /// The name of the data file.
  package static let dataName = "data.mdb"
  /// The name of the file with the table of readers, and the writers' lock.
  package static let readersName = "lock.mdb"
  /// The name of the file whose lock decides who may open the store, and who may replace it.
  package static let lockName = "store.lock"
  /// The name of the file whose lock the one client or server of a store holds.
  package static let syncLockName = "sync.lock"
  /// The name of the directory with the damaged data files that were set aside.
  package static let damagedName = "damaged"

  /// The name of the directory that files without a name have for a moment, while a store is built again.
  package static let rebuildName = "rebuild.new"

  /// The directory.
  package let directory: String

  /// Creates the names of the files in a directory, which need not exist.
  package init(_ directory: String) { self.directory = directory }

  var data: String { directory + "/" + Self.dataName }
  /// The file that is written beside the data file, and gets its name when it is complete.
  var newData: String { data + ".new" }
  var readers: String { directory + "/" + Self.readersName }
  var lock: String { directory + "/" + Self.lockName }
  var syncLock: String { directory + "/" + Self.syncLockName }
  var damaged: String { directory + "/" + Self.damagedName }

  /// The paths that a store may have while it is changed, its directory last, and each directory after its files.
  package var pathsOfChanges: [String] {
    let rebuilt = StoreFiles(directory + "/" + Self.rebuildName)
    return [
      data, newData, rebuilt.data, rebuilt.readers, rebuilt.directory, readers, lock, directory,
    ]
  }

  /// Whether there is a data file, of whatever content.
  package var hasData: Bool { dataAttributes != nil }

  /// The size of the data file in bytes; 0 without one.
  package var dataSize: Int { dataAttributes.map { Int($0.st_size) } ?? 0 }

  /// The permissions of the data file; the permissions for a new one if it does not exist.
  var dataMode: UInt32 { dataAttributes.map { UInt32($0.st_mode & 0o777) } ?? 0o600 }

  /// The identity of the data file on this machine: its device, its number and, where the file system knows it, the
  /// time at which it was created; a number alone is given again once its file is removed.
  ///
  /// - Complexity: O(1).
  package var dataIdentity: [UInt64] {
    guard let attributes = dataAttributes else { return [0, 0, 0] }
    #if canImport(Darwin)
      let time = attributes.st_birthtimespec
      let birth = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    #else
      let birth = unsafe boxjoint_birth_time(data)
    #endif
    return [
      UInt64(truncatingIfNeeded: attributes.st_dev), UInt64(truncatingIfNeeded: attributes.st_ino),
      UInt64(bitPattern: birth),
    ]
  }

  /// The number of the last commit, as the data file has it; nil if the file is damaged or missing.
  ///
  /// The store need not be open, and no lock is held.
  ///
  /// - Complexity: O(1).
  package var lastCommit: UInt64? {
    (try? PageSource.reading(data) { try PageWalker($0).lastTransaction() }) ?? nil
  }

  private var dataAttributes: stat? { (try? fileAttributes(at: data)) ?? nil }

  /// Creates the data file by a function that copies a store to it, without syncing it.
  ///
  /// - Parameter copy: Called with the open file.
  /// - Throws: ``StorageError`` if the file cannot be created, and the error of `copy`.
  package func createData(_ copy: (_ descriptor: Int32) throws -> Void) throws {
    let file = unsafe open(data, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if file < 0 { throw systemError(.other, "create \(data)") }
    defer { close(file) }
    try copy(file)
  }

  /// Removes the files, and the directory if nothing else is in it.
  ///
  /// Nobody may have the store open.
  package func remove() {
    removeFiles()
    unsafe rmdir(directory)
  }

  private func removeFiles() {
    GraphFiles(self).removeAll()
    for file in [data, readers, lock, syncLock] { unsafe unlink(file) }
  }

  /// Removes the files of a store to which nothing was committed, unless another process uses it.
  ///
  /// - Returns: Whether they are removed.
  package func removeUnused() -> Bool {
    guard let lock = StoreLock.exclusiveIfFree(in: directory, fileMode: 0o600) else { return false }
    defer { lock.release() }
    removeFiles()
    return true
  }
}
