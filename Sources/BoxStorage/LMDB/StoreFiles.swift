#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The files of a store, for code that makes or removes a store as a whole.
package enum StoreFiles {
  private static let names = ["data.mdb", "lock.mdb", "store.lock"]

  /// Creates an empty data file in a directory, and opens it for writing.
  ///
  /// - Returns: The descriptor, which the caller closes.
  /// - Throws: ``StorageError``, also if the directory has a data file.
  package static func createDataFile(in directory: String) throws(StorageError) -> Int32 {
    let path = directory + "/data.mdb"
    let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if file < 0 { throw systemError(.other, "create \(path)") }
    return file
  }

  /// Removes the files of a store that nobody has open.
  package static func remove(in directory: String) {
    for name in names { unlink(directory + "/" + name) }
  }

  /// Removes the files of a store, unless somebody has it open.
  ///
  /// - Returns: Whether they were removed.
  package static func removeIfUnused(in directory: String) -> Bool {
    guard let lock = StoreLock.exclusiveIfFree(in: directory, fileMode: 0o600) else { return false }
    defer { lock.release() }
    remove(in: directory)
    return true
  }
}
