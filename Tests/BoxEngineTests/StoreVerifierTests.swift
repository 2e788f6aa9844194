import BoxModel
import BoxReport
import BoxStorage
import TestSupport
import Testing

@testable import BoxEngine

/// The findings of a verification in a store whose pages are whole; a verification always ends
/// well.
struct StoreVerifierTests {
  private func rules(_ store: ObjectStore) throws -> [String] {
    try store.verify().map(\.rule.id)
  }

  /// Changes the checksums of objects.
  private func damage(_ store: ObjectStore, _ entity: String, _ ids: [UInt64]) throws {
    let schema = try store.entity(named: entity)
    try store.write { (transaction) throws in
      let storage = try transaction.reading()
      for id in ids {
        var record = [UInt8](try #require(try storage.value(schema.space, id)))
        record[0] ^= 1
        try record.withUnsafeBytes { try storage.put(schema.space, id, $0, .replace) }
      }
    }
  }

  /// Writes another record in the place of an object, and nothing else.
  private func overwrite(
    _ store: ObjectStore, _ entity: EntitySchema, _ id: UInt64,
    _ set: (inout RecordWriter) throws -> Void
  ) throws {
    try store.write { (transaction) throws in
      var writer = RecordWriter()
      writer.begin(entity.layout)
      try set(&writer)
      try transaction.reading().put(entity.space, id, writer.finish(id), .replace)
    }
  }

  // MARK: - The catalog

  /// Earlier versions of the program leave the second generation as it is, or never write one.
  @Test func aCatalogFromBeforeALostWrite() throws {
    let store = try ObjectsModel.store()
    let generation = UInt64(store.schema.catalog.generation)
    for (second, isDamage) in [
      (generation - 1, false), (generation, false), (generation + 1, true),
    ] {
      try store.write { (transaction) throws in
        try StoredCatalog.setLastID(
          second, of: 0, store.schema.idsSpace, try transaction.reading())
      }
      if isDamage {
        let error = #expect(throws: StoreError.self) { try store.verify() }
        #expect("\(error as Any)".contains("a write was lost"))
      } else {
        #expect(try rules(store) == [])
      }
    }
  }

  /// A record with a value in the slot after the last one that the catalog has given.
  @Test func aValueOfAPropertyThatTheCatalogLost() throws {
    let store = try ObjectsModel.store()
    try store.put("Plain", ["text": "ab"])
    #expect(try rules(store) == [])
    let ids = store.schema.idsSpace
    try store.write { (transaction) throws in
      let storage = try transaction.reading()
      let space = store.schema.catalogSpace
      var catalog = try #require(try StoredCatalog.read(space, storage))
      let model = try #require(try StoredCatalog.model(space, storage))
      let position = try #require(catalog.entities.firstIndex { $0.name == "Plain" })
      catalog.entities[position].nextSlot = 0
      catalog.entities[position].properties = []
      try StoredCatalog.write(catalog, model: model, space, ids: ids, storage)
    }
    #expect(
      try store.verify().contains {
        $0.rule.id == "BOX710" && $0.message.contains("value of a property")
      })
  }

  // MARK: - Records

  /// Damaged objects behind the last one that is told of do not end the check with an error.
  @Test func moreDamageThanIsAskedFor() throws {
    let store = try ObjectsModel.store()
    for number in 1...30 as ClosedRange<Int64> {
      try store.put("Item", ["code": .string("\(number)"), "rank": .integer(number)])
    }
    try damage(store, "Item", Array(1...29))
    for limit in [1, 5, 28, 29, 30] {
      let findings = try store.verify(limit: limit)
      #expect(findings.count == min(limit, 29))
      #expect(findings.allSatisfy { $0.rule.id == "BOX702" })
    }
    // What the finding advises to do.
    let item = try store.entity(named: "Item")
    try store.write { (transaction) throws in
      for id in 1...29 as ClosedRange<UInt64> { try transaction.remove(item, id) }
    }
    #expect(try store.verify().isEmpty)
    #expect(try store.ids("Item") == [30])
  }

  @Test func aStringThatIsNotUTF8() throws {
    let store = try ObjectsModel.store()
    try store.put("Plain", ["text": "ab"])
    let plain = try store.entity(named: "Plain")
    try store.write { (transaction) throws in
      let storage = try transaction.reading()
      var record = [UInt8](try #require(try storage.value(plain.space, UInt64(1))))
      let place = try #require(record.firstIndex(of: 0x61))
      record[place] = 0xFF
      let check = record[4...].withUnsafeBytes { Checksum.crc32c(1, $0) }
      record.withUnsafeMutableBytes { $0.storeBytes(of: check.littleEndian, as: UInt32.self) }
      try record.withUnsafeBytes { try storage.put(plain.space, UInt64(1), $0, .replace) }
    }
    #expect(try rules(store) == ["BOX708"])
    try store.put("Plain", ["text": "ab"], id: 1)
    #expect(try rules(store) == [])
  }

  // MARK: - Indexes

  /// Two objects with one value, of which the index does not say whether they are the same.
  @Test(arguments: ["code", "name", "place"])
  func twoObjectsWithOneUniqueValue(_ property: String) throws {
    let store = try ObjectsModel.store()
    let entity = property == "code" ? "Item" : "Box"
    let schema = try store.entity(named: entity)
    let known = try #require(schema.property(named: property))
    let index = try #require(known.index)
    let start = String(repeating: "x", count: 600)
    let values: [Value] =
      property == "place" ? [1, 2] : [.string(start + "a"), .string(start + "b")]
    for value in values { try store.put(entity, [property: value]) }
    #expect(try rules(store) == [])
    try overwrite(store, schema, 2) { try $0.set(known.slot, known.type, values[0]) }
    try store.write { (transaction) throws in
      let storage = try transaction.reading()
      switch (try index.key(values[1]), try index.key(values[0])) {
      case (.integer(let before)?, .integer(let after)?):
        #expect(try storage.remove(index.space, before, 2))
        #expect(try storage.insert(index.space, after, 2))
      case (.bytes(let before)?, .bytes(let after)?):
        // Both have one key: what tells them apart lies behind it.
        #expect(before == after)
      default: Issue.record("no key")
      }
    }
    let findings = try store.verify()
    #expect(findings.map(\.rule.id) == ["BOX709"])
    #expect(
      findings.first?.message
        == "\(entity) 1 and 2 have one value of the unique \(entity).\(property)")
  }

  /// In a write transaction index entries are held back, and are not missing.
  @Test func withinAWriteTransaction() throws {
    let store = try ObjectsModel.store()
    try store.write { (transaction) throws in
      try transaction.put("Item", ["rank": 1, "title": "a"])
      #expect(try store.verify().isEmpty)
      try transaction.put("Item", ["rank": 2], id: 1)
      #expect(try store.verify().isEmpty)
    }
    #expect(try store.verify().isEmpty)
  }

  // MARK: - Relations

  @Test func halfAnEntryOfARelation() throws {
    let store = try ObjectsModel.store()
    let boxes = try #require(try store.entity(named: "Item").relation(named: "boxes"))
    try store.put("Item", [:])
    try store.put("Box", [:])
    for space in [boxes.forward, boxes.backward] {
      try store.write { (transaction) throws in
        #expect(try transaction.reading().insert(space, UInt64(1), 1))
      }
      #expect(try rules(store) == ["BOX705"])
      // What the finding advises to do.
      try store.write { (transaction) throws in
        #expect(try transaction.unlink(boxes, 1, 1))
        #expect(try transaction.link(boxes, 1, 1))
      }
      #expect(try rules(store) == [])
      try store.write { (transaction) throws in #expect(try transaction.unlink(boxes, 1, 1)) }
    }
  }

  /// Also where the model lacks the entity by now.
  @Test func anEntryOfAnObjectThatDoesNotExist() throws {
    let plain = TestModel.Entity(name: "Plain", uid: 400, properties: [.id()])
    let person = TestModel.Entity(
      name: "Person", uid: 100, properties: [.id()], relations: [.init("friends", to: "Person")])
    let fixture = try StoreFixture()
    try fixture.with(TestModel(plain, person).document()) { (store) throws in
      try store.put("Person", [:])
      let friends = try #require(try store.entity(named: "Person").relation(named: "friends"))
      try store.write { (transaction) throws in
        let storage = try transaction.reading()
        #expect(try storage.insert(friends.forward, UInt64(1), 99))
        #expect(try storage.insert(friends.backward, UInt64(99), 1))
      }
      #expect(try rules(store) == ["BOX706", "BOX706"])
    }
    var options = StoreOptions()
    options.acceptsRegeneratedModel = true
    try fixture.with(TestModel(plain).document(), options) { (store) throws in
      #expect(try store.statistics().entities.map(\.isHidden) == [false, true])
      let findings = try store.verify()
      #expect(findings.map(\.rule.id) == ["BOX706", "BOX706"])
      #expect(
        findings.first?.message == "friends has an entry of Person 99, which does not exist")
    }
    try fixture.with(TestModel(plain, person).document()) { (store) throws in
      let friends = try #require(try store.entity(named: "Person").relation(named: "friends"))
      // What the finding advises to do.
      try store.write { (transaction) throws in
        #expect(try transaction.unlink(friends, 1, 99))
      }
      #expect(try rules(store) == [])
    }
  }
}
