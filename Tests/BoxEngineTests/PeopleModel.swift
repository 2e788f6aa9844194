import BoxModel
import TestSupport

@testable import BoxEngine

/// A small model and a few objects that most tests of openings start from.
enum PeopleModel {
  static let person: UID = 100
  static let pet: UID = 200
  static let name = TestModel.uid(person, property: 1)
  static let age = TestModel.uid(person, property: 2)
  static let favourite = TestModel.uid(person, property: 3)
  static let weight = TestModel.uid(pet, property: 2)
  /// The relation `friends`.
  static let friends: UID = 100_900

  static func document() throws -> ModelDocument {
    try TestModel(
      .init(
        name: "Person", uid: person,
        properties: [
          .id(), .init(name: "name", type: .string, flags: .indexHash),
          .init(name: "age", type: .int, flags: .indexed),
          .init(
            name: "favourite", type: .relation, flags: [.indexed, .indexPartialSkipZero],
            target: "Pet"),
        ], relations: [.init("friends", to: "Person")]),
      .init(
        name: "Pet", uid: pet,
        properties: [
          .id(), .init(name: "name", type: .string), .init(name: "weight", type: .double),
        ])
    ).document()
  }

  /// Person 1 is Ada, 36, with pet 1 as favourite and person 2 as friend; person 2 is Bo, 7.
  static func fill(_ store: ObjectStore) throws {
    try store.write { (transaction) throws in
      try transaction.put("Pet", ["name": "Rex", "weight": 4.5])
      try transaction.put("Person", ["name": "Ada", "age": 36, "favourite": .unsigned(1)])
      try transaction.put("Person", ["name": "Bo", "age": 7, "favourite": .unsigned(0)])
      let person = try store.entity(named: "Person")
      let friends = try person.relation(named: "friends").orFail("no relation")
      try transaction.link(friends, 1, 2)
    }
  }
}

extension Optional {
  func orFail(_ message: String) throws -> Wrapped {
    guard let self else { throw TestFailure(message) }
    return self
  }
}
