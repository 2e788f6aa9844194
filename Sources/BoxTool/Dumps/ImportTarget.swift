package import BoxDump
package import BoxEngine
internal import BoxModel
internal import BoxStorage
internal import BoxSystem

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The store that an import goes to.
package final class ImportTarget {
  /// The store; nil after the end of the import.
  package private(set) var store: ObjectStore?
  /// The lock that excludes other imports; nil for a dry run, which changes nothing.
  package let lock: ImportLock?
  private let directory: String
  /// The directories that were created for the store, the innermost last; nil for an existing
  /// store.
  private let made: [String]?
  /// The directory of a copy that is removed at the end; nil for the store itself.
  private let copy: String?

  /// Opens or creates the store; indexes that can be built at the end of the import are deferred.
  ///
  /// A model is applied with the first batch, and only if that is committed. For a dry run the
  /// store is a copy, or a new one in memory: the directory does not change.
  ///
  /// - Throws: ``CommandFailure``, ``DumpError``, or what opening throws.
  package init(
    _ directory: String, model path: String?, input: DumpInput, for importing: ImportOptions,
    _ options: StoreOptions, _ observer: any WorkObserver
  ) throws {
    self.directory = directory
    var options = options
    options.keepsWork = true
    var document = try path.map { path in
      options.modelPath = path
      return try Self.model(try SourceFile.read(path).bytes, path)
    }
    if document == nil && !Self.exists(directory) {
      document = try Self.model(of: input, for: directory)
    }
    if importing.isDryRun {
      (lock, made) = (nil, nil)
      try ImportLock.requireNone(in: directory)
      copy = Self.exists(directory) ? try Self.copy(of: directory, options) : nil
      // A copy of what was checked needs no check.
      options.storage.pageCheck = nil
      let location = copy.map { StorageLocation.directory($0) } ?? .memory("dry run")
      do {
        store = try Self.open(location, document, options, input, directory)
      } catch {
        if let copy { Self.remove(copy) }
        throw error
      }
      return
    }
    copy = nil
    let folders = try Self.makeFolder(directory)
    do throws(DumpError) {
      lock = try ImportLock(directory: directory)
    } catch {
      for folder in folders.reversed() { rmdir(folder) }
      throw error
    }
    made = Self.exists(directory) ? nil : folders
    do {
      options.takesModelOverLater = true
      options.leavesIndexesAside = true
      options.neededIndexes = importing.neededIndexes
      store = try Self.open(.directory(directory), document, options, input, directory)
    } catch {
      if let made { Self.removeIfEmpty(directory, made) }
      throw error
    }
    if let store { observer.warn(store.warnings, of: directory) }
  }

  deinit {
    store?.close()
    if let copy { Self.remove(copy) }
  }

  /// Closes the store after a failure, and removes one that was made for the import if nothing is in
  /// it.
  package func abandon() {
    store?.close()
    store = nil
    if let made { Self.removeIfEmpty(directory, made) }
  }

  /// Opens a store; one that an import was killed in before its first commit is made by the input.
  private static func open(
    _ location: StorageLocation, _ document: ModelDocument?, _ options: StoreOptions,
    _ input: DumpInput, _ directory: String
  ) throws -> ObjectStore {
    do throws(any Error) {
      return try ObjectStore.open(location, model: document, options: options)
    } catch StoreError.noStore(_) where document == nil {
      return try ObjectStore.open(
        location, model: model(of: input, for: directory), options: options)
    }
  }

  /// The model that the input has for a store that does not exist.
  private static func model(
    of input: DumpInput, for directory: String
  ) throws -> ModelDocument {
    guard let header = input.header else {
      throw CommandFailure(
        .inputOutput, "there is no store; --model FILE creates it", path: directory)
    }
    return try model(header.model, input.path)
  }

  private static func exists(_ directory: String) -> Bool {
    StorageLocation.directory(directory).exists
  }

  /// Creates a directory and its missing parents.
  ///
  /// - Returns: The created directories.
  /// - Throws: ``CommandFailure`` with status 65 if there is something else at the path, and 74 if
  ///   a directory cannot be created.
  private static func makeFolder(_ path: String) throws(CommandFailure) -> [String] {
    if mkdir(path, 0o700) == 0 { return [path] }
    if errno == EEXIST {
      if isFolder(path) { return [] }
      throw CommandFailure(
        .badInput, "this is no folder; a store is one, with data.mdb and lock.mdb in it",
        path: path)
    }
    let parent = parentFolder(of: path)
    if errno == ENOENT, parent != path, parent != ".", !path.isEmpty {
      let above = try makeFolder(parent)
      if mkdir(path, 0o700) == 0 { return above + [path] }
      let refusal = SystemError.last
      // Another process may have been faster.
      if refusal.code == EEXIST && isFolder(path) { return above }
      for folder in above.reversed() { rmdir(folder) }
      throw CommandFailure(
        .inputOutput, "the folder cannot be made: \(refusal.reason)", path: path)
    }
    throw CommandFailure(
      .inputOutput, "the folder cannot be made: \(SystemError.last.reason)", path: path)
  }

  /// Whether a data file has no store in it, also where there is no room to open it.
  private static func isEmpty(_ directory: String) -> Bool {
    if StorageLocation.directory(directory).hasNoTransaction { return true }
    var options = StoreOptions()
    options.storage.isReadOnly = true
    do throws(any Error) {
      try ObjectStore.open(.directory(directory), options: options).close()
      return false
    } catch StoreError.noStore {
      return true
    } catch {
      return false
    }
  }

  /// Removes a store without a commit, and the directories that were created for it.
  private static func removeIfEmpty(_ directory: String, _ made: [String]) {
    if exists(directory) {
      guard isEmpty(directory) else { return }
      // Somebody else may be about to make a store here.
      guard let lock = try? StoreLock.exclusive(in: directory, fileMode: 0o600) else { return }
      removeFiles(directory)
      lock.release()
    }
    if !made.isEmpty { unlink(directory + "/" + ImportLock.fileName) }
    for folder in made.reversed() { rmdir(folder) }
  }

  private static func model(_ bytes: [UInt8], _ path: String) throws -> ModelDocument {
    do throws(ModelError) {
      return try ModelDocument(parsing: bytes)
    } catch {
      throw CommandFailure(error, path: path)
    }
  }

  /// Copies a store to a directory next to it.
  private static func copy(
    of directory: String, _ options: StoreOptions
  ) throws -> String {
    var trimmed = directory
    while trimmed.count > 1, trimmed.hasSuffix("/") { trimmed.removeLast() }
    var template = Array((trimmed + ".dry-run-XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else {
      throw CommandFailure(
        .inputOutput, "no folder for a copy can be made beside it: \(SystemError.last.reason)",
        path: directory)
    }
    let folder = template.withUnsafeBufferPointer {
      $0.baseAddress.map { String(cString: $0) } ?? ""
    }
    do {
      var reading = StoreOptions()
      reading.storage = options.storage
      reading.storage.isReadOnly = true
      let store = try ObjectStore.open(.directory(directory), options: reading)
      defer { store.close() }
      let file = try OpenFile(
        path: folder + "/data.mdb", flags: O_RDWR | O_CREAT | O_EXCL, mode: 0o600)
      try store.copy(to: file.descriptor, compacting: false)
    } catch let error as SystemError {
      remove(folder)
      throw CommandFailure(
        .inputOutput, "cannot be copied for a dry run: \(error.reason)", path: directory)
    } catch {
      remove(folder)
      throw error
    }
    return folder
  }

  private static func remove(_ folder: String) {
    removeFiles(folder)
    rmdir(folder)
  }

  private static func removeFiles(_ folder: String) {
    for name in ["data.mdb", "lock.mdb", "store.lock"] { unlink(folder + "/" + name) }
  }
}
