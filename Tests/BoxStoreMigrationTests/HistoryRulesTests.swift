import BoxEngine
import BoxMigration
import BoxModel
import BoxStorage
import BoxStore
import BoxStoreMigration
import TestSupport
import Testing

/// Rules about removals in a history of models.
struct HistoryRulesTests {
  private static func json(_ textType: BoxModel.PropertyType) throws -> String {
    try TestModel(
      .init(
        name: "Line", uid: 300,
        properties: [
          .init("id", 301, .long, .id), .init("order", 302, .relation, target: "Order"),
          .init("count", 303, textType),
        ]),
      .init(name: "Order", uid: 400, properties: [.init("id", 402, .long, .id)])
    ).text
  }

  private static let rules = Declarations(relations: [
    RelationDeclaration(relation: 302, name: "Line.order", targetRemoved: .cascade)
  ])

  @Test func theCurrentVersionGivesItsRules() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path(of: "store")
    let text = String(decoding: Self.rules.text, as: UTF8.self)
    let first = StoreModel(json: try Self.json(.int))
    let ruled = StoreModel(json: try Self.json(.int), constants: [:], rules: text)
    // A heavy step.
    let wide = StoreModel(json: try Self.json(.long))
    try Store(model: first, directory: path).close()
    func open(_ history: ModelHistory) throws -> Declarations {
      try Store.open(directory: path, history: history).close()
      let store = try ObjectStore.open(.directory(path))
      defer { store.close() }
      return store.declarations
    }
    #expect(try open(ModelHistory(["1": ruled])) == Self.rules)
    #expect(try ModelHistory(["1": ruled]).current.declarations == Self.rules)
    // The step keeps what its version does not declare.
    #expect(try open(ModelHistory(["1": ruled, "2": wide])) == Self.rules)
  }
}
