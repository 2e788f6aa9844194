internal import BoxSystem
internal import CLMDB
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The location of a store.
public enum StorageLocation: Hashable, Sendable {
  /// A directory that contains `data.mdb`, `lock.mdb` and `store.lock`.
  case directory(String)
  /// In memory, under a name that is known in this process; deleted when the last user closes it.
  ///
  /// The data is in a file that is unlinked at once, so it may be larger than the memory.
  case memory(String)
}

extension StorageLocation: CustomStringConvertible {
  /// The path, or the name in memory.
  public var description: String {
    switch self {
    case .directory(let path): path
    case .memory(let name): "memory:\(name)"
    }
  }
}

/// The options for opening a storage.
public struct StorageOptions: Hashable, Sendable {
  /// The number of bytes to which the data file may grow; by default 1 TiB.
  ///
  /// This is a limit, not a size: the file is as large as its contents.
  /// If the address space is too small for the default, the limit is lower, and half of the space stays
  /// free. Another value is taken as it is.
  public var maximumSize = defaultMaximumSize
  static let defaultMaximumSize = 1 << 40
  /// The number of read transactions that can be open at once, in all processes; by default 126.
  public var maximumReaders = 126
  /// The permissions of new files; by default 0600, for the owner only.
  public var fileMode: UInt32 = 0o600
  /// Whether the store is only read.
  ///
  /// The data file is not written then.
  public var isReadOnly = false
  /// The check of the data file's pages before it is used; by default nil, for none.
  ///
  /// Set it to open a store that may be damaged, or that comes from an untrusted source.
  public var pageCheck: PageCheck?
  /// The maximum number of spaces that the store needs; more are provided if the stored data needs
  /// them.
  package var maximumSpaces = 128
  /// Lets calls of the storage fail, for tests; nil for none.
  package var faults: StorageFaults?
  /// The pages that a new storage in memory begins with; nil for none.
  package var template: StorageTemplate?

  /// The default options.
  public init() {}

  /// Whether the same environment serves both.
  fileprivate func isSame(as other: StorageOptions) -> Bool {
    var other = other
    (other.maximumSpaces, other.pageCheck) = (maximumSpaces, pageCheck)
    (other.faults, other.template) = (faults, template)
    return self == other
  }
}

/// The storages that are open in this process.
private let openStorages = Mutex<[OpeningKey: OpenStorage]>([:])

/// The locks under which the files of a storage are opened.
///
/// LMDB must not open one file twice in a process: closing the second would drop the locks of the
/// first. Different files are opened at the same time: to open one can take a wait for another process.
private let openingLocks = KeyedLocks<OpeningKey>()

private enum OpeningKey: Hashable, Sendable {
  case file(FileIdentity)
  case memory(String)
}

private struct OpenStorage {
  weak var environment: Storage?
  var closing: ClosingFlag
  var options: StorageOptions
}

extension StorageLocation {
  /// Opens the storage, or gives the one that is open in this process already.
  ///
  /// - Parameters:
  ///   - options: Sizes, limits and permissions.
  ///   - alone: Whether to keep others from opening it until ``Storage/share()``, if nobody has it
  ///     open; ``Storage/isAlone`` says whether that is so.
  /// - Returns: The storage.
  /// - Throws: ``StorageError``, of kind `differentOptions` if it is open in this process with
  ///   other options, `notAStore`, `noPermission`, `networkFileSystem`, `inUse`, `damaged`,
  ///   `noSpace`, `sandboxed` or `other`.
  /// - Complexity: O(1); with a ``PageCheck`` O(*n*) in the number of pages.
  package func open(
    _ options: StorageOptions, alone: Bool = false
  ) throws(StorageError) -> Storage {
    let environment = try environment(options, alone: alone)
    if let check = options.pageCheck, case .directory = self {
      try environment.requireSoundPages(check)
    }
    environment.faults = options.faults
    return environment
  }

  /// The environment, whose pages are not checked.
  func environment(
    _ options: StorageOptions, alone: Bool = false
  ) throws(StorageError) -> Storage {
    guard options.maximumReaders > 0, options.maximumSize >= 1 << 20,
      options.maximumReaders <= 1 << 20
    else {
      throw StorageError(
        .other, "a store needs room for 1 to 1048576 readers, and at least 1 MiB")
    }
    while true {
      if let environment = try attemptEnvironment(options, alone: alone) { return environment }
    }
  }

  /// The environment; nil if another file has replaced the data file meanwhile.
  private func attemptEnvironment(
    _ options: StorageOptions, alone: Bool
  ) throws(StorageError) -> Storage? {
    switch self {
    case .memory(let name):
      return try shared(.memory(name), options) { () throws(StorageError) in
        try openInMemory(options, alone: alone)
      }
    case .directory(let path):
      if options.isReadOnly {
        try StoreDirectory.requireStore(path)
      } else {
        try StoreDirectory.create(path, fileMode: options.fileMode)
      }
      try StoreDirectory.requireLocalFileSystem(path)
      return try openFile(in: path, options, alone: alone && !options.isReadOnly)
    }
  }

  private func openFile(
    in directory: String, _ options: StorageOptions, alone: Bool
  ) throws(StorageError) -> Storage? {
    let data = StoreFiles(directory).data
    // The file must be there to be known by its number; LMDB takes an empty one for a new one.
    if !options.isReadOnly {
      try StoreDirectory.requireNoLink(data)
      try StoreDirectory.requireNoOtherKind(data)
      let file = openFileDescriptor(data, O_RDWR | O_CREAT | O_CLOEXEC, options.fileMode)
      if file < 0 { throw systemError(.other, "open \(data)") }
      close(file)
    }
    guard let identity = StoreDirectory.identity(of: data) else {
      throw systemError(.notAStore, "open \(data)")
    }
    return try shared(.file(identity), options) { () throws(StorageError) in
      try openFile(identity, in: directory, options, alone: alone)
    }
  }

  /// Opens a data file; nil if another one was put in its place meanwhile.
  private func openFile(
    _ identity: FileIdentity, in directory: String, _ options: StorageOptions, alone: Bool
  ) throws(StorageError) -> Storage? {
    if !options.isReadOnly {
      try StoreDirectory.emptyIfUnfinished(directory, fileMode: options.fileMode)
    }
    if options.pageCheck != nil { try Self.requireSoundHeads(in: directory) }
    let data = StoreFiles(directory).data
    try StoreDirectory.checkDataFile(data, isReadOnly: options.isReadOnly)
    var lock = alone ? StoreLock.exclusiveIfFree(in: directory, fileMode: options.fileMode) : nil
    let isAlone = lock != nil
    if Self.readsUnannounced(directory, options) {
      // A writer would not see this reader, and write over the pages that it reads.
      if StoreLock.isHeld(in: directory) == true { throw Self.unannounced(in: directory) }
    } else if !isAlone {
      lock = try StoreLock.shared(
        in: directory, fileMode: options.fileMode, readOnly: options.isReadOnly)
    }
    // From here on, who replaces the file waits for the lock.
    guard StoreDirectory.identity(of: data) == identity else {
      lock?.release()
      return nil
    }
    do throws(StorageError) {
      return try openEnvironment(directory, options, lock, isAlone: isAlone)
    } catch let error {
      lock?.release()
      throw error
    }
  }

  private func openEnvironment(
    _ directory: String, _ options: StorageOptions, _ lock: StoreLock?, isAlone: Bool
  ) throws(StorageError) -> Storage {
    let lockFile = StoreFiles(directory).readers
    var flags = UInt32(MDB_NOTLS)
    if options.isReadOnly { flags |= UInt32(MDB_RDONLY) }
    if Self.readsUnannounced(directory, options) {
      flags |= UInt32(MDB_NOLOCK)
    } else {
      do throws(StorageError) {
        try StoreDirectory.allocateLockFile(
          in: directory, readers: options.maximumReaders, fileMode: options.fileMode)
      } catch let error {
        guard error.kind == .noSpace, options.isReadOnly, !StoreDirectory.isUsed(lockFile: lockFile)
        else { throw error }
        // Programs that have the store open use the file, and on a full disk no other one can.
        flags |= UInt32(MDB_NOLOCK)
      }
    }
    if flags & UInt32(MDB_NOLOCK) == 0 { try StoreDirectory.waitForOpeners(lockFile) }
    let environment = try Storage(
      path: directory, settings: LMDBSettings(options, flags: flags), lock: lock,
      isAlone: isAlone)
    if environment.hasLocks { try environment.requireOwnFile() }
    if !options.isReadOnly { try environment.syncIfNew() }
    return environment
  }

  /// Whether this user only reads a store and may not write the table of readers either.
  private static func readsUnannounced(_ directory: String, _ options: StorageOptions) -> Bool {
    guard options.isReadOnly else { return false }
    return unsafe access(directory, W_OK) != 0
      && access(StoreFiles(directory).readers, R_OK | W_OK) != 0
  }

  /// The error for a store that others may write over while it is read.
  static func unannounced(in directory: String) -> StorageError {
    StorageError(
      .inUse,
      "another program has the store open, and this user cannot write to the lock file "
        + "\(StoreFiles(directory).readers); close that program, or give this user write permission"
    )
  }

  /// The directory for files that exist only while they are open.
  package static var temporaryDirectory: String {
    unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
  }

  private func openInMemory(
    _ options: StorageOptions, alone: Bool
  ) throws(StorageError) -> Storage {
    let parent = Self.temporaryDirectory
    let directory: String
    do throws(SystemError) {
      directory = try createTemporaryDirectory(prefix: parent + "/boxjoint-")
    } catch {
      throw systemError(error, .other, "create a directory in \(parent)")
    }
    return try Self.openUnlinked(directory, options, isAlone: alone)
  }

  /// Makes a file without a name, in the file system that the data is in.
  ///
  /// - Throws: ``StorageError``.
  package func makeSpoolFile() throws(StorageError) -> SpoolFile {
    switch self {
    case .directory(let path): try SpoolFile(in: path)
    case .memory: try SpoolFile(in: Self.temporaryDirectory)
    }
  }

  /// Opens a new private storage in unlinked files.
  ///
  /// It is never synced, and removed when the last user closes it, even by a crash.
  ///
  /// - Parameters:
  ///   - directory: A path in the file system that is to hold the data, that does not exist, or that a crash
  ///     has left. Nobody else may use it at the same time.
  ///   - options: Sizes and limits.
  /// - Returns: The storage.
  /// - Throws: ``StorageError``.
  package static func openTemporary(
    _ directory: String, _ options: StorageOptions
  ) throws(StorageError) -> Storage {
    removeUnlinked(directory)
    if unsafe mkdir(directory, 0o700) != 0 { throw systemError(.other, "create \(directory)") }
    let storage = try openUnlinked(directory, options)
    storage.faults = options.faults
    return storage
  }

  private static func removeUnlinked(_ directory: String) {
    // By way of a link they would be another store's.
    guard StoreDirectory.isDirectoryItself(directory) else { return }
    StoreFiles(directory).remove()
  }

  private static func openUnlinked(
    _ directory: String, _ options: StorageOptions, isAlone: Bool = false
  ) throws(StorageError) -> Storage {
    // The files live on without a name until they are closed.
    defer { removeUnlinked(directory) }
    try options.template?.write(to: StoreFiles(directory))
    try StoreDirectory.allocateLockFile(
      in: directory, readers: options.maximumReaders, fileMode: options.fileMode)
    let flags = UInt32(MDB_NOTLS | MDB_NOSYNC | MDB_NOMETASYNC)
    return try Storage(
      path: directory, settings: LMDBSettings(options, flags: flags), lock: nil, isAlone: isAlone)
  }

  private func shared(
    _ key: OpeningKey, _ options: StorageOptions,
    _ open: () throws(StorageError) -> Storage?
  ) throws(StorageError) -> Storage? {
    try openingLocks.withLock(key) { () throws(StorageError) in
      let known = openStorages.withLock { storages in
        let known = storages[key]
        if known?.environment == nil { storages[key] = nil }
        return known
      }
      if let known, let environment = known.environment {
        if known.options.isSame(as: options) { return environment }
        throw StorageError(
          .differentOptions,
          "\(self) is open in this process with other options; use the same, or close it first")
      }
      // The last user may be about to release it: its locks have to be released before new ones are made.
      known?.closing.wait()
      guard let environment = try open() else { return nil }
      let opened = OpenStorage(
        environment: environment, closing: environment.closing, options: options)
      openStorages.withLock { storages in
        // Names in memory are rarely used again.
        storages = storages.filter { !$0.value.closing.isUp }
        storages[key] = opened
      }
      return environment
    }
  }

  /// Whether the store is open in this process.
  package var isOpenHere: Bool {
    guard let key else { return false }
    return openStorages.withLock { $0[key]?.environment != nil }
  }
}

extension LMDBSettings {
  init(_ options: StorageOptions, flags: UInt32) {
    self.init(
      flags: flags, maximumSize: options.maximumSize,
      maximumReaders: UInt32(options.maximumReaders),
      maximumSpaces: UInt32(options.maximumSpaces), fileMode: options.fileMode)
  }
}

/// Opens a file; the method `open` of this file hides the function.
private func openFileDescriptor(_ path: String, _ flags: Int32, _ mode: UInt32) -> Int32 {
  #if canImport(Glibc)
    unsafe Glibc.open(path, flags, mode_t(mode))
  #else
    Darwin.open(path, flags, mode_t(mode))
  #endif
}

extension StorageLocation {
  /// Throws where there is nothing that may be a store; nothing is written, and nothing locked.
  ///
  /// A storage in memory has no files to look at.
  ///
  /// - Throws: ``StorageError`` of kind `notAStore`, with a code where there is nothing and without
  ///   one where there is something else, or `noPermission`.
  package func requireStore() throws(StorageError) {
    if case .directory(let path) = self { try StoreDirectory.requireStore(path) }
  }

  /// Throws if the path of a directory is something else.
  package func requireNoFile() throws(StorageError) {
    if case .directory(let path) = self, unsafe access(path, F_OK) == 0 {
      try StoreDirectory.requireDirectory(path)
    }
  }

  /// Whether there is a data file that no transaction was committed to, so that nothing is in it.
  package var hasNoTransaction: Bool {
    guard case .directory(let path) = self else { return false }
    return StoreDirectory.hasNoTransaction(StoreFiles(path).data)
  }

  /// Whether there is a data file, or a store in memory that is open in this process.
  package var exists: Bool {
    switch self {
    case .memory: isOpenHere
    case .directory(let path):
      // A file that may not be read counts as a store: opening it reports the reason.
      unsafe access(StoreFiles(path).data, F_OK) == 0 || errno != ENOENT
    }
  }
}

/// The identity of the data of a storage: of its file, or of its name in memory.
package struct StorageIdentity: Hashable, Sendable {
  private let key: OpeningKey

  fileprivate init(_ key: OpeningKey) { self.key = key }
}

extension StorageLocation {
  /// The identity of the data; nil for a directory without a data file.
  package var identity: StorageIdentity? { key.map(StorageIdentity.init) }

  fileprivate var key: OpeningKey? {
    switch self {
    case .memory(let name): .memory(name)
    case .directory(let path):
      StoreDirectory.identity(of: StoreFiles(path).data).map { .file($0) }
    }
  }

  /// Removes the files of a store that nobody has open, and the directory if nothing else is in it.
  ///
  /// In memory, and where no files are, nothing is to be done.
  ///
  /// - Throws: ``StorageError`` of kind `inUse` if the store is open anywhere; nothing is removed then.
  package func removeFiles() throws(StorageError) {
    guard case .directory(let path) = self, StoreFiles(path).hasData else { return }
    // The last close in this process may still be releasing its locks.
    let known = key.flatMap { key in openStorages.withLock { $0[key] } }
    if let known, known.environment == nil { known.closing.wait() }
    let lock = try StoreLock.exclusive(in: path, fileMode: 0o600)
    defer { lock.release() }
    StoreFiles(path).remove()
  }
}
