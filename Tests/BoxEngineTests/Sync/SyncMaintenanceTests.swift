import BoxModel
import BoxReport
import BoxStorage
import TestSupport
import Testing

@testable import BoxEngine

/// A store that is switched on, and what looks after it.
struct SyncMaintenanceTests {
  private let fixture: StoreFixture

  init() throws {
    fixture = try StoreFixture()
    try fixture.with(PeopleModel.document()) { (store) throws in
      try PeopleModel.fill(store)
      try store.switchOnSync(store.entities)
      try store.write { try $0.forgetOutbox() }
      try store.write { (transaction) throws in
        try transaction.put("Person", ["name": "Ada", "age": 37], id: 1)
        try transaction.remove(store.entity(named: "Person"), 2)
        try transaction.put("Pet", ["name": "Tom"])
      }
    }
  }

  private func rules(_ store: ObjectStore) throws -> Set<String> {
    Set(try store.verify().map(\.rule.id))
  }

  @Test func `What capture writes is whole`() throws {
    try fixture.with { (store) throws in
      #expect(try store.verify().isEmpty)
      let sync = try #require(try store.statistics().sync)
      #expect(sync.transactions == 1)
      #expect(sync.oldest.map { $0 < 60_000 } ?? false)
      #expect(sync.entities == ["Person", "Pet"])
      #expect(sync.parts.map(\.space) == ["y", "yo", "ys", "yq", "yg", "yl", "yp", "yr"])
    }
  }

  @Test func `Each changed byte of an entry is found`() throws {
    var random = TestSeed.next()
    try fixture.with { (store) throws in
      let changes = TestSeed.count("BOXJOINT_SOAK_SYNC_BYTES", default: 1000)
      for _ in 0..<changes {
        let isFound = try Self.changeByte(of: store, &random)
        #expect(isFound)
        if !isFound { return }
      }
      #expect(try store.verify().isEmpty)
    }
  }

  /// Changes a byte of an entry of data sync, and returns whether a verification finds it.
  private static func changeByte(
    of store: ObjectStore, _ random: inout SplitMix64
  ) throws -> Bool {
    struct Undone: Error {}
    var isFound = false
    var next = random
    do {
      try store.write { (transaction) throws in
        let (storage, spaces) = (try transaction.writing(), try transaction.captureSpaces().1)
        let space = next.pick([
          spaces.outbox, spaces.shadows, spaces.pairs, spaces.localIDs,
        ])
        var entries: [(key: [UInt8], value: [UInt8])] = []
        if space.kind == .records {
          try storage.visitRecords(space, from: nil, .forward) { key, value in
            entries.append((withUnsafeBytes(of: key) { Array($0) }, Array(value)))
            return .next
          }
        } else {
          try storage.values(space) { key, value in
            entries.append((key, value))
            return .next
          }
        }
        var (key, value) = next.pick(entries)
        _ = try storage.remove(space, key)
        let place = next.below(key.count + value.count)
        let mask = UInt8(1 + next.below(255))
        if place < key.count { key[place] ^= mask } else { value[place - key.count] ^= mask }
        try storage.put(space, key, value)
        isFound = try !store.verify().isEmpty
        throw Undone()
      }
    } catch is Undone {}
    random = next
    return isFound
  }

  @Test(
    arguments: [
      ("BOX713", SyncSpace.shadows, SyncKey.object(PeopleModel.pet, 1), [1, 2]),
      (
        "BOX713", .shadows, SyncKey.object(PeopleModel.pet, 1 << 62),
        [0, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x40]
      ),
      ("BOX714", .localIDs, SyncKey.object(PeopleModel.pet, 1), [1, 7, 0, 0, 0, 0, 0, 0, 0, 5]),
      ("BOX715", .pairs, SyncKey.bytes(PeopleModel.friends, 1, 1), [2]),
      ("BOX716", .state, StoredBase.key, StoredBase(position: 3, chain: 0).encoded),
    ] as [(String, SyncSpace, [UInt8], [UInt8])])
  func `An entry that should not be there is named`(
    rule: String, space: SyncSpace, key: [UInt8], content: [UInt8]
  ) throws {
    try fixture.with { (store) throws in
      try store.write { (transaction) throws in
        let storage = try transaction.writing()
        let spaces = try transaction.captureSpaces().1
        try StoredCheckpoint.put(content, under: key, spaces[space], storage)
      }
      #expect(try rules(store) == [rule])
    }
  }

  @Test func `A damaged transaction of the outbox is named, and the store opens`() throws {
    try fixture.with { (store) throws in
      try store.write { (transaction) throws in
        let spaces = try transaction.captureSpaces().1
        _ = try transaction.writing().remove(spaces.outbox, OutboxKey.key(1, part: 1))
      }
    }
    try fixture.with { (store) throws in
      let findings = try store.verify()
      #expect(findings.map(\.rule.id) == ["BOX712"])
      #expect(findings[0].message == "transaction 1 of the outbox is damaged")
      try store.write { _ = try $0.put("Pet", ["name": "Kit"]) }
      #expect(try store.read { try $0.value("Pet", 3, "name") } == "Kit")
    }
  }

  @Test func `A life that is the largest number ends nothing`() throws {
    try fixture.with { (store) throws in
      let pet = try store.entity(named: "Pet")
      try store.write { (transaction) throws in
        var identity = LocalIdentity()
        identity.life = .max
        try StoredCheckpoint.put(
          identity.encoded, under: SyncKey.object(PeopleModel.pet, 1),
          transaction.captureSpaces().1.localIDs, transaction.writing())
      }
      try store.write { (transaction) throws in
        try transaction.remove(pet, 1)
        try transaction.put("Pet", ["name": "Rex"], id: 1)
        try transaction.remove(pet, 1)
      }
      #expect(try store.verify().isEmpty)
    }
  }

  // MARK: - Changes of the whole store

  @Test func `A purge is refused while something is pending`() throws {
    let before = try fixture.dataFile().bytes
    #expect(throws: StoreError.unsent(transactions: 1)) {
      try ObjectStore.compact(fixture.path, purge: true)
    }
    #expect(try fixture.dataFile().bytes == before)
    #expect(
      "\(StoreError.unsent(transactions: 12))"
        == "the store has 12 transactions that were not sent; connect it once, or pass --discard-unsent"
    )
    try ObjectStore.compact(fixture.path)
    var session = RebuildSession(fixture.path)
    try session.compact(purge: true, discardsUnsent: true, progress: nil) { _ in }
    try fixture.with { (store) throws in
      #expect(try store.read { try $0.capturedTransactions() }.isEmpty)
      #expect(try store.verify().isEmpty)
      #expect(store.synchronizedEntities?.count == 2)
    }
  }

  @Test func `A purge removes what data sync has of hidden elements`() throws {
    let smaller = try PeopleModel.document().changed { model in
      model.entities.removeAll { $0.name == "Pet" }
      try model.change("Person") { person in
        person.properties.removeAll { $0.name == "favourite" }
      }
    }
    try fixture.with(smaller) { (store) throws in
      // Whatever was pending is answered, but an object is parked.
      try store.write { (transaction) throws in
        let record = try #require(try transaction.snapshot(store.entity(named: "Person"), 1))
        try transaction.forgetOutbox()
        let spaces = try transaction.captureSpaces().1
        try ShadowBuffer.put(
          .object(life: 1, record: record, isParked: true), PeopleModel.person, 1, spaces.shadows,
          transaction.writing())
      }
    }
    try ObjectStore.compact(fixture.path, purge: true)
    try fixture.with { (store) throws in
      #expect(store.synchronizedEntities?.map(\.name) == ["Person"])
      #expect(try store.verify().isEmpty)
      try store.read { (transaction) throws in
        let (storage, spaces) = try transaction.captureSpaces()
        let shadows = try storage.entries(of: spaces.shadows)
        let shadow = try #require(shadows.first.flatMap { Shadow(decoding: $0.content) })
        guard case .object(_, let record, true) = shadow else { throw TestFailure("not parked") }
        let object = try transaction.object(store.entity(named: "Person"), 1, in: record)
        #expect(object["name"] == "Ada")
      }
    }
  }

  @Test func `A heavy step of a captured entity is refused`() throws {
    let before = try fixture.dataFile().bytes
    #expect(throws: StoreError.synchronized(entity: "Person")) {
      try ObjectStore.rebuild(fixture.path, model: PeopleModel.document()) { _, _ in }
    }
    #expect(try fixture.dataFile().bytes == before)
    #expect(
      "\(StoreError.synchronized(entity: "Order"))"
        == "cannot migrate 'Order' in a way that rewrites its objects while it is synchronized; "
        + "add a property with a new UID instead")
  }

  @Test func `Opening with another model captures nothing, and keeps what is captured`() throws {
    let larger = try PeopleModel.document().changed {
      try $0.add("nick", .string, uid: 777, to: "Person")
    }
    try fixture.with(larger) { (store) throws in
      #expect(try store.read { try $0.capturedTransactions() }.count == 1)
      #expect(try store.verify().isEmpty)
    }
  }

  @Test func `A store has one client or server`() throws {
    try fixture.with { (store) throws in
      let lock = try store.takeSyncLock()
      do {
        _ = try store.takeSyncLock()
        Issue.record("a second one was let in")
      } catch StoreError.storage(let error) {
        #expect(error.kind == .inUse)
        #expect("\(error)".contains("sync.lock"))
      }
      withExtendedLifetime(lock) {}
      // Any number of others write.
      try fixture.with { other in try other.write { _ = try $0.put("Pet", ["name": "Kit"]) } }
    }
    try fixture.with { _ = try $0.takeSyncLock() }
  }

  @Test func `A backup and a compaction keep what is pending`() throws {
    let captured = try fixture.with { (store) throws in
      try store.read { try $0.capturedTransactions() }
    }
    try ObjectStore.compact(fixture.path)
    try fixture.with { (store) throws in
      #expect(try store.read { try $0.capturedTransactions() } == captured)
      #expect(try store.verify().isEmpty)
    }
  }

  @Test func `A repair switches off what is damaged, and names it`() throws {
    try fixture.with { (store) throws in
      try store.write { (transaction) throws in
        let spaces = try transaction.captureSpaces().1
        _ = try transaction.writing().remove(spaces.outbox, OutboxKey.key(1, part: 1))
      }
    }
    var repair = StoreRepair(fixture.path)
    repair.checks = .everything
    let report = try #require(try repair.run())
    let unsent = try #require(report.contents?.unsent)
    #expect((unsent.name, unsent.kept, unsent.lost) == ("outbox", 0, 1))
    #expect(report.hasLoss)
    try fixture.with { (store) throws in
      #expect(store.synchronizedEntities == nil)
      #expect(try store.statistics().format == 1)
      #expect(try store.read { try $0.value("Pet", 2, "name") } == "Tom")
    }
  }

  /// Zeroes each page in turn, and returns how often the outbox was named as lost.
  private func zeroingPages(
    _ body: (_ path: String) throws -> (isSwitchedOn: Bool, namesOutbox: Bool)
  ) throws -> Int {
    try fixture.with { (store) throws in
      for number in 0..<20 {
        let text = Value.string("\(number) " + String(repeating: "x", count: 900))
        try store.write { _ = try $0.put("Pet", ["name": text]) }
      }
    }
    let whole = try fixture.directory.bytes(of: "store/data.mdb")
    var named = 0
    for page in 2..<whole.count / 4096 {
      var bytes = whole
      bytes.replaceSubrange(page * 4096..<(page + 1) * 4096, with: repeatElement(0, count: 4096))
      let name = "tried \(page)"
      try fixture.directory.write(bytes, to: name + "/data.mdb")
      defer { fixture.directory.removeEverything(name) }
      let found: (isSwitchedOn: Bool, namesOutbox: Bool)
      do throws(any Error) {
        found = try body(fixture.directory.path(of: name))
      } catch StoreError.damagedCatalog {
        continue
      }
      // It is one or the other: nothing goes without a word.
      #expect(found.isSwitchedOn != found.namesOutbox, "page \(page)")
      if found.namesOutbox { named += 1 }
    }
    return named
  }

  @Test func `A rescue of a store with a cut outbox says what it lacks, and switches off`() throws {
    let named = try zeroingPages { (path) throws in
      let rescue = try StoreRescue(path, options: StoreOptions()) { _, _ in }
      defer { rescue.store.close() }
      _ = try rescue.store.statistics()
      return (
        rescue.store.synchronizedEntities != nil,
        rescue.entries.contains { $0.name == "outbox" }
      )
    }
    #expect(named > 3)
  }

  @Test(arguments: [StoreRepair.Replacement.salvage, .empty])
  func `A repair of a store with a cut outbox names it`(
    replacement: StoreRepair.Replacement
  ) throws {
    let named = try zeroingPages { (path) throws in
      var repair = StoreRepair(path)
      (repair.checks, repair.replacement, repair.requiresContents) = (
        .everything, replacement, true
      )
      let report = try repair.run()
      let store = try ObjectStore.open(.directory(path), model: PeopleModel.document())
      defer { store.close() }
      #expect(try store.verify() == [])
      let unsent = report?.contents?.unsent
      if let unsent { #expect(unsent.kept == 0) }
      return (store.synchronizedEntities != nil, unsent != nil)
    }
    #expect(named > 3)
  }
}
