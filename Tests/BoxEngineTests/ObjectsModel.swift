import BoxModel
import BoxStorage
import TestSupport

@testable import BoxEngine

/// A model with every kind of index and relation, for tests of objects and transactions.
enum ObjectsModel {
  static func document() throws -> ModelDocument {
    try TestModel(
      .init(
        name: "Item", uid: 100,
        properties: [
          .id(), .init(name: "code", type: .string, flags: [.unique, .indexHash]),
          .init(name: "title", type: .string, flags: .indexed),
          .init(name: "label", type: .string, flags: .indexHash64),
          .init(name: "rank", type: .long, flags: .indexed),
          .init(name: "size", type: .long, flags: [.indexed, .unsigned]),
          .init(name: "price", type: .double, flags: .indexed),
          .init(name: "ratio", type: .float, flags: .indexed),
          .init(name: "tiny", type: .byte, flags: .indexed),
          .init(
            name: "box", type: .relation, flags: [.indexed, .indexPartialSkipZero], target: "Box"),
        ], relations: [.init("boxes", to: "Box"), .init("parts", to: "Item")]),
      .init(
        name: "Box", uid: 200,
        properties: [
          .id(), .init(name: "name", type: .string, flags: [.unique, .indexed]),
          .init(name: "place", type: .int, flags: [.indexed, .unique, .uniqueOnConflictReplace]),
          .init(
            name: "tag", type: .string,
            flags: [.indexHash, .unique, .uniqueOnConflictReplace]),
        ]),
      .init(
        name: "Guest", uid: 300,
        properties: [.id(.idSelfAssignable), .init(name: "name", type: .string)]),
      .init(name: "Plain", uid: 400, properties: [.id(), .init(name: "text", type: .string)])
    ).document()
  }

  /// A store of the model in memory.
  static func store() throws -> ObjectStore {
    try ObjectStore.open(.ownMemory(), model: document())
  }
}

extension ObjectStore {
  /// Puts one object of named values in a transaction of its own.
  @discardableResult
  func put(
    _ entity: String, _ values: KeyValuePairs<String, Value>, id: UInt64 = 0,
    mode: PutMode = .put
  ) throws -> UInt64 {
    try write { try $0.put(entity, values, id: id, mode: mode) }
  }

  /// The ids of all objects of an entity.
  func ids(_ entity: String) throws -> [UInt64] {
    try read { (transaction) throws in
      var ids: [UInt64] = []
      try transaction.visit(self.entity(named: entity)) { id, _ in
        ids.append(id)
        return .next
      }
      return ids
    }
  }

  /// The value of a property of an object.
  func value(_ entity: String, _ id: UInt64, _ property: String) throws -> Value? {
    try read { try $0.value(entity, id, property) }
  }
}

/// The error of the store that a call throws; nil if it throws none.
func storeError(_ body: () throws -> Void) throws -> StoreError? {
  do {
    try body()
    return nil
  } catch let error as StoreError {
    return error
  }
}
