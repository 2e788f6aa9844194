import BoxJSON
import BoxModel
import BoxStorage
import TestSupport
import Testing

@testable import BoxEngine

/// Indexes that are deferred while a store is filled.
struct DeferredIndexesTests {
  private static var leavingAside: StoreOptions {
    var options = StoreOptions()
    options.defersIndexes = true
    options.storesCheckpoints = true
    return options
  }

  private func uid(of property: String, in store: ObjectStore) throws -> UID {
    try #require(try store.entity(named: "Person").property(named: property)?.index).uid
  }

  private func hasIndex(_ property: String, _ store: ObjectStore) throws -> Bool {
    try store.entity(named: "Person").property(named: property)?.index != nil
  }

  // MARK: - What is deferred

  @Test func onlyEntitiesWithoutObjectsLoseTheirIndexes() throws {
    let fixture = try StoreFixture()
    let document = try PeopleModel.document()
    try fixture.with(document) { _ in }
    try fixture.with(document, Self.leavingAside) { (store) throws in
      #expect(store.lacksIndexes)
      #expect(throws: StoreError.notIndexed(entity: "Person", property: "age")) {
        try store.read { try $0.find("Person", "age", 36) }
      }
    }
    // An opening as usual has them again.
    try fixture.with(document) { (store) throws in
      #expect(try hasIndex("age", store))
      try PeopleModel.fill(store)
    }
    try fixture.with(document, Self.leavingAside) { (store) throws in
      #expect(!store.lacksIndexes)
      #expect(try store.read { try $0.find("Person", "age", 36) } == [1])
      #expect(try store.buildIndexes() === store)
    }
    #expect(try ObjectStore.verify(fixture.path).isEmpty)
  }

  /// Whoever opens without a model only looks, and may write without the index.
  @Test func withoutAModelNothingIsBuilt() throws {
    let fixture = try StoreFixture()
    let document = try PeopleModel.document()
    try fixture.with(document, Self.leavingAside) { try PeopleModel.fill($0) }
    let before = try fixture.dataFile()
    try fixture.with { (store) throws in
      #expect(try !hasIndex("age", store))
      #expect(try store.read { try $0.value("Person", 1, "age") } == 36)
    }
    #expect(try fixture.dataFile() == before)
    let added = try fixture.with { (store) throws in try store.put("Person", ["age": 36]) }
    try fixture.with(document) { (store) throws in
      #expect(try store.read { try $0.find("Person", "age", 36) } == [1, added])
    }
    #expect(try ObjectStore.verify(fixture.path).isEmpty)
  }

  @Test func neededAndUniqueIndexesStay() throws {
    let fixture = try StoreFixture()
    let document = try PeopleModel.document().changed { model in
      try model.change("Person", "name") { $0.flags.insert(.unique) }
    }
    var options = Self.leavingAside
    options.neededIndexes = ["Person.age"]
    try fixture.with(document, options) { (store) throws in
      #expect(try hasIndex("name", store))
      #expect(try hasIndex("age", store))
      #expect(try !hasIndex("favourite", store))
      try PeopleModel.fill(store)
      #expect(try store.read { try $0.find("Person", "age", 36) } == [1])
      let built = try store.buildIndexes()
      #expect(try built.read { try $0.find("Person", "favourite", .unsigned(1)) } == [1])
      #expect(throws: StoreError.self) {
        try built.write { try $0.put("Person", ["name": "Ada"]) }
      }
      #expect(try built.verify().isEmpty)
    }
  }

  /// Whoever has the store open looks in the indexes that it had then.
  @Test func nothingIsDeferredWhereTheStoreIsOpen() throws {
    let fixture = try StoreFixture()
    let document = try PeopleModel.document()
    var usual = StoreOptions()
    usual.storesCheckpoints = true
    try fixture.with(document, usual) { (store) throws in
      let other = try fixture.open(document, Self.leavingAside)
      #expect(!other.lacksIndexes)
      #expect(try hasIndex("age", store))
    }
    // Another process shares the lock in the same way.
    let lock = try StoreLock.shared(in: fixture.path, fileMode: 0o600, readOnly: false)
    try fixture.with(document, Self.leavingAside) { #expect(!$0.lacksIndexes) }
    lock?.release()
    try fixture.with(document, Self.leavingAside) { (store) throws in
      #expect(store.lacksIndexes)
      // Others may open the store by then.
      try StoreLock.shared(in: fixture.path, fileMode: 0o600, readOnly: false)?.release()
      #expect(throws: StoreError.self) { try fixture.open(document) }
      #expect(throws: StoreError.self) { try fixture.open(document, Self.leavingAside) }
    }
  }

  @Test func aStoreInMemoryLeavesThemAsideToo() throws {
    let store = try ObjectStore.open(
      .ownMemory(), model: PeopleModel.document(),
      options: Self.leavingAside)
    #expect(store.lacksIndexes)
    try PeopleModel.fill(store)
    let built = try store.buildIndexes()
    #expect(try built.read { try $0.find("Person", "age", 7) } == [2])
  }

  // MARK: - The building

  @Test func itIsRefusedInATransaction() throws {
    let fixture = try StoreFixture()
    try fixture.with(PeopleModel.document(), Self.leavingAside) { (store) throws in
      #expect(throws: StoreError.writingElsewhere) {
        try store.write { _ in _ = try store.buildIndexes() }
      }
      #expect(throws: StoreError.readTransaction) {
        try store.read { _ in _ = try store.buildIndexes() }
      }
    }
  }

  @Test func itEndsTheWork() throws {
    let fixture = try StoreFixture()
    try fixture.with(PeopleModel.document(), Self.leavingAside) { (store) throws in
      try store.write { try $0.setCheckpoint([1], [2]) }
      let built = try store.buildIndexes(replacingCheckpoints: [:])
      #expect(try built.read { try $0.checkpoint([1]) } == nil)
    }
  }

  /// Each object is told of twice, and the last that is told is the end.
  @Test func itTellsHowFarItIs() throws {
    let fixture = try StoreFixture()
    var options = Self.leavingAside
    options.indexChunk = 7
    try fixture.with(PeopleModel.document(), options) { (store) throws in
      try store.write { (transaction) throws in
        for number in 0..<50 {
          try transaction.put("Person", ["age": number.isMultiple(of: 2) ? 1 : .null])
        }
      }
      var last: [String: [Int]] = [:]
      _ = try store.buildIndexes { index, done, total in
        #expect(done >= last[index]?[0] ?? 0)
        last[index] = [done, total]
      }
      let names = ["Person.name", "Person.age", "Person.favourite"]
      #expect(last == Dictionary(uniqueKeysWithValues: names.map { ($0, [100, 100]) }))
    }
  }

  /// Somebody who writes between the transactions may know nothing of the indexes.
  @Test func concurrentWritesAreNotMissed() throws {
    var random = TestSeed.next()
    for _ in 0..<5 {
      let fixture = try StoreFixture()
      let document = try PeopleModel.document()
      var options = Self.leavingAside
      options.indexBytes = 64
      options.indexChunk = 4
      let store = try fixture.open(document, options)
      try store.write { (transaction) throws in
        for _ in 0..<600 {
          try transaction.put(
            "Person", ["name": "a", "age": .integer(Int64(random.below(1000)))])
        }
      }
      let meddler = try Meddler(store)
      let built = try store.buildIndexes { _, _, _ in meddler.begin() }
      let count = try meddler.end()
      print("written meanwhile: \(count)")
      let findings = try built.verify()
      #expect(findings.isEmpty)
      let entity = try built.entity(named: "Person")
      let name = try #require(entity.property(named: "name"))
      let found = try built.read { try $0.ids(entity, where: name, equals: "a") }
      #expect(found.count == 600 + count)
    }
  }

  // MARK: - A crash

  /// The store that a crash in the middle of building an index leaves: entries that no catalog
  /// knows.
  private func interrupted() throws -> (StoreFixture, ModelDocument) {
    let fixture = try StoreFixture()
    let document = try PeopleModel.document()
    let age = try fixture.with(document) { try uid(of: "age", in: $0) }
    try fixture.with(document, Self.leavingAside) { (store) throws in
      try PeopleModel.fill(store)
      let transaction = try store.storage.beginWrite()
      let space = try #require(
        try transaction.openSpace("i\(age)", .integerSets, create: true))
      _ = try transaction.insert(space, UInt64(5), 1)
      try transaction.commit()
    }
    return (fixture, document)
  }

  @Test func anInterruptedBuildIsNotAFault() throws {
    let (fixture, document) = try interrupted()
    #expect(try ObjectStore.verify(fixture.path).isEmpty)
    // Who only reads has no such index.
    var reading = StoreOptions()
    reading.storage.isReadOnly = true
    try fixture.with(nil, reading) { (store) throws in
      #expect(try !hasIndex("age", store))
      #expect(try store.verify().isEmpty)
    }
    #expect(try fixture.with(document) { try $0.read { try $0.find("Person", "age", 36) } } == [1])
    #expect(try ObjectStore.verify(fixture.path).isEmpty)
  }

  @Test func anInterruptedBuildContinues() throws {
    let (fixture, document) = try interrupted()
    try fixture.with(document, Self.leavingAside) { (store) throws in
      #expect(store.lacksIndexes)
      #expect(try store.buildIndexes().read { try $0.find("Person", "age", 36) } == [1])
    }
    #expect(try ObjectStore.verify(fixture.path).isEmpty)
  }

  @Test func otherModelsFindNothingOfAnInterruptedBuilding() throws {
    let (fixture, document) = try interrupted()
    let older = try document.changed { model in
      try model.change("Person", "age") {
        $0.indexID = nil
        $0.flags.remove(.indexed)
      }
    }
    try fixture.with(older) { (store) throws in
      #expect(try !hasIndex("age", store))
      #expect(try hasIndex("name", store))
    }
    #expect(try ObjectStore.verify(fixture.path).isEmpty)
    let (second, same) = try interrupted()
    let other = try same.changed { model in
      try model.change("Person", "age") { $0.flags.insert(.indexPartialSkipZero) }
    }
    #expect(try second.with(other) { try $0.read { try $0.find("Person", "age", 36) } } == [1])
    #expect(try ObjectStore.verify(second.path).isEmpty)
  }
}

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Puts objects by a transaction of the storage, as a process would that has opened the store with a
/// model without indexes.
private final class Meddler: @unchecked Sendable {
  private let storage: Storage
  private let entity: EntitySchema
  private let catalog: Space
  private let ids: Space
  private var thread: pthread_t?
  private let isEnding = Flag()
  private var count = 0
  private var failure: (any Error)?

  private final class Flag: @unchecked Sendable {
    private let lock = Lock()
    private var value = false
    func raise() { lock.withLock { value = true } }
    var isRaised: Bool { lock.withLock { value } }
  }

  init(_ store: ObjectStore) throws {
    storage = try store.storage.base
    entity = store.entities[0]
    catalog = store.schema.catalogSpace
    ids = store.schema.idsSpace
  }

  func begin() {
    if thread != nil { return }
    #if canImport(Darwin)
      var created: pthread_t?
    #else
      var created = pthread_t()
    #endif
    pthread_create(
      &created, nil,
      { (argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? in
        if let argument {
          Unmanaged<Meddler>.fromOpaque(argument).takeRetainedValue().run()
        }
        return nil
      }, Unmanaged.passRetained(self).toOpaque())
    thread = created
  }

  private func run() {
    do {
      while !isEnding.isRaised && count < 200 {
        let transaction = try storage.beginWrite()
        // Once the indexes are whole, whoever does not know them is refused.
        let isOver = try isBuilt(transaction)
        if isEnding.isRaised || isOver {
          transaction.abort()
          return
        }
        let id = (try transaction.lastKey(entity.space) ?? 0) + 1
        var writer = RecordWriter()
        writer.begin(entity.layout)
        let name = try entity.property(named: "name").orFail("no name")
        try writer.set(name.slot, name.type, "a")
        try transaction.put(entity.space, id, writer.finish(id), .append)
        try StoredCatalog.setLastID(id, of: entity.uid, ids, StorageAccess(transaction))
        try transaction.commit()
        count += 1
      }
    } catch {
      failure = error
    }
  }

  private func isBuilt(_ transaction: StorageTransaction) throws -> Bool {
    guard let catalog = try StoredCatalog.read(catalog, StorageAccess(transaction)) else {
      return true
    }
    return catalog.entities.contains { $0.properties.contains { $0.index != nil } }
  }

  /// The number of objects that were put.
  func end() throws -> Int {
    isEnding.raise()
    if let thread { pthread_join(thread, nil) }
    if let failure { throw failure }
    return count
  }
}
