import BoxStore
import TestSupport
import Testing

struct ModelBuilderTests {
  private func setting(_ builder: ModelBuilder) throws {
    let entity = try builder.entityBuilder(for: Setting.self, id: 9, uid: 9)
    try entity.addProperty(
      name: "id", type: .long, flags: [.id, .idSelfAssignable], id: 1, uid: 10)
    try entity.addProperty(
      name: "key", type: .string, flags: [.unique, .indexHash], id: 2, uid: 11, indexId: 1,
      indexUid: 12
    ).externalName("key")
    try entity.addProperty(name: "count", type: .int, id: 3, uid: 13)
    try entity.lastProperty(id: 3, uid: 13)
    builder.lastEntity(id: 9, uid: 9)
    builder.lastIndex(id: 1, uid: 12)
  }

  @Test func aModelThatWasBuiltInCodeOpensAStore() throws {
    let builder = try ModelBuilder()
    try setting(builder)
    let directory = try TemporaryDirectory()
    let handle = builder.finish()
    let store = try Store(model: handle, directory: directory.path(of: "store"))
    try store.box().put(Setting("a", 5))
    #expect(try store.box(for: Setting.self).all().map(\.count) == [5])
    // A handle is used once.
    let error = #expect(throws: ObjectBoxError.self) {
      try Store(model: handle, directory: directory.path(of: "other"))
    }
    #expect(error.map(caseName) == "illegalArgument")
  }

  @Test func relationsAreBuiltWithTheirTargets() throws {
    let builder = try ModelBuilder()
    let customer = try builder.entityBuilder(for: Customer.self, id: 1, uid: 1)
    try customer.addProperty(name: "id", type: .long, flags: .id, id: 1, uid: 2)
    try customer.addProperty(name: "name", type: .string, id: 2, uid: 3)
    try customer.addToManyRelation(id: 1, uid: 20, targetId: 1, targetUid: 1)
    let order = try builder.entityBuilder(for: Order.self, id: 2, uid: 4)
    try order.addProperty(name: "id", type: .long, flags: .id, id: 1, uid: 5)
    try order.addProperty(name: "summary", type: .string, id: 2, uid: 6)
    try order.addToOneRelation(
      name: "customerId", targetEntityInfo: ToOne<Customer>.Target.entityInfo,
      flags: [.indexed, .indexPartialSkipZero], id: 3, uid: 7, indexId: 1, indexUid: 8)
    let store = try Store(model: builder.finish(), directory: "memory:built")
    let buyer = Customer("A")
    try store.box().put([Order("1", of: buyer), Order("2", of: buyer)])
    #expect(try store.box(for: Customer.self).get(buyer.id)?.orders.count == 2)
  }

  @Test func aModelThatIsNotValidIsRefused() throws {
    let builder = try ModelBuilder()
    try setting(builder)
    try setting(builder)
    let error = #expect(throws: ObjectBoxError.self) {
      try Store(model: builder.finish(), directory: "memory:invalid")
    }
    #expect(error.map(caseName) == "schema")
  }

  @Test(.promise(89, 373)) func aBindingOfAnotherVersionIsRefused() throws {
    let builder = try ModelBuilder()
    let error = #expect(throws: ObjectBoxError.self) {
      try builder.entityBuilder(for: Future.self, id: 1, uid: 1)
    }
    #expect(error.map(caseName) == "schema")
    #expect(error?.message.contains("version 3") == true)
  }

  @Test(.promise(89)) func aBindingOfAnotherVersionTrapsWhereItsBoxIsAskedFor() async {
    await #expect(processExitsWith: .failure) {
      let store = try SampleStore.inMemory()
      _ = store.box(for: Future.self)
    }
  }

  @Test func versionsAreNamed() {
    #expect(Store.version.split(separator: ".").count == 3)
    #expect(Store.versionLib.split(separator: ".").count == 3)
    #expect(Store.versionAll.contains(Store.version))
    #expect(Store.versionFullInfo.contains("format \(Store.versionCore)"))
  }
}

/// An entity whose binding was made for a later library.
final class Future: Entity {
  var id: Id = 0
  init() {}
}

extension Future: EntityInspectable, __EntityRelatable {
  typealias EntityType = Future
  typealias EntityBindingType = FutureBinding
  static let entityInfo = EntityInfo(name: "Customer", id: 1)
  static let entityBinding = FutureBinding()
  // swift-format-ignore: NoLeadingUnderscores
  var _id: EntityId<Future> { EntityId(id) }
}

final class FutureBinding: EntityBinding {
  typealias EntityType = Future
  typealias IdType = Id

  init() {}
  func generatorBindingVersion() -> Int { 3 }
  func entityId(of entity: Future) -> Id { entity.id }
  func collect(
    fromEntity entity: Future, id: Id, propertyCollector: FlatBufferBuilder, store: Store
  ) throws {}
  func createEntity(entityReader: FlatBufferReader, store: Store) -> Future { Future() }
}
