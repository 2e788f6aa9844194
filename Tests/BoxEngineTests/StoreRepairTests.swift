import BoxModel
import BoxStorage
import TestSupport
import Testing

@testable import BoxEngine

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Repairs of stores whose damage is known, and errors that are not damage.
struct StoreRepairTests {
  private let fixture: StoreFixture
  private let document: ModelDocument

  init() throws {
    fixture = try StoreFixture()
    document = try PeopleModel.document()
  }

  private func repair(
    _ checks: StoreRepair.Checks = .everything, _ replacement: StoreRepair.Replacement = .salvage
  ) throws -> RepairReport? {
    var repair = StoreRepair(fixture.path)
    (repair.checks, repair.replacement) = (checks, replacement)
    return try repair.run()
  }

  private var files: [String] { fixture.directory.names(in: "store").sorted() }

  /// Changes the entries of a space without the engine.
  private func change(
    _ name: String, _ kind: SpaceKind, _ body: (StorageTransaction, Space) throws -> Void
  ) throws {
    let storage = try StorageLocation.directory(fixture.path).open(StorageOptions())
    let transaction = try storage.beginWrite()
    let space = try #require(try transaction.openSpace(name, kind, create: false))
    try body(transaction, space)
    try transaction.commit()
  }

  private func bytes(_ id: UInt64) -> [UInt8] { withUnsafeBytes(of: id) { [UInt8]($0) } }

  /// Flips the last bit of a record.
  private func damage(_ entity: UID, _ id: UInt64) throws {
    try change("o\(entity)", .records) { transaction, space in
      try bytes(id).withUnsafeBytes { key in
        let record = try #require(try transaction.value(space, key))
        var changed = [UInt8](record)
        changed[changed.count - 1] ^= 1
        try changed.withUnsafeBytes { try transaction.put(space, key, $0, .replace) }
      }
    }
  }

  @Test func nothingIsDoneWithoutDamage() throws {
    #expect(try repair() == nil)
    #expect(!fixture.directory.exists("store"))
    try fixture.with(document) { try PeopleModel.fill($0) }
    let before = try fixture.dataFile()
    for checks in [StoreRepair.Checks.pages, .everything] { #expect(try repair(checks) == nil) }
    #expect(try fixture.dataFile() == before)
    #expect(files == ["data.mdb", "lock.mdb", "store.lock"])
  }

  /// A file that was begun, and one that is empty, is one of a new store.
  @Test(arguments: [0, 1, 4096, 8192]) func aNewFileIsNotDamaged(size: Int) throws {
    try fixture.directory.write([UInt8](repeating: 0, count: size), to: "store/data.mdb")
    for checks in [StoreRepair.Checks.pages, .everything] { #expect(try repair(checks) == nil) }
    #expect(!fixture.directory.exists("store/damaged"))
    try fixture.with(document) { try PeopleModel.fill($0) }
  }

  @Test func aDamagedObjectIsLostAndTheRestIsKept() throws {
    try fixture.with(document) { (store) throws in
      try PeopleModel.fill(store)
      try store.write { try $0.put("Person", ["name": "Cy", "age": 9]) }
    }
    try damage(PeopleModel.person, 2)
    let before = try fixture.dataFile()
    #expect(try repair(.pages) == nil)
    let report = try #require(try repair())
    #expect(report.damage.hasPrefix("Person 2 is damaged") && report.damage.hasSuffix("[BOX702]"))
    #expect(
      report.contents?.entities == [
        .init(name: "Person", kept: 2, lost: 1), .init(name: "Pet", kept: 1, lost: 0),
      ])
    // Its friend was lost.
    #expect(report.contents?.relations == [.init(name: "Person.friends", kept: 0, lost: 1)])
    #expect(report.hasLoss)
    let file = try #require(report.file)
    #expect(file.hasPrefix(fixture.path + "/damaged/") && file.hasSuffix("Z-1.mdb"))
    #expect(try TemporaryDirectory.bytes(ofFile: file) == before.bytes)
    try fixture.with(document) { (store) throws in
      #expect(try store.verify() == [])
      #expect(try store.ids("Person") == [1, 3])
      // The index was built again.
      let name = try store.entity(named: "Person").property(named: "name").orFail("no name")
      try store.read { (transaction) throws in
        let person = try store.entity(named: "Person")
        #expect(try transaction.ids(person, where: name, equals: .string("Cy")) == [3])
        #expect(try transaction.ids(person, where: name, equals: .string("Bo")) == [])
        #expect(try transaction.lastID(person) == 3)
      }
    }
    #expect(try repair() == nil)
  }

  /// The object with the highest id is lost with its id in the catalog, and neither is given again.
  @Test func theIDOfALostObjectIsNotGivenAgain() throws {
    try fixture.with(document) { (store) throws in
      try PeopleModel.fill(store)
      try store.write { try $0.put("Person", ["name": "Cy", "age": 9]) }
    }
    try damage(PeopleModel.person, 3)
    try damageLastID(PeopleModel.person)
    #expect(try repair()?.contents?.lostLastIDs == ["Person"])
    try fixture.with(document) { (store) throws in
      try store.write { (it) throws in #expect(try it.put("Person", ["name": "Di", "age": 5]) == 4)
      }
    }
  }

  /// Replaces the value of the last id of an entity by bytes with a wrong checksum.
  private func damageLastID(_ entity: UID) throws {
    try change("ids", .records) { transaction, space in
      try bytes(entity).withUnsafeBytes { key in
        try [UInt8](repeating: 7, count: 12).withUnsafeBytes {
          try transaction.put(space, key, $0, .replace)
        }
      }
    }
  }

  /// The last id after the highest object was removed is in one place only.
  @Test func aLostLastIDIsReported() throws {
    try fixture.with(document) { (store) throws in
      try PeopleModel.fill(store)
      try store.write { (transaction) throws in
        let id = try transaction.put("Pet", ["name": "Mia", "weight": 3.0])
        try transaction.remove(try store.entity(named: "Pet"), id)
      }
    }
    try damageLastID(PeopleModel.pet)
    let contents = try #require(try repair()?.contents)
    #expect(contents.entities.allSatisfy { $0.lost == 0 })
    #expect(contents.lostLastIDs == ["Pet"])
    #expect(RepairReport(damage: "", contents: contents).hasLoss)
    #expect(try repair() == nil)
  }

  /// A relation to one proves that the id of a lost object was given.
  @Test(arguments: [false, true]) func aLinkProvesAnID(isHidden: Bool) throws {
    try fixture.with(document) { (store) throws in
      try PeopleModel.fill(store)
      try store.write { (transaction) throws in
        let pet = try transaction.put("Pet", ["name": "Mia", "weight": 3.0])
        try transaction.put("Person", ["name": "Cy", "favourite": .unsigned(pet)])
      }
    }
    if isHidden {
      let people = try document.changed { model in
        try model.change("Person") { $0.properties.removeAll { $0.name == "favourite" } }
      }
      try fixture.with(people) { _ in }
    }
    try damage(PeopleModel.pet, 2)
    let contents = try #require(try repair()?.contents)
    #expect(contents.entities.first { $0.name == "Pet" } == .init(name: "Pet", kept: 1, lost: 1))
    try fixture.with(document) { (store) throws in
      try store.write { (it) throws in
        #expect(try it.put("Pet", ["name": "Leo", "weight": 1.0]) == 3)
      }
    }
  }

  /// A relation to many proves it too, and an entry without its twin does not.
  @Test func anEntryOfARelationProvesAnID() throws {
    try fixture.with(document) { (store) throws in
      try PeopleModel.fill(store)
      try store.write { (transaction) throws in
        let friends = try #require(try store.entity(named: "Person").relation(named: "friends"))
        let id = try transaction.put("Person", [:])
        try transaction.link(friends, 1, id)
      }
    }
    try change("b\(PeopleModel.friends)", .integerSets) { transaction, space in
      try bytes(1 << 62).withUnsafeBytes { _ = try transaction.insert(space, $0, 1) }
    }
    try damage(PeopleModel.person, 3)
    #expect(try repair() != nil)
    try fixture.with(document) { (store) throws in
      try store.write { (it) throws in #expect(try it.put("Person", ["name": "Di"]) == 4) }
    }
  }

  /// The key of a record whose checksum is wrong was never given.
  @Test(arguments: [UInt64(1 << 62), UInt64(Int64.max), .max])
  func aDamagedKeyProvesNothing(key: UInt64) throws {
    try fixture.with(document) { try PeopleModel.fill($0) }
    try change("o\(PeopleModel.pet)", .records) { transaction, space in
      let record = try bytes(1).withUnsafeBytes {
        [UInt8](try #require(try transaction.value(space, $0)))
      }
      try bytes(key).withUnsafeBytes { key in
        try record.withUnsafeBytes { try transaction.put(space, key, $0, .replace) }
      }
    }
    #expect(try repair() != nil)
    try fixture.with(document) { (store) throws in
      #expect(try store.ids("Pet") == [1])
      try store.write { (it) throws in
        #expect(try it.put("Pet", ["name": "Leo", "weight": 1.0]) == 2)
      }
    }
  }

  @Test func entriesOfRelationsAndIndexesAreMadeWhole() throws {
    try fixture.with(document) { (store) throws in
      try PeopleModel.fill(store)
      try store.write { (transaction) throws in
        let friends = try #require(try store.entity(named: "Person").relation(named: "friends"))
        try transaction.link(friends, 2, 1)
      }
    }
    // The first entry lacks its twin, and one without an object is added in both directions.
    try change("b\(PeopleModel.friends)", .integerSets) { transaction, space in
      try bytes(2).withUnsafeBytes { _ = try transaction.remove(space, $0, 1) }
      try bytes(77).withUnsafeBytes { _ = try transaction.insert(space, $0, 1) }
    }
    try change("r\(PeopleModel.friends)", .integerSets) { transaction, space in
      try bytes(1).withUnsafeBytes { _ = try transaction.insert(space, $0, 77) }
    }
    let report = try #require(try repair())
    #expect(report.contents?.relations == [.init(name: "Person.friends", kept: 1, lost: nil)])
    #expect(report.contents?.entities.allSatisfy { $0.lost == 0 } == true)
    try fixture.with(document) { (it) throws in #expect(try it.verify() == []) }
  }

  @Test func oneOfTwoObjectsWithAUniqueValueStays() throws {
    let unique = try TestModel(
      .init(
        name: "Person", uid: 100,
        properties: [
          .id(), .init(name: "code", type: .long, flags: [.indexed, .unique]),
        ])
    ).document()
    try fixture.with(unique) { (store) throws in
      try store.write {
        for code in 1...3 { try $0.put("Person", ["code": .integer(Int64(code))]) }
      }
    }
    try fixture.with(unique) { (store) throws in
      let person = try store.entity(named: "Person")
      let index = try #require(person.indexes.first)
      try store.write { (transaction) throws in
        var twin = DynamicObject(person, id: 3)
        twin["code"] = .integer(1)
        let storage = try transaction.reading()
        var first: IndexKey?
        try storage.entries(of: index) { key, id in
          if id == 1 { first = key }
          return .next
        }
        let key = try first.orFail("no entry")
        // Without its entry in the index, the value is free.
        #expect(try storage.remove(index.space, key, 1))
        try transaction.put(twin)
        try transaction.flush()
        #expect(try storage.insert(index.space, key, 1))
      }
    }
    let report = try repair()
    #expect(report?.contents?.entities == [.init(name: "Person", kept: 2, lost: 1)])
    try fixture.with(unique) { (it) throws in #expect(try it.ids("Person") == [1, 2]) }
  }

  /// Rules, constants, hidden data and last ids of removed objects are in the new store.
  @Test func whatTheCatalogHasIsKept() throws {
    var options = StoreOptions()
    options.declarations = Declarations(relations: [
      RelationDeclaration(
        relation: PeopleModel.friends, name: "Person.friends", sourceRemoved: .cascade)
    ])
    options.constants = [PeopleModel.age: .integer(18)]
    try fixture.with(document, options) { store in
      try PeopleModel.fill(store)
      try store.write { (transaction) throws in
        let pet = try store.entity(named: "Pet")
        let id = try transaction.put("Pet", ["name": "Mia", "weight": 3.0])
        try transaction.remove(pet, id)
      }
    }
    // The pets are hidden.
    let people = try document.changed { model in
      model.entities.removeAll { $0.name == "Pet" }
      try model.change("Person") { $0.properties.removeAll { $0.name == "favourite" } }
    }
    try fixture.with(people, options) { _ in }
    let (declarations, catalog) = try fixture.with(people) { ($0.declarations, $0.schema.catalog) }
    try damage(PeopleModel.person, 2)
    let report = try #require(try repair())
    #expect(
      report.contents?.entities == [
        .init(name: "Person", kept: 1, lost: 1), .init(name: "Pet", kept: 1, lost: 0),
      ])
    try fixture.with(people) { (store) throws in
      #expect(store.declarations == declarations)
      #expect(store.schema.catalog == catalog)
    }
    try fixture.with(document) { (store) throws in
      #expect(try store.ids("Pet") == [1])
      try store.write { (it) throws in
        #expect(try it.put("Pet", ["name": "Leo", "weight": 1.0]) == 3)
      }
    }
  }

  @Test func setAsideIsAnEmptyStore() throws {
    try fixture.with(document) { try PeopleModel.fill($0) }
    try damage(PeopleModel.person, 2)
    let before = try fixture.dataFile()
    let report = try #require(try repair(.everything, .empty))
    #expect(
      report.contents?.entities == [
        .init(name: "Person", kept: 0, lost: 2), .init(name: "Pet", kept: 0, lost: 1),
      ])
    #expect(try report.file.map { try TemporaryDirectory.bytes(ofFile: $0) } == before.bytes)
    try fixture.with(document) { (it) throws in #expect(try it.ids("Person") == []) }
  }

  @Test func aFileOfWhichNothingCanBeReadIsKept() throws {
    try fixture.directory.write("SQLite format 3", to: "store/data.mdb")
    var command = StoreRepair(fixture.path)
    command.requiresContents = true
    #expect(throws: StoreError.self) { try command.run() }
    #expect(!fixture.directory.exists("store/damaged"))
    let report = try #require(try repair(.pages))
    #expect(report.contents == nil && report.hasLoss)
    #expect(report.damage.hasPrefix("pages are damaged: "))
    try fixture.with(document) { try PeopleModel.fill($0) }
    let kept = fixture.directory.names(in: "store/damaged")
    #expect(
      try kept.map { try fixture.directory.text(of: "store/damaged/\($0)") } == ["SQLite format 3"])
  }

  /// Two files that are damaged in one second have two names.
  @Test func everyDamagedFileHasItsName() throws {
    for text in ["one", "two", "three"] {
      try fixture.directory.write(text, to: "store/data.mdb")
      #expect(try repair(.pages) != nil)
    }
    let kept = fixture.directory.names(in: "store/damaged")
    #expect(
      Set(try kept.map { try fixture.directory.text(of: "store/damaged/\($0)") })
        == ["one", "two", "three"])
  }

  // MARK: - What is never damage

  private func refused(_ kind: StorageError.Kind?) throws {
    let before = try? fixture.dataFile()
    for checks in [StoreRepair.Checks.pages, .everything] {
      do {
        _ = try repair(checks)
        Issue.record("nothing was thrown")
      } catch StoreError.storage(let error) {
        #expect(error.kind == kind, "\(error)")
      } catch StoreError.newerFormat {
        #expect(kind == nil)
      }
    }
    #expect(!fixture.directory.exists("store/damaged"))
    if let before { #expect(try fixture.dataFile() == before) }
  }

  @Test func aNewerFormatIsNotDamage() throws {
    try fixture.with(document) { try PeopleModel.fill($0) }
    let catalog = Array(#"{"format":3,"tables":[]}"#.utf8)
    let checksum = catalog.withUnsafeBytes { Checksum.crc32c($0) }
    let stored = withUnsafeBytes(of: checksum.littleEndian) { [UInt8]($0) } + catalog
    try change("catalog", .bytes) { transaction, space in
      try Array("catalog".utf8).withUnsafeBytes { key in
        try stored.withUnsafeBytes { try transaction.put(space, key, $0, .replace) }
      }
    }
    try refused(nil)
  }

  /// A newer format is not damage where pages are damaged too.
  @Test func anotherVersionOfLMDBIsNotDamage() throws {
    try fixture.with(document) { try PeopleModel.fill($0) }
    var bytes = try fixture.directory.bytes(of: "store/data.mdb")
    (bytes[20], bytes[4096 + 20]) = (2, 2)
    try fixture.directory.write(bytes, to: "store/data.mdb")
    try refused(.notAStore)
    // In one of the two heads it is.
    bytes[20] = 1
    try fixture.directory.write(bytes, to: "store/data.mdb")
    #expect(try repair(.pages) != nil)
  }

  @Test func aLockFileThatCannotBeUsedIsNotDamage() throws {
    try fixture.with(document) { try PeopleModel.fill($0) }
    let lock = fixture.path + "/lock.mdb"
    try #require(truncate(lock, 1 << 28) == 0)
    try refused(.notAStore)
    unlink(lock)
    #expect(try repair() == nil)
  }

  @Test func aLinkAndADirectoryAreNotDamage() throws {
    try fixture.directory.write("text", to: "elsewhere/data.mdb")
    mkdir(fixture.path, 0o700)
    symlink(fixture.directory.path(of: "elsewhere/data.mdb"), fixture.path + "/data.mdb")
    try refused(.symbolicLink)
    unlink(fixture.path + "/data.mdb")
    mkdir(fixture.path + "/data.mdb", 0o700)
    #expect(throws: StoreError.self) { try repair() }
    rmdir(fixture.path + "/data.mdb")
    // What is in the place of the directory for damaged files is not written through.
    try fixture.directory.write("text", to: "store/data.mdb")
    mkdir(fixture.directory.path(of: "outside"), 0o700)
    symlink(fixture.directory.path(of: "outside"), fixture.path + "/damaged")
    #expect(throws: StoreError.self) { try repair(.pages) }
    #expect(fixture.directory.names(in: "outside") == [])
    #expect(try fixture.directory.text(of: "store/data.mdb") == "text")
    #expect(files.contains("data.mdb") && !files.contains("data.mdb.new"))
  }

  @Test func aStoreThatIsOpenIsNotMoved() throws {
    try fixture.with(document) { try PeopleModel.fill($0) }
    // The lock that each process has that opened the store.
    let lock = open(fixture.path + "/store.lock", O_RDWR | O_CLOEXEC)
    defer { close(lock) }
    #expect(flock(lock, LOCK_SH) == 0)
    // A store without damage is only looked at.
    #expect(try repair() == nil)
    try damage(PeopleModel.person, 2)
    let before = try fixture.dataFile()
    let error = try storeError { _ = try repair() }
    guard case .storage(let cause) = error else {
      throw TestFailure("\(String(describing: error))")
    }
    #expect(cause.kind == .inUse)
    #expect(try fixture.dataFile() == before)
    #expect(!fixture.directory.exists("store/damaged"))
    flock(lock, LOCK_UN)
    #expect(try repair() != nil)
  }

  @Test func anotherOpeningInThisProcessCountsToo() throws {
    try fixture.with(document) { try PeopleModel.fill($0) }
    try damage(PeopleModel.person, 2)
    try fixture.with(document) { (store) throws in
      let error = try storeError { _ = try repair() }
      guard case .storage = error else { throw TestFailure("\(String(describing: error))") }
      #expect(try store.ids("Pet") == [1])
      #expect(!fixture.directory.exists("store/damaged"))
    }
    #expect(try repair() != nil)
  }
}
