import BoxStorage
import BoxStore
import TestSupport
import Testing

@testable import BoxEngine

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Faults from outside: no room, other processes, forks, a store of a newer version, too many readers.
struct StoreFaultsTests {
  @Test func aStoreOfANewerFormatIsRefusedAndStaysAsItIs() throws {
    let directory = try TemporaryDirectory()
    let store = try SampleStore.open(directory)
    try store.box().put(Setting("a"))
    store.close()
    try Self.overwriteCatalog(#"{"format":9,"tables":[]}"#, directory.path(of: "store"))
    let bytes = try directory.bytes(of: "store/data.mdb")
    for isReadOnly in [false, true] {
      let error = #expect(throws: ObjectBoxError.self) {
        try SampleStore.open(directory, readOnly: isReadOnly)
      }
      #expect(error.map(caseName) == "schema")
      #expect(
        error?.message.contains("the store has format 9, which a newer version wrote") == true)
    }
    #expect(try directory.bytes(of: "store/data.mdb") == bytes)
  }

  /// Writes a catalog with a right checksum.
  private static func overwriteCatalog(_ text: String, _ path: String) throws {
    let storage = try StorageLocation.directory(path).open(StorageOptions())
    let transaction = try storage.beginWrite()
    let space = try #require(try transaction.openSpace("catalog", .bytes, create: false))
    let bytes = Array(text.utf8)
    let checksum = bytes.withUnsafeBytes { Checksum.crc32c($0) }
    let stored = withUnsafeBytes(of: checksum.littleEndian) { [UInt8]($0) } + bytes
    try Array("catalog".utf8).withUnsafeBytes { key in
      try stored.withUnsafeBytes { try transaction.put(space, key, $0, .replace) }
    }
    try transaction.commit()
  }

  // MARK: - No room

  /// A chain of new nodes, whose last one is put: in several pages each.
  private static func chain(_ count: Int) -> [TreeNode] {
    var nodes: [TreeNode] = []
    for number in 0..<count {
      nodes.append(TreeNode("\(number)" + String(repeating: "x", count: 20_000), under: nodes.last))
    }
    return nodes
  }

  private static func expectNothing(
    of chain: [TreeNode], in box: Box<TreeNode>, but kept: [Substring] = ["kept"]
  ) throws {
    #expect(chain.allSatisfy { $0.id == 0 })
    #expect(try box.all().map { $0.name.prefix(10) } == kept)
  }

  /// The limit of the size is reached between two objects of the graph.
  @Test func aStoreThatFillsUpInThePutOfAGraphKeepsNothingOfIt() throws {
    let directory = try TemporaryDirectory()
    let store = try Store(
      model: SampleStore.model, directory: directory.path(of: "store"), maxDbSizeInKByte: 1)
    let box = store.box(for: TreeNode.self)
    try box.put(TreeNode("kept"))
    let chain = Self.chain(200)
    #expect(thrownCase { try box.put(chain[199]) } == "dbFull")
    try Self.expectNothing(of: chain, in: box)
    // A transaction that catches the error continues without any part of the graph.
    var caught: String?
    try store.runInTransaction {
      try box.put(TreeNode("before"))
      caught = thrownCase { try box.put(chain[199]) }
    }
    #expect(caught == "dbFull")
    try Self.expectNothing(of: chain, in: box, but: ["kept", "before"])
    let short = Self.chain(3)
    try box.put(short[2])
    #expect(try box.count() == 5)
    #expect(short[2].parent.target?.parent.target === short[0])
  }

  /// The disk is full when the transaction is written.
  @Test func aFullDiskInThePutOfAGraphKeepsNothingOfIt() async throws {
    let directory = try TemporaryDirectory()
    await #expect(processExitsWith: .success) { [path = directory.path(of: "store") as String] in
      // A limit of the process, in which nothing else runs, is a full disk.
      signal(SIGXFSZ, SIG_IGN)
      let store = try Store(model: SampleStore.model, directory: path)
      let box = store.box(for: TreeNode.self)
      try box.put(TreeNode("kept"))
      StoreFaultsTests.limitFiles(to: 1 << 20)
      let chain = StoreFaultsTests.chain(200)
      try #require(thrownCase { try box.put(chain[199]) } == "dbFull")
      try #require(try box.count() == 1)
      try #require(
        thrownCase { try store.runInTransaction { _ = try box.put(chain[199]) } } == "dbFull")
      try #require(try box.count() == 1)
      StoreFaultsTests.limitFiles(to: nil)
      // The transaction that was undone has left its ids, so that each is put again.
      try box.put(chain)
      try #require(try box.count() == 201)
    }
    let box = try SampleStore.open(directory).box(for: TreeNode.self)
    #expect(try box.count() == 201)
    let last = try #require(try box.query { TreeNode.name.startsWith("199") }.build().findUnique())
    #expect(last.parent.target?.name.hasPrefix("198") == true)
  }

  private static func limitFiles(to bytes: Int?) {
    #if canImport(Glibc)
      let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
    #else
      let resource = RLIMIT_FSIZE
    #endif
    var limit = rlimit()
    getrlimit(resource, &limit)
    limit.rlim_cur = bytes.map { rlim_t($0) } ?? limit.rlim_max
    setrlimit(resource, &limit)
  }

  // MARK: - Processes

  /// The tenth behaviour: deleting.
  @Test(.promise(363)) func filesThatAnotherProcessUsesAreNotRemoved() async throws {
    let directory = try TemporaryDirectory()
    let store = try SampleStore.open(directory)
    try store.box().put(Setting("a"))
    await #expect(processExitsWith: .success) { [path = directory.path(of: "store") as String] in
      let other = try Store(model: SampleStore.model, directory: path)
      try #require(try other.box(for: Setting.self).count() == 1)
      try #require(thrownCase { try other.closeAndDeleteAllFiles() } == "illegalState")
    }
    try store.box().put(Setting("b"))
    #expect(try store.box(for: Setting.self).count() == 2)
    try store.closeAndDeleteAllFiles()
    #expect(!directory.exists("store"))
  }

  @Test(.promise(373)) func aModelThatAnotherProcessChangedStopsWriters() async throws {
    let directory = try TemporaryDirectory()
    let store = try SampleStore.open(directory)
    let box = store.box(for: Order.self)
    try box.put(Order("a"))
    await #expect(processExitsWith: .success) { [path = directory.path(of: "store") as String] in
      let renamed = try StoreSample.text.replacing("\"summary\"", with: "\"remark\"")
      let other = try Store(model: StoreModel(json: renamed), directory: path)
      try other.box().put(Order("b"))
    }
    let error = #expect(throws: ObjectBoxError.self) { try box.put(Order("c")) }
    #expect(error.map(caseName) == "illegalState")
    #expect(try box.all().map(\.summary) == ["a", "b"])
    store.close()
    let again = try SampleStore.open(directory)
    try again.box().put(Order("c"))
    #expect(try again.box(for: Order.self).count() == 3)
  }

  /// The tenth behaviour: a fork.
  @Test(.promise(363)) func aStoreIsNotUsedAfterAFork() async throws {
    let directory = try TemporaryDirectory()
    await #expect(processExitsWith: .success) { [path = directory.path(of: "store") as String] in
      // Swift has no fork, as little of it works afterwards; programs in C have.
      typealias Fork = @convention(c) () -> pid_t
      let fork = unsafeBitCast(try #require(dlsym(nil, "fork")), to: Fork.self)
      let store = try Store(model: SampleStore.model, directory: path)
      let box = store.box(for: Setting.self)
      try box.put(Setting("a"))
      let query = try box.query { Setting.key == "a" }.build()
      let child = fork()
      if child == 0 {
        let uses: [() throws -> Void] = [
          { _ = try box.count() }, { _ = try query.find() }, { _ = try box.put(Setting("b")) },
          { try store.runInTransaction {} },
        ]
        _exit(uses.allSatisfy { thrownCase($0) == "illegalState" } ? 0 : 1)
      }
      var status: Int32 = -1
      waitpid(child, &status, 0)
      try #require(status == 0)
      try box.put(Setting("c"))
      try #require(try box.count() == 2)
    }
  }

  // MARK: - Readers

  /// The tenth behaviour: 127 readers, one more than there is room for.
  @Test(.promise(363)) func the127thReaderIsRefusedAndReadsLater() throws {
    let directory = try TemporaryDirectory()
    let store = try SampleStore.open(directory)
    let box = store.box(for: Setting.self)
    try box.put(Setting("a"))
    let readers = HeldReaders(store, 126)
    #expect(readers.failures == [])
    #expect(thrownCase { _ = try box.count() } == "maxReadersExceeded")
    #expect(thrownCase { _ = try box.query().build().find() } == "maxReadersExceeded")
    // Writers need no place.
    try store.runInTransaction { _ = try box.put(Setting("b")) }
    readers.end()
    #expect(try box.count() == 2)
  }
}

/// Read transactions that are open at the same time, each on a thread of its own.
private final class HeldReaders: @unchecked Sendable {
  private let store: Store
  private var condition = pthread_cond_t()
  private var lock = pthread_mutex_t()
  private var threads: [pthread_t] = []
  private var begun = 0
  private var isOver = false
  private(set) var failures: [String] = []

  /// Begins the transactions, and waits until all are open or have failed.
  init(_ store: Store, _ count: Int) {
    self.store = store
    pthread_mutex_init(&lock, nil)
    pthread_cond_init(&condition, nil)
    for _ in 0..<count {
      var thread = pthread_t()
      pthread_create(
        &thread, nil,
        { context in
          if let context {
            Unmanaged<HeldReaders>.fromOpaque(context).takeUnretainedValue().read()
          }
          return nil
        }, Unmanaged.passUnretained(self).toOpaque())
      threads.append(thread)
    }
    withLock { while begun < count { pthread_cond_wait(&condition, &lock) } }
  }

  private func read() {
    do {
      try store.runInReadOnlyTransaction { () throws -> Void in
        _ = try store.box(for: Setting.self).count()
        withLock {
          begin()
          while !isOver { pthread_cond_wait(&condition, &lock) }
        }
      }
    } catch {
      withLock {
        failures.append("\(error)")
        begin()
      }
    }
  }

  private func begin() {
    begun += 1
    pthread_cond_broadcast(&condition)
  }

  /// Ends the transactions and waits for the threads.
  func end() {
    withLock {
      isOver = true
      pthread_cond_broadcast(&condition)
    }
    for thread in threads { pthread_join(thread, nil) }
  }

  private func withLock(_ body: () -> Void) {
    pthread_mutex_lock(&lock)
    body()
    pthread_mutex_unlock(&lock)
  }
}
