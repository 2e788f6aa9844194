import BoxEngine
import BoxModel
import TestSupport
import Testing

@testable import BoxStore

/// Rules about removals that bindings give to a store.
struct StoreRulesTests {
  private static let model = TestModel(
    .init(
      name: "Line", uid: 300,
      properties: [.init("id", 301, .long, .id), .init("order", 302, .relation, target: "Order")]),
    .init(
      name: "Order", uid: 400, properties: [.init("id", 402, .long, .id)],
      relations: [.init("tags", 404, to: "Order")]),
    .init(name: "Note", uid: 500, properties: [.init("id", 501, .long, .id)]))
  private static let rules = Declarations(relations: [
    RelationDeclaration(relation: 302, name: "Line.order", targetRemoved: .cascade),
    RelationDeclaration(relation: 404, name: "Order.tags", sourceRemoved: .nullify),
  ])

  private static func text(_ declarations: Declarations) -> String {
    String(decoding: declarations.text, as: UTF8.self)
  }

  private static func store(_ model: StoreModel, _ directory: TemporaryDirectory) throws
    -> Declarations
  {
    let store = try Store(model: model, directory: directory.path(of: "store"))
    defer { store.close() }
    return store.core.engine.declarations
  }

  @Test func aModelGivesItsRulesToTheStore() throws {
    let directory = try TemporaryDirectory()
    let json = try Self.model.text
    let first = StoreModel(json: json, constants: [:], rules: Self.text(Self.rules))
    #expect(try Self.store(first, directory) == Self.rules)
    // Bindings from before there were rules leave them.
    #expect(try Self.store(StoreModel(json: json), directory) == Self.rules)
    #expect(try Self.store(StoreModel(json: json, constants: [:]), directory) == Self.rules)
    let none = StoreModel(json: json, constants: [:], rules: Self.text(Declarations()))
    #expect(try Self.store(none, directory).isEmpty)
  }

  @Test func aSubsetHasTheRulesOfItsRelations() throws {
    let directory = try TemporaryDirectory()
    let model = StoreModel(json: try Self.model.text, constants: [:], rules: Self.text(Self.rules))
    let orders = try model.subset(entities: ["Order"])
    #expect(try Self.store(orders, directory).relations == [Self.rules.relations[1]])
    #expect(try model.subset(entities: ["Note"]).declarations() == Declarations())
    let silent = StoreModel(json: try Self.model.text)
    #expect(try silent.subset(entities: ["Note"]).declarations() == nil)
  }

  @Test func rulesThatCannotBeReadAreNamed() throws {
    let model = StoreModel(
      json: try Self.model.text, constants: [:], rules: "{\"rules\":1,\"declarations\":[\n7]}")
    let error = #expect(throws: ObjectBoxError.self) {
      try Store(model: model, directory: "memory:rules")
    }
    #expect(
      error?.message == "the rules of the model cannot be read: line 2: a declaration is an object")
  }
}
