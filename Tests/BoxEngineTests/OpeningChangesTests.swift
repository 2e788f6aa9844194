import BoxModel
import BoxStorage
import TestSupport
import Testing

@testable import BoxEngine

/// The effects of a changed model on a store that opens with it.
struct OpeningChangesTests {
  /// A store filled with the objects of ``PeopleModel``.
  private func filled() throws -> (StoreFixture, ModelDocument) {
    let fixture = try StoreFixture()
    let document = try PeopleModel.document()
    try fixture.with(document) { try PeopleModel.fill($0) }
    return (fixture, document)
  }

  @Test(.promise(34, 107, 134, 178, 252, 346)) func renamedElementsKeepTheirData() throws {
    let (fixture, document) = try filled()
    let renamed = try document.changed { model in
      try model.change("Person", "age") { $0.name = "years" }
      try model.change("Person") { $0.relations?[0].name = "mates" }
      try model.change("Person") { $0.name = "Human" }
    }
    try fixture.with(renamed) { (store) throws in
      #expect(store.warnings.isEmpty)
      #expect(try store.read { try $0.value("Human", 1, "years") } == 36)
      #expect(try store.read { try $0.find("Human", "years", 7) } == [2])
      let mates = try store.entity(named: "Human").relation(named: "mates").orFail("none")
      #expect(try store.read { try $0.targets(mates, of: 1) } == [2])
      #expect(try store.verify().isEmpty)
    }
  }

  /// A merge gives new ids to entities, properties, indexes and relations: nothing is read wrongly.
  @Test(.promise(130)) func renumberedElementsKeepTheirData() throws {
    let (fixture, document) = try filled()
    let renumbered = try document.changed { model in
      model.entities[0].pair.id = 2
      model.entities[1].pair.id = 1
      model.lastEntityID = model.entities[0].pair
      model.entities[0].relations?[0].target.id = 2
      let count = UInt32(model.entities[0].properties.count)
      for position in model.entities[0].properties.indices {
        model.entities[0].properties[position].pair.id =
          count - model.entities[0].properties[position].pair.id + 1
      }
      model.entities[0].lastPropertyID = model.entities[0].properties[0].pair
      let first = model.entities[0].properties[1].indexID?.id
      model.entities[0].properties[1].indexID?.id = 3
      model.entities[0].properties[3].indexID?.id = try #require(first)
      model.lastIndexID = model.entities[0].properties[1].indexID
    }
    try fixture.with(renumbered) { (store) throws in
      #expect(store.warnings.isEmpty)
      #expect(try store.read { try $0.value("Person", 1, "name") } == "Ada")
      #expect(try store.read { try $0.value("Person", 1, "favourite") } == .unsigned(1))
      #expect(try store.read { try $0.value("Pet", 1, "weight") } == 4.5)
      #expect(try store.read { try $0.find("Person", "name", "Bo") } == [2])
      #expect(try store.verify().isEmpty)
    }
  }

  @Test func hiddenValuesSurvivePutsAndComeBack() throws {
    let (fixture, document) = try filled()
    let less = try document.changed { model in
      try model.change("Person") { entity in entity.properties.removeAll { $0.name == "age" } }
    }
    try fixture.with(less) { (store) throws in
      #expect(try store.entity(named: "Person").property(named: "age") == nil)
      try store.write { (transaction) throws in
        try transaction.put("Person", ["name": "Ada B."], id: 1)
        try transaction.put("Person", ["name": "Cy"])
      }
    }
    try fixture.with(document) { (store) throws in
      try store.read { (transaction) throws in
        #expect(try transaction.value("Person", 1, "name") == "Ada B.")
        #expect(try transaction.value("Person", 1, "age") == 36)
        #expect(try transaction.value("Person", 2, "age") == 7)
        #expect(try transaction.value("Person", 3, "age") == .null)
        // The index was rebuilt.
        #expect(try transaction.order("Person", by: "age") == [2, 1])
      }
      #expect(try store.verify().isEmpty)
    }
  }

  @Test func hiddenRelationsComeBackWithoutRemovedObjects() throws {
    let (fixture, document) = try filled()
    let less = try document.changed { model in
      try model.change("Person") { $0.relations = [] }
      model.lastRelationID = .unset
    }
    try fixture.with(document) { (store) throws in
      let friends = try store.entity(named: "Person").relation(named: "friends").orFail("none")
      try store.write { (transaction) throws in
        try transaction.put("Person", ["name": "Cy"])
        try transaction.link(friends, 1, 3)
      }
    }
    try fixture.with(less) { (store) throws in
      _ = try store.write { try $0.remove(store.entity(named: "Person"), 2) }
    }
    try fixture.with(document) { (store) throws in
      let friends = try store.entity(named: "Person").relation(named: "friends").orFail("none")
      #expect(try store.read { try $0.targets(friends, of: 1) } == [3])
      #expect(try store.read { try $0.sources(friends, of: 3) } == [1])
      #expect(try store.verify().isEmpty)
    }
  }

  @Test func hiddenEntitiesComeBack() throws {
    let (fixture, document) = try filled()
    let less = try document.changed { model in
      model.entities.removeLast()
      model.lastEntityID = model.entities[0].pair
      try model.change("Person") { entity in
        entity.properties.removeAll { $0.name == "favourite" }
      }
    }
    try fixture.with(less) { (store) throws in
      #expect(throws: StoreError.unknownEntity("Pet")) { try store.entity(named: "Pet") }
      #expect(try store.statistics().entities.map(\.isHidden) == [false, true])
    }
    try fixture.with(document) { (store) throws in
      #expect(try store.read { try $0.value("Pet", 1, "name") } == "Rex")
      #expect(try store.read { try $0.find("Person", "favourite", .unsigned(1)) } == [1])
      // Ids go on where they were.
      #expect(try store.write { try $0.put("Pet", ["name": "Tom"]) } == 2)
      #expect(try store.verify().isEmpty)
    }
  }

  /// A new UID under the old name starts without values, and the old ones stay for the old UID.
  @Test(.promise(123, 138)) func theSameNameWithAnotherUIDIsAnotherProperty() throws {
    let (fixture, document) = try filled()
    let other = try document.changed { model in
      try model.change("Person") { entity in entity.properties.removeAll { $0.name == "age" } }
      try model.add("age", .string, uid: 4242, to: "Person")
      model.retiredPropertyUIDs = [PeopleModel.age]
      model.retiredIndexUIDs = [PeopleModel.age + 1]
    }
    try fixture.with(other) { (store) throws in
      #expect(try store.read { try $0.value("Person", 1, "age") } == .null)
      _ = try store.write { try $0.put("Person", ["age": "old"], id: 1) }
    }
    try fixture.with(document) { (store) throws in
      #expect(try store.read { try $0.value("Person", 1, "age") } == 36)
    }
  }

  // MARK: - Indexes

  /// The advice of verify for an index that does not match its objects.
  @Test func aRebuiltIndexIsComplete() throws {
    let document = try PeopleModel.document()
    let without = try document.changed { (model) throws in
      try model.change("Person") { entity in
        entity.properties[2].flags.remove(.indexed)
        entity.properties[2].indexID = nil
      }
      model.retiredIndexUIDs = [PeopleModel.age + 1]
    }
    for wrong in ["BOX703", "BOX704"] {
      let fixture = try StoreFixture()
      try fixture.with(document) { (store) throws in
        try PeopleModel.fill(store)
        let age = try #require(try store.entity(named: "Person").property(named: "age")?.index)
        try store.write { (transaction) throws in
          let storage = try transaction.reading()
          guard case .integer(let key) = try age.key(.integer(36)) else {
            throw TestFailure("no key")
          }
          if wrong == "BOX703" {
            #expect(try storage.remove(age.space, key, 1))
          } else {
            #expect(try storage.insert(age.space, key + 1, 1))
          }
        }
        #expect(try store.verify().map(\.rule.id) == [wrong])
      }
      try fixture.with(without) { _ in }
      try fixture.with(document) { (store) throws in
        #expect(try store.read { try $0.find("Person", "age", 36) } == [1])
      }
      #expect(try ObjectStore.verify(fixture.path).isEmpty)
    }
  }

  @Test(.promise(107, 179)) func indexesAreBuiltFromTheData() throws {
    let (fixture, document) = try filled()
    let indexed = try document.changed {
      try $0.addIndex(.indexed, uid: 7001, to: "weight", of: "Pet")
      try $0.addIndex([.indexed, .unique], uid: 7002, to: "name", of: "Pet")
    }
    try fixture.with(document) { (store) throws in
      try store.write { (transaction) throws in
        for number in 2...500 {
          try transaction.put(
            "Pet", ["name": .string("pet \(number)"), "weight": .double(Double(500 - number))])
        }
      }
    }
    try fixture.with(indexed) { (store) throws in
      try store.read { (transaction) throws in
        #expect(try transaction.find("Pet", "weight", 4.5) == [1])
        #expect(try transaction.find("Pet", "name", "pet 77") == [77])
        #expect(
          try transaction.order("Pet", by: "weight").prefix(6) == [500, 499, 498, 497, 496, 1])
      }
      #expect(try store.verify().isEmpty)
    }
    // Removed and added again it is whole, with what was put in between.
    try fixture.with(document) { (store) throws in
      _ = try store.write { try $0.put("Pet", ["name": "late", "weight": -1.0]) }
      #expect(try store.statistics().entities[1].indexes.isEmpty)
    }
    try fixture.with(indexed) { (store) throws in
      #expect(try store.read { try $0.find("Pet", "name", "late") } == [501])
      #expect(try store.verify().isEmpty)
    }
  }

  @Test(
    .promise(184),
    arguments: [
      [PropertyFlags.indexHash, .indexHash64, .indexed],
      [.indexed, .indexHash, .indexed, .indexHash64, [.unique, .indexHash]],
    ])
  func indexesChangeTheirKind(_ kinds: [PropertyFlags]) throws {
    let (fixture, document) = try filled()
    for flags in kinds {
      let changed = try document.changed { model in
        try model.change("Person", "name") {
          $0.flags.subtract(.indexKind)
          $0.flags.formUnion(flags)
        }
      }
      try fixture.with(changed) { (store) throws in
        #expect(try store.read { try $0.find("Person", "name", "Ada") } == [1])
        #expect(try store.read { try $0.find("Person", "name", "ada") } == [])
        #expect(try store.verify().isEmpty)
      }
    }
  }

  @Test func typesOfAnEntityWithoutObjectsMayChange() throws {
    let fixture = try StoreFixture()
    let document = try PeopleModel.document()
    try fixture.with(document) { _ in }
    let changed = try document.changed { model in
      try model.change("Person", "name") {
        $0.type = .long
        $0.flags.remove(.indexHash)
        $0.flags.insert(.indexed)
      }
      try model.change("Person", "age") {
        $0.type = .string
      }
      try model.change("Person", "favourite") { $0.relationTarget = "Person" }
    }
    try fixture.with(changed) { (store) throws in
      try store.write { (transaction) throws in
        for number in [300, -1, 2] as [Int64] {
          try transaction.put(
            "Person", ["name": .integer(number), "age": .string("\(number)")])
        }
      }
      try store.read { (transaction) throws in
        #expect(try transaction.order("Person", by: "name") == [2, 3, 1])
        #expect(try transaction.order("Person", by: "age") == [2, 3, 1])
      }
      #expect(try store.verify().isEmpty)
    }
    #expect(try ObjectStore.verify(fixture.path).isEmpty)
  }

  // MARK: - Older models

  @Test(.promise(131)) func anOlderModelOpensAndKeepsWhatItDoesNotKnow() throws {
    let (fixture, document) = try filled()
    let newer = try document.changed { model in
      try model.add("chip", .string, uid: 3003, to: "Pet")
      try model.addIndex([.unique, .indexHash], uid: 3004, to: "chip", of: "Pet")
    }
    try fixture.with(newer) { (store) throws in
      _ = try store.write { try $0.put("Pet", ["name": "Tom", "chip": "c-1"]) }
    }
    try fixture.with(document) { (store) throws in
      _ = try store.write { try $0.put("Pet", ["name": "Tomcat"], id: 2) }
    }
    try fixture.with(newer) { (store) throws in
      #expect(try store.read { try $0.value("Pet", 2, "chip") } == "c-1")
      #expect(try store.read { try $0.value("Pet", 1, "chip") } == .null)
      #expect(try store.read { try $0.find("Pet", "chip", "c-1") } == [2])
    }
  }

  @Test func anUnchangedModelWritesNothing() throws {
    let (fixture, document) = try filled()
    let before = try fixture.dataFile()
    try fixture.with(document) { _ in }
    #expect(try fixture.dataFile() == before)
  }

  @Test func openingWithoutAModelWritesNothing() throws {
    let (fixture, document) = try filled()
    let before = try fixture.dataFile()
    try fixture.with { (store) throws in
      #expect(store.model == document.model)
      #expect(try store.read { try $0.value("Person", 1, "age") } == 36)
    }
    #expect(try fixture.dataFile() == before)
    let empty = try StoreFixture()
    #expect(throws: StoreError.noStore(empty.path)) { try empty.open() }
    #expect(!empty.directory.exists("store"))
  }
}
