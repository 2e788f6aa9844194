internal import CLMDB
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Ordered keys in named spaces, changed in transactions: an environment of LMDB, which is a data file that
/// is mapped into memory, and its lock file.
///
/// One transaction writes at a time. Any number of transactions read: each sees the state at its begin and
/// never waits. It is closed when the last reference to it and to its transactions is released. No code
/// above this class depends on LMDB.
@safe package final class Storage: Sendable {
  /// The pointer is written once and the functions of LMDB that take it are safe to call from
  /// several threads.
  nonisolated(unsafe) let pointer: OpaquePointer
  let place: String
  private let process: Int
  private let lock: StoreLock?
  /// Read transactions that are at rest; to wake one costs a tenth of a new one.
  private let idleReaders = PointerSlots()
  private let alone: Atomic<Bool>
  /// Whether the storage refuses write transactions.
  package let isReadOnly: Bool
  /// Whether writers see the readers of this storage; if not, no process may write while it reads.
  package let hasLocks: Bool
  /// Whether the files have no name, as those in memory.
  let isUnlinked: Bool
  /// Bytes of a page.
  let pageSize: Int
  /// Bytes of a page if each lies at a multiple of them in the map; 0 otherwise, as for a file with larger
  /// pages than the system's.
  let alignedPageSize: Int
  /// Held while spaces are opened: transactions that open spaces must not run at the same time.
  package let spacesLock = Lock()
  /// Set once by a test, before the storage is used.
  nonisolated(unsafe) var faults: StorageFaults?
  /// Raised when the files are closed, so that they can be opened again in this process.
  let closing = ClosingFlag()
  /// The report of the check of the pages since the file was opened, or before it if nothing else
  /// wrote since; nil if they were not checked.
  let checkedPages = Mutex<PageReport?>(nil)
  /// The address of the map; 0 until it was asked for.
  let mapAddress = Atomic<UInt>(0)

  /// Opens an environment.
  ///
  /// If the address space is too small for the default size, the map is smaller.
  ///
  /// - Parameters:
  ///   - path: The directory.
  ///   - settings: Sizes and limits.
  ///   - lock: The lock to release with the environment.
  ///   - isAlone: Whether this process holds exclusive access until ``share()``.
  /// - Throws: ``StorageError``, of any kind that a function of LMDB reports.
  init(
    path: String, settings: LMDBSettings, lock: StoreLock?, isAlone: Bool = false
  ) throws(StorageError) {
    let environment: OpaquePointer
    do throws(StorageError) {
      unsafe environment = try unsafe Self.environment(path, settings)
    } catch let error {
      // Only the default is nobody's wish.
      guard error.code == ENOMEM, settings.maximumSize == StorageOptions.defaultMaximumSize
      else { throw error }
      var smaller = settings
      smaller.maximumSize = AddressSpace.size(forFile: StoreFiles(path).data)
      unsafe environment = try unsafe Self.environment(path, smaller)
    }
    unsafe pointer = environment
    place = path
    process = ForkGuard.generation
    self.lock = lock
    alone = Atomic(isAlone)
    isReadOnly = settings.flags & UInt32(MDB_RDONLY) != 0
    hasLocks = settings.flags & UInt32(MDB_NOLOCK) == 0
    isUnlinked = settings.flags & UInt32(MDB_NOSYNC) != 0
    var statistics = MDB_stat()
    let isKnown = unsafe mdb_env_stat(environment, &statistics) == MDB_SUCCESS
    pageSize = Int(statistics.ms_psize)
    let isAligned = pageSize.nonzeroBitCount == 1 && pageSize <= sysconf(Int32(_SC_PAGESIZE))
    alignedPageSize = isKnown && isAligned ? pageSize : 0
    // A process that died leaves its reader slots, which hold back old pages for ever.
    var cleared: Int32 = 0
    _ = unsafe mdb_reader_check(environment, &cleared)
  }

  private static func environment(
    _ path: String, _ settings: LMDBSettings
  ) throws(StorageError) -> OpaquePointer {
    var created: OpaquePointer?
    try unsafe check(mdb_env_create(&created), "create an environment")
    guard let environment = unsafe created else {
      throw StorageError(.other, "cannot create an environment")
    }
    do throws(StorageError) {
      try unsafe check(
        mdb_env_set_maxdbs(environment, settings.maximumSpaces), "set the number of spaces")
      try unsafe check(
        mdb_env_set_maxreaders(environment, settings.maximumReaders), "set the number of readers")
      try unsafe check(
        mdb_env_set_mapsize(environment, settings.maximumSize), "set the maximum size")
      let code = unsafe mdb_env_open(environment, path, settings.flags, mode_t(settings.fileMode))
      let isAccessible =
        unsafe access(StoreFiles(path).data, R_OK | W_OK) == 0
        && access(StoreFiles(path).readers, R_OK | W_OK) == 0
      if isDeniedSemaphore(code, filesAreAccessible: isAccessible) {
        throw sandboxError(path, code)
      }
      try check(code, "open \(path)")
    } catch let error {
      unsafe mdb_env_close(environment)
      throw error
    }
    return unsafe environment
  }

  deinit {
    defer { closing.raise() }
    // A child process does not have the locks and threads of its parent to release.
    if isForked { return }
    while let reader = unsafe idleReaders.pop() { unsafe mdb_txn_abort(OpaquePointer(reader)) }
    rememberCheck()
    unsafe mdb_env_close(pointer)
    lock?.release()
  }

  /// Whether this process holds exclusive access until ``share()``.
  package var isAlone: Bool { alone.load(ordering: .relaxed) }

  /// Gives up exclusive access, so that others can open the storage.
  ///
  /// - Throws: ``StorageError`` of kind `inUse`.
  package func share() throws(StorageError) {
    if alone.exchange(false, ordering: .relaxed) { try lock?.share() }
  }

  /// Begins a transaction that sees the last committed state and changes nothing.
  ///
  /// - Throws: ``StorageError`` of kind `tooManyReaders`, `usedAfterFork`, `closed` or `other`.
  package func beginRead() throws(StorageError) -> StorageTransaction {
    try unsafe faults?.strike(.beginRead)
    try requireSameProcess()
    let reader = try unsafe beginAnyRead()
    // LMDB reads the number of the last commit, and then its head, which the second commit after that overwrites: a
    // thread that waits in between for the page of the head gets that later state, before it is on the disk, and
    // readers after it would see an older one.
    // A file that has replaced this one has its own meta pages, so that the loop has to end.
    for _ in 0..<100 where unsafe lastHead > UInt64(mdb_txn_id(reader)) + 1 {
      unsafe mdb_txn_reset(reader)
      try unsafe renew(reader)
    }
    return unsafe StorageTransaction(reader, in: self, isWritable: false)
  }

  /// The number of the transaction of the newer meta page; 0 if it is not known.
  private var lastHead: UInt64 {
    var information = unsafe MDB_envinfo()
    return unsafe mdb_env_info(pointer, &information) == MDB_SUCCESS
      ? UInt64(information.me_last_txnid) : 0
  }

  /// Wakes a transaction that is at rest; it is gone if that fails.
  private func renew(_ reader: OpaquePointer) throws(StorageError) {
    let code = unsafe mdb_txn_renew(reader)
    if code == MDB_SUCCESS { return }
    unsafe mdb_txn_abort(reader)
    throw storageError(code, "read \(place)")
  }

  private func beginAnyRead() throws(StorageError) -> OpaquePointer {
    if let idleReader = unsafe idleReaders.pop() {
      let reader = OpaquePointer(idleReader)
      try unsafe renew(reader)
      return reader
    }
    var transaction: OpaquePointer?
    var code = unsafe mdb_txn_begin(pointer, nil, UInt32(MDB_RDONLY), &transaction)
    if code == MDB_READERS_FULL {
      var cleared: Int32 = 0
      _ = unsafe mdb_reader_check(pointer, &cleared)
      if cleared > 0 {
        code = unsafe mdb_txn_begin(pointer, nil, UInt32(MDB_RDONLY), &transaction)
      }
    }
    try check(code, "read \(place)")
    return try unsafe opened(transaction)
  }

  /// Begins the write transaction; blocks until no other one is open, in this process or another.
  ///
  /// The transaction belongs to the calling thread.
  ///
  /// - Throws: ``StorageError`` of kind `readOnly`, `usedAfterFork`, `closed`,
  ///   `largerLimitElsewhere`, `noSpace` or `other`.
  package func beginWrite() throws(StorageError) -> StorageTransaction {
    try unsafe faults?.strike(.beginWrite)
    if isReadOnly {
      throw StorageError(.readOnly, "cannot write to \(place): it was opened read-only")
    }
    try requireSameProcess()
    var transaction: OpaquePointer?
    try unsafe check(mdb_txn_begin(pointer, nil, 0, &transaction), "write to \(place)")
    let writer = try unsafe StorageTransaction(opened(transaction), in: self, isWritable: true)
    do throws(StorageError) {
      try requireFile(before: writer.number)
    } catch let error {
      writer.abort()
      throw error
    }
    return writer
  }

  func beginNested(in parent: OpaquePointer) throws(StorageError) -> StorageTransaction {
    var transaction: OpaquePointer?
    try unsafe check(mdb_txn_begin(pointer, parent, 0, &transaction), "write to \(place)")
    return try unsafe StorageTransaction(
      opened(transaction), in: self, isWritable: true, isNested: true)
  }

  /// Returns an ended read transaction to the pool.
  func recycle(_ reader: OpaquePointer) {
    // The next reader takes a new snapshot in any case; a resting one must not hold back pages.
    unsafe mdb_txn_reset(reader)
    let kept = unsafe idleReaders.push(UnsafeMutableRawPointer(reader))
    if !kept { unsafe mdb_txn_abort(reader) }
  }

  /// Writes a consistent copy to an open file while others read and write.
  ///
  /// - Parameters:
  ///   - descriptor: A file that is open for writing.
  ///   - compacting: Whether free pages are left out, at the price of a walk of the trees.
  /// - Throws: ``StorageError`` of kind `noSpace`, `usedAfterFork` or `other`.
  package func copy(to descriptor: Int32, compacting: Bool) throws(StorageError) {
    try unsafe faults?.strike(.other)
    try requireSameProcess()
    let flags = compacting ? UInt32(MDB_CP_COMPACT) : 0
    try unsafe check(mdb_env_copyfd2(pointer, descriptor, flags), "copy \(place)")
  }

  /// The number of the last committed transaction.
  func lastTransaction() throws(StorageError) -> UInt64 {
    try requireSameProcess()
    var information = unsafe MDB_envinfo()
    try unsafe check(mdb_env_info(pointer, &information), "inspect \(place)")
    return unsafe UInt64(information.me_last_txnid)
  }

  /// The bytes of the file up to its last page that is in use; 0 if they are not known.
  package var usedBytes: Int {
    var information = unsafe MDB_envinfo()
    guard !isForked, unsafe mdb_env_info(pointer, &information) == MDB_SUCCESS else { return 0 }
    return unsafe (Int(information.me_last_pgno) + 1) * pageSize
  }

  /// Whether at least half of the places for readers have never been taken at once since the storage was opened by
  /// the first of its processes; false if that is not known.
  ///
  /// - Complexity: O(1).
  package var hasRoomForReaders: Bool {
    var information = unsafe MDB_envinfo()
    guard !isForked, unsafe mdb_env_info(pointer, &information) == MDB_SUCCESS else { return false }
    return unsafe information.me_numreaders <= information.me_maxreaders / 2
  }

  /// The sizes, readers and limits of the storage.
  ///
  /// - Throws: ``StorageError`` of kind `usedAfterFork`, `damaged` or `other`.
  package func status() throws(StorageError) -> StorageStatus {
    try unsafe faults?.strike(.other)
    try requireSameProcess()
    var statistics = MDB_stat()
    try unsafe check(mdb_env_stat(pointer, &statistics), "inspect \(place)")
    var information = unsafe MDB_envinfo()
    try unsafe check(mdb_env_info(pointer, &information), "inspect \(place)")
    let readers = try readerTable()
    let last = unsafe UInt64(information.me_last_txnid)
    let pageSize = Int(statistics.ms_psize)
    let free = try freePages(heldFrom: readers.first?.transaction ?? last, to: last)
    return unsafe StorageStatus(
      pageSize: pageSize, size: (Int(information.me_last_pgno) + 1) * pageSize,
      limit: Int(information.me_mapsize),
      freeBytes: free.map { $0.all * pageSize }, heldBytes: free.map { $0.held * pageSize },
      lastTransaction: last, readers: readers,
      maximumReaders: unsafe Int(information.me_maxreaders))
  }

  /// Pages in the lists of free pages: each is a count followed by that many page numbers.
  ///
  /// A list has the number of the transaction that freed its pages. They are in the snapshot of every
  /// reader that began before.
  ///
  /// - Returns: All of them, and those that were freed by a transaction from the first number to
  ///   before the second; nil where all reader slots are taken.
  private func freePages(
    heldFrom oldest: UInt64, to last: UInt64
  ) throws(StorageError) -> (all: Int, held: Int)? {
    let transaction: StorageTransaction
    do throws(StorageError) {
      transaction = try beginRead()
    } catch let error {
      if error.kind == .tooManyReaders { return nil }
      throw error
    }
    defer { transaction.abort() }
    var (all, held) = (0, 0)
    // The space of free pages is not opened: LMDB has it under the number 0.
    let lists = Space(handle: 0, kind: .records)
    do {
      try unsafe transaction.records(lists, from: nil, .forward) { number, list in
        guard let pages = unsafe Self.count(ofFreePages: list) else {
          throw StorageError(.damaged, "\(self.place) has a damaged list of free pages")
        }
        all += pages
        if number >= oldest && number < last { held += pages }
        return .next
      }
    } catch let error as StorageError {
      throw error
    } catch {
      throw StorageError(.other, "\(error)")
    }
    return (all, held)
  }

  /// The pages in a list of free ones; nil if it is not as long as it says.
  private static func count(ofFreePages list: UnsafeRawBufferPointer) -> Int? {
    if list.count < 8 { return nil }
    let count = unsafe list.loadUnaligned(as: UInt64.self)
    return count <= list.count / 8 - 1 ? Int(count) : nil
  }

  /// LMDB gives the table of readers only as text: process, thread and transaction in columns.
  private func readerTable() throws(StorageError) -> [StorageStatus.Reader] {
    var lines: [String] = []
    let code = unsafe withUnsafeMutablePointer(to: &lines) { lines in
      unsafe mdb_reader_list(
        pointer,
        { line, context in
          guard let line = unsafe line, let context = unsafe context else { return 0 }
          unsafe context.assumingMemoryBound(to: [String].self).pointee.append(
            String(cString: line))
          return 0
        }, unsafe lines)
    }
    if code < 0 { throw storageError(code, "list the readers of \(place)") }
    return lines.compactMap { line in
      let columns = line.split(whereSeparator: { $0 == " " || $0 == "\n" })
      guard columns.count == 3, let process = Int32(columns[0]), let number = UInt64(columns[2])
      else { return nil }
      return StorageStatus.Reader(process: process, transaction: number)
    }
    .sorted { $0.transaction < $1.transaction }
  }

  /// Whether the data file has no room to grow: on the disk, by a quota, or by the limit of the
  /// process.
  var isDiskFull: Bool {
    var file: Int32 = 0
    var system = statvfs()
    var attributes = stat()
    var limit = rlimit()
    guard unsafe mdb_env_get_fd(pointer, &file) == MDB_SUCCESS, unsafe fstatvfs(file, &system) == 0,
      unsafe fstat(file, &attributes) == 0, unsafe getrlimit(fileSizeLimit, &limit) == 0
    else { return false }
    // A disk keeps a little back that no file gets.
    let room = UInt64(system.f_bavail) * UInt64(system.f_frsize)
    if room < 1 << 18 || UInt64(attributes.st_size) >= UInt64(limit.rlim_cur) { return true }
    // A file above the limit would end the process.
    return UInt64(limit.rlim_cur) > 1 << 18 && DiskRoom.isUsedUp(in: place)
  }

  /// Puts a file that has no transaction yet on the disk, and its name.
  ///
  /// A crash later finds both heads of it, so whatever it has in place of them is damage.
  func syncIfNew() throws(StorageError) {
    var information = unsafe MDB_envinfo()
    try unsafe check(mdb_env_info(pointer, &information), "inspect \(place)")
    if unsafe information.me_last_txnid != 0 { return }
    try unsafe check(mdb_env_sync(pointer, 1), "write \(place)")
    try StoreDirectory.sync(place)
  }

  /// The open data file.
  func descriptor() throws(StorageError) -> Int32 {
    var file: Int32 = -1
    try unsafe check(mdb_env_get_fd(pointer, &file), "inspect \(place)")
    return file
  }

  private func opened(_ transaction: OpaquePointer?) throws(StorageError) -> OpaquePointer {
    guard let transaction = unsafe transaction else {
      throw StorageError(.other, "cannot begin a transaction")
    }
    return unsafe transaction
  }

  /// Whether this is a child process of the one that opened the environment.
  var isForked: Bool { process != ForkGuard.generation }

  func requireSameProcess() throws(StorageError) {
    if isForked {
      throw StorageError(
        .usedAfterFork,
        "\(place) was opened before a fork and cannot be used in the child process; "
          + "open it there")
    }
  }
}

#if canImport(Glibc)
  private var fileSizeLimit: __rlimit_resource_t { __rlimit_resource_t(RLIMIT_FSIZE.rawValue) }
#else
  private var fileSizeLimit: Int32 { RLIMIT_FSIZE }
#endif

/// Says that an environment is closed, to those who cannot hold the environment itself.
final class ClosingFlag: Sendable {
  private let isRaised = Atomic<Bool>(false)

  func raise() { isRaised.store(true, ordering: .releasing) }

  /// Whether the environment is closed.
  var isUp: Bool { isRaised.load(ordering: .acquiring) }

  /// Waits for the flag; closing takes microseconds.
  func wait() {
    while !isUp { sched_yield() }
  }
}

/// The settings with which an environment is opened.
struct LMDBSettings {
  var flags: UInt32
  var maximumSize: Int
  var maximumReaders: UInt32
  var maximumSpaces: UInt32
  var fileMode: UInt32
}
