import CLMDB
import TestSupport
import Testing

@testable import BoxStorage

/// The differences of two states, compared with a comparison of all entries.
struct StateDifferenceTests {
  private typealias Contents = StorageContents
  private typealias State = (transaction: StorageTransaction, contents: StorageContents)

  private func state(_ storage: Storage) throws -> State {
    (try storage.beginRead(), try StorageContents(storage))
  }

  /// Requires that the differences of two states are those of all entries.
  private func compare(_ older: State, _ newer: State, _ note: String) throws {
    let transaction = newer.transaction
    let listed = try transaction.changedSpaces(since: older.transaction)
    let differing = newer.contents.namesOfChanges(since: older.contents)
    #expect(Set(differing).subtracting(listed).isEmpty, "\(note)")
    for (index, space) in StorageChanges.spaces.enumerated() {
      let found = try transaction.differences(of: space.name, since: older.transaction)
      let expected = newer.contents.changes(since: older.contents, in: index)
      if found != expected {
        Issue.record("\(note), \(space.name): \(found ?? []) where \(expected) differ")
      }
      if found?.isEmpty == false { #expect(listed.contains(space.name), "\(note)") }
    }
  }

  private func memory(_ name: String = #function) throws -> Storage {
    try StorageLocation.memory(name).open(StorageOptions())
  }

  @Test func statesDifferAsAllTheirEntriesDo() throws {
    var random = TestSeed.next()
    let count = TestSeed.count("BOXJOINT_SOAK_PAGE_DIFFERENCES", default: 500)
    var pairs = 0
    while pairs < count {
      let storage = try memory()
      var changes = StorageChanges(SplitMix64(seed: random.next()))
      var states: [State] = [try state(storage)]
      for round in 0..<60 {
        for _ in 0...random.below(random.pick([1, 1, 1, 3, 10])) { try changes.commit(to: storage) }
        let newer = try state(storage)
        // Mostly with the last state, and at times with one that is long ago, in both directions.
        let older = random.oneIn(5) ? random.pick(states) : states[states.count - 1]
        try compare(older, newer, "round \(round) of \(pairs)")
        if random.oneIn(4) { try compare(newer, older, "back, round \(round) of \(pairs)") }
        pairs += 1
        states.append(newer)
        // Those that end let the pages be used again.
        while states.count > 1 + random.below(6) { states.removeFirst().transaction.abort() }
      }
    }
  }

  @Test func statesDifferThatAnotherProcessMakes() async throws {
    var random = TestSeed.next()
    let directory = try TemporaryDirectory()
    let storage = try StorageLocation.directory(directory.path).open(StorageOptions())
    let writer = try #require(builtProgram("StorageWriter"))
    var older = try state(storage)
    for round in 0..<20 {
      let seed = String(random.next())
      async let run = ProcessRun.of(writer, [directory.path, seed, "6", "0"])
      if random.oneIn(2) { try await Task.sleep(for: .milliseconds(random.below(30))) }
      let middle = try storage.beginRead()
      #expect(try await run.status == 0)
      let newer = try state(storage)
      try compare(older, newer, "round \(round)")
      // The contents of a state in the middle are not known, but differences can be added.
      for (index, space) in StorageChanges.spaces.enumerated() {
        let first = try middle.differences(of: space.name, since: older.transaction) ?? []
        let second = try newer.transaction.differences(of: space.name, since: middle) ?? []
        let both = Set((first + second).map(\.entry.key))
        let expected = newer.contents.changes(since: older.contents, in: index).map(\.entry.key)
        #expect(both.isSuperset(of: expected), "round \(round), \(space.name)")
      }
      older.transaction.abort()
      older = newer
    }
  }

  @Test func spacesThatNobodyOpenedDiffer() async throws {
    let directory = try TemporaryDirectory()
    let writer = try #require(builtProgram("StorageWriter"))
    #expect(try await ProcessRun.of(writer, [directory.path, "1", "50", "0"]).status == 0)
    let storage = try StorageLocation.directory(directory.path).open(StorageOptions())
    let older = try storage.beginRead()
    #expect(try await ProcessRun.of(writer, [directory.path, "2", "50", "0"]).status == 0)
    let newer = try storage.beginRead()
    let changed = try newer.changedSpaces(since: older)
    #expect(!changed.isEmpty)
    for name in changed {
      let differences = try newer.differences(of: name, since: older)
      #expect(differences?.isEmpty == false, "\(name)")
    }
  }

  @Test func databasesOfEveryOrderDiffer() throws {
    var random = TestSeed.next()
    let storage = try memory()
    for round in 0..<60 {
      let older = try storage.beginRead()
      defer { older.abort() }
      let before = try contents(older, storage)
      for _ in 0...random.below(3) {
        try write(storage) { transaction in
          for specification in PagesSpecification.all where round == 0 || random.oneIn(2) {
            let changes = random.pick([1, 3, 40, 400])
            try PagesGenerator.change(specification, changes, &random, transaction)
          }
        }
      }
      let newer = try storage.beginRead()
      defer { newer.abort() }
      let after = try contents(newer, storage)
      for (index, specification) in PagesSpecification.all.enumerated() {
        let found = try newer.differences(of: specification.name, since: older)
        let (old, new) = (before[index], after[index])
        let hasSets = specification.flags & MDB_DUPSORT != 0
        let expected = Set(
          old.subtracting(new).filter { entry in hasSets || !new.contains { $0.key == entry.key } }
            .map { Contents.Change(change: .removed, entry: $0) }
            + new.subtracting(old).map { entry in
              let isNew = hasSets || !old.contains { $0.key == entry.key }
              return Contents.Change(change: isNew ? .inserted : .updated, entry: entry)
            })
        #expect(found.map { Set($0) } == expected, "round \(round), \(specification.name)")
        #expect(found?.count == expected.count)
      }
    }
  }

  /// The entries of each database, through another transaction of the last state.
  private func contents(
    _ transaction: StorageTransaction, _ storage: Storage
  ) throws -> [Set<Contents.Entry>] {
    let names = try transaction.spaceNames()
    var contents: [Set<Contents.Entry>] = []
    try write(storage, MDB_RDONLY) { transaction in
      for specification in PagesSpecification.all {
        var entries: Set<Contents.Entry> = []
        if names.contains(specification.name) {
          try transaction.visit(transaction.open(specification.name)) {
            entries.insert(Contents.Entry(key: Array($0), value: Array($1)))
          }
        }
        contents.append(entries)
      }
    }
    return contents
  }

  private func write(
    _ storage: Storage, _ flags: Int32 = 0, _ body: (PagesTransaction) throws -> Void
  ) throws {
    var handle: OpaquePointer?
    try PagesFile.check(
      mdb_txn_begin(storage.pointer, nil, UInt32(flags), &handle), "mdb_txn_begin")
    try body(PagesTransaction(handle: #require(handle)))
    try PagesFile.check(mdb_txn_commit(handle), "mdb_txn_commit")
  }

  // MARK: - Sizes

  private func write<R>(
    _ storage: Storage, _ kind: SpaceKind, _ body: (StorageTransaction, Space) throws -> R
  ) throws -> R {
    let transaction = try storage.beginWrite()
    defer { transaction.abort() }
    let space = try #require(try transaction.openSpace("space", kind, create: true))
    let result = try body(transaction, space)
    try transaction.commit()
    return result
  }

  /// The changes and the pages that were looked at.
  private func visited(_ newer: StorageTransaction, since older: StorageTransaction) throws -> (
    Int, Int
  ) {
    let pages = try #require(try newer.environment.mappedPages(in: newer))
    var difference = PageDifference(pages, maximumPages: 100)
    var changes = 0
    try difference.visit(
      try older.record(ofSpace: "space") ?? .empty, try newer.record(ofSpace: "space") ?? .empty
    ) { _, _, _ in changes += 1 }
    return (changes, difference.visited)
  }

  @Test func onlyPagesThatDifferAreRead() throws {
    let storage = try memory()
    try write(storage, .records) { transaction, space in
      for key in UInt64(1)...100_000 { try transaction.put([1, 2, 3, 4], at: key, in: space) }
    }
    let first = try storage.beginRead()
    try write(storage, .records) { try $0.put([5], at: 50_000, in: $1) }
    let second = try storage.beginRead()
    var (changes, pages) = try visited(second, since: first)
    #expect(changes == 1)
    #expect(pages < 20)
    // The same bytes: the pages are others, and no entry is.
    try write(storage, .records) { try $0.put([5], at: 50_000, in: $1) }
    let third = try storage.beginRead()
    (changes, pages) = try visited(third, since: second)
    #expect(changes == 0)
    #expect(pages > 0 && pages < 20)
    (changes, pages) = try visited(third, since: third)
    #expect(changes == 0 && pages == 0)
  }

  @Test func setsOfEverySizeDiffer() throws {
    var random = TestSeed.next()
    for size in [1, 2, 100, 5000, 100_000] {
      let storage = try memory("\(#function) \(size)")
      try write(storage, .integerSets) { transaction, space in
        let entries = (0..<size).map { IntegerEntry(key: 7, member: UInt64($0) * 3) }
        try entries.withUnsafeBufferPointer {
          try transaction.insert(space, sorted: $0, atEnd: true)
        }
        _ = try transaction.insert(space, 3, 1)
      }
      let before = try storage.beginRead()
      let member = UInt64(random.below(size)) * 3
      try write(storage, .integerSets) { transaction, space in
        _ = try transaction.insert(space, 7, member + 1)
        _ = try transaction.remove(space, 7, member)
        _ = try transaction.insert(space, 8, 1)
      }
      let after = try storage.beginRead()
      let changes = try after.differences(of: "space", since: before)
      func change(_ change: EntryChange, _ key: UInt64, _ member: UInt64) -> Contents.Change {
        func bytes(_ number: UInt64) -> [UInt8] { withUnsafeBytes(of: number) { Array($0) } }
        let entry = Contents.Entry(key: bytes(key), value: bytes(member))
        return Contents.Change(change: change, entry: entry)
      }
      #expect(
        changes == [
          change(.removed, 7, member), change(.inserted, 7, member + 1), change(.inserted, 8, 1),
        ], "\(size)")
      #expect(try visited(after, since: before).1 < 20)
      try write(storage, .integerSets) { try $0.clear($1) }
      #expect(
        try storage.beginRead().differences(of: "space", since: before)?.count == size + 1)
    }
  }

  // MARK: - What is not known

  @Test func tooManyPagesAreNotCompared() throws {
    let storage = try memory()
    try write(storage, .records) { transaction, space in
      for key in UInt64(1)...1000 {
        try transaction.put([UInt8](repeating: 1, count: 1000), at: key, in: space)
      }
    }
    let before = try storage.beginRead()
    try write(storage, .records) { transaction, space in
      for key in stride(from: UInt64(1), through: 1000, by: 100) {
        try transaction.put([1], at: key, in: space)
      }
    }
    let after = try storage.beginRead()
    // Ten entries that lie far from each other are on ten pages.
    #expect(try after.differences(of: "space", since: before, maximumPages: 10)?.count == 10)
    #expect(try after.differences(of: "space", since: before, maximumPages: 9) == nil)
    #expect(try after.differences(of: "space", since: before, maximumPages: 0) == nil)
    #expect(try before.differences(of: "space", since: before, maximumPages: 0) == [])
    #expect(try after.differences(of: "other", since: before, maximumPages: 0) == [])
  }

  @Test func aSpaceOfAnotherKindIsNotCompared() throws {
    let storage = try memory()
    try write(storage, .records) { try $0.put([1], at: 1, in: $1) }
    let before = try storage.beginRead()
    try write(storage, .records) { try $0.dropSpace($1) }
    try write(storage, .bytes) { transaction, space in
      try [UInt8](1...8).withUnsafeBytes { try transaction.put(space, $0, $0, .replace) }
    }
    let after = try storage.beginRead()
    #expect(try after.differences(of: "space", since: before) == nil)
    #expect(try after.changedSpaces(since: before) == ["space"])
  }

  @Test func errorsOfTheFunctionEndTheVisit() throws {
    let storage = try memory()
    try write(storage, .records) { try $0.put([1], at: 1, in: $1) }
    let before = try storage.beginRead()
    try write(storage, .records) { try $0.put([2], at: 1, in: $1) }
    let after = try storage.beginRead()
    #expect(throws: TestFailure.self) {
      try after.visitDifferences(ofSpace: "space", since: before, maximumPages: 9) { _, _, _ in
        throw TestFailure("no more")
      }
    }
    before.abort()
    let error = #expect(throws: StorageError.self) {
      try after.differences(of: "space", since: before)
    }
    #expect(error?.kind == .closed)
  }
}
