internal import CLMDB

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Replaces the data file of a store while no one has it open.
package enum StoreReplacement {
  /// Replaces the data file by a new one that a function builds.
  ///
  /// The new file is written beside the old one, synced and renamed: a crash at any moment leaves
  /// either the old store or the new one, complete.
  ///
  /// - Parameters:
  ///   - directory: The directory of the store.
  ///   - options: Sizes, limits and permissions.
  ///   - build: Called with the storage, to which it has exclusive access, and an empty open file
  ///     to fill.
  /// - Throws: ``StorageError`` of kind `notAStore` if there is no store, `inUse` if the store is
  ///   open anywhere, `symbolicLink` if the data file is a symbolic link, and the error of `build`;
  ///   the old data file then stays in its place.
  package static func replace(
    in directory: String, _ options: StorageOptions,
    _ build: (Storage, _ descriptor: Int32) throws -> Void
  ) throws {
    let attributes = try requireReplaceableFile(in: directory)
    let lock = try StoreLock.exclusive(in: directory, fileMode: options.fileMode)
    defer { lock.release() }
    try putInPlace(in: directory, like: attributes) {
      try fill($0, directory, options, build)
    }
  }

  /// Writes a new data file beside the old one, and puts it in its place when it is synced.
  ///
  /// The exclusive lock must be held.
  ///
  /// - Parameters:
  ///   - directory: The directory of the store.
  ///   - attributes: The attributes of the old data file.
  ///   - keepOld: Called before the new file replaces the old one.
  ///   - step: Called before each step that changes the directory.
  ///   - build: Called with an empty open file to fill.
  /// - Throws: ``StorageError``, and the errors of the functions; the old data file is in its place if one
  ///   of them threw.
  static func putInPlace(
    in directory: String, like attributes: stat, keepOld: () throws -> Void = {},
    step: () throws -> Void = {}, _ build: (_ descriptor: Int32) throws -> Void
  ) throws {
    let (data, new) = (StoreFiles(directory).data, StoreFiles(directory).newData)
    let mode = attributes.st_mode & 0o777
    // A file that a crash left, or a link to another file, must not be written to.
    unsafe unlink(new)
    let descriptor = unsafe open(new, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    if descriptor < 0 { throw systemError(.other, "create \(new)") }
    var isReplaced = false
    defer {
      close(descriptor)
      if !isReplaced { unsafe unlink(new) }
    }
    // Root gives the new file to the owner of the old one; for others it is their own, as with every
    // program that replaces files.
    _ = fchown(descriptor, attributes.st_uid, attributes.st_gid)
    // The umask has taken permissions away that the original has.
    if fchmod(descriptor, mode) != 0 { throw systemError(.other, "create \(new)") }
    try build(descriptor)
    try step()
    if fsync(descriptor) != 0 { throw systemError(.other, "write \(new)") }
    try keepOld()
    try step()
    if unsafe rename(new, data) != 0 { throw systemError(.other, "replace \(data)") }
    isReplaced = true
    try step()
    // It speaks of transactions of the old file; LMDB creates it again.
    unsafe unlink(StoreFiles(directory).readers)
    try step()
    try StoreDirectory.sync(directory)
  }

  /// Changes a store while no one else has it open.
  ///
  /// - Parameters:
  ///   - directory: The directory of the store.
  ///   - options: Sizes, limits and permissions.
  ///   - body: Called with the storage, to which it has exclusive access.
  /// - Throws: ``StorageError`` of kind `inUse` if the store is open anywhere, and the error of
  ///   `body`.
  package static func alone(
    in directory: String, _ options: StorageOptions, _ body: (Storage) throws -> Void
  ) throws {
    try StoreDirectory.requireStore(directory)
    try StoreDirectory.requireNoLink(StoreFiles(directory).data)
    try StoreDirectory.requireLocalFileSystem(directory)
    let lock = try StoreLock.exclusive(in: directory, fileMode: options.fileMode)
    defer { lock.release() }
    try body(try openAlone(directory, options))
  }

  /// Requires that the data file of a store can be replaced now; changes nothing.
  ///
  /// - Throws: As ``replace(in:_:_:)`` before it builds anything.
  package static func requireReplaceable(
    in directory: String, _ options: StorageOptions
  ) throws(StorageError) {
    _ = try requireReplaceableFile(in: directory)
    try requireUnused(in: directory, options)
  }

  /// The attributes of a data file that can be replaced.
  private static func requireReplaceableFile(in directory: String) throws(StorageError) -> stat {
    let data = StoreFiles(directory).data
    try StoreDirectory.requireStore(directory)
    try StoreDirectory.requireNoLink(data)
    var attributes = stat()
    if unsafe lstat(data, &attributes) != 0 { throw systemError(.notAStore, "open \(data)") }
    try StoreDirectory.requireLocalFileSystem(directory)
    return attributes
  }

  /// Requires that a store can be replaced now; changes nothing.
  ///
  /// - Throws: ``StorageError`` of kind `inUse` if the store is open anywhere.
  package static func requireUnused(
    in directory: String, _ options: StorageOptions
  ) throws(StorageError) {
    try StoreLock.exclusive(in: directory, fileMode: options.fileMode).release()
  }

  /// The storage is closed when this returns.
  private static func fill(
    _ descriptor: Int32, _ directory: String, _ options: StorageOptions,
    _ build: (Storage, _ descriptor: Int32) throws -> Void
  ) throws {
    try build(try openAlone(directory, options), descriptor)
  }

  /// Opens a storage without a lock of its own: an exclusive one is held.
  ///
  /// With `leavesSize`, a file that lacks free pages at its end stays as it is.
  static func openAlone(
    _ directory: String, _ options: StorageOptions, leavesSize: Bool = false
  ) throws -> Storage {
    let data = StoreFiles(directory).data
    if options.pageCheck != nil { try StorageLocation.requireSoundHeads(in: directory) }
    try StoreDirectory.checkDataFile(data, isReadOnly: leavesSize)
    try StoreDirectory.allocateLockFile(
      in: directory, readers: options.maximumReaders, fileMode: options.fileMode)
    let settings = LMDBSettings(options, flags: UInt32(MDB_NOTLS))
    let environment = try Storage(path: directory, settings: settings, lock: nil)
    if let check = options.pageCheck { try environment.requireSoundPages(check) }
    environment.faults = options.faults
    return environment
  }
}
