import BoxEngine
import BoxModel

/// A removal that a delete rule makes one of many objects, in a process that is killed meanwhile.
struct RuledRemoval {
  private let place: Place

  init(_ place: Place) { self.place = place }

  /// Puts a counter with so many entries, and removes it.
  func run(entries count: Int) throws {
    let store = try open()
    let entry = try store.entity(named: "Entry")
    try store.write { transaction in
      try transaction.put(DynamicObject(try store.entity(named: "Counter"), id: 1))
      for number in 0..<count {
        var object = DynamicObject(entry)
        object["number"] = .integer(Int64(number))
        object["text"] = .string("entry \(number)")
        object["counter"] = .unsigned(1)
        try transaction.put(object)
      }
    }
    emit("filled")
    try store.write { _ = try $0.remove(store.entity(named: "Counter"), 1) }
    emit("done")
  }

  /// Opens the store with a rule that removes the entries of a counter with it.
  private func open() throws -> ObjectStore {
    let plain = try place.open()
    defer { plain.close() }
    guard let counter = try plain.entity(named: "Entry").property(named: "counter") else {
      throw LedgerError("the model lacks a property")
    }
    var options = StoreOptions()
    options.declarations = Declarations(relations: [
      RelationDeclaration(relation: counter.uid, name: "Entry.counter", targetRemoved: .cascade)
    ])
    plain.close()
    return try place.open(options: options)
  }
}
