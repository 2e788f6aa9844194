import BoxModel
import BoxReport
import BoxStorage
import TestSupport
import Testing

@testable import BoxEngine

/// Places that hold no store of this version are refused with a word on what to do.
struct OpeningPlacesTests {
  private func error(_ body: () throws -> Void) -> StoreError? {
    do {
      try body()
      return nil
    } catch {
      return error as? StoreError
    }
  }

  private func kind(_ body: () throws -> Void) -> StorageError.Kind? {
    if case .storage(let error) = error(body) { return error.kind }
    return nil
  }

  @Test func aFileWhereTheDirectoryShouldBe() throws {
    let fixture = try StoreFixture()
    try fixture.directory.write("x", to: "store")
    let document = try PeopleModel.document()
    #expect(kind { _ = try fixture.open(document) } == .noDirectory)
    #expect(
      error { _ = try fixture.open(document) }?.description.contains(
        "is a file; a store is a directory")
        == true)
    #expect(try fixture.directory.text(of: "store") == "x")
  }

  @Test func aDataFileThatIsNotOfLMDB() throws {
    let fixture = try StoreFixture()
    for text in ["x", String(repeating: "not a store\n", count: 2000)] {
      try fixture.directory.write(text, to: "store/data.mdb")
      let document = try PeopleModel.document()
      #expect(kind { _ = try fixture.open(document) } == .notAStore)
      #expect(kind { _ = try fixture.open() } == .notAStore)
      #expect(try fixture.directory.text(of: "store/data.mdb") == text)
    }
  }

  @Test func aDataFileThatIsCutOff() throws {
    let fixture = try StoreFixture()
    let document = try PeopleModel.document()
    try fixture.with(document) { try PeopleModel.fill($0) }
    let bytes = try fixture.dataFile().bytes
    try fixture.directory.write(bytes.dropLast(4096), to: "store/data.mdb")
    #expect(kind { _ = try fixture.open(document) } == .damaged)
    #expect(error { _ = try fixture.open(document) }?.description.contains("is cut off") == true)
    #expect(try fixture.dataFile().bytes == Array(bytes.dropLast(4096)))
  }

  @Test func aFileOfAnotherProgramThatUsesLMDB() throws {
    let fixture = try StoreFixture()
    do {
      let storage = try StorageLocation.directory(fixture.path).open(StorageOptions())
      let transaction = try storage.beginWrite()
      let space = try #require(try transaction.openSpace("numbers", .records, create: true))
      try withUnsafeBytes(of: 7) { try transaction.put(space, 1, $0, .replace) }
      try transaction.commit()
    }
    let before = try fixture.dataFile()
    let document = try PeopleModel.document()
    #expect(error { _ = try fixture.open(document) } == .notAStore(fixture.path))
    #expect(error { _ = try fixture.open() } == .notAStore(fixture.path))
    #expect(try fixture.dataFile() == before)
  }

  /// Puts bytes under a key of the catalog, with a right checksum.
  private func overwrite(_ fixture: StoreFixture, _ key: String, _ value: String) throws {
    let storage = try StorageLocation.directory(fixture.path).open(StorageOptions())
    let transaction = try storage.beginWrite()
    let space = try #require(try transaction.openSpace("catalog", .bytes, create: false))
    let bytes = Array(value.utf8)
    let checksum = bytes.withUnsafeBytes { Checksum.crc32c($0) }
    let stored = withUnsafeBytes(of: checksum.littleEndian) { [UInt8]($0) } + bytes
    try Array(key.utf8).withUnsafeBytes { key in
      try stored.withUnsafeBytes { try transaction.put(space, key, $0, .replace) }
    }
    try transaction.commit()
  }

  @Test(arguments: [
    (#"{"format":3,"tables":[]}"#, "format 3"),
    (
      #"{"format":2,"generation":1,"features":["constants","wings"],"entities":[]}"#,
      "the feature wings"
    ),
  ])
  func aStoreOfANewerFormat(_ catalog: String, _ what: String) throws {
    let fixture = try StoreFixture()
    let document = try PeopleModel.document()
    try fixture.with(document) { try PeopleModel.fill($0) }
    try overwrite(fixture, "catalog", catalog)
    let before = try fixture.dataFile()
    for model in [document, nil] {
      let refused = error { _ = try fixture.open(model) }
      #expect(refused == .newerFormat(what))
      #expect(
        refused?.description
          == "the store has \(what), which a newer version wrote and this one does not know; use that version"
      )
    }
    #expect(try fixture.dataFile() == before)
  }

  @Test(arguments: [
    "", "{", "[]", #"{"format":1}"#, #"{"format":"x"}"#,
    #"{"format":1,"generation":0,"entities":[{"uid":1}]}"#,
    #"{"format":1,"generation":0,"entities":[{"uid":1,"name":"A","hidden":false,"nextSlot":1,"relations":[],"properties":[{"uid":2,"name":"a","hidden":false,"type":6,"flags":1,"slot":9000}]}]}"#,
    #"{"format":1,"generation":0,"entities":[{"uid":1,"name":"A","hidden":false,"nextSlot":1,"relations":[],"properties":[{"uid":2,"name":"a","hidden":false,"type":6,"flags":1,"slot":3}]}]}"#,
    #"{"format":1,"generation":0,"entities":[{"uid":100,"name":"A","hidden":false,"nextSlot":-1,"relations":[],"properties":[]}]}"#,
    #"{"format":1,"generation":0,"entities":[{"uid":100,"name":"A","hidden":false,"nextSlot":9223372036854775807,"relations":[],"properties":[]}]}"#,
  ])
  func aCatalogThatCannotBeRead(_ catalog: String) throws {
    let fixture = try StoreFixture()
    let document = try PeopleModel.document()
    try fixture.with(document) { _ in }
    try overwrite(fixture, "catalog", catalog)
    let before = try fixture.dataFile()
    for model in [nil, document] {
      guard case .damagedCatalog = error({ _ = try fixture.open(model) }) else {
        Issue.record("\(catalog) was accepted")
        continue
      }
    }
    #expect(try fixture.dataFile() == before)
  }

  /// Changes a bit behind the start of a key, wherever the file has it as the key of an entry.
  private func change(_ key: String, at offset: Int, in fixture: StoreFixture) throws {
    var bytes = try fixture.dataFile().bytes
    let name = Array(key.utf8)
    var count = 0
    for start in 2..<bytes.count - 32 where bytes[start] == name[0] {
      // Two bytes with its length stand before a key.
      if bytes[start - 2] == UInt8(name.count), bytes[start - 1] == 0,
        bytes[start..<start + name.count].elementsEqual(name)
      {
        bytes[start + offset] ^= 1
        count += 1
      }
    }
    #expect(count > 0)
    try fixture.directory.write(bytes, to: "store/data.mdb")
  }

  private func filled() throws -> (StoreFixture, ModelDocument) {
    let fixture = try StoreFixture()
    let document = try PeopleModel.document()
    try fixture.with(document) { try PeopleModel.fill($0) }
    return (fixture, document)
  }

  /// The pages are whole then, and so are the records.
  @Test(arguments: [
    ("generation", 0), ("generation", 9), ("generation", 11), ("generation", 15), ("model", 4),
    ("o100", 3), ("r100900", 6), ("b100900", 6),
  ])
  func verifyFindsAChangedByteOfTheCatalog(_ key: String, _ offset: Int) throws {
    let (fixture, _) = try filled()
    try change(key, at: offset, in: fixture)
    #expect(try ObjectStore.verify(fixture.path).map(\.rule.id) == ["BOX710"])
  }

  @Test func aMissingModelIsDamage() throws {
    let (fixture, document) = try filled()
    try change("model", at: 4, in: fixture)
    #expect(error { _ = try fixture.open() } == .damagedCatalog("the model is missing"))
    try fixture.with(document) { (store) throws in
      #expect(try store.read { try $0.value("Person", 1, "age") } == 36)
    }
    // A model that is given takes its place.
    #expect(try ObjectStore.verify(fixture.path).isEmpty)
  }

  /// Objects that cannot be found are not objects that were never there.
  @Test(arguments: [("o100", 3), ("r100900", 6), ("b100900", 6)])
  func nothingIsMadeInThePlaceOfWhatIsMissing(_ key: String, _ offset: Int) throws {
    let (fixture, document) = try filled()
    try change(key, at: offset, in: fixture)
    let before = try fixture.dataFile()
    let wider = try document.changed { try $0.add("colour", .string, uid: 3003, to: "Pet") }
    for model in [document, wider] {
      #expect(
        error { _ = try fixture.open(model) } == .damagedCatalog("the space \(key) is missing"))
    }
    var options = StoreOptions()
    options.defersIndexes = true
    options.storesCheckpoints = true
    #expect(
      error { _ = try fixture.open(document, options) }
        == .damagedCatalog("the space \(key) is missing"))
    #expect(try fixture.dataFile() == before)
  }

  // MARK: - In memory

  @Test func aStoreInMemoryLivesAsLongAsItsUsers() throws {
    let document = try PeopleModel.document()
    let location = StorageLocation.memory("OpeningPlacesTests.lives")
    #expect(error { _ = try ObjectStore.open(location) } != nil)
    do {
      let first = try ObjectStore.open(location, model: document)
      try PeopleModel.fill(first)
      let second = try ObjectStore.open(location, model: document)
      #expect(try second.read { try $0.value("Person", 1, "age") } == 36)
      let other = try ObjectStore.open(.ownMemory(), model: document)
      #expect(try other.read { try $0.isEmpty(other.entity(named: "Person")) })
      #expect(try second.verify().isEmpty)
      withExtendedLifetime(first) {}
    }
    let again = try ObjectStore.open(location, model: document)
    #expect(try again.read { try $0.isEmpty(again.entity(named: "Person")) })
  }

  // MARK: - Two openings

  @Test func twoOpeningsShareTheStore() throws {
    let fixture = try StoreFixture()
    let document = try PeopleModel.document()
    let first = try fixture.open(document)
    try PeopleModel.fill(first)
    let second = try fixture.open(document)
    #expect(try second.read { try $0.value("Person", 1, "age") } == 36)
    _ = try second.write { try $0.put("Pet", ["name": "Tom"]) }
    #expect(try first.read { try $0.value("Pet", 2, "name") } == "Tom")
    // A schema belongs to its opening.
    let person = try first.entity(named: "Person")
    #expect(error { _ = try second.read { try $0.count(person) } } == .foreignSchema("Person"))
  }

  @Test func otherOptionsAreRefusedWhileItIsOpen() throws {
    let fixture = try StoreFixture()
    let document = try PeopleModel.document()
    let first = try fixture.open(document)
    for change in [
      { $0.maximumSize = 1 << 30 }, { $0.maximumReaders = 5 }, { $0.isReadOnly = true },
    ] as [(inout StorageOptions) -> Void] {
      var options = StoreOptions()
      change(&options.storage)
      #expect(kind { _ = try fixture.open(document, options) } == .differentOptions)
    }
    withExtendedLifetime(first) {}
  }

  @Test func anotherModelIsRefusedWhileItIsOpen() throws {
    let fixture = try StoreFixture()
    let document = try PeopleModel.document()
    let first = try fixture.open(document)
    let other = try document.changed { try $0.add("colour", .string, uid: 3003, to: "Pet") }
    #expect(kind { _ = try fixture.open(other) } == .differentOptions)
    try PeopleModel.fill(first)
    #expect(try first.read { try $0.value("Pet", 1, "name") } == "Rex")
  }

  /// A nested call on another opening would wait for itself for ever.
  @Test func aWriteInsideAWriteOfAnotherOpeningIsRefused() throws {
    let fixture = try StoreFixture()
    let document = try PeopleModel.document()
    let first = try fixture.open(document)
    let second = try fixture.open(document)
    var inner: StoreError?
    try first.write { (transaction) throws in
      try transaction.put("Pet", ["name": "Rex"])
      inner = error { _ = try second.write { try $0.put("Pet", ["name": "Tom"]) } }
    }
    #expect(inner == .writingElsewhere)
    #expect(try second.read { try $0.count(second.entity(named: "Pet")) } == 1)
  }
}
