internal import BoxSystem
internal import CLMDB

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The checks on a store's directory that LMDB does not make, or makes by crashing.
enum StoreDirectory {
  /// Creates the directory and those above it, where they are missing.
  ///
  /// - Throws: ``StorageError`` of kind `noDirectory`, `noPermission`, `noSpace` or `other`, and nothing was created.
  static func create(_ path: String, fileMode: UInt32) throws(StorageError) {
    do throws(CreatedDirectories.Failure) {
      // Users who may read the files must be able to enter the directory.
      _ = try CreatedDirectories(path, mode: mode_t(fileMode | (fileMode & 0o444) >> 2))
    } catch {
      if error.error.code == ENOTDIR { throw isFile(error.path, .noDirectory) }
      throw systemError(error.error, .other, "create the directory \(error.path)")
    }
  }

  /// - Throws: ``StorageError`` of kind `notAStore` if there is no directory.
  static func requireDirectory(_ path: String) throws(StorageError) {
    var attributes = stat()
    if unsafe stat(path, &attributes) != 0 {
      throw systemError(.notAStore, "open the store in \(path)")
    }
    if attributes.st_mode & S_IFMT != S_IFDIR {
      throw isFile(path, .notAStore)
    }
  }

  private static func isFile(_ path: String, _ kind: StorageError.Kind) -> StorageError {
    StorageError(
      kind,
      "\(path) is a file; a store is a directory that holds \(StoreFiles.dataName) and "
        + StoreFiles.readersName)
  }

  /// Requires that a directory holds what may be a store; writes nothing and locks nothing.
  ///
  /// - Throws: ``StorageError`` of kind `notAStore`, with a code where there is nothing and without
  ///   one where there is something else, or `noPermission`.
  static func requireStore(_ directory: String) throws(StorageError) {
    let path = StoreFiles(directory).data
    var attributes = stat()
    if unsafe stat(directory, &attributes) == 0 { try requireDirectory(directory) }
    let file = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    if file < 0 {
      if errno == ENOENT {
        throw StorageError(.notAStore, "there is no store in \(directory)", code: ENOENT)
      }
      throw systemError(.notAStore, "open \(path)")
    }
    defer { close(file) }
    if unsafe fstat(file, &attributes) != 0 { throw systemError(.other, "inspect \(path)") }
    if attributes.st_mode & S_IFMT != S_IFREG {
      throw StorageError(.notAStore, "\(path) is not a regular file")
    }
    // Another process may be creating it.
    for _ in 0..<100 where attributes.st_size == 0 && StoreLock.isHeld(in: directory) == true {
      usleep(10_000)
      if unsafe fstat(file, &attributes) != 0 { throw systemError(.other, "inspect \(path)") }
    }
    if attributes.st_size == 0 {
      throw StorageError(.notAStore, "\(path) is empty: no store was created in it yet")
    }
    // One of the two heads may be damaged; the place of the second is the size of a page.
    let places = [0] + (9...16).map { off_t(1) << $0 }
    if !places.contains(where: { MetaPage(file, at: $0) != nil }) { throw notLMDB(path) }
  }

  /// Requires that what is at a path, if anything is, is a regular file.
  ///
  /// Nothing is opened: opening a pipe would wait for its other end.
  static func requireNoOtherKind(_ path: String) throws(StorageError) {
    var attributes = stat()
    if unsafe stat(path, &attributes) == 0 && attributes.st_mode & S_IFMT != S_IFREG {
      throw StorageError(.notAStore, "\(path) is not a regular file")
    }
  }

  /// Requires that a data file that is to be written is not a link to one.
  ///
  /// A program that opens the file in its own directory takes another lock than the one of this directory.
  ///
  /// - Throws: ``StorageError`` of kind `symbolicLink`.
  static func requireNoLink(_ path: String) throws(StorageError) {
    var attributes = stat()
    if unsafe lstat(path, &attributes) != 0 || attributes.st_mode & S_IFMT != S_IFLNK { return }
    throw StorageError(
      .symbolicLink,
      "\(path) is a symbolic link, and the file that it points to may be open under its own name; "
        + "name the directory of that file")
  }

  /// Opens a lock file, or makes it with the permissions and, where the system allows it, the owner
  /// of the data file: every user of the data file has to take the lock.
  ///
  /// An existing one gets the current permissions of the data file, if it belongs to this user.
  /// A link or a special file is not opened: LMDB writes to its lock file.
  ///
  /// - Returns: A descriptor, or -1 with `errno` set: to `ELOOP` for a symbolic link, `EINVAL` for
  ///   another kind of file.
  static func openLockFile(_ path: String, in directory: String, fileMode: UInt32) -> Int32 {
    let known = openKnownLockFile(path)
    if known >= 0 { follow(StoreFiles(directory).data, known) }
    if known >= 0 || errno != ENOENT { return known }
    let made = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(fileMode))
    // Another process was faster.
    if made < 0 { return errno == EEXIST ? openKnownLockFile(path) : made }
    var attributes = stat()
    if unsafe stat(StoreFiles(directory).data, &attributes) == 0, attributes.st_uid != geteuid() {
      _ = fchown(made, attributes.st_uid, attributes.st_gid)
    }
    follow(StoreFiles(directory).data, made)
    return made
  }

  /// Gives a lock file the group and the permissions of the data file, where the system allows it.
  ///
  /// A file of another owner, or one that has another name too, may be no lock file of this store.
  private static func follow(_ data: String, _ lock: Int32) {
    var (wanted, present) = (stat(), stat())
    guard unsafe stat(data, &wanted) == 0, unsafe fstat(lock, &present) == 0,
      present.st_uid == wanted.st_uid, present.st_nlink == 1
    else { return }
    if present.st_gid != wanted.st_gid { _ = fchown(lock, uid_t.max, wanted.st_gid) }
    let mode = wanted.st_mode & 0o666 | 0o600
    if present.st_mode & 0o777 != mode { _ = fchmod(lock, mode) }
  }

  /// Opens an existing lock file, as ``openLockFile(_:in:fileMode:)`` does.
  static func openKnownLockFile(_ path: String, _ access: Int32 = O_RDWR) -> Int32 {
    let file = unsafe open(path, access | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    var attributes = stat()
    if unsafe file < 0 || fstat(file, &attributes) == 0 && attributes.st_mode & S_IFMT == S_IFREG {
      return file
    }
    close(file)
    errno = EINVAL
    return -1
  }

  /// Whether a path is a directory, and not a link to one.
  static func isDirectoryItself(_ path: String) -> Bool {
    var attributes = stat()
    return unsafe lstat(path, &attributes) == 0 && attributes.st_mode & S_IFMT == S_IFDIR
  }

  /// LMDB's locks and its shared memory do not work between the machines of a network.
  static func requireLocalFileSystem(_ path: String) throws(StorageError) {
    #if os(Linux)
      var system = statfs()
      guard unsafe statfs(path, &system) == 0 else { return }
      let isNetwork = isNetwork(type: UInt32(truncatingIfNeeded: system.f_type))
    #else
      var system = statfs()
      guard statfs(path, &system) == 0 else { return }
      let isNetwork = system.f_flags & UInt32(MNT_LOCAL) == 0
    #endif
    if isNetwork {
      throw StorageError(
        .networkFileSystem,
        "\(path) is on a network file system, where locks and shared memory are not reliable; "
          + "put the store on a local disk")
    }
  }

  /// Whether a type of file system, as Linux numbers them, is shared by machines.
  ///
  /// FUSE is not one of them: it serves local file systems as well as sshfs.
  static func isNetwork(type: UInt32) -> Bool {
    // From linux/magic.h and the file systems' own headers: NFS, SMB, CIFS, SMB2, Coda, OpenAFS and
    // the kernel's AFS, Ceph, Lustre, 9P, GFS2, OCFS2, the directories of VirtualBox and VMware, NCP.
    let networks: Set<UInt32> = [
      0x6969, 0x517B, 0xFF53_4D42, 0xFE53_4D42, 0x7375_7245, 0x5346_414F, 0x6B41_4653,
      0x00C3_6400, 0x0BD0_0BD0, 0x0102_1997, 0x0116_1970, 0x7461_636F, 0x786F_4256,
      0xBACB_ACBC, 0x564C,
    ]
    return networks.contains(type)
  }

  /// The device and the number of the data file, by which a process knows a store again.
  static func identity(of path: String) -> FileIdentity? {
    var attributes = stat()
    guard unsafe stat(path, &attributes) == 0 else { return nil }
    return FileIdentity(attributes)
  }

  /// Room for the most readers that a storage can be opened with, and then some.
  private static let largestLockFile: off_t = 1 << 27

  /// Gives the lock file its blocks before LMDB maps it.
  ///
  /// LMDB makes it sparse, and on a full disk the first write to the mapping ends the process.
  static func allocateLockFile(
    in directory: String, readers: Int, fileMode: UInt32
  ) throws(StorageError) {
    let path = StoreFiles(directory).readers
    let file = openLockFile(path, in: directory, fileMode: fileMode)
    if file < 0 { throw systemError(.other, "open \(path)") }
    defer { close(file) }
    #if os(Linux)
      var attributes = stat()
      if unsafe fstat(file, &attributes) != 0 { throw systemError(.other, "inspect \(path)") }
      // Each table entry and each of the two parts before them takes a cache line of 64 bytes;
      // another size would make LMDB believe in another number of readers.
      let wanted = off_t((readers - 1) * 64 + 192)
      let size = max(attributes.st_size, wanted)
      // A sparse file would be given all of its blocks.
      if size > largestLockFile {
        throw StorageError(
          .notAStore, "\(path) has \(size) bytes, which no lock file has; remove it")
      }
      let code = posix_fallocate(file, 0, size)
      if code != 0 && code != EOPNOTSUPP && code != EINVAL {
        errno = code
        throw systemError(.other, "allocate \(path)")
      }
    #endif
  }

  /// Waits until no process is in the middle of opening a store.
  ///
  /// LMDB keeps its lock file to itself for that moment, and waits without limit for another process that
  /// does, also for one that was stopped.
  ///
  /// - Throws: ``StorageError`` of kind `inUse` after five seconds.
  static func waitForOpeners(_ lockFile: String) throws(StorageError) {
    let file = openKnownLockFile(lockFile)
    if file < 0 { return }
    defer { close(file) }
    for attempt in 0...500 {
      // LMDB locks the first byte.
      var lock = flock()
      lock.l_type = Int16(F_RDLCK)
      lock.l_whence = Int16(SEEK_SET)
      lock.l_len = 1
      guard unsafe fcntl(file, F_GETLK, &lock) == 0, lock.l_type == Int16(F_WRLCK) else { return }
      if attempt == 500 {
        throw StorageError(
          .inUse,
          "process \(lock.l_pid) has been opening the store for five seconds, and may have been stopped; "
            + "continue or end it")
      }
      usleep(10_000)
    }
  }

  /// Whether LMDB has written to a lock file: one that could not be given its blocks is empty.
  static func isUsed(lockFile path: String) -> Bool {
    let file = openKnownLockFile(path, O_RDONLY)
    if file < 0 { return errno != ENOENT }
    defer { close(file) }
    var start: UInt32 = 0
    return unsafe pread(file, &start, 4, 0) == 4 && start != 0
  }

  /// Makes the names in a directory durable; a file system that cannot sync directories does it by
  /// itself.
  static func sync(_ directory: String) throws(StorageError) {
    do throws(SystemError) {
      try synchronizeDirectory(directory)
    } catch {
      throw systemError(error, .other, "sync \(directory)")
    }
  }

  /// Empties a data file whose making was cut off by a crash or a full disk.
  ///
  /// Nothing is in such a file: its two heads are on the disk before the first transaction is.
  static func emptyIfUnfinished(_ directory: String, fileMode: UInt32) throws(StorageError) {
    let path = StoreFiles(directory).data
    if !isUnfinished(path) { return }
    // Another process may be making it at this moment.
    let lock = try StoreLock.exclusive(in: directory, fileMode: fileMode)
    defer { lock.release() }
    if unsafe isUnfinished(path) && truncate(path, 0) != 0 {
      throw systemError(.other, "write \(path)")
    }
  }

  /// Whether a file has nothing in it but empty heads, and not both of them whole.
  static func isUnfinished(_ path: String) -> Bool {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    if file < 0 { return false }
    defer { close(file) }
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    var bytes = [UInt8](repeating: 0, count: 2 * page + 1)
    let size = unsafe pread(file, &bytes, bytes.count, 0)
    if size <= 0 || size > 2 * page { return false }
    var heads = 0
    for offset in stride(from: 0, to: size, by: page) {
      if let head = MetaPage(file, at: off_t(offset)) {
        if head.transaction != 0 { return false }
        heads += 1
      } else if bytes[offset..<min(offset + page, size)].contains(where: { $0 != 0 }) {
        return false
      }
    }
    return heads < 2 || size < 2 * page
  }

  /// Whether a data file is empty, or has two empty heads and nothing else.
  static func hasNoTransaction(_ path: String) -> Bool {
    let file = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    if file < 0 { return false }
    defer { close(file) }
    var attributes = stat()
    guard unsafe fstat(file, &attributes) == 0, attributes.st_mode & S_IFMT == S_IFREG else {
      return false
    }
    if attributes.st_size == 0 { return true }
    guard let first = MetaPage(file, at: 0), first.transaction == 0,
      let second = MetaPage(file, at: off_t(first.pageSize)), second.transaction == 0
    else { return false }
    return attributes.st_size <= 2 * off_t(first.pageSize)
  }

  /// Checks the head of a data file and its length, without mapping it.
  ///
  /// A file that lacks a page in use would end the process at the first touch of it. Free pages at
  /// the end may be missing: a transaction that allocates pages and frees them again does not write them.
  ///
  /// - Complexity: O(1), but O(*n*) in the pages of a file that does not have all of them.
  static func checkDataFile(_ path: String, isReadOnly: Bool) throws(StorageError) {
    var checked: UInt64?
    while let short = try missingEnd(of: path) {
      var isWhole = false
      do {
        isWhole = try PageSource.reading(path) { source in
          var walker = PageWalker(source)
          walker.problemLimit = 1
          return try walker.walk().problems.isEmpty
        }
      } catch let error as StorageError {
        throw error
      } catch {
        throw StorageError(.other, "\(error)")
      }
      if isWhole {
        if !isReadOnly { extend(path, to: short.wanted) }
        return
      }
      // Another process may have written while the pages were read.
      if checked == short.transaction {
        throw StorageError(
          .damaged,
          "\(path) is cut off: it has \(short.size) bytes of "
            + "\(short.wanted.map { "\($0)" } ?? "very many"); restore a backup")
      }
      checked = short.transaction
    }
  }

  private struct ShortFile {
    var size: Int64
    /// Nil for more than a file can have.
    var wanted: Int64?
    var transaction: UInt64
  }

  /// The sizes of a data file that is shorter than its pages; nil if it is not.
  private static func missingEnd(of path: String) throws(StorageError) -> ShortFile? {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    if file < 0 {
      if errno == ENOENT { return nil }
      throw systemError(.other, "open \(path)")
    }
    defer { close(file) }
    var attributes = stat()
    func inspect() throws(StorageError) {
      if unsafe fstat(file, &attributes) != 0 { throw systemError(.other, "inspect \(path)") }
    }
    try inspect()
    if attributes.st_mode & S_IFMT != S_IFREG {
      throw StorageError(.notAStore, "\(path) is not a regular file")
    }
    // LMDB itself initializes an empty file.
    if attributes.st_size == 0 { return nil }
    guard let first = MetaPage(file, at: 0) else { throw notLMDB(path) }
    let second = MetaPage(file, at: off_t(first.pageSize))
    // The size that counts comes after the heads: a commit makes the file longer before it writes its head.
    try inspect()
    let current = [first, second].compactMap { $0 }.max { $0.transaction < $1.transaction }
    guard let current, current.pageSize >= 512 else { throw notLMDB(path) }
    let (bytes, overflowed) = (current.lastPage &+ 1).multipliedReportingOverflow(
      by: UInt64(current.pageSize))
    let wanted = overflowed ? nil : Int64(exactly: bytes)
    if let wanted, wanted <= attributes.st_size { return nil }
    return ShortFile(
      size: Int64(attributes.st_size), wanted: wanted, transaction: current.transaction)
  }

  /// Gives a file a length, so that its pages need not be walked over again.
  ///
  /// Unlike a change of the length this cannot cut off what another process writes meanwhile. Where
  /// it fails nothing is lost.
  private static func extend(_ path: String, to size: Int64?) {
    #if os(Linux)
      guard let size else { return }
      let file = unsafe open(path, O_RDWR | O_CLOEXEC)
      if file < 0 { return }
      defer { close(file) }
      _ = fallocate(file, 0, off_t(size - 1), 1)
    #endif
  }

  private static func notLMDB(_ path: String) -> StorageError {
    StorageError(.notAStore, "\(path) is not a data file of LMDB on a machine like this one")
  }
}

/// The attributes by which a process identifies a file.
struct FileIdentity: Hashable, Sendable {
  var device: UInt64
  var number: UInt64

  init(_ attributes: stat) {
    (device, number) = (UInt64(attributes.st_dev), UInt64(attributes.st_ino))
  }
}

/// The part of a meta page of LMDB 0.9 on a 64-bit machine that an opener depends on.
private struct MetaPage {
  var pageSize: UInt32
  var lastPage: UInt64
  var transaction: UInt64

  /// Reads a meta page; nil if the bytes are not one.
  init?(_ file: Int32, at offset: off_t) {
    var bytes = [UInt8](repeating: 0, count: 152)
    guard unsafe pread(file, &bytes, bytes.count, offset) == bytes.count else { return nil }
    func read<T: FixedWidthInteger & BitwiseCopyable>(_ offset: Int) -> T {
      unsafe bytes.withUnsafeBytes { unsafe $0.loadUnaligned(fromByteOffset: offset, as: T.self) }
    }
    // After the header of the page: magic number, version, address, map size, two databases.
    let (magic, version): (UInt32, UInt32) = (read(16), read(20))
    guard magic == 0xBEEF_C0DE, version == 1 else { return nil }
    pageSize = read(40)
    lastPage = read(136)
    transaction = read(144)
  }
}
