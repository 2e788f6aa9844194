import BoxEngine
import BoxModel
import BoxStorage
import TestSupport
import Testing

@testable import BoxMigration

/// The step that a mapping is for, by its from and to.
struct MappingRouteTests {
  private static func people(_ name: String, _ uid: UID, retired: [UID] = []) throws
    -> ModelDocument
  {
    try TestModel(
      .init(name: "Person", uid: 100, fields: [.init(name, uid, .string)]),
      retired: [.property: retired]
    ).document()
  }

  /// The name moves to another property, and from there to a third.
  private static func version(_ number: Int) throws -> ModelDocument {
    switch number {
    case 1: try people("name", 110)
    case 2: try people("fullName", 111, retired: [110])
    default: try people("label", 112, retired: [110, 111])
    }
  }

  private static func store(version: Int) throws -> MigrationStore {
    let name = version == 1 ? "name" : "fullName"
    return try MigrationStore(Self.version(version)) { store, transaction in
      for number in 1...3 {
        var object = DynamicObject(try store.entity(named: "Person"))
        object[name] = .string("p\(number)")
        try transaction.put(object)
      }
    }
  }

  private static func mapping(
    _ from: String?, _ to: String?, _ source: String = "name", _ target: String = "fullName"
  ) -> ModelMapping {
    var rule = ObjectRule()
    rule.properties = [(target, nil, PropertyRule(from: source))]
    return ModelMapping(from: from, to: to, [EntityMigration("Person", .transform([rule]))])
  }

  private func names(_ store: MigrationStore, _ property: String) throws -> [Value?] {
    let people = try store.content().objects["Person"] ?? [:]
    return people.keys.sorted().map { people[$0]?[property] }
  }

  private static let starts: [(String?, String?)] = [
    (nil, nil), ("m1", "V2"), ("the store", "V2"), (nil, "V2"), ("the store", nil),
  ]

  @Test(arguments: starts)
  func theStartMayHaveAnyName(_ from: String?, _ to: String?) throws {
    let store = try Self.store(version: 1)
    let run = try store.run(to: Self.version(2), mappings: [Self.mapping(from, to)])
    #expect(try run.pending().map(\.isMapped) == [true])
    try run.carryOut()
    #expect(try names(store, "fullName") == ["p1", "p2", "p3"])
    // It is behind the store now.
    #expect(try run.pending().isEmpty)
    try run.carryOut()
    #expect(try names(store, "fullName") == ["p1", "p2", "p3"])
  }

  /// The source of a rule is found by every name, as it is and in backquotes.
  @Test func sourcesHaveAnyName() throws {
    var random = TestSeed.next()
    for name in random.shuffled(HostileName.all).prefix(12) {
      let model = TestModel(.init(name: "Person", uid: 100, fields: [.init(name, 110, .string)]))
      for text in [name, NamePath.quoted(name)] {
        let store = try MigrationStore(model.document()) { store, transaction in
          var object = DynamicObject(try store.entity(named: "Person"))
          object[name] = "p1"
          try transaction.put(object)
        }
        let run = try store.run(to: Self.version(2), mappings: [Self.mapping(nil, nil, text)])
        try run.carryOut()
        #expect(try names(store, "fullName") == ["p1"], "\(text.debugDescription)")
      }
    }
  }

  private static let nowhere: [(String?, String?)] = [
    ("m1", "m2"), ("V2", "V4"), ("V3", "V2"), ("V2", "V2"), ("m1", "V3"), ("m1", nil),
    (nil, "m2"), ("the store", "V3"), ("V3", nil),
  ]

  @Test(arguments: nowhere)
  func aMappingForNoStepIsAnError(_ from: String?, _ to: String?) throws {
    let store = try Self.store(version: 1)
    let before = try store.directory.bytes(of: "store/data.mdb")
    let run = try store.run(
      to: Self.version(2), Self.version(3), mappings: [Self.mapping(from, to)])
    #expect {
      try run.carryOut()
    } throws: { error in
      guard case MigrationError.unusedMapping(let name, let versions) = error else { return false }
      return versions == ["the store", "V2", "V3"]
        && [from, to].compactMap { $0 }.allSatisfy { name.contains($0) }
    }
    #expect(try store.directory.bytes(of: "store/data.mdb") == before)
  }

  @Test func stepsBeforeTheStoreNeedNoMapping() throws {
    let store = try Self.store(version: 2)
    let run = try store.run(
      to: Self.version(2), Self.version(3),
      mappings: [
        Self.mapping("m1", "V2"), Self.mapping("V2", "V3", "fullName", "label"),
      ])
    #expect(try run.pending().map(\.description) == ["V2 -> V3 (heavy, by a mapping)"])
    try run.carryOut()
    #expect(try names(store, "label") == ["p1", "p2", "p3"])
  }

  /// Of a tree of versions, the branches that a store does not take are not a mistake.
  @Test(.promise(283)) func otherBranchesOfTheChainMayHaveMappings() throws {
    let store = try Self.store(version: 2)
    let route = try MigrationRoute(
      (1...3).map { MigrationVersion("V\($0)", try Self.version($0)) },
      chain: ["V1": "V3", "V2": "V3"])
    let mappings = [
      Self.mapping("V1", "V3", "name", "label"), Self.mapping("V2", "V3", "fullName", "label"),
    ]
    try MigrationRun(store.path, route, mappings: mappings).carryOut()
    #expect(try names(store, "label") == ["p1", "p2", "p3"])
    #expect(throws: MigrationError.self) {
      try MigrationRun(store.path, route, mappings: [Self.mapping("V1", "V2")]).pending()
    }
  }

  @Test func aMappingThatFitsSeveralStepsIsAnError() throws {
    let store = try Self.store(version: 1)
    let run = try store.run(
      to: Self.version(2), Self.version(3), mappings: [Self.mapping(nil, nil)])
    #expect {
      try run.pending()
    } throws: { error in
      guard case MigrationError.unclearMapping(let steps) = error else { return false }
      return steps == ["the step from the store to V2", "the step from V2 to V3"]
    }
  }

  @Test(.promise(280, 281, 405)) func pendingMigrationsTellsTheStep() throws {
    let store = try Self.store(version: 1)
    let before = try store.directory.bytes(of: "store/data.mdb")
    #expect(try pendingMigrations(store: store.path, model: Self.version(1)).isEmpty)
    let light = try pendingMigrations(store: store.path, model: Self.version(2))
    try #require(light.map(\.kind) == [.light])
    #expect(light[0].from == MigrationRoute.storedName)
    let heavy = try pendingMigrations(
      store: store.path, model: Self.version(2), mappings: [Self.mapping(nil, nil)])
    try #require(heavy.map(\.kind) == [.heavy])
    #expect(heavy[0].isMapped)
    let number = try TestModel(
      .init(name: "Person", uid: 100, fields: [.init("name", 110, .long)])
    ).document()
    #expect {
      try pendingMigrations(store: store.path, model: number)
    } throws: { error in
      guard case MigrationError.noMapping = error else { return false }
      return true
    }
    #expect(throws: StoreError.self) {
      try pendingMigrations(store: store.directory.path(of: "none"), model: number)
    }
    #expect(try store.directory.bytes(of: "store/data.mdb") == before)
    #expect(!store.directory.exists("none"))
  }
}
