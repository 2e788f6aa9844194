internal import CLMDB

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The checks on a store's folder that LMDB does not make, or makes by crashing.
enum StoreFolder {
  /// Creates the folder and those above it, where they are missing.
  static func create(_ path: String, fileMode: UInt32) throws(StorageError) {
    if isFolder(path) { return }
    let parent = path.split(separator: "/", omittingEmptySubsequences: true).dropLast()
    if !parent.isEmpty {
      let prefix = path.hasPrefix("/") ? "/" : ""
      try create(prefix + parent.joined(separator: "/"), fileMode: fileMode)
    }
    // Whoever may read the files must be able to enter the folder.
    let mode = fileMode | (fileMode & 0o444) >> 2
    if mkdir(path, mode_t(mode)) != 0 && errno != EEXIST {
      throw systemError(.notAStore, "create the folder \(path)")
    }
    try requireFolder(path)
  }

  /// - Throws: ``StorageError`` of kind `notAStore` where there is no folder.
  static func requireFolder(_ path: String) throws(StorageError) {
    var attributes = stat()
    if stat(path, &attributes) != 0 {
      throw systemError(.notAStore, "open the store in \(path)")
    }
    if attributes.st_mode & S_IFMT != S_IFDIR {
      throw StorageError(
        .notAStore, "\(path) is a file; a store is a folder that holds data.mdb and lock.mdb")
    }
  }

  private static func isFolder(_ path: String) -> Bool {
    var attributes = stat()
    return stat(path, &attributes) == 0 && attributes.st_mode & S_IFMT == S_IFDIR
  }

  /// LMDB's locks and its shared memory do not work between the machines of a network.
  static func requireLocalFileSystem(_ path: String) throws(StorageError) {
    #if os(Linux)
      // From linux/magic.h: NFS, SMB, CIFS, SMB2, Coda, AFS, Ceph, Lustre, 9P.
      let networks: Set<UInt32> = [
        0x6969, 0x517B, 0xFF53_4D42, 0xFE53_4D42, 0x7375_7245, 0x5346_414F, 0x00C3_6400,
        0x0BD0_0BD0, 0x0102_1997,
      ]
      var system = statfs()
      guard statfs(path, &system) == 0 else { return }
      let isNetwork = networks.contains(UInt32(truncatingIfNeeded: system.f_type))
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

  /// The device and the number of the data file, by which a process knows a store again.
  static func identity(of path: String) -> FileIdentity? {
    var attributes = stat()
    guard stat(path, &attributes) == 0 else { return nil }
    return FileIdentity(device: UInt64(attributes.st_dev), number: UInt64(attributes.st_ino))
  }

  /// Gives the lock file its blocks before LMDB maps it.
  ///
  /// LMDB makes it sparse, and on a full disk the first write to the mapping ends the process.
  static func allocateLockFile(
    _ path: String, readers: Int, fileMode: UInt32
  ) throws(StorageError) {
    #if os(Linux)
      let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, mode_t(fileMode))
      if file < 0 { throw systemError(.other, "open \(path)") }
      defer { close(file) }
      var attributes = stat()
      if fstat(file, &attributes) != 0 { throw systemError(.other, "inspect \(path)") }
      // Each table entry and each of the two parts before them takes a cache line of 64 bytes;
      // another size would make LMDB believe in another number of readers.
      let wanted = off_t((readers - 1) * 64 + 192)
      let size = max(attributes.st_size, wanted)
      let code = posix_fallocate(file, 0, size)
      if code != 0 && code != EOPNOTSUPP && code != EINVAL {
        errno = code
        throw systemError(.other, "allocate \(path)")
      }
    #endif
  }

  /// Checks the head of a data file and its length, without mapping it.
  ///
  /// A file that is shorter than its pages would end the process at the first touch of what is
  /// missing.
  static func checkDataFile(_ path: String) throws(StorageError) {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    if file < 0 {
      if errno == ENOENT { return }
      throw systemError(.other, "open \(path)")
    }
    defer { close(file) }
    var attributes = stat()
    if fstat(file, &attributes) != 0 { throw systemError(.other, "inspect \(path)") }
    if attributes.st_mode & S_IFMT != S_IFREG {
      throw StorageError(.notAStore, "\(path) is not a regular file")
    }
    // LMDB itself initializes an empty file.
    if attributes.st_size == 0 { return }
    guard let first = MetaPage(file, at: 0) else { throw notLMDB(path) }
    let second = MetaPage(file, at: off_t(first.pageSize))
    let current = [first, second].compactMap { $0 }.max { $0.transaction < $1.transaction }
    guard let current, current.pageSize >= 512 else { throw notLMDB(path) }
    let (pages, overflowed) = (current.lastPage &+ 1).multipliedReportingOverflow(
      by: UInt64(current.pageSize))
    if overflowed || pages > UInt64(attributes.st_size) {
      throw StorageError(
        .damaged,
        "\(path) is cut off: it has \(attributes.st_size) bytes of "
          + "\(overflowed ? "very many" : "\(pages)"); restore a backup")
    }
  }

  private static func notLMDB(_ path: String) -> StorageError {
    StorageError(.notAStore, "\(path) is not a data file of LMDB on a machine like this one")
  }
}

/// What a process knows a file by.
struct FileIdentity: Hashable, Sendable {
  var device: UInt64
  var number: UInt64
}

/// The part of a meta page of LMDB 0.9 on a 64-bit machine that an opener depends on.
private struct MetaPage {
  var pageSize: UInt32
  var lastPage: UInt64
  var transaction: UInt64

  /// Reads a meta page; nil if there is none.
  init?(_ file: Int32, at offset: off_t) {
    var bytes = [UInt8](repeating: 0, count: 152)
    guard pread(file, &bytes, bytes.count, offset) == bytes.count else { return nil }
    func read<T: FixedWidthInteger & BitwiseCopyable>(_ offset: Int) -> T {
      bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: T.self) }
    }
    // After the header of the page: magic number, version, address, map size, two databases.
    let (magic, version): (UInt32, UInt32) = (read(16), read(20))
    guard magic == 0xBEEF_C0DE, version == 1 else { return nil }
    pageSize = read(40)
    lastPage = read(136)
    transaction = read(144)
  }
}
