import BoxModel
import BoxReport
import TestSupport
import Testing

@testable import BoxEngine

/// The warnings when a store opens nevertheless.
struct OpeningWarningsTests {
  private func warnings(_ change: (inout Model) throws -> Void) throws -> [Finding] {
    let fixture = try StoreFixture()
    let document = try PeopleModel.document()
    try fixture.with(document) { try PeopleModel.fill($0) }
    return try fixture.with(try document.changed(change)) { $0.warnings }
  }

  @Test func hiddenPropertyThatIsNotRetired() throws {
    let found = try warnings { model in
      try model.change("Person") { entity in entity.properties.removeAll { $0.name == "age" } }
    }
    #expect(found.map(\.rule.id) == [OpeningRule.hiddenNotRetired.id])
    #expect(
      found.first?.message
        == "Person.age (\(PeopleModel.age)) is stored, but neither in the model nor retired; "
        + "its data is hidden")
    #expect(
      found.first?.advice == "restore it in the model file, or add the UID to retiredPropertyUids")
  }

  @Test func hiddenRelationThatIsNotRetired() throws {
    let found = try warnings { model in
      try model.change("Person") { $0.relations = [] }
      model.lastRelationID = .unset
    }
    #expect(found.map(\.rule.id) == [OpeningRule.hiddenNotRetired.id])
    #expect(found.first?.message.hasPrefix("Person.friends (100900) is stored") == true)
  }

  @Test func hiddenEntityThatIsNotRetired() throws {
    let found = try warnings { model in
      model.entities.removeLast()
      model.lastEntityID = model.entities[0].pair
      try model.change("Person") { entity in
        entity.properties.removeAll { $0.name == "favourite" }
      }
      model.retiredPropertyUIDs = [PeopleModel.favourite]
      model.retiredIndexUIDs = [PeopleModel.favourite + 1]
    }
    #expect(found.map(\.rule.id) == [OpeningRule.hiddenNotRetired.id])
    #expect(found.first?.message.hasPrefix("Pet (200) is stored") == true)
  }

  @Test func retiredElementsAreHiddenQuietly() throws {
    let found = try warnings { model in
      try model.change("Person") { entity in entity.properties.removeAll { $0.name == "age" } }
      model.retiredPropertyUIDs = [PeopleModel.age]
      model.retiredIndexUIDs = [PeopleModel.age + 1]
    }
    #expect(found.isEmpty)
  }

  /// A warning stands for a change: it is not repeated at every opening.
  @Test func hidingIsReportedOnce() throws {
    let fixture = try StoreFixture()
    let document = try PeopleModel.document()
    try fixture.with(document) { try PeopleModel.fill($0) }
    let less = try document.changed { model in
      try model.change("Person") { entity in entity.properties.removeAll { $0.name == "age" } }
    }
    try fixture.with(less) { #expect($0.warnings.count == 1) }
    try fixture.with(less) { #expect($0.warnings.isEmpty) }
  }

  @Test(arguments: [PropertyType.floatVector, .byteVector])
  func indexesOfVectorsAreNotBuilt(_ type: PropertyType) throws {
    let found = try warnings { model in
      try model.add("place", type, uid: 8008, to: "Pet")
      try model.addIndex(.indexed, uid: 8009, to: "place", of: "Pet")
    }
    #expect(found.map(\.rule.id) == [OpeningRule.vectorIndex.id])
    #expect(found.first?.message.hasPrefix("the index of Pet.place") == true)
  }
}
