import BoxModel
import BoxReport
import BoxStorage
import TestSupport
import Testing

@testable import BoxEngine

/// Constants in the openings that the law does not make.
struct ConstantTests {
  private static func document(_ fields: TestModel.Property...) throws -> ModelDocument {
    try TestModel(.init(name: "A", uid: 100, fields: fields)).document()
  }

  private static let name = TestModel.Property("name", 500, .string)
  private static let rank = TestModel.Property("rank", 501, .long, .indexed)

  /// A store with an object that has no rank.
  private func fixture() throws -> StoreFixture {
    let fixture = try StoreFixture()
    try fixture.with(try Self.document(Self.name)) { (store) throws in
      try store.write { _ = try $0.put("A", ["name": "one"]) }
    }
    return fixture
  }

  private func options(_ constants: [UID: Value]?, isReadOnly: Bool = false) -> StoreOptions {
    var options = StoreOptions()
    options.constants = constants
    options.storage.isReadOnly = isReadOnly
    return options
  }

  /// A reader finds the value though it cannot write it down.
  @Test func aReaderHasTheConstant() throws {
    let fixture = try fixture()
    let document = try Self.document(Self.name, Self.rank)
    let before = try fixture.dataFile()
    try fixture.with(document, options([501: 7], isReadOnly: true)) { (store) throws in
      for _ in 1...2 {
        #expect(try store.read { try $0.value("A", 1, "rank") } == 7)
        let query = try store.prepare(
          StoreQuery(
            store.entity(named: "A"), .compare(.init("rank"), .equal, .integer(7))))
        #expect(try store.read { try $0.ids(query) } == [1])
      }
    }
    #expect(try fixture.dataFile() == before)
  }

  /// A program with a model alone finds what another one has given, and decides nothing.
  @Test func aModelAloneDecidesNothing() throws {
    let fixture = try fixture()
    let document = try Self.document(Self.name, Self.rank)
    try fixture.with(document) { (store) throws in
      #expect(try store.read { try $0.value("A", 1, "rank") } == .null)
      #expect(store.schema.catalog.format == 1)
    }
    try fixture.with(document, options([501: 7])) { (store) throws in
      #expect(try store.read { try $0.find("A", "rank", 7) } == [1])
    }
    let given = try fixture.dataFile()
    for model in [document, nil] {
      try fixture.with(model) { (store) throws in
        #expect(try store.read { try $0.find("A", "rank", 7) } == [1])
        #expect(store.schema.catalog.format == 2)
      }
    }
    #expect(try fixture.dataFile() == given)
    try fixture.with(document, options([501: 8])) { (store) throws in
      #expect(try store.read { try $0.value("A", 1, "rank") } == 7)
      #expect(store.warnings.map(\.rule.id) == ["BOX654"])
    }
    try fixture.with(document, options([:])) { (store) throws in
      #expect(try store.read { try $0.value("A", 1, "rank") } == .null)
      #expect(try store.read { try $0.find("A", "rank", 7) } == [])
      #expect(store.schema.catalog.format == 1)
    }
  }

  /// Stores that need no constant stay in format 1.
  @Test func aStoreWhoseObjectsHaveAllValuesStaysInFormat1() throws {
    let fixture = try StoreFixture()
    let document = try Self.document(Self.name, Self.rank)
    for number in 1...3 {
      try fixture.with(document, options([501: 7])) { (store) throws in
        #expect(store.schema.catalog.format == 1)
        try store.write { _ = try $0.put("A", ["name": "x", "rank": .integer(Int64(number))]) }
      }
    }
    let before = try fixture.dataFile()
    try fixture.with(document, options([501: 7])) { _ in }
    #expect(try fixture.dataFile() == before)
  }

  @Test(
    arguments: [
      ([501: "x"], "the constant \"x\" does not fit A.rank (501): it takes an integer"),
      ([999: 1], "the bindings have a constant for the UID 999, which is no property of the model"),
      ([101: 1], "A.id (101) is unique, an id or a relation, and has a constant"),
    ] as [([UID: Value], String)])
  func aConstantThatIsNotOfTheModel(_ constants: [UID: Value], _ message: String) throws {
    let fixture = try fixture()
    let before = try fixture.dataFile()
    let findings = try fixture.refusal(
      try Self.document(Self.name, Self.rank), options(constants))
    #expect(findings.map(\.rule.id) == ["BOX612"])
    #expect(findings.map(\.message) == [message])
    #expect(try fixture.dataFile() == before)
  }

  /// A property that is indexed or unique later is built from the constants, or refused.
  @Test func anIndexIsBuiltFromConstants() throws {
    let fixture = try fixture()
    var plain = Self.rank
    plain.flags = []
    try fixture.with(try Self.document(Self.name, plain), options([501: 7])) { (store) throws in
      try store.write { _ = try $0.put("A", ["rank": 3]) }
    }
    try fixture.with(try Self.document(Self.name, Self.rank), options([501: 7])) { (store) throws in
      #expect(try store.read { try $0.order("A", by: "rank") } == [2, 1])
      #expect(try store.read { try $0.find("A", "rank", 7) } == [1])
      try store.write { (transaction) throws in
        try transaction.remove(store.entity(named: "A"), 1)
        #expect(try transaction.find("A", "rank", 7) == [])
      }
      #expect(try store.verify().isEmpty)
    }
    try ObjectStore.compact(fixture.path, purge: true)
    #expect(try ObjectStore.verify(fixture.path).isEmpty)
  }

  /// Others than the app store objects, without a value that all have had.
  @Test(arguments: [false, true]) func storingAnObjectWithoutAValueIsNoticed(isReplaced: Bool)
    throws
  {
    let fixture = try StoreFixture()
    let document = try Self.document(Self.name, Self.rank)
    try fixture.with(document, options([501: 7])) { (store) throws in
      try store.write { _ = try $0.put("A", ["name": "one", "rank": 1]) }
      #expect(store.schema.catalog.format == 1)
    }
    let generation = try fixture.with(document) { (store) throws in
      try? store.write { (transaction) throws in
        _ = try transaction.put("A", ["name": "undone"])
        throw TestFailure("undone")
      }
      try store.write { (transaction) throws in
        if isReplaced {
          _ = try transaction.put("A", ["name": "two"], id: 1)
        } else {
          _ = try transaction.put("A", ["name": "two"])
        }
      }
      return store.schema.catalog.generation
    }
    let id: UInt64 = isReplaced ? 1 : 2
    try fixture.with(document, options([501: 7])) { (store) throws in
      #expect(store.schema.catalog.generation == generation + 1)
      #expect(try store.read { try $0.value("A", id, "rank") } == 7)
      #expect(try store.read { try $0.find("A", "rank", 7) } == [id])
      #expect(try store.verify().isEmpty)
    }
  }

  /// A store that is built anew keeps the constants for objects that come later.
  @Test func aRebuiltStoreKeepsTheConstants() throws {
    let fixture = try fixture()
    let document = try Self.document(Self.name, Self.rank)
    try fixture.with(document, options([501: 7])) { _ in }
    var session = RebuildSession(fixture.path)
    try session.rebuild(model: document) { old, new in
      let name = try old.read { try $0.value("A", 1, "name") } ?? .null
      try new.write { _ = try $0.put("A", ["name": name]) }
    }
    try fixture.with(document) { (store) throws in
      #expect(store.schema.catalog.format == 2)
      #expect(try store.read { try $0.find("A", "rank", 7) } == [1])
    }
  }

  /// Objects that a rebuild leaves without a value have the one that is given with it, whatever comes later.
  @Test func aRebuiltStoreGivesWhatItsObjectsLack() throws {
    let fixture = try fixture()
    let document = try Self.document(Self.name, Self.rank)
    // The property is stored, and was optional until now.
    try fixture.with(document) { (store) throws in
      try store.write { _ = try $0.put("A", ["name": "two", "rank": 3]) }
    }
    var session = RebuildSession(fixture.path)
    try session.rebuild(model: document, constants: [501: 7], declarations: nil) { old, new in
      for id in [1, 2] as [UInt64] {
        let name = try old.read { try $0.value("A", id, "name") } ?? .null
        let rank = try old.read { try $0.value("A", id, "rank") } ?? .null
        try new.write { _ = try $0.put("A", ["name": name, "rank": rank]) }
      }
    }
    for later in [nil, [501: 8]] as [[UID: Value]?] {
      try fixture.with(document, options(later)) { (store) throws in
        #expect(try store.read { try $0.find("A", "rank", 7) } == [1])
        #expect(try store.read { try $0.find("A", "rank", 3) } == [2])
        #expect(try store.verify().isEmpty)
      }
    }
  }

  /// A store without objects that lack a value keeps its format.
  @Test func aRebuiltStoreWithAllValuesHasNoConstants() throws {
    let fixture = try fixture()
    let document = try Self.document(Self.name, Self.rank)
    var session = RebuildSession(fixture.path)
    try session.rebuild(model: document, constants: [501: 7], declarations: nil) { _, new in
      try new.write { _ = try $0.put("A", ["name": "one", "rank": 1]) }
    }
    try fixture.with(document, options([501: 7])) { (store) throws in
      #expect(store.schema.catalog.format == 1)
      #expect(try store.read { try $0.find("A", "rank", 1) } == [1])
    }
  }
}
