internal import BoxEngine
internal import BoxStorage
internal import BoxSystem
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The directory of the store that an import fills, with everything that has to be undone there.
final class ImportDirectory {
  /// The location of the store to be opened.
  let location: StorageLocation
  /// The lock that excludes other imports; nil for a dry run, which changes nothing.
  private(set) var lock: ImportLock?
  private let path: String
  /// The directories that were created for the store; nil if there was a store.
  private var created: CreatedDirectories?
  /// The copy that a dry run fills; nil for the store itself.
  private var copy: StoreFiles?

  /// The number of dry runs that began without a store.
  private static let dryRuns = Atomic(0)

  /// Creates the directory if it does not exist, and locks it.
  ///
  /// - Throws: ``DumpError`` of kind `malformed` if there is something else at the path, `inputOutput`
  ///   if a directory cannot be created, and `impossible` if another import runs.
  init(locking path: String) throws(DumpError) {
    self.path = path
    location = .directory(path)
    let directories = try Self.create(path)
    do throws(DumpError) {
      lock = try ImportLock(directory: path)
    } catch {
      directories.remove()
      throw error
    }
    created = location.exists ? nil : directories
  }

  /// Copies the store to a directory beside it, if there is one.
  ///
  /// - Throws: ``DumpError`` of kind `impossible` if another import runs, and `inputOutput` if the copy
  ///   cannot be made; ``StoreError`` if the store cannot be opened.
  init(copying path: String, _ options: StoreOptions) throws {
    self.path = path
    try ImportLock.requireNone(in: path)
    if StorageLocation.directory(path).exists {
      let files = try Self.copy(of: path, options)
      copy = files
      location = .directory(files.directory)
    } else {
      let number = Self.dryRuns.wrappingAdd(1, ordering: .relaxed).newValue
      location = .memory("dry run \(number)")
    }
  }

  /// Keeps what was created.
  func keep() { created = nil }

  /// Releases the lock and removes a copy, and what was created unless something was committed to it.
  ///
  /// The store must be closed.
  func close() {
    copy?.remove()
    copy = nil
    defer { lock = nil }
    guard let created else { return }
    self.created = nil
    if location.exists, !isEmpty || !StoreFiles(path).removeUnused() { return }
    // Its file is in the directory.
    lock = nil
    created.remove()
  }

  /// Whether nothing was committed to the data file; false if it cannot be opened.
  private var isEmpty: Bool {
    if location.hasNoTransaction { return true }
    var options = StoreOptions()
    options.storage.isReadOnly = true
    do throws(StoreError) {
      try ObjectStore.open(location, options: options).close()
      return false
    } catch {
      if case .noStore = error { return true }
      return false
    }
  }

  private static func create(_ path: String) throws(DumpError) -> CreatedDirectories {
    do throws(CreatedDirectories.Failure) {
      return try CreatedDirectories(path, mode: 0o700)
    } catch {
      if error.error.code == ENOTDIR {
        throw DumpError(
          "this is not a directory; a store is one, with \(StoreFiles.dataName) and "
            + "\(StoreFiles.readersName) in it", path: error.path)
      }
      throw DumpError("the directory cannot be created", error.error, error.path)
    }
  }

  private static func copy(of path: String, _ options: StoreOptions) throws -> StoreFiles {
    let files: StoreFiles
    do throws(SystemError) {
      files = StoreFiles(
        try createTemporaryDirectory(prefix: path.withoutLastSlashes + ".dry-run-"))
    } catch {
      throw DumpError("cannot create a directory for a copy beside it", error, path)
    }
    do {
      var reading = StoreOptions()
      reading.storage = options.storage
      reading.storage.isReadOnly = true
      let store = try ObjectStore.open(.directory(path), options: reading)
      defer { store.close() }
      try files.createData { try store.copy(to: $0, compacting: false) }
    } catch {
      files.remove()
      guard let error = error as? StorageError else { throw error }
      throw DumpError(
        "cannot be copied for a dry run: \(error)", kind: .inputOutput, path: path)
    }
    return files
  }
}
