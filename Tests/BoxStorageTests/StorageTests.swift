import CLMDB
import TestSupport
import Testing

@testable import BoxStorage

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The requirements of LMDB, and the ways in which a storage meets them.
struct StorageTests {
  private func attributes(_ path: String) throws -> stat {
    var result = stat()
    if stat(path, &result) != 0 { throw TestFailure("there is no \(path)") }
    return result
  }

  private func storage(
    _ directory: TemporaryDirectory, _ change: (inout StorageOptions) -> Void = { _ in }
  ) throws -> Storage {
    var options = StorageOptions()
    change(&options)
    return try StorageLocation.directory(directory.path(of: "store")).open(options)
  }

  private func put(_ storage: Storage, _ keys: ClosedRange<UInt64>, bytes: Int = 8) throws {
    let transaction = try storage.beginWrite()
    defer { transaction.abort() }
    let space = try #require(try transaction.openSpace("numbers", .records, create: true))
    for key in keys {
      try [UInt8](repeating: 7, count: bytes).withUnsafeBytes {
        try transaction.put(space, key, $0, .replace)
      }
    }
    try transaction.commit()
  }

  private func count(_ storage: Storage) throws -> Int {
    let transaction = try storage.beginRead()
    defer { transaction.abort() }
    guard let space = try transaction.openSpace("numbers", .records, create: false) else {
      return 0
    }
    return try transaction.statistics(space).entries
  }

  // MARK: - Files

  @Test func theFileIsSmallAndTheLimitLarge() throws {
    let directory = try TemporaryDirectory()
    let storage = try storage(directory)
    try put(storage, 1...10)
    #expect(try storage.status().limit == 1 << 40)
    #expect(try attributes(directory.path(of: "store/data.mdb")).st_size < 1 << 20)
  }

  @Test func filesAreForTheOwnerOnly() throws {
    let directory = try TemporaryDirectory()
    do { try put(try storage(directory), 1...1) }
    for name in ["data.mdb", "lock.mdb", "store.lock"] {
      #expect(
        try attributes(directory.path(of: "store/" + name)).st_mode & 0o777 == 0o600, "\(name)")
    }
    #expect(try attributes(directory.path(of: "store")).st_mode & 0o777 == 0o700)
  }

  @Test func filesHaveTheModeThatIsAskedFor() throws {
    let directory = try TemporaryDirectory()
    // Changing the mask would change it for the tests that run beside this one.
    let probe = open(directory.path(of: "probe"), O_CREAT | O_WRONLY, 0o777)
    #expect(probe >= 0)
    close(probe)
    let taken = try ~attributes(directory.path(of: "probe")).st_mode & 0o777
    do { try put(try storage(directory) { $0.fileMode = 0o640 }, 1...1) }
    for name in ["data.mdb", "lock.mdb", "store.lock"] {
      #expect(try attributes(directory.path(of: "store/" + name)).st_mode & 0o777 == 0o640 & ~taken)
    }
    #expect(try attributes(directory.path(of: "store")).st_mode & 0o777 == 0o750 & ~taken)
  }

  /// A sparse lock file would end the process on a full disk.
  @Test(.enabled(if: isLinux)) func theLockFileHasItsBlocks() throws {
    let directory = try TemporaryDirectory()
    let storage = try storage(directory) { $0.maximumReaders = 1000 }
    let lock = try attributes(directory.path(of: "store/lock.mdb"))
    #expect(Int(lock.st_blocks) * 512 >= Int(lock.st_size))
    #expect(lock.st_size >= 64 * 1000)
    #expect(try storage.status().maximumReaders == 1000)
  }

  private static var isLinux: Bool {
    #if os(Linux)
      true
    #else
      false
    #endif
  }

  // MARK: - Limits

  @Test func theReaderAfterTheLastIsAnError() throws {
    let directory = try TemporaryDirectory()
    let storage = try storage(directory) { $0.maximumReaders = 3 }
    try put(storage, 1...5)
    var readers = try (0..<3).map { _ in try storage.beginRead() }
    let refused = try storageError { _ = try storage.beginRead() }
    #expect(refused?.kind == .tooManyReaders)
    #expect(refused?.code == MDB_READERS_FULL)
    #expect(refused?.message.contains("open the store with more readers") == true)
    // A writer needs none, and a reader that ends makes room.
    try put(storage, 6...6)
    readers.removeLast().abort()
    #expect(try count(storage) == 6)
    for reader in readers { reader.abort() }
  }

  @Test func thereAre126ReadersByDefault() throws {
    let directory = try TemporaryDirectory()
    let storage = try storage(directory)
    try put(storage, 1...1)
    let readers = try (0..<126).map { _ in try storage.beginRead() }
    #expect(try storageError { _ = try storage.beginRead() }?.kind == .tooManyReaders)
    for reader in readers { reader.abort() }
  }

  @Test func theSizeLimitIsAnError() throws {
    let directory = try TemporaryDirectory()
    let storage = try storage(directory) { $0.maximumSize = 1 << 20 }
    try put(storage, 1...10)
    let full = try storageError { try put(storage, 11...1000, bytes: 4000) }
    #expect(full?.kind == .sizeLimit)
    #expect(full?.code == MDB_MAP_FULL)
    #expect(full?.message.contains("open the store with a larger maximum size") == true)
    #expect(try count(storage) == 10)
    try put(storage, 11...20)
    #expect(try count(storage) == 20)
  }

  @Test(
    .promise(262),
    arguments: [(0, 1 << 30), (-1, 1 << 30), (1 << 21, 1 << 30), (126, 0), (126, -5)])
  func impossibleOptionsAreRefused(_ readers: Int, _ size: Int) throws {
    let directory = try TemporaryDirectory()
    let refused = try storageError {
      _ = try storage(directory) {
        $0.maximumReaders = readers
        $0.maximumSize = size
      }
    }
    #expect(refused?.kind == .other)
    #expect(!directory.exists("store"))
  }

  @Test func keysThatAreTooLongAreRefused() throws {
    let directory = try TemporaryDirectory()
    let storage = try storage(directory)
    let transaction = try storage.beginWrite()
    defer { transaction.abort() }
    let space = try #require(try transaction.openSpace("texts", .byteSets, create: true))
    func insert(_ count: Int) throws -> StorageError? {
      try storageError {
        try [UInt8](repeating: 1, count: count).withUnsafeBytes {
          _ = try transaction.insert(space, $0, 1)
        }
      }
    }
    #expect(try insert(511) == nil)
    #expect(try insert(512)?.kind == .tooLarge)
  }

  /// A space that was made for other keys would be read in a wrong order.
  @Test func aSpaceOfAnotherKindIsRefused() throws {
    let directory = try TemporaryDirectory()
    let storage = try storage(directory)
    try put(storage, 1...1)
    for kind in [SpaceKind.integerSets, .byteSets, .bytes] {
      let reading = try storage.beginRead()
      defer { reading.abort() }
      let refused = try storageError { _ = try reading.openSpace("numbers", kind, create: false) }
      #expect(refused?.kind == .damaged)
    }
  }

  // MARK: - Transactions

  @Test func readersAreListedOldestFirst() throws {
    let directory = try TemporaryDirectory()
    let storage = try storage(directory)
    try put(storage, 1...1)
    let first = try storage.beginRead()
    try put(storage, 2...2)
    let second = try storage.beginRead()
    let readers = try storage.status().readers
    #expect(readers.map(\.process) == [getpid(), getpid()])
    try #require(readers.count == 2)
    #expect(readers[0].transaction < readers[1].transaction)
    first.abort()
    second.abort()
  }

  @Test func pagesAreUsedAgain() throws {
    let directory = try TemporaryDirectory()
    let storage = try storage(directory)
    for _ in 0..<30 { try put(storage, 1...200, bytes: 1000) }
    let size = try storage.status().size
    for _ in 0..<30 { try put(storage, 1...200, bytes: 1000) }
    #expect(try storage.status().size <= size + size / 2)
    #expect(try storage.status().freeBytes != 0)
  }

  @Test(.promise(48)) func theStateAtTheBeginIsSeen() throws {
    let directory = try TemporaryDirectory()
    let storage = try storage(directory)
    try put(storage, 1...5)
    let reading = try storage.beginRead()
    let space = try #require(try reading.openSpace("numbers", .records, create: false))
    try put(storage, 6...9)
    #expect(try reading.statistics(space).entries == 5)
    reading.abort()
    #expect(try storageError { _ = try reading.statistics(space) }?.kind == .closed)
    #expect(try count(storage) == 9)
  }

  @Test func aNestedTransactionIsKeptOrForgottenAlone() throws {
    let directory = try TemporaryDirectory()
    let storage = try storage(directory)
    try put(storage, 1...1)
    let outer = try storage.beginWrite()
    let space = try #require(try outer.openSpace("numbers", .records, create: false))
    func add(_ key: UInt64, _ transaction: StorageTransaction) throws {
      try withUnsafeBytes(of: key) { try transaction.put(space, key, $0, .replace) }
    }
    try add(2, outer)
    let kept = try outer.beginNested()
    try add(3, kept)
    try kept.commit()
    let forgotten = try outer.beginNested()
    try add(4, forgotten)
    forgotten.abort()
    try outer.commit()
    let reading = try storage.beginRead()
    defer { reading.abort() }
    #expect(try (1...4).map { try reading.value(space, $0) != nil } == [true, true, true, false])
  }

  @Test func readOnlyRefusesWriters() throws {
    let directory = try TemporaryDirectory()
    do { try put(try storage(directory), 1...1) }
    let storage = try storage(directory) { $0.isReadOnly = true }
    #expect(storage.isReadOnly)
    #expect(try storageError { _ = try storage.beginWrite() }?.kind == .readOnly)
    #expect(try count(storage) == 1)
  }

  // MARK: - Memory

  @Test(.promise(261)) func memoryLeavesNoFile() throws {
    let storage = try StorageLocation.ownMemory().environment(StorageOptions())
    try put(storage, 1...1000)
    #expect(try count(storage) == 1000)
    #expect(access(storage.place, F_OK) != 0, "\(storage.place)")
  }
}
