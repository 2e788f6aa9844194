import TestSupport
import Testing

@testable import BoxStorage

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A data file is replaced by a whole one or not at all.
struct StoreReplacementTests {
  private let directory: TemporaryDirectory
  private var path: String { directory.path(of: "store") }

  init() throws {
    directory = try TemporaryDirectory()
    let storage = try StorageLocation.directory(directory.path(of: "store")).open(StorageOptions())
    let transaction = try storage.beginWrite()
    let space = try #require(try transaction.openSpace("numbers", .records, create: true))
    for key in 1...2000 as ClosedRange<UInt64> {
      try withUnsafeBytes(of: key) { try transaction.put(space, key, $0, .replace) }
    }
    try transaction.commit()
  }

  private func kind(_ body: () throws -> Void) throws -> StorageError.Kind? {
    do {
      try body()
      return nil
    } catch let error as StorageError {
      return error.kind
    }
  }

  private func compact() throws {
    try StoreReplacement.replace(in: path, StorageOptions()) { storage, descriptor in
      try storage.copy(to: descriptor, compacting: true)
    }
  }

  private func count() throws -> Int {
    let storage = try StorageLocation.directory(path).open(StorageOptions())
    let reading = try storage.beginRead()
    defer { reading.abort() }
    let space = try #require(try reading.openSpace("numbers", .records, create: false))
    return try reading.statistics(space).entries
  }

  @Test func replacesAndKeepsTheMode() throws {
    chmod(path + "/data.mdb", 0o640)
    try compact()
    #expect(directory.names(in: "store") == ["data.mdb", "store.lock"])
    var attributes = stat()
    #expect(stat(path + "/data.mdb", &attributes) == 0)
    #expect(attributes.st_mode & 0o777 == 0o640)
    #expect(try count() == 2000)
  }

  @Test func anOpenStoreBlocksTheChange() throws {
    let before = try directory.bytes(of: "store/data.mdb")
    for isReadOnly in [false, true] {
      var options = StorageOptions()
      options.isReadOnly = isReadOnly
      let storage = try StorageLocation.directory(path).open(options)
      #expect(try kind { try compact() } == .inUse)
      withExtendedLifetime(storage) {}
    }
    #expect(try directory.bytes(of: "store/data.mdb") == before)
    #expect(!directory.exists("store/data.mdb.new"))
    try compact()
  }

  @Test func nobodyOpensAStoreThatIsBeingReplaced() throws {
    let lock = try StoreLock.exclusive(in: path, fileMode: 0o600)
    #expect(
      try kind { _ = try StorageLocation.directory(path).open(StorageOptions()) } == .inUse)
    #expect(try kind { try compact() } == .inUse)
    lock.release()
    #expect(try count() == 2000)
  }

  /// The files that a crash leaves do no harm, and are overwritten.
  @Test func leftoversOfACrashAreIgnored() throws {
    try directory.write("half of a copy", to: "store/data.mdb.new")
    chmod(path + "/data.mdb.new", 0o666)
    #expect(try count() == 2000)
    try compact()
    #expect(!directory.exists("store/data.mdb.new"))
    var attributes = stat()
    #expect(stat(path + "/data.mdb", &attributes) == 0)
    #expect(attributes.st_mode & 0o777 == 0o600)
    #expect(try count() == 2000)
  }

  @Test func anErrorLeavesTheOldFile() throws {
    let before = try directory.bytes(of: "store/data.mdb")
    #expect(throws: TestFailure.self) {
      try StoreReplacement.replace(in: path, StorageOptions()) { storage, descriptor in
        try storage.copy(to: descriptor, compacting: true)
        throw TestFailure("on purpose")
      }
    }
    #expect(try directory.bytes(of: "store/data.mdb") == before)
    #expect(!directory.exists("store/data.mdb.new"))
    #expect(try count() == 2000)
  }

  @Test func onlyAStoreIsReplaced() throws {
    #expect(
      try kind {
        try StoreReplacement.replace(in: directory.path(of: "nowhere"), StorageOptions()) { _, _ in
        }
      } == .notAStore)
    try directory.write("x", to: "other/file")
    #expect(
      try kind {
        try StoreReplacement.replace(in: directory.path(of: "other"), StorageOptions()) { _, _ in }
      } == .notAStore)
    #expect(directory.names(in: "other") == ["file"])
  }
}
