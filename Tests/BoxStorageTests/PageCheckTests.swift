import CLMDB
import Synchronization
import TestSupport
import Testing

@testable import BoxStorage

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A storage that is opened with a check of its pages maps nothing that LMDB would trip over.
struct PageCheckTests {
  private static let changes = TestSeed.count("BOXJOINT_PAGE_CHANGES", default: 600)
  private let directory: TemporaryDirectory
  private var path: String { directory.path(of: "store") }
  private var location: StorageLocation { .directory(path) }

  init() throws {
    directory = try TemporaryDirectory()
    let storage = try StorageLocation.directory(directory.path(of: "store")).open(StorageOptions())
    for round in 0..<3 {
      let transaction = try storage.beginWrite()
      guard let numbers = try transaction.openSpace("numbers", .records, create: true),
        let sets = try transaction.openSpace("sets", .integerSets, create: true),
        let words = try transaction.openSpace("words", .byteSets, create: true)
      else { throw TestFailure("no space") }
      for key in UInt64(0)..<1500 {
        let value = [UInt8](repeating: UInt8(round), count: key % 50 == 0 ? 9000 : 40)
        try transaction.put(value, at: key, in: numbers)
        _ = try transaction.insert(sets, key % 7, key)
        _ = try withUnsafeBytes(of: key % 90) { try transaction.insert(words, $0, key) }
      }
      if round == 1 { for key in UInt64(200)..<600 { _ = try transaction.remove(numbers, key) } }
      try transaction.commit()
    }
  }

  private static func checked(
    progress: @escaping @Sendable (Int, Int) -> Void = { _, _ in }
  ) -> StorageOptions {
    var options = StorageOptions()
    options.pageCheck = PageCheck(progress: progress)
    return options
  }

  /// Everything that LMDB does with a storage: reading all of it, writing, reusing free pages, copying.
  private func use(_ location: StorageLocation, in directory: TemporaryDirectory) throws {
    let storage = try location.open(Self.checked())
    _ = try storage.status()
    let reader = try storage.beginRead()
    var keys: [UInt64] = []
    if let numbers = try reader.openSpace("numbers", .records, create: false) {
      try reader.records(numbers, from: nil, .forward) { key, _ in
        keys.append(key)
        return .next
      }
    }
    try reader.commit()
    let writer = try storage.beginWrite()
    guard let numbers = try writer.openSpace("numbers", .records, create: true),
      let sets = try writer.openSpace("sets", .integerSets, create: true),
      let words = try writer.openSpace("words", .byteSets, create: true)
    else { return }
    let value = [UInt8](repeating: 7, count: 5000)
    for key in keys.prefix(400) {
      try writer.put(value, at: key, in: numbers)
      _ = try writer.insert(sets, key % 7, key &+ 100_000)
      _ = try withUnsafeBytes(of: key % 90) {
        try writer.remove(words, $0.loadUnaligned(as: UInt64.self))
      }
    }
    try writer.dropSpace(sets)
    try writer.commit()
    let file = open(directory.path(of: "copy"), O_RDWR | O_CREAT | O_TRUNC, 0o600)
    defer { close(file) }
    try storage.copy(to: file, compacting: true)
  }

  /// Without the check about one in twenty of these ends the process.
  @Test func aDamagedFileIsRefusedOrUsedToItsEnd() throws {
    var random = TestSeed.next()
    let specimen = HostilePages(try directory.bytes(of: "store/data.mdb"))
    var outcomes: [String: Int] = [:]
    for index in 0..<Self.changes {
      let bytes = specimen.damaged(&random)
      let place = try TemporaryDirectory()
      try place.write(bytes, to: "store/data.mdb")
      do {
        try use(.directory(place.path(of: "store")), in: place)
        outcomes["used", default: 0] += 1
      } catch let error as StorageError {
        outcomes["\(error.kind)", default: 0] += 1
        let isRefusal = [.damaged, .notAStore].contains(error.kind)
        #expect(isRefusal || error.kind == .sizeLimit, "change \(index): \(error)")
      }
    }
    print("of \(Self.changes) files: \(outcomes.sorted { $0.key < $1.key })")
    #expect((outcomes["damaged"] ?? 0) > Self.changes / 4)
    #expect((outcomes["used"] ?? 0) > 0)
  }

  @Test func theFirstProblemIsInTheErrorAndNothingIsKeptOpen() throws {
    let sound = try directory.bytes(of: "store/data.mdb")
    // Another number for a page in use.
    let bytes = try #require(
      try (2..<sound.count / 4096).lazy.map { page in
        var bytes = sound
        bytes[page * 4096 + 1] ^= 0x40
        return bytes
      }.first { try !PageWalker(PageSource($0)).walk().isSound })
    try directory.write(bytes, to: "store/data.mdb")
    _ = try location.open(StorageOptions())
    for isReadOnly in [false, true] {
      var options = Self.checked()
      options.isReadOnly = isReadOnly
      let refused = try #require(try storageError { _ = try location.open(options) })
      #expect(refused.kind == .damaged)
      #expect(refused.message.hasPrefix("\(path)/data.mdb is damaged: page "))
      #expect(!location.isOpenHere)
    }
    let replacing = try storageError {
      try StoreReplacement.replace(in: path, Self.checked()) { _, _ in
        Issue.record("the storage is open")
      }
    }
    #expect(replacing?.kind == .damaged)
    #expect(!directory.exists("store/data.mdb.new"))
  }

  private final class Counter: Sendable {
    private let calls = Mutex(0)
    func count() { calls.withLock { $0 += 1 } }
    /// The calls since the last time that it was asked.
    func take() -> Int {
      calls.withLock { calls in
        defer { calls = 0 }; return calls
      }
    }
  }

  /// A verification and an opening with a check take over each other's walk, and nobody else's.
  @Test func oneWalkServesTheReportAndTheOpening() throws {
    let counter = Counter()
    let options = Self.checked { done, total in if done == total { counter.count() } }
    func report(_ options: StorageOptions) throws -> PageReport {
      try location.pageReport(options, limit: 10) { if $0 == $1 { counter.count() } }
    }
    let first = try report(options)
    #expect(first.isSound)
    #expect(counter.take() == 1)
    do {
      let storage = try location.open(options)
      #expect(try report(options) == first)
      #expect(counter.take() == 0)
      // Of another state another walk tells.
      let transaction = try storage.beginWrite()
      _ = try transaction.openSpace("another", .bytes, create: true)
      try transaction.commit()
      let second = try report(options)
      #expect(second.transaction == first.transaction + 1)
      #expect(second.spaceKinds.count == first.spaceKinds.count + 1)
      #expect(counter.take() == 1)
    }
    // Whoever asks for no check gets a walk each time.
    _ = try report(StorageOptions())
    _ = try report(StorageOptions())
    #expect(counter.take() == 2)
    // A file that something else wrote to is walked over.
    try directory.write(try directory.bytes(of: "store/data.mdb"), to: "store/data.mdb")
    _ = try report(options)
    #expect(counter.take() == 1)
    // One that does not pass is walked over by each.
    var bytes = try directory.bytes(of: "store/data.mdb")
    for page in stride(from: 2 * 4096, to: bytes.count, by: 4096) { bytes[page + 10] ^= 0xFF }
    try directory.write(bytes, to: "store/data.mdb")
    #expect(try !report(options).isSound)
    #expect(try storageError { _ = try location.open(options) }?.kind == .damaged)
  }

  @Test func aFileIsWalkedAgainOnlyIfSomethingElseWroteToIt() throws {
    let counter = Counter()
    let options = Self.checked { _, _ in counter.count() }
    do {
      let storage = try location.open(options)
      #expect(counter.take() > 0)
      // It is open here, so what LMDB maps was checked.
      _ = try location.open(options)
      let transaction = try storage.beginWrite()
      _ = try transaction.openSpace("more", .bytes, create: true)
      try transaction.commit()
    }
    _ = try location.open(options)
    #expect(counter.take() == 0)
    var bytes = try directory.bytes(of: "store/data.mdb")
    try directory.write(bytes, to: "store/data.mdb")
    _ = try location.open(options)
    #expect(counter.take() > 0)
    bytes[bytes.count - 4096] ^= 1
    try directory.write(bytes, to: "store/data.mdb")
    let refused = try storageError { _ = try location.open(options) }
    let report = try PageWalker(PageSource(bytes)).walk()
    #expect((refused == nil) == report.isSound)
  }

  /// A storage that is open without a check is checked when that is requested.
  @Test func aStorageThatIsOpenIsCheckedToo() throws {
    let storage = try location.open(StorageOptions())
    let counter = Counter()
    let again = try location.open(Self.checked { _, _ in counter.count() })
    #expect(again === storage)
    #expect(counter.take() > 0)
  }

  @Test func aWriterMayBeAtWorkAndAllReaderSlotsTaken() throws {
    var options = StorageOptions()
    options.maximumReaders = 1
    let storage = try location.open(options)
    let reader = try storage.beginRead()
    defer { reader.abort() }
    options.pageCheck = PageCheck()
    #expect(try location.open(options) === storage)
  }

  /// LMDB compares integers of any size as if they had eight bytes.
  @Test(arguments: [(MDB_INTEGERKEY, 4), (MDB_DUPSORT | MDB_DUPFIXED | MDB_INTEGERDUP, 4)])
  func databasesThatNoStorageMakesAreRefused(flags: Int32, size: Int) throws {
    mkdir(directory.path(of: "foreign"), 0o700)
    let place = directory.path(of: "foreign")
    let file = try PagesFile(place + "/data.mdb")
    try file.write { transaction in
      let database = try transaction.open("numbers", flags | MDB_CREATE)
      for number in UInt32(0)..<10 {
        let bytes = withUnsafeBytes(of: number) { Array($0) }
        try transaction.put(database, bytes, bytes)
      }
    }
    let foreign = StorageLocation.directory(place)
    _ = try foreign.open(StorageOptions())
    let refused = try storageError { _ = try foreign.open(Self.checked()) }
    #expect(refused?.kind == .notAStore)
    #expect(refused?.message.contains("'numbers' has keys or values of another kind") == true)
  }

  /// The number of the last transaction, on the page that it belongs to.
  @Test(arguments: [UInt64.max - 1, 1 << 63]) func aNumberThatNobodyCountsToIsDamage(
    number: UInt64
  ) throws {
    var bytes = try directory.bytes(of: "store/data.mdb")
    for (page, value) in [(0, number), (1, number + 1)] {
      let field = withUnsafeBytes(of: value.littleEndian) { Array($0) }
      bytes.replaceSubrange(page * 4096 + 144..<page * 4096 + 152, with: field)
    }
    #expect(try PageWalker(PageSource(bytes)).walk().problems.map(\.kind).contains(.transaction))
  }

  // MARK: - Files beside the data file

  /// LMDB writes to its lock file.
  @Test(arguments: ["lock.mdb", "store.lock"], [false, true])
  func nothingIsWrittenThroughALinkInTheDirectory(name: String, isReadOnly: Bool) throws {
    try directory.write("precious", to: "file")
    unlink(path + "/" + name)
    symlink("../file", path + "/" + name)
    var options = StorageOptions()
    options.isReadOnly = isReadOnly
    let refused = try storageError { _ = try location.open(options) }
    // A store that is only read does without this lock where it has to.
    #expect((refused == nil) == (isReadOnly && name == "store.lock"))
    #expect(try storageError { try replace() } != nil)
    #expect(try directory.text(of: "file") == "precious")
    #expect(directory.exists("store/data.mdb"))
  }

  private func replace() throws {
    try StoreReplacement.replace(in: path, StorageOptions()) { storage, file in
      try storage.copy(to: file, compacting: true)
    }
  }

  @Test func pipesInTheDirectoryAreNotWaitedFor() throws {
    for name in ["lock.mdb", "store.lock"] {
      unlink(path + "/" + name)
      #expect(mkfifo(path + "/" + name, 0o600) == 0)
      #expect(try storageError { _ = try location.open(StorageOptions()) } != nil)
      unlink(path + "/" + name)
    }
  }

  @Test func theNewFileOfAReplacementIsNeverWrittenThroughALink() throws {
    try directory.write("precious", to: "file")
    link(directory.path(of: "file"), path + "/data.mdb.new")
    try replace()
    #expect(try directory.text(of: "file") == "precious")
    symlink("../file", path + "/data.mdb.new")
    try replace()
    #expect(try directory.text(of: "file") == "precious")
  }

  /// A crash leaves such a directory behind; a link leads to the directory of another store.
  @Test func filesOfAnotherDirectoryAreNotRemoved() throws {
    try directory.write("precious", to: "other/data.mdb")
    symlink("other", directory.path(of: "rebuild.new"))
    #expect(
      try storageError {
        _ = try StorageLocation.openTemporary(directory.path(of: "rebuild.new"), StorageOptions())
      } != nil)
    #expect(try directory.text(of: "other/data.mdb") == "precious")
  }

  #if os(Linux)
    /// All blocks of a lock file are allocated, so that a full disk does not end the process.
    @Test func aHugeSparseLockFileIsRefused() throws {
      truncate(path + "/lock.mdb", 1 << 40)
      let refused = try storageError { _ = try location.open(StorageOptions()) }
      #expect(refused?.message.contains("which no lock file has") == true)
    }
  #endif
}
