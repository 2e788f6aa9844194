import BoxModel
import BoxStorage
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

/// Observers of a store that hears the commits of other openings and processes.
struct HearingTests {
  private static var hearing: StoreOptions {
    var options = StoreOptions()
    options.hearing = .everywhere()
    return options
  }

  /// Two openings of a store: one that listens, and another one.
  private struct Pair {
    let listener: ObjectStore
    let other: ObjectStore
    let copy: FollowedCopy

    init(_ location: StorageLocation) throws {
      other = try ObjectStore.open(location, model: ObjectsModel.document())
      listener = try ObjectStore.open(
        location, model: ObjectsModel.document(), options: HearingTests.hearing)
      copy = try FollowedCopy(listener, listener.entities)
    }

    func told() -> [CommitChanges] {
      listener.waitForObservers()
      return copy.takeCommits()
    }
  }

  private static func locations(_ directory: TemporaryDirectory) -> [StorageLocation] {
    [.directory(directory.path(of: "store")), .ownMemory()]
  }

  @Test func tellsWhatAnotherOpeningChanged() throws {
    let directory = try TemporaryDirectory()
    for location in Self.locations(directory) {
      let pair = try Pair(location)
      let id = try pair.other.put("Plain", ["text": "a"])
      let commits = pair.told()
      #expect(commits.map(\.origin) == [.elsewhere])
      #expect(commits.first?.entities.map(\.entity) == [400])
      #expect(commits.first?.entities.first?.changes == [.init(kind: .inserted, id: id)])
      try pair.other.put("Plain", ["text": "b"], id: id)
      #expect(pair.told().first?.entities.first?.changes == [.init(kind: .updated, id: id)])
      // The same bytes are no change.
      try pair.other.put("Plain", ["text": "b"], id: id)
      #expect(pair.told().isEmpty)
      try pair.listener.put("Plain", ["text": "c"])
      #expect(pair.told().map(\.origin) == [.here])
      #expect(try pair.copy.difference() == nil)
    }
  }

  @Test func foreignCommitsComeBeforeTheOwnOneThatSawThem() throws {
    let directory = try TemporaryDirectory()
    let pair = try Pair(.directory(directory.path(of: "store")))
    for round in 1...50 {
      try pair.other.put("Plain", ["text": .string("\(round)")])
      try pair.other.put("Box", ["name": .string("\(round)")])
      try pair.listener.put("Guest", ["name": "x"], id: UInt64(round))
      let commits = pair.told()
      #expect(commits.last?.origin == .here)
      #expect(commits.last?.entities.map(\.entity) == [300])
      let foreign = commits.dropLast()
      #expect(foreign.allSatisfy { $0.origin == .elsewhere })
      #expect(Set(foreign.flatMap { $0.entities.map(\.entity) }) == [200, 400])
    }
  }

  @Test func linksAreReportedAsPairs() throws {
    let directory = try TemporaryDirectory()
    let pair = try Pair(.directory(directory.path(of: "store")))
    let boxes = try #require(try pair.other.entity(named: "Item").relation(named: "boxes"))
    let ids = try (0..<2).map { _ in try pair.other.put("Item", [:]) }
    let box = try pair.other.put("Box", [:])
    _ = pair.told()
    try pair.other.write { try $0.link(boxes, ids[1], box) }
    let item = pair.told().first?.entities.first
    #expect(item?.changes == [.init(kind: .updated, id: ids[1])])
    #expect(
      item?.relations == [
        .init(relation: boxes.uid, source: ids[1], target: box, isAdded: true)
      ])
    // Pairs that went with a removed object are not listed.
    let entity = try pair.other.entity(named: "Item")
    try pair.other.write { _ = try $0.remove(entity, ids[1]) }
    let removed = pair.told().first?.entities
    #expect(removed?.first?.changes == [.init(kind: .removed, id: ids[1])])
    #expect(removed?.first?.relations == [])
    #expect(try pair.copy.difference() == nil)
  }

  @Test func nothingIsHeardWithoutBeingAskedFor() throws {
    let directory = try TemporaryDirectory()
    let location = StorageLocation.directory(directory.path(of: "store"))
    let (first, second) = (
      try ObjectStore.open(location, model: ObjectsModel.document()),
      try ObjectStore.open(location, model: ObjectsModel.document())
    )
    let copy = try FollowedCopy(first, first.entities)
    try second.put("Plain", ["text": "a"])
    first.waitForObservers()
    #expect(copy.takeCommits().isEmpty)
    #expect(try first.status().readers.isEmpty)
  }

  @Test func theReaderGoesWithTheLastObserver() throws {
    let directory = try TemporaryDirectory()
    let location = StorageLocation.directory(directory.path(of: "store"))
    let store = try ObjectStore.open(
      location, model: ObjectsModel.document(), options: Self.hearing)
    let readers = { try store.status().readers.count { $0.transaction > 0 } }
    let idle = try readers()
    let observations = try (0..<3).map { _ in try store.observe(store.entities) { _ in } }
    #expect(try readers() == idle + 1)
    for observation in observations { observation.cancel() }
    #expect(try readers() == idle)
    let last = try store.observe(store.entities) { _ in }
    store.close()
    // The files are closed with it: another process could have the store alone.
    try ObjectStore.open(location, model: ObjectsModel.document()).close()
    withExtendedLifetime(last) {}
  }

  @Test func manyPagesAreReportedTogether() throws {
    let directory = try TemporaryDirectory()
    let pair = try Pair(.directory(directory.path(of: "store")))
    let plain = try pair.other.entity(named: "Plain")
    let text = Value.string(String(repeating: "x", count: 1500))
    try pair.other.write { transaction in
      for _ in 0..<10_000 { try transaction.put("Plain", ["text": text]) }
    }
    let changes = pair.told().flatMap(\.entities)
    #expect(changes.contains { $0.entity == plain.uid && $0.isWhole && $0.changes.isEmpty })
    #expect(try pair.copy.difference() == nil)
  }

  /// The listener gives its own place up to see what is new, if there is none for another reader.
  @Test func withoutAPlaceEverythingMayHaveChanged() throws {
    let directory = try TemporaryDirectory()
    let location = StorageLocation.directory(directory.path(of: "store"))
    var options = Self.hearing
    options.storage.maximumReaders = 2
    let listener = try ObjectStore.open(location, model: ObjectsModel.document(), options: options)
    options.hearing = .thisOpening
    let other = try ObjectStore.open(location, model: ObjectsModel.document(), options: options)
    let told = Mutex<[CommitChanges]>([])
    let observation = try listener.observe([listener.entity(named: "Plain")]) { commit in
      told.withLock { $0.append(commit) }
    }
    try listener.read { _ in
      try other.put("Plain", ["text": "a"])
      listener.waitForObservers()
    }
    listener.waitForObservers()
    #expect(told.withLock { $0.flatMap(\.entities).map(\.entity) } == [400])
    observation.cancel()
  }

  /// A difference does not show what was changed and changed back, so it ends at each state that was read.
  @Test(arguments: [126, 4, 3, 2]) func whatWasReadMeanwhileIsTold(places: Int) throws {
    let directory = try TemporaryDirectory()
    for location in Self.locations(directory) {
      var options = StoreOptions()
      options.storage.maximumReaders = places
      let other = try ObjectStore.open(location, model: ObjectsModel.document(), options: options)
      options.hearing = .everywhere()
      let listener = try ObjectStore.open(
        location, model: ObjectsModel.document(), options: options)
      let plain = try listener.entity(named: "Plain")
      let told = Mutex<[EntityChanges]>([])
      let observation = try listener.observe(plain) { changes in
        told.withLock { $0.append(changes) }
      }
      for round in 0..<60 {
        told.withLock { $0 = [] }
        var (ids, seen): ([UInt64], [UInt64]) = ([], [])
        for _ in 0...round % 7 {
          let id = try other.put("Plain", ["text": "a"])
          ids.append(id)
          // With few places, the watch may have the last one at this moment.
          let object = try? listener.read { try $0.get(plain, id) }
          if object != nil { seen.append(id) }
        }
        if places > 100 { #expect(seen == ids) }
        let written = try other.entity(named: "Plain")
        try other.write { transaction in for id in ids { try transaction.remove(written, id) } }
        listener.waitForObservers()
        let all = told.withLock { $0 }
        for id in seen where !all.contains(where: \.isWhole) {
          let kinds = all.flatMap(\.changes).filter { $0.id == id }.map(\.kind)
          #expect(kinds == [.inserted, .removed])
        }
        if places > 100, ids.count <= 4 { #expect(!all.contains { $0.isWhole }) }
      }
      observation.cancel()
      listener.close()
      other.close()
    }
  }

  /// Whatever two openings write, in whichever order, the copy follows.
  @Test func theCopyFollows() throws {
    let seed = TestSeed.value()
    var random = SplitMix64(seed: seed)
    let rounds = TestSeed.count("BOXJOINT_SOAK_HEARING", default: 60)
    let directory = try TemporaryDirectory()
    for location in Self.locations(directory) {
      let pair = try Pair(location)
      for round in 0..<rounds {
        var writers: Set<CommitOrigin> = []
        for _ in 0...random.below(4) {
          let isOwn = random.below(3) == 0
          writers.insert(isOwn ? .here : .elsewhere)
          try? Self.write(isOwn ? pair.listener : pair.other, &random)
        }
        if random.below(2) == 0 { continue }
        if let difference = try pair.copy.difference() {
          Issue.record("seed \(seed), round \(round): \(difference)")
          return
        }
        #expect(Set(pair.told().map(\.origin)).isSubset(of: [.here, .elsewhere]))
      }
      #expect(try pair.copy.difference() == nil)
    }
  }

  private struct Undo: Error {}

  private static func write(_ store: ObjectStore, _ random: inout SplitMix64) throws {
    let item = try store.entity(named: "Item")
    let plain = try store.entity(named: "Plain")
    guard let boxes = item.relation(named: "boxes"), let parts = item.relation(named: "parts")
    else {
      throw TestFailure("a relation is missing")
    }
    try store.write { transaction in
      for _ in 0...random.below(random.below(8) == 0 ? 400 : 6) {
        let id = UInt64(random.below(60) + 1)
        switch random.below(12) {
        case 0...3:
          try transaction.put(
            "Plain", ["text": .string(String(repeating: "t", count: random.below(200)))])
        case 4: try transaction.put("Item", ["rank": .integer(Int64(random.below(5)))])
        case 5: try transaction.put("Box", ["name": .string("\(random.below(1000))")])
        case 6: try transaction.remove(plain, id)
        case 7: try transaction.remove(item, id)
        case 8: try transaction.link(boxes, id, UInt64(random.below(20) + 1))
        case 9: try transaction.unlink(parts, id, UInt64(random.below(60) + 1))
        case 10: try transaction.link(parts, id, UInt64(random.below(60) + 1))
        default:
          if random.below(10) == 0 { try transaction.removeAll(plain) }
        }
      }
      if random.below(6) == 0 { throw Undo() }
    }
  }

  /// Writers in other processes, and one here; some of them are killed.
  @Test func theCopyFollowsOtherProcesses() throws {
    let directory = try FaultsDirectory.make()
    let commits = TestSeed.count("BOXJOINT_SOAK_HEARD_COMMITS", default: 150)
    let store = try ObjectStore.open(
      .directory(directory.path(of: "store")), model: FaultsDirectory.document(),
      options: Self.hearing)
    let ledger = try Ledger(store)
    try ledger.write(1)
    let copy = try FollowedCopy(store, store.entities)
    let listener = try ChildProcess("listen", in: directory, number: 3 * commits)
    #expect(listener.line() == "listening")
    var writers = try (0..<3).map { _ in try ChildProcess("contend", in: directory) }
    var last = 1
    while last < 3 * commits {
      last = try ledger.writeNext()
      usleep(2000)
      if last > commits, writers.count == 3 { writers.removeLast().kill9() }
    }
    for writer in writers {
      writer.kill9()
      _ = writer.wait()
    }
    #expect(try copy.difference() == nil)
    let told = copy.takeCommits()
    #expect(told.contains { $0.origin == .here } && told.contains { $0.origin == .elsewhere })
    #expect(try listener.finish().last?.hasPrefix("heard") == true)
  }

  /// Eight processes write and follow each other; again and again one is killed, or stopped for a while.
  @Test func aCrowdFollowsItself() throws {
    var random = TestSeed.next()
    let seconds = TestSeed.count("BOXJOINT_SOAK_CROWD_SECONDS", default: 2)
    let directory = try FaultsDirectory.make()
    func start(_ seconds: Int) throws -> ChildProcess {
      try ChildProcess(
        "crowd", in: directory, number: random.below(1 << 30),
        environment: ["CROWD_SECONDS": "\(seconds)"])
    }
    let begin = ContinuousClock.now
    var crowd = try (0..<8).map { _ in try start(seconds) }
    for child in crowd { #expect(child.line() == "writing") }
    while ContinuousClock.now - begin < .seconds(seconds) {
      usleep(100_000)
      let position = random.below(crowd.count)
      kill(crowd[position].process, SIGSTOP)
      usleep(UInt32(random.below(50_000)))
      kill(crowd[position].process, SIGCONT)
      if random.below(3) > 0 { continue }
      let killed = crowd.remove(at: random.below(crowd.count))
      killed.kill9()
      _ = killed.wait()
      crowd.append(try start(1))
    }
    for child in crowd { #expect(try child.finish().last?.hasPrefix("followed") == true) }
    #expect(try ObjectStore.verify(directory.path(of: "store")).isEmpty)
    let readers = try FaultsDirectory.open(directory.path(of: "store")).status().readers
    #expect(readers.allSatisfy { $0.transaction == 0 })
  }

  /// A process that is stopped for many commits has everything when it goes on.
  @Test func aStoppedListenerCatchesUp() throws {
    let directory = try FaultsDirectory.make()
    let commits = TestSeed.count("BOXJOINT_SOAK_STOPPED_COMMITS", default: 200)
    let ledger = try Ledger(FaultsDirectory.open(directory.path(of: "store")))
    try ledger.write(1)
    let listener = try ChildProcess("listen", in: directory, number: commits)
    #expect(listener.line() == "listening")
    kill(listener.process, SIGSTOP)
    for number in 2...commits { try ledger.write(number) }
    kill(listener.process, SIGCONT)
    #expect(try listener.finish().last?.hasPrefix("heard") == true)
  }

  /// Whoever listens changes nothing of what writers write.
  @Test func theFileIsTheSameWithAListener() throws {
    let directory = try TemporaryDirectory()
    let files = try ["alone", "heard"].map { name in
      let location = StorageLocation.directory(directory.path(of: name))
      let store = try ObjectStore.open(
        location, model: ObjectsModel.document(),
        options: name == "heard" ? Self.hearing : StoreOptions())
      let observation = try store.observe(store.entities) { _ in }
      var random = SplitMix64(seed: 7)
      for _ in 0..<40 { try? Self.write(store, &random) }
      store.waitForObservers()
      observation.cancel()
      store.close()
      return try directory.bytes(of: name + "/data.mdb")
    }
    #expect(files[0] == files[1])
  }

  @Test func anotherModelEndsTheHearing() throws {
    let directory = try TemporaryDirectory()
    let location = StorageLocation.directory(directory.path(of: "store"))
    let before = TestModel(
      .init(name: "Note", uid: 100, fields: [.init(name: "text", type: .string)]))
    let after = TestModel(
      .init(
        name: "Note", uid: 100,
        fields: [.init(name: "text", type: .string, flags: .indexed)]))
    let store = try ObjectStore.open(location, model: before.document(), options: Self.hearing)
    let copy = try FollowedCopy(store, store.entities)
    try store.put("Note", ["text": "a"])
    #expect(throws: StoreError.self) { try ObjectStore.open(location, model: after.document()) }
    #expect(try copy.difference() == nil)
  }
}
