#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A store that no one else can open, and whose data file may be damaged.
package struct HeldStore {
  private let directory: String
  private let options: StorageOptions
  private var files: StoreFiles { StoreFiles(directory) }

  /// The number of attempts to take the lock: two seconds, for others that look for damage as well.
  private static let attempts = 400

  /// Calls a function while no one else has the store open, nor can open it.
  ///
  /// - Parameters:
  ///   - directory: The directory of the store.
  ///   - options: Sizes, limits and permissions.
  ///   - body: Called with the store, which it must not keep.
  /// - Returns: The value of the function.
  /// - Throws: ``StorageError`` of kind `notAStore` if there is no directory or the data file is not a
  ///   regular file, `symbolicLink`, `networkFileSystem`, `inUse` if the store is open anywhere after two
  ///   seconds, `noPermission`, and the error of `body`.
  package static func hold<R>(
    _ directory: String, _ options: StorageOptions, _ body: (HeldStore) throws -> R
  ) throws -> R {
    let data = StoreFiles(directory).data
    try StoreDirectory.requireDirectory(directory)
    try StoreDirectory.requireNoLink(data)
    try StoreDirectory.requireNoOtherKind(data)
    try StoreDirectory.requireLocalFileSystem(directory)
    let lock = try StoreLock.exclusive(
      in: directory, fileMode: options.fileMode, attempts: attempts)
    defer { lock.release() }
    return try body(HeldStore(directory: directory, options: options))
  }

  private init(directory: String, options: StorageOptions) {
    self.directory = directory
    self.options = options
  }

  /// Whether no transaction was ever committed, so that no data can be damaged.
  package var isNew: Bool {
    !files.hasData || StoreDirectory.hasNoTransaction(files.data)
      || StoreDirectory.isUnfinished(files.data)
  }

  /// Calls a function with the pages of the data file, which is read and not mapped.
  ///
  /// - Returns: The value of the function.
  /// - Throws: ``StorageError`` if the file cannot be read, and the error of `body`.
  package func reading<R>(_ body: (PageSource) throws -> R) throws -> R {
    try PageSource.reading(files.data, body)
  }

  /// Opens the storage, whose pages must be sound, with room for all spaces; the file is not changed.
  ///
  /// It has to be released before the file is replaced.
  ///
  /// - Parameter spaces: The number of spaces that there is room for.
  /// - Returns: The storage.
  /// - Throws: ``StorageError``.
  package func open(spaces: Int) throws -> Storage {
    var options = options
    options.pageCheck = nil
    options.isReadOnly = false
    options.maximumSpaces = spaces
    return try StoreReplacement.openAlone(directory, options, leavesSize: true)
  }

  /// Keeps the data file in a directory for damaged ones, and replaces it by a new one.
  ///
  /// The new file is complete and synced before the old one gets its second name, and that name is synced
  /// before the new file takes the place of the old one. So after a crash at any moment the old file has
  /// at least one of its names, and the store has a data file.
  ///
  /// - Parameter build: Called with an empty open file to fill.
  /// - Returns: The path of the damaged file.
  /// - Throws: ``StorageError``, and the error of `build`. Before the last two steps, nothing has moved then.
  package func replace(_ build: (_ descriptor: Int32) throws -> Void) throws -> String {
    var attributes = stat()
    if unsafe lstat(files.data, &attributes) != 0 {
      throw systemError(.notAStore, "open \(files.data)")
    }
    var kept = ""
    func step() throws { try options.faults?.strike(.other) }
    try StoreReplacement.putInPlace(
      in: directory, like: attributes, keepOld: { kept = try DamagedFiles(files).keep(step) },
      step: step, build)
    return kept
  }
}
