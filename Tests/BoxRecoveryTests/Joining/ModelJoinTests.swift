import BoxModel
import TestSupport
import Testing

@testable import BoxRecovery

/// Files and code that are joined, and their conflicts.
struct ModelJoinTests {
  private let ant = TestModel.Entity(
    name: "Ant", uid: 1000,
    properties: [.id(), TestModel.Property(name: "legs", type: .int)])
  private let bee = TestModel.Entity(name: "Bee", uid: 2000, properties: [.id()])

  private func code(_ model: Model, _ shape: CodeWriter.Shape = .java) throws -> Evidence {
    let found = CodeScan.evidence(in: CodeWriter.files(whole(model), shape))
    try #require(found.count == 1 && found[0].problems.isEmpty)
    return found[0]
  }

  private func whole(_ model: Model) -> Model {
    var model = model
    model.lastIndexID = model.lastIndexID ?? .unset
    model.lastRelationID = model.lastRelationID ?? .unset
    return model
  }

  private func join(
    _ base: Model?, _ sources: [Evidence], stating facts: [String] = []
  ) -> ModelJoin {
    var join = ModelJoin(base: base, name: "model.json")
    join.add(sources, stating: facts.compactMap(StatedFact.init))
    return join
  }

  @Test func newElementsOfTheCodeAreAdded() throws {
    var more = ant
    more.properties.append(TestModel.Property(name: "name", type: .string, flags: .indexHash))
    let found = join(TestModel(ant).model, [try code(TestModel(more, bee).model)])
    #expect(found.conflicts.isEmpty)
    #expect(found.model.entities.map(\.name) == ["Ant", "Bee"])
    #expect(found.model.entities[0].properties.map(\.name) == ["id", "legs", "name"])
    #expect(found.model.lastEntityID == IDPair(id: 2, uid: 2000))
    #expect(found.model.lastIndexID?.id == 1)
    #expect(found.model.entities[0].lastPropertyID?.id == 3)
  }

  /// Its last ids are those of the file, so the property was removed.
  @Test func newerCodeRetiresWhatItLacks() throws {
    var model = TestModel(ant, bee).model
    let removed = model.entities[0].properties.removeLast()
    let found = join(TestModel(ant, bee).model, [try code(model)])
    #expect(found.conflicts.isEmpty)
    #expect(found.model.entities[0].properties.map(\.name) == ["id"])
    #expect(found.model.retiredPropertyUIDs == [removed.pair.uid])
    #expect(found.model.entities[0].lastPropertyID == removed.pair)
  }

  @Test func olderCodeRetiresNothing() throws {
    let found = join(TestModel(ant, bee).model, [try code(TestModel(ant).model)])
    #expect(found.model == TestModel(ant, bee).model)
    #expect(found.notes.contains { $0.contains("Bee is in model.json and not in the code") })
    #expect(found.changes.isEmpty && found.conflicts.isEmpty)
  }

  /// One of two copies of the code may be from an earlier build, which says nothing about the newest.
  @Test func aCopyOfAnEarlierBuildKeepsNothing() throws {
    var removed = TestModel(ant, bee).model
    let legs = removed.entities[0].properties.removeLast()
    let found = join(
      TestModel(ant, bee).model, [try code(removed), try code(TestModel(ant).model)])
    #expect(found.model.retiredPropertyUIDs == [legs.pair.uid])
  }

  /// An index that was removed raises no last id: only the list of the file says that the code is older.
  @Test func whatTheFileHasRetiredMakesTheCodeOlder() throws {
    var indexed = TestModel(ant, bee).model
    indexed.lastIndexID = IDPair(id: 1, uid: 7777)
    var file = indexed
    indexed.entities[0].properties[1].indexID = indexed.lastIndexID
    indexed.entities[0].properties[1].flags = .indexed
    file.retiredIndexUIDs = [7777]
    let found = join(file, [try code(indexed)])
    #expect(found.conflicts == [] && found.changes == [])
    #expect(found.model == file)
    #expect(found.notes.contains { $0.contains("the index of Ant.legs") })
  }

  /// The rest of the code may have the elements of its last pairs, so a part retires nothing.
  @Test func aPartOfTheCodeRetiresNothing() throws {
    var model = TestModel(ant, bee).model
    model.lastIndexID = IDPair(id: 1, uid: 7777)
    model.lastRelationID = IDPair(id: 1, uid: 8888)
    var part = try code(model)
    part.isComplete = false
    let found = join(TestModel(ant).model, [part])
    #expect(ElementKind.allCases.allSatisfy { (found.model[retired: $0] ?? []).isEmpty })
    #expect(found.model.lastIndexID == IDPair(id: 1, uid: 7777))
  }

  @Test func anotherUIDWithTheSameIDIsAConflict() throws {
    var other = bee
    other.uid = 3000
    let found = join(TestModel(ant, bee).model, [try code(TestModel(ant, other).model)])
    #expect(found.conflicts.count >= 1)
    let sentence = found.conflicts.first?.sentence ?? ""
    #expect(sentence.contains("2:2000 in model.json"))
    #expect(sentence.contains("2:3000 in gen/MyObjectBox.java:"))
  }

  @Test func anotherIDWithTheSameUIDIsAConflict() throws {
    var other = TestModel(ant, bee).model
    other.entities[1].pair.id = 5
    other.lastEntityID = other.entities[1].pair
    let found = join(TestModel(ant, bee).model, [try code(other)])
    #expect(found.conflicts.map(\.element) == ["Bee"])
  }

  @Test func whatTheFileRetiredStaysRetired() throws {
    var base = TestModel(ant, bee).model
    base.entities.removeLast()
    base.retiredEntityUIDs = [2000]
    let found = join(base, [try code(TestModel(ant, bee).model)])
    #expect(found.model.entities.map(\.name) == ["Ant"])
    #expect(found.notes.contains { $0.contains("retired in model.json") })
  }

  @Test func aStatedPairReplacesThePairOfTheCode() throws {
    var found = join(
      nil, [try code(TestModel(ant, bee).model)],
      stating: ["Bee=2:777777", "ant.LEGS=2:8888"])
    found.complete(as: .java)
    #expect(found.conflicts.isEmpty)
    #expect(found.model.entities[1].pair == IDPair(id: 2, uid: 777_777))
    #expect(found.model.lastEntityID == IDPair(id: 2, uid: 777_777))
    #expect(found.model.entities[0].properties[1].pair == IDPair(id: 2, uid: 8888))
    #expect(found.model.entities[0].lastPropertyID == IDPair(id: 2, uid: 8888))
  }

  @Test func aStatedPairThatAnotherElementHasIsAConflict() throws {
    let found = join(TestModel(ant, bee).model, [], stating: ["Bee=1:777777"])
    #expect(found.conflicts.first?.element == "Bee")
  }

  /// The file and the code disagree about Bee, and the error message of a database has the right pair.
  @Test(arguments: ["Bee=2:2000", "Bee=2:3000", "Bee=2:777777"])
  func aStatedPairEndsAConflict(_ fact: String) throws {
    var other = TestModel(ant, bee).model
    other.entities[1].pair.uid = 3000
    other.lastEntityID = other.entities[1].pair
    let (file, code) = (TestModel(ant, bee).model, try code(other))
    #expect(!join(file, [code]).conflicts.isEmpty)
    let found = join(file, [code], stating: [fact])
    #expect(found.conflicts == [])
    let pair = try #require(StatedFact(fact)).pair
    #expect(found.model.entities.map(\.pair) == [IDPair(id: 1, uid: 1000), pair])
    #expect(found.model.lastEntityID == pair)
    #expect(found.changes.contains { $0.hasPrefix("Bee is \(pair), as stated, and not 2:") })
  }

  @Test func factsHaveOneForm() {
    for text in [
      "", "Bee", "Bee=", "Bee=1", "Bee=0:5", "Bee=1:0", "=1:2", ".a=1:2", "A.=1:2", "A.b.c=1:2",
      "A=1:18446744073709551616", "A=01:2", "A= 1:2",
    ] {
      #expect(StatedFact(text) == nil, "\(text)")
    }
    #expect(StatedFact("A.b.index=1:9223372036854775807")?.isIndex == true)
  }

  @Test func aRelationWithoutANameIsNamedByAFact() throws {
    var from = bee
    from.relations = [TestModel.Relation("friends", 5000, to: "Bee")]
    let code = try code(TestModel(from).model, .c)
    #expect(join(nil, [code]).unnamedRelations.map(\.pair) == [IDPair(id: 1, uid: 5000)])
    let found = join(nil, [code], stating: ["Bee.pals=1:5000"])
    #expect(found.unnamedRelations.isEmpty)
    #expect(found.model.entities[0].relations?[0].name == "pals")
  }

  @Test func hiddenElementsAreRetired() {
    var found = join(TestModel(ant).model, [])
    found.addHidden([HiddenFact(ElementKey(.entity, 9000), label: "Old")], of: "store:data")
    #expect(found.model.retiredEntityUIDs == [9000])
  }

  /// An older copy of the code has what was removed later, with its UID; it does not come back.
  @Test func olderCodeNamesWhatWasRemoved() throws {
    var newer = TestModel(ant, bee).model
    let removed = newer.entities[0].properties.removeLast()
    newer.lastEntityID = IDPair(id: 3, uid: 3333)
    var older = try code(TestModel(ant, bee).model)
    older.source = "old/MyObjectBox.java"
    var found = join(nil, [try code(newer), older])
    found.complete(as: .java)
    #expect(found.conflicts.isEmpty)
    #expect(found.model.entities.map(\.properties.count) == [1, 1])
    #expect(found.model.retiredPropertyUIDs == [removed.pair.uid])
    #expect(found.model.retiredEntityUIDs == [3333])
    #expect(found.notes.contains { $0.hasPrefix("Ant.legs is in the older gen/MyObjectBox.java:") })
    #expect(!found.notes.contains { $0.contains("unknown") })
  }

  /// The code gave a last id to an element that it does not have any more.
  @Test func aRaisedLastPairIsRetired() throws {
    var newer = TestModel(ant, bee).model
    newer.lastEntityID = IDPair(id: 3, uid: 3333)
    let found = join(TestModel(ant, bee).model, [try code(newer)])
    #expect(found.model.lastEntityID == IDPair(id: 3, uid: 3333))
    #expect(found.model.retiredEntityUIDs == [3333])
  }

  /// The last pair of a counter names an element that was removed; other ids have no known UID.
  @Test func removedElementsOfCodeAreRetiredOrReported() throws {
    var model = TestModel(ant, bee).model
    model.entities[0].pair.id = 3
    model.lastEntityID = IDPair(id: 4, uid: 4444)
    var found = join(nil, [try code(model)])
    found.complete(as: .java)
    #expect(found.model.retiredEntityUIDs == [4444])
    #expect(found.notes.contains { $0.hasPrefix("entity 1: removed earlier") })
    #expect(!found.notes.contains { $0.contains("4444") })
    #expect(found.model.entities.map(\.pair.id) == [2, 3])
  }

  /// The largest code that is read: as many elements in one entity, in many, and as relations.
  @Test(.timeLimit(.minutes(15)), arguments: [1, 100, 3_900])
  func manyElementsAreJoined(_ entities: Int) throws {
    var model = Model()
    var uid: UID = 1_000_000_000
    func pair(_ id: Int) -> IDPair {
      uid += 1
      return IDPair(id: UInt32(id), uid: uid)
    }
    let perEntity = 18_000 / entities / 3
    for e in 1...entities {
      var entity = Entity(pair: pair(e), name: "E\(e)")
      entity.properties = [Property(pair: pair(1), name: "id", type: .long, flags: .id)]
      for p in 0..<perEntity {
        var property = Property(pair: pair(p + 2), name: "p\(p)", type: .long, flags: .indexed)
        property.indexID = pair(Int(model.lastIndexID?.id ?? 0) + 1)
        model.lastIndexID = property.indexID
        entity.properties.append(property)
        let relation = pair(Int(model.lastRelationID?.id ?? 0) + 1)
        model.lastRelationID = relation
        entity.relations?.append(Relation(pair: relation, name: "r\(p)", target: entity.pair))
      }
      entity.lastPropertyID = entity.properties.last?.pair
      model.entities.append(entity)
      model.lastEntityID = entity.pair
    }
    var few = model
    few.entities.removeLast(entities - 1)
    few.entities[0].properties.removeLast(perEntity)
    few.entities[0].relations = []

    let rebuilt = join(nil, [try code(model), try code(model)])
    #expect(rebuilt.conflicts.isEmpty && rebuilt.model.entities == model.entities)

    let retired = join(model, [try code(few)])
    #expect(retired.conflicts.isEmpty && retired.model.entities == few.entities)
    #expect(retired.model.retiredRelationUIDs?.count == entities * perEntity)
    #expect(retired.model.retiredIndexUIDs?.count == entities * perEntity)
    #expect(retired.model.retiredEntityUIDs?.count == entities - 1)
  }
}
