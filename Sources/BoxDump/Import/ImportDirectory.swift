internal import BoxEngine
internal import BoxStorage
internal import BoxSystem

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The directory of the store that an import goes to, and what has to be removed of it at the end.
struct ImportDirectory {
  let path: String
  /// The directories that were created for the store, the innermost last; nil for an existing store.
  private var made: [String]?

  /// Creates the directory and its missing parents, and takes the lock of imports.
  ///
  /// - Throws: ``DumpError`` if there is something else at the path, if a directory cannot be created,
  ///   or if another import runs; nothing that was created is left then.
  init(_ path: String, lock: inout ImportLock?) throws(DumpError) {
    self.path = path
    let folders = try Self.make(path)
    do throws(DumpError) {
      lock = try ImportLock(directory: path)
    } catch {
      for folder in folders.reversed() { rmdir(folder) }
      throw error
    }
    made = Self.hasStore(path) ? nil : folders
  }

  /// Whether a directory has a data file.
  static func hasStore(_ path: String) -> Bool { StorageLocation.directory(path).exists }

  /// Removes a store that was made for the import, if nothing was committed to it, and the directories
  /// that were created for it.
  func removeIfEmpty() {
    guard let made else { return }
    if Self.hasStore(path) {
      // Somebody else may be about to make a store here.
      guard isEmpty, StoreFiles.removeIfUnused(in: path) else { return }
    }
    if !made.isEmpty { unlink(path + "/" + ImportLock.fileName) }
    for folder in made.reversed() { rmdir(folder) }
  }

  /// Whether the data file has no store in it, also where there is no room to open it.
  private var isEmpty: Bool {
    let location = StorageLocation.directory(path)
    if location.hasNoTransaction { return true }
    var options = StoreOptions()
    options.storage.isReadOnly = true
    do throws(StoreError) {
      try ObjectStore.open(location, options: options).close()
      return false
    } catch {
      guard case .noStore = error else { return false }
      return true
    }
  }

  /// Creates a directory and its missing parents; returns those that were created.
  private static func make(_ path: String) throws(DumpError) -> [String] {
    if mkdir(path, 0o700) == 0 { return [path] }
    if errno == EEXIST {
      if isDirectory(path) { return [] }
      throw DumpError("this is not a directory; a store is one", path: path)
    }
    let parent = parent(of: path)
    guard errno == ENOENT, let parent else { throw failure(path) }
    let above = try make(parent)
    if mkdir(path, 0o700) == 0 { return above + [path] }
    // Another process may have been faster.
    if errno == EEXIST && isDirectory(path) { return above }
    let failure = failure(path)
    for folder in above.reversed() { rmdir(folder) }
    throw failure
  }

  private static func isDirectory(_ path: String) -> Bool {
    var attributes = stat()
    return stat(path, &attributes) == 0 && attributes.st_mode & S_IFMT == S_IFDIR
  }

  /// The path of the directory above; nil for one that exists in any case.
  private static func parent(of path: String) -> String? {
    let names = path.split(separator: "/")
    if names.count < 2 { return nil }
    return (path.hasPrefix("/") ? "/" : "") + names.dropLast().joined(separator: "/")
  }

  private static func failure(_ path: String) -> DumpError {
    DumpError(
      "the directory cannot be made: \(SystemError.last.reason)", kind: .inputOutput,
      path: path)
  }
}

extension ImportDirectory {
  /// Copies a store to a directory next to it, for a dry run; returns the path of the copy.
  ///
  /// - Throws: ``DumpError`` of kind `inputOutput`, or ``StoreError``; nothing is left then.
  static func copy(of directory: String, _ storage: StorageOptions) throws -> String {
    var trimmed = directory
    while trimmed.count > 1, trimmed.hasSuffix("/") { trimmed.removeLast() }
    var template = Array((trimmed + ".dry-run-XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else {
      throw DumpError(
        "no directory for a copy can be made beside it: \(SystemError.last.reason)",
        kind: .inputOutput, path: directory)
    }
    let copy = template.withUnsafeBufferPointer { name in
      name.baseAddress.map { String(cString: $0) } ?? ""
    }
    do {
      var options = StoreOptions()
      options.storage = storage
      options.storage.isReadOnly = true
      let store = try ObjectStore.open(.directory(directory), options: options)
      defer { store.close() }
      let file = try StoreFiles.createDataFile(in: copy)
      defer { Self.close(file) }
      try store.copy(to: file, compacting: false)
    } catch {
      removeCopy(copy)
      guard let error = error as? StorageError else { throw error }
      throw DumpError(
        "cannot be copied for a dry run: \(error)", kind: .inputOutput, path: directory)
    }
    return copy
  }

  /// Removes a copy.
  static func removeCopy(_ path: String) {
    StoreFiles.remove(in: path)
    rmdir(path)
  }

  private static func close(_ file: Int32) {
    #if canImport(Glibc)
      _ = Glibc.close(file)
    #else
      _ = Darwin.close(file)
    #endif
  }
}
