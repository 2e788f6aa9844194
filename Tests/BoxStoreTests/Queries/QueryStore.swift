import BoxStore
import Synchronization
import TestSupport

/// Stores in memory for the tests of queries.
enum QueryStore {
  /// The stores that were opened: one that nobody keeps is closed.
  private static let stores = Mutex<[Store]>([])

  static func open(_ json: String) throws -> Store {
    try stores.withLock { stores in
      let store = try Store(
        model: StoreModel(json: json), directory: "memory:query-\(stores.count)")
      stores.append(store)
      return store
    }
  }

  /// A store of the entity types of ``SampleStore``.
  static func sample() throws -> Store { try open(StoreSample.text) }

  /// A store of people.
  static func people(_ people: Person...) throws -> Box<Person> {
    let box = try open(QuerySample.people()).box(for: Person.self)
    try box.put(people)
    return box
  }

  /// A store with people of the given ages, in the order of their ids.
  static func people(ages first: Int, _ others: Int...) throws -> Box<Person> {
    let box = try people()
    try box.put(([first] + others).map { Person("\($0)", age: $0) })
    return box
  }
}

extension Box where E == Person {
  /// The ages of the people that fulfil a condition, in the order of their ids.
  func ages(_ condition: QueryCondition<Person>) throws -> [Int] {
    try query { condition }.build().find().map(\.age)
  }
}
