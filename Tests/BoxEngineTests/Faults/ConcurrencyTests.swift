import BoxModel
import BoxStorage
import Dispatch
import Synchronization
import TestSupport
import Testing

@testable import BoxEngine
@testable import EngineFaultsChild

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Threads that use one store at the same time.
///
/// `scripts/test --sanitize thread` runs these.
struct ConcurrencyTests {
  private static let rounds = TestSeed.count("BOXJOINT_SOAK_THREAD_ROUNDS", default: 60)

  /// Also where the system takes the first pages out of memory again and again, so that readers wait for them in the
  /// middle of their begin.
  @Test(.promise(40, 48), arguments: [false, true])
  func readersAndWriters(_ isPagedOut: Bool) throws {
    let directory = try FaultsDirectory.make()
    let store = try FaultsDirectory.open(directory.path(of: "store"))
    let shared = Shared(writers: 3)
    try Threads.run(isPagedOut ? 10 : 9) { thread in
      if thread == 9 {
        while shared.isWriting.load(ordering: .relaxed) > 0 {
          PagedOut.pageOut(directory.path(of: "store/data.mdb"))
        }
        return
      }
      let ledger = try Ledger(store)
      if thread < 3 {
        defer { shared.isWriting.wrappingSubtract(1, ordering: .relaxed) }
        for _ in 0..<Self.rounds {
          // The number is taken inside the transaction: the order of the writers is the store's.
          try store.write { transaction in
            try ledger.step(shared.next(), transaction)
          }
        }
      } else {
        var (last, before) = (0, UInt64(0))
        while shared.isWriting.load(ordering: .relaxed) > 0 {
          let (number, state) = try store.read { (try ledger.check(), $0.storage?.number ?? 0) }
          let committed = try store.status().lastTransaction
          // The states say whether the storage or the engine gave an older one.
          #expect(number >= last, "state \(state) after \(before), and \(committed) is committed")
          (last, before) = (number, state)
        }
      }
    }
    #expect(try Ledger(store).check() == 3 * Self.rounds)
    #expect(try store.verify().isEmpty)
  }

  @Test func submissionsAndObservers() async throws {
    let directory = try FaultsDirectory.make()
    let store = try FaultsDirectory.open(directory.path(of: "store"))
    let padding = try store.entity(named: "Padding")
    let shared = Shared(writers: 0)
    let observation = try store.observe(padding) { changes in
      shared.observed.withLock { $0 += changes.changes.map(\.id) }
    }
    try await withThrowingTaskGroup(of: [UInt64].self) { group in
      for task in 0..<6 {
        group.addTask { try await Self.submit(to: store, padding, task) }
      }
      // Observers come and go meanwhile, and other transactions are written.
      group.addTask {
        for _ in 0..<Self.rounds {
          let short = try store.observe(padding) { _ in }
          _ = try store.write { try $0.count(padding) }
          short.cancel()
          await Task.yield()
        }
        return []
      }
      var given: [UInt64] = []
      for try await ids in group {
        #expect(ids == ids.sorted())
        given += ids
      }
      #expect(given.sorted() == (0..<6 * Self.rounds).map { UInt64($0 + 1) })
    }
    store.waitForObservers()
    #expect(shared.observed.withLock { $0 } == (0..<6 * Self.rounds).map { UInt64($0 + 1) })
    observation.cancel()
    #expect(try store.read { try $0.count(padding) } == 6 * Self.rounds)
  }

  /// Submits one after the other, and one that fails now and then; the ids that were given.
  private static func submit(
    to store: ObjectStore, _ padding: EntitySchema, _ task: Int
  ) async throws -> [UInt64] {
    var ids: [UInt64] = []
    for round in 0..<rounds {
      if round % 5 == task % 5 {
        await #expect(throws: LedgerError.self) {
          try await store.submit { transaction -> UInt64 in
            try transaction.put(DynamicObject(padding))
            throw LedgerError("on purpose")
          }
        }
      }
      ids.append(
        try await store.submit { transaction in
          var object = DynamicObject(padding)
          object["text"] = .string("\(task).\(round)")
          return try transaction.put(object)
        })
    }
    return ids
  }

  /// More threads than a store keeps states of ended transactions for.
  @Test func shortReads() throws {
    let directory = try FaultsDirectory.make()
    let store = try FaultsDirectory.open(directory.path(of: "store"))
    let padding = try store.entity(named: "Padding")
    let ids = try store.write { transaction in
      try (0..<20).map { _ in try transaction.put(padding) { _ in } }
    }
    try Threads.run(PointerSlots.count + 4) { thread in
      for round in 0..<10 * Self.rounds {
        let id = ids[(thread + round) % ids.count]
        #expect(try store.read { try $0.get(padding, id) { _ in id } } == id)
        // A second one inside, of another store, has a state of its own.
        if round == 0 { _ = try store.read { _ in try Ledger(store).check() } }
      }
    }
  }

  /// No pointer is with two threads at once, and none gets lost.
  @Test func pointersAtRest() throws {
    let slots = PointerSlots()
    let marks = (0..<PointerSlots.count).map { _ in Marker() }
    for mark in marks { #expect(slots.push(Unmanaged.passUnretained(mark).toOpaque())) }
    #expect(!slots.push(Unmanaged.passUnretained(Marker()).toOpaque()))
    try Threads.run(PointerSlots.count + 4) { _ in
      for _ in 0..<10 * Self.rounds {
        guard let pointer = slots.pop() else { continue }
        let mark = Unmanaged<Marker>.fromOpaque(pointer).takeUnretainedValue()
        #expect(mark.holders.wrappingAdd(1, ordering: .relaxed).newValue == 1)
        mark.holders.wrappingSubtract(1, ordering: .relaxed)
        #expect(slots.push(pointer))
      }
    }
    let left = Set((0..<PointerSlots.count).map { _ in slots.pop() })
    #expect(left == Set(marks.map { Unmanaged.passUnretained($0).toOpaque() }))
    #expect(slots.pop() == nil)
  }

  private final class Marker: Sendable { let holders = Atomic(0) }

  /// Half of the threads ask the same questions in several ways, while the others write pairs of objects
  /// and observers hear of them.
  @Test func queriesWritersAndObservers() throws {
    let model = TestModel(
      .init(
        name: "Half", uid: 100,
        fields: [
          .init(name: "pair", type: .long, flags: .indexed),
          .init(name: "plain", type: .long), .init(name: "side", type: .int),
          .init("other", 109, .relation, [], target: "Half"),
        ]))
    let directory = try FaultsDirectory.make()
    let store = try ObjectStore.open(
      .directory(directory.path(of: "store")), model: try model.document())
    let half = try store.entity(named: "Half")
    let observed = Atomic<Int>(0)
    let observation = try store.observe(half) { observed.add($0.changes.count, ordering: .relaxed) }
    let seconds = TestSeed.count("BOXJOINT_SOAK_QUERY_SECONDS", default: 1)
    let end = ContinuousClock.now + .seconds(seconds)
    let next = Atomic<Int>(0)
    let asked = Atomic<Int>(0)
    try Threads.run(8) { thread in
      var random = SplitMix64(seed: UInt64(thread))
      while ContinuousClock.now < end {
        if thread < 3 {
          let pair = Int64(next.add(1, ordering: .relaxed).newValue)
          try store.write { transaction in
            var object = DynamicObject(half)
            (object["pair"], object["plain"], object["side"]) = (.integer(pair), .integer(pair), 0)
            let first = try transaction.put(object)
            (object["side"], object["other"]) = (1, .unsigned(first))
            try transaction.put(object)
            // So that there are some hundred.
            let old = try store.prepare(half, try ConditionParser.parse("pair == \(pair - 200)"))
            _ = try transaction.remove(old)
          }
        } else {
          let low = max(1, next.load(ordering: .relaxed) - random.below(300))
          let texts = [
            "pair between \(low) and \(low + 20)", "plain between \(low) and \(low + 20)",
            "other.plain between \(low) and \(low + 20) || "
              + "any(Half.other, pair between \(low) and \(low + 20))",
          ]
          try store.read { transaction in
            let answers = try texts.map { text in
              try transaction.ids(
                try store.prepare(
                  half, try ConditionParser.parse(text),
                  order: [QueryOrder("pair", descending: true)]))
            }
            #expect(answers[0] == answers[1])
            #expect(answers[0] == answers[2])
            #expect(answers[0].count % 2 == 0)
          }
          asked.add(1, ordering: .relaxed)
        }
      }
    }
    store.waitForObservers()
    observation.cancel()
    #expect(asked.load(ordering: .relaxed) > 0)
    // Each transaction puts two, and removes two once there are enough.
    #expect(observed.load(ordering: .relaxed) >= 2 * next.load(ordering: .relaxed))
    #expect(try store.verify().isEmpty)
  }

  /// The last user of a store closes it while others open it.
  @Test func openingAndClosing() throws {
    let directory = try FaultsDirectory.make()
    let path = directory.path(of: "store")
    try Threads.run(4) { thread in
      for _ in 0..<Self.rounds {
        let ledger = try Ledger(FaultsDirectory.open(path))
        if thread == 0 {
          try ledger.write(try ledger.check() + 1)
        } else {
          _ = try ledger.check()
        }
      }
    }
    #expect(try FaultsDirectory.check(path) == Self.rounds)
  }

  /// Stores are opened, filled, given their indexes and closed, each by a thread of its own.
  @Test func twoStoresAtOnce() throws {
    let directory = try FaultsDirectory.make()
    try Threads.run(2) { thread in
      for round in 0..<Self.rounds / 2 {
        let location = StorageLocation.directory(directory.path(of: "store\(thread).\(round)"))
        var options = StoreOptions()
        options.defersIndexes = true
        options.indexBytes = 64
        let store = try ObjectStore.open(location, model: PeopleModel.document(), options: options)
        defer { store.close() }
        try PeopleModel.fill(store)
        #expect(store.lacksIndexes)
        let whole = try store.buildIndexes()
        defer { whole.close() }
        #expect(try whole.verify() == [])
        #expect(try whole.read { try $0.find("Person", "age", .integer(7)) } == [2])
      }
    }
  }

  /// A store can be opened in the middle of the building of the indexes of another one.
  @Test func openingWhileIndexesOfAnotherStoreAreBuilt() throws {
    let directory = try FaultsDirectory.make()
    var options = StoreOptions()
    options.defersIndexes = true
    let store = try ObjectStore.open(
      .directory(directory.path(of: "filled")), model: PeopleModel.document(), options: options)
    try PeopleModel.fill(store)
    #expect(store.lacksIndexes)
    let other = StorageLocation.directory(directory.path(of: "other"))
    let opened = DispatchSemaphore(value: 0)
    var isBuilding = false
    let whole = try store.buildIndexes { _, _, _ in
      if isBuilding { return }
      isBuilding = true
      DispatchQueue.global().async {
        do {
          try ObjectStore.open(other, model: PeopleModel.document()).close()
          opened.signal()
        } catch {
          Issue.record("\(error)")
        }
      }
      #expect(opened.wait(timeout: .now() + .seconds(60)) == .success)
    }
    #expect(isBuilding)
    #expect(try whole.verify() == [])
  }

  @Test func copyingWhileOthersWrite() throws {
    let directory = try FaultsDirectory.make()
    let store = try FaultsDirectory.open(directory.path(of: "store"))
    let shared = Shared(writers: 1)
    try Threads.run(2) { thread in
      if thread == 0 {
        defer { shared.isWriting.wrappingSubtract(1, ordering: .relaxed) }
        let ledger = try Ledger(store)
        for number in 1...Self.rounds { try ledger.write(number) }
      } else {
        var copies = 0
        repeat {
          let copy = "copy\(copies)"
          try directory.write([], to: copy + "/data.mdb")
          let file = open(directory.path(of: copy + "/data.mdb"), O_WRONLY)
          try store.copy(to: file, compacting: copies.isMultiple(of: 2))
          close(file)
          _ = try FaultsDirectory.check(directory.path(of: copy))
          copies += 1
        } while shared.isWriting.load(ordering: .relaxed) > 0
      }
    }
  }
}

/// Pages of mapped files that are taken out of memory.
private enum PagedOut {
  /// Takes the first pages of a file out of memory, a few hundred times; does nothing on macOS.
  static func pageOut(_ path: String) {
    #if canImport(Glibc)
      guard let maps = fopen("/proc/self/maps", "r") else { return }
      defer { fclose(maps) }
      var line = [CChar](repeating: 0, count: 1024)
      var starts: [UInt] = []
      while fgets(&line, Int32(line.count), maps) != nil {
        let text = line.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
        guard text.contains(path), let start = UInt(text.prefix { $0 != "-" }, radix: 16) else {
          continue
        }
        starts.append(start)
      }
      for _ in 0..<200 {
        // MADV_PAGEOUT
        for start in starts { madvise(UnsafeMutableRawPointer(bitPattern: start), 8192, 21) }
        usleep(50)
      }
    #endif
  }
}

/// The state that the threads of a test share besides the store.
private final class Shared: Sendable {
  /// The number of threads that still write.
  let isWriting: Atomic<Int>
  /// The ids that an observer was told.
  let observed = Mutex<[UInt64]>([])
  private let number = Mutex(0)

  init(writers: Int) { isWriting = Atomic(writers) }

  /// The number of the next transaction.
  func next() -> Int {
    number.withLock {
      $0 += 1
      return $0
    }
  }
}

/// Threads of the system: transactions belong to threads, and tasks share few of them.
private enum Threads {
  private final class Work: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  private final class Failures: Sendable {
    let messages = Mutex<[String]>([])

    func add(_ message: String) { messages.withLock { $0.append(message) } }
  }

  private static func start(_ body: @escaping @Sendable () -> Void) throws -> pthread_t {
    var thread = pthread_t()
    let code = pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
        return nil
      }, Unmanaged.passRetained(Work(body)).toOpaque())
    if code != 0 { throw TestFailure("no thread can be started") }
    return thread
  }

  /// Runs a function on so many threads at the same time, and waits for all.
  static func run(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) throws {
    let failures = Failures()
    let threads = try (0..<count).map { number in
      try start {
        do {
          try body(number)
        } catch {
          failures.add("thread \(number): \(error)")
        }
      }
    }
    for thread in threads { pthread_join(thread, nil) }
    let messages = failures.messages.withLock { $0 }
    #expect(messages.isEmpty)
  }
}
