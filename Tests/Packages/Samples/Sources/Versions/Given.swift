import BoxMigration
import BoxStore
import BoxStoreMigration

// What the samples of CoreStore's document about versions of a model take as given: each version has one
// entity more than the one before.

final class Person: Entity {
  var id: Id = 0
  var name = ""
  var isVeryOldAccount = false

  init() {}
  init(_ name: String, isVeryOldAccount: Bool = false) {
    self.name = name
    self.isVeryOldAccount = isVeryOldAccount
  }
}

final class Dog: Entity {
  var id: Id = 0
}

final class Animal: Entity {
  var id: Id = 0
}

final class Cage: Entity {
  var id: Id = 0
}

final class Ticket: Entity {
  var id: Id = 0
}

/// The model of a version, from 1 to 5.
func model(_ version: Int) throws -> StoreModel {
  let entities = ["Person", "Dog", "Animal", "Cage", "Ticket"]
  return try .versions.subset(entities: Array(entities.prefix(version)))
}

/// The directory of a store that an earlier version of the app has written.
func directory(ofVersion version: Int, people: [Person] = [Person("John")]) throws -> String {
  let path = temporaryDirectory() + "/MyStore"
  let store = try Store(model: model(version), directory: path)
  try store.box(for: Person.self).put(people)
  store.close()
  return path
}

/// The names of the people in a store.
func names(_ store: Store) throws -> [String] { try store.box(for: Person.self).all().map(\.name) }

/// The steps that a store needs, as in the document.
func paths(_ directory: String, _ history: ModelHistory) throws -> [String] {
  try Store.pendingMigrations(directory: directory, history: history).map { "\($0.from)-\($0.to)" }
}
