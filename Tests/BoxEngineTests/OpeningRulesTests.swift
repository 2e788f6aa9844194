import BoxModel
import BoxReport
import BoxStorage
import TestSupport
import Testing

@testable import BoxEngine

/// A model that would misread or lose stored data is refused, and nothing is touched.
struct OpeningRulesTests {
  /// Opens the store of ``PeopleModel`` with a changed model, which must be refused.
  private func expectRefusal(
    _ rule: Rule, _ message: String, _ change: (inout Model) throws -> Void,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let fixture = try StoreFixture()
    let document = try PeopleModel.document()
    try fixture.with(document) { try PeopleModel.fill($0) }
    let before = try fixture.dataFile()
    let findings = try fixture.refusal(try document.changed(change))
    #expect(findings.map(\.rule.id) == [rule.id], sourceLocation: sourceLocation)
    #expect(findings.map(\.message) == [message], sourceLocation: sourceLocation)
    #expect(findings.allSatisfy { $0.advice != nil && $0.path == "model.json" })
    #expect(try fixture.dataFile() == before, sourceLocation: sourceLocation)
    // The store opens with its own model as if nothing had been.
    try fixture.with(document) { (store) throws in
      #expect(try store.read { try $0.value("Person", 1, "age") } == 36)
    }
    #expect(try fixture.dataFile() == before, sourceLocation: sourceLocation)
  }

  @Test func typeOfStoredValues() throws {
    try expectRefusal(
      OpeningRule.typeChanged,
      "Person.age is of type long, and its stored values are of type int"
    ) { try $0.change("Person", "age") { $0.type = .long } }
  }

  /// The way that keeps the values comes first.
  @Test func anotherTypeNamesTheMigration() throws {
    let fixture = try StoreFixture()
    let document = try PeopleModel.document()
    try fixture.with(document) { try PeopleModel.fill($0) }
    let findings = try fixture.refusal(
      document.changed { try $0.change("Person", "age") { $0.type = .long } })
    let advice = try #require(findings.first?.advice)
    #expect(advice.hasPrefix("convert the values with `boxjoint migrate "))
  }

  /// Types of one width are different types too.
  @Test func typeOfOneWidth() throws {
    try expectRefusal(
      OpeningRule.typeChanged,
      "Pet.weight is of type date, and its stored values are of type double"
    ) { try $0.change("Pet", "weight") { $0.type = .date } }
  }

  @Test func signOfStoredValues() throws {
    try expectRefusal(
      OpeningRule.signChanged, "Person.age is unsigned, and its stored values are signed"
    ) { try $0.change("Person", "age") { $0.flags.insert(.unsigned) } }
  }

  @Test(.promise(125)) func regeneratedModel() throws {
    let fixture = try StoreFixture()
    let document = try PeopleModel.document()
    try fixture.with(document) { try PeopleModel.fill($0) }
    let before = try fixture.dataFile()
    let regenerated = try document.changed { model in
      for position in model.entities.indices {
        model.entities[position].pair.uid += 70_000_000
        for property in model.entities[position].properties.indices {
          model.entities[position].properties[property].pair.uid += 70_000_000
          model.entities[position].properties[property].indexID?.uid += 70_000_000
        }
        model.entities[position].lastPropertyID?.uid += 70_000_000
        model.entities[position].relations?.removeAll()
      }
      model.lastEntityID?.uid += 70_000_000
      model.lastIndexID?.uid += 70_000_000
      model.lastRelationID = .unset
    }
    let findings = try fixture.refusal(regenerated)
    #expect(findings.map(\.rule.id) == [OpeningRule.regenerated.id])
    // 2 entities, 7 properties and a relation.
    #expect(
      findings.first?.message
        == "the model knows 0 of the 10 UIDs in the store, which had no model with 9 of the 9 UIDs of "
        + "this one: it looks newly generated")
    #expect(try fixture.dataFile() == before)
    var options = StoreOptions()
    options.acceptsRegeneratedModel = true
    try fixture.with(regenerated, options) { (store) throws in
      #expect(try store.read { try $0.isEmpty(store.entity(named: "Person")) })
    }
    // What was hidden comes back with the right model.
    try fixture.with(document, options) { (store) throws in
      #expect(try store.read { try $0.value("Person", 2, "name") } == "Bo")
    }
  }

  /// A young model that more than doubled, and the models before it; also after what it lacks was purged.
  @Test func anOlderModelOpens() throws {
    let id = TestModel.Property.id()
    func entity(_ name: String, _ uid: UID, _ count: Int) -> TestModel.Entity {
      TestModel.Entity(
        name: name, uid: uid,
        properties: [id] + (1..<count).map { .init(name: "p\($0)", type: .int) })
    }
    let first = try TestModel(entity("Note", 100, 2)).document()
    let second = try TestModel(entity("Note", 100, 2), entity("User", 200, 3)).document()
    let third = try TestModel(entity("User", 200, 3), entity("Shop", 300, 9)).document()
      .changed { model in
        model.retiredEntityUIDs = [100]
        model.retiredPropertyUIDs = [0, 1].map { TestModel.uid(100, property: $0) }
        // Numbers are not given again.
        for position in model.entities.indices { model.entities[position].pair.id += 1 }
        model.lastEntityID?.id += 1
      }
    let fixture = try StoreFixture()
    try fixture.with(first) { try $0.put("Note", ["p1": 7]) }
    try fixture.with(second) { try $0.put("User", ["p1": 8]) }
    func note(_ store: ObjectStore) throws -> Value? {
      try store.read { try $0.value("Note", 1, "p1") }
    }
    #expect(try fixture.with(first) { try note($0) } == 7)
    try fixture.with(third) { try $0.put("Shop", ["p1": 9]) }
    for older in [second, first] {
      #expect(try fixture.with(older) { try note($0) } == 7)
      #expect(try fixture.refusal(third).isEmpty)
    }
    try ObjectStore.compact(fixture.path, purge: true)
    // Its UIDs are gone from the catalog, and in the lists of the model that the store has.
    #expect(try fixture.refusal(first).isEmpty)
  }

  @Test(.promise(117)) func retiredUIDsAreKnown() throws {
    let fixture = try StoreFixture()
    let document = try PeopleModel.document()
    try fixture.with(document) { try PeopleModel.fill($0) }
    let rest = try document.changed { model in
      let gone = model.entities.removeFirst()
      model.retiredEntityUIDs = [gone.pair.uid]
      model.retiredPropertyUIDs = gone.properties.map(\.pair.uid)
      model.retiredIndexUIDs = gone.properties.compactMap(\.indexID?.uid)
      model.retiredRelationUIDs = [PeopleModel.friends]
    }
    try fixture.with(rest) { #expect($0.warnings.isEmpty) }
  }

  @Test func propertyOfAnotherEntity() throws {
    try expectRefusal(
      OpeningRule.moved, "Person.weight is stored as a part of Pet"
    ) { model in
      try model.change("Pet") { $0.properties.removeLast() }
      model.retiredPropertyUIDs = []
      try model.change("Pet") { $0.lastPropertyID = $0.properties.last?.pair }
      try model.add("weight", .double, uid: PeopleModel.weight, to: "Person")
    }
  }

  @Test func targetOfARelationToOne() throws {
    try expectRefusal(
      OpeningRule.targetChanged, "Person.favourite refers to another entity than its stored values"
    ) { try $0.change("Person", "favourite") { $0.relationTarget = "Person" } }
  }

  @Test func targetOfARelationToMany() throws {
    try expectRefusal(
      OpeningRule.targetChanged, "Person.friends refers to another entity than its stored entries"
    ) { model in
      let pet = try #require(model.entities.last?.pair)
      try model.change("Person") { $0.relations?[0].target = pet }
    }
  }

  @Test func uniqueWithDuplicates() throws {
    let fixture = try StoreFixture()
    let document = try PeopleModel.document()
    try fixture.with(document) { (store) throws in
      try PeopleModel.fill(store)
      _ = try store.write { try $0.put("Pet", ["name": "Rex"]) }
    }
    let before = try fixture.dataFile()
    let unique = try document.changed {
      try $0.addIndex([.unique, .indexHash], uid: 777, to: "name", of: "Pet")
    }
    let findings = try fixture.refusal(unique)
    #expect(findings.map(\.rule.id) == [OpeningRule.notUnique.id])
    #expect(
      findings.first?.message
        == "Pet.name is unique in the model, and Pet 1 and 2 have the same value")
    // The store does not have the new names yet.
    let renamed = try unique.changed { model in
      try model.change("Pet") { $0.name = "Animal" }
      try model.change("Person", "favourite") { $0.relationTarget = "Animal" }
    }
    let advice = try #require(try fixture.refusal(renamed).first?.advice)
    #expect(advice.contains("`boxjoint store duplicates "))
    #expect(advice.contains(" Pet.name` lists them"), "\(advice)")
    #expect(try fixture.dataFile() == before)
    try fixture.with(document) { (store) throws in
      _ = try store.write { try $0.put("Pet", ["name": "Tom"], id: 2) }
    }
    try fixture.with(unique) { (store) throws in
      #expect(throws: StoreError.self) { try store.write { try $0.put("Pet", ["name": "Tom"]) } }
      #expect(try store.verify().isEmpty)
    }
  }

  @Test(.promise(116)) func entityWithTheUIDOfAProperty() throws {
    try expectRefusal(
      OpeningRule.kindChanged,
      "Toy has the UID \(PeopleModel.weight) of a part of Pet"
    ) { model in
      try model.change("Pet") { $0.properties.removeLast() }
      try model.change("Pet") { $0.lastPropertyID = $0.properties.last?.pair }
      let pair = IDPair(id: 3, uid: PeopleModel.weight)
      var toy = Entity(pair: pair, name: "Toy")
      toy.properties = [
        Property(pair: IDPair(id: 1, uid: 9001), name: "id", type: .long, flags: .id)
      ]
      toy.lastPropertyID = toy.properties[0].pair
      model.entities.append(toy)
      model.lastEntityID = pair
    }
  }

  @Test func propertyWithTheUIDOfARelation() throws {
    try expectRefusal(
      OpeningRule.kindChanged,
      "Person.friendList is another kind of element than what is stored under its UID "
        + "\(PeopleModel.friends)"
    ) { model in
      try model.change("Person") { $0.relations = [] }
      model.lastRelationID = .unset
      try model.add("friendList", .string, uid: PeopleModel.friends, to: "Person")
    }
  }

  @Test func anotherIDProperty() throws {
    try expectRefusal(
      OpeningRule.idChanged, "the id of Pet is another property than that of the stored objects"
    ) { model in
      try model.change("Pet") { $0.properties.removeFirst() }
      try model.add("key", .long, uid: 5005, flags: .id, to: "Pet")
    }
  }

  @Test(.promise(120, 122)) func everyReasonIsListed() throws {
    let fixture = try StoreFixture()
    let document = try PeopleModel.document()
    try fixture.with(document) { try PeopleModel.fill($0) }
    let wrong = try document.changed { model in
      try model.change("Person", "age") { $0.type = .short }
      try model.change("Person", "favourite") { $0.relationTarget = "Person" }
      try model.change("Pet", "weight") { $0.type = .float }
    }
    let findings = try fixture.refusal(wrong)
    #expect(findings.map(\.rule.id) == ["BOX601", "BOX605", "BOX601"])
    let description = StoreError.incompatibleModel(findings).description
    for finding in findings {
      let advice = try #require(finding.advice)
      #expect(description.contains("\(finding.message); \(advice) [\(finding.rule.id)]"))
    }
  }

  // MARK: - New stores

  @Test func typeThatCannotBeStored() throws {
    let fixture = try StoreFixture()
    let unknown = try PeopleModel.document().changed {
      try $0.add("shape", PropertyType(rawValue: 15), uid: 6006, to: "Pet")
    }
    let findings = try fixture.refusal(unknown)
    #expect(findings.map(\.rule.id) == [OpeningRule.unknownType.id])
    #expect(findings.map(\.message) == ["Pet.shape is of type 15, which cannot be stored"])
    #expect(!fixture.directory.exists("store"))
  }

  /// Files of early generators have no types and no targets: one reason each, with the advice that the
  /// check of a file gives.
  @Test func whatEarlyFilesLackIsOneReason() throws {
    let fixture = try StoreFixture()
    let document = try PeopleModel.document()
    var types = 0
    let untyped = try document.changed { model in
      for entity in model.entities.indices {
        for property in model.entities[entity].properties.indices
        where !model.entities[entity].properties[property].flags.contains(.id) {
          model.entities[entity].properties[property].type = nil
          types += 1
        }
      }
    }
    let findings = try fixture.refusal(untyped)
    #expect(findings.map(\.rule.id) == [OpeningRule.unknownType.id])
    let finding = try #require(findings.first)
    #expect(finding.message.hasPrefix("\(types) properties (Person."), "\(finding.message)")
    #expect(finding.message.hasSuffix(", …) have no type, so values cannot be stored"))
    let check = untyped.check().first { $0.rule == ModelRule.typeMissing }
    #expect(finding.advice != nil)
    #expect(finding.advice == check?.advice)
    let one = try document.changed { try $0.change("Pet", "weight") { $0.type = nil } }
    #expect(
      try fixture.refusal(one).map(\.message)
        == ["Pet.weight has no type, so values cannot be stored"])
  }

  /// An empty target is a warning for the file, and no store takes it.
  @Test func relationWithoutATarget() throws {
    let fixture = try StoreFixture()
    let document = try PeopleModel.document()
    let text = String(decoding: document.bytes, as: UTF8.self)
    let parts = text.split(separator: "\"targetId\": \"", maxSplits: 1)
    let rest = try #require(
      parts.last.flatMap { rest in
        rest.firstIndex(of: "\"").map { rest[$0...] }
      })
    let untargeted = try ModelDocument(
      parsing: Array((parts[0] + "\"targetId\": \"" + rest).utf8))
    let findings = try fixture.refusal(untargeted)
    #expect(findings.map(\.rule.id) == [OpeningRule.targetUnset.id])
    #expect(
      findings.map(\.message) == ["Person.friends does not say which entity it refers to"])
    #expect(!fixture.directory.exists("store"))
    // Nor does one that knows the target, with objects or without.
    try fixture.with(document) { _ in }
    #expect(try fixture.refusal(untargeted).map(\.rule.id) == [OpeningRule.targetUnset.id])
    try fixture.with(document) { try PeopleModel.fill($0) }
    #expect(try fixture.refusal(untargeted).map(\.rule.id) == [OpeningRule.targetChanged.id])
  }

  @Test func typeThatCannotBeStoredInAKnownProperty() throws {
    let fixture = try StoreFixture()
    let document = try PeopleModel.document()
    try fixture.with(document) { _ in }
    let unknown = try document.changed {
      try $0.change("Pet", "weight") { $0.type = PropertyType(rawValue: 15) }
    }
    #expect(try fixture.refusal(unknown).map(\.rule.id) == [OpeningRule.unknownType.id])
  }

  @Test func moreThanEightThousandProperties() throws {
    let fixture = try StoreFixture()
    func document(_ count: Int) throws -> ModelDocument {
      let properties = (1..<count).map {
        TestModel.Property(name: "p\($0)", type: .bool)
      }
      return try TestModel(.init(name: "Wide", uid: 5, properties: [.id()] + properties))
        .document()
    }
    let findings = try fixture.refusal(try document(8001))
    #expect(findings.map(\.rule.id) == [OpeningRule.tooManyProperties.id])
    #expect(findings.map(\.message) == ["Wide has no slot left for p8000"])
    #expect(!fixture.directory.exists("store"))
    try fixture.with(try document(8000)) { (store) throws in
      _ = try store.write { try $0.put("Wide", ["p1": true, "p7999": false]) }
      #expect(try store.read { try $0.value("Wide", 1, "p7999") } == false)
      #expect(try store.read { try $0.value("Wide", 1, "p7998") } == .null)
    }
  }

  @Test func modelThatFailsTheCheck() throws {
    let fixture = try StoreFixture()
    let twice = try PeopleModel.document().changed {
      try $0.change("Pet", "weight") { $0.pair.uid = PeopleModel.age }
    }
    do throws(any Error) {
      _ = try fixture.open(twice)
      Issue.record("opened")
    } catch StoreError.invalidModel(let findings) {
      #expect(findings.contains { $0.rule.id == "BOX131" || $0.rule == ModelRule.duplicateUID })
      #expect(StoreError.invalidModel(findings).description.contains("does not pass the check"))
    }
    #expect(!fixture.directory.exists("store"))
  }

  @Test func uidsThatAreZeroFailTheCheck() throws {
    let fixture = try StoreFixture()
    let none = try PeopleModel.document().changed {
      try $0.change("Pet", "weight") { $0.pair.uid = 0 }
      try $0.change("Pet") { $0.lastPropertyID?.uid = 0 }
    }
    #expect(throws: StoreError.self) { try fixture.open(none) }
    #expect(!fixture.directory.exists("store"))
  }
}
