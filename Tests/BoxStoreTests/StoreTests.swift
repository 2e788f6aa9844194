import BoxStore
import TestSupport
import Testing

struct StoreTests {
  @Test(.promise(26, 35, 148, 149)) func aStoreInADirectoryKeepsItsObjects() throws {
    let directory = try TemporaryDirectory()
    do {
      let store = try SampleStore.open(directory)
      try store.box().put(Setting("a", 1))
      #expect(try Store.isOpen(directory: directory.path(of: "store")))
    }
    #expect(try !Store.isOpen(directory: directory.path(of: "store")))
    let store = try SampleStore.open(directory)
    #expect(try store.box(for: Setting.self).all().map(\.key) == ["a"])
  }

  /// The tenth behaviour: one path.
  @Test(.promise(78, 363, 397)) func aPathIsOpenedOnceAndAttachedTo() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path(of: "store")
    let first = try SampleStore.open(directory)
    let error = #expect(throws: ObjectBoxError.self) { try SampleStore.open(directory) }
    #expect(error.map(caseName) == "illegalState")
    #expect(error?.message.contains("attachTo") == true)
    let second = try Store.attachTo(directory: path)
    let third = try second.clone()
    first.close()
    first.close()
    #expect(thrownCase { _ = try first.clone() } == "illegalState")
    #expect(thrownCase { try first.runInTransaction {} } == "illegalState")
    try third.box().put(Setting("a"))
    second.close()
    #expect(try third.box(for: Setting.self).count() == 1)
    third.close()
    #expect(thrownCase { _ = try Store.attachTo(directory: path) } == "cannotAttachToStore")
    #expect(try SampleStore.open(directory).box(for: Setting.self).count() == 1)
  }

  @Test(.promise(374)) func aForgottenHandleFreesThePath() throws {
    let directory = try TemporaryDirectory()
    for _ in 0..<3 { try SampleStore.open(directory).box().put(Setting(nil)) }
    #expect(try SampleStore.open(directory).box(for: Setting.self).count() == 3)
  }

  /// The tenth behaviour: closing.
  @Test(.promise(84, 363, 374)) func boxesAndLoadedObjectsOutliveTheirStore() throws {
    let directory = try TemporaryDirectory()
    let store = try SampleStore.open(directory)
    let customer = Customer("A")
    try store.box().put([Order("1", of: customer), Order("2", of: customer)])
    let orders = store.box(for: Order.self)
    let known = try #require(try orders.get(Id(1)))
    #expect(known.customer.target?.name == "A")
    let unknown = try #require(try orders.get(Id(2)))
    let read = try #require(try store.box(for: Customer.self).get(customer.id))
    store.close()
    #expect(thrownCase { _ = try orders.all() } == "illegalState")
    #expect(thrownCase { try orders.put(Order("3")) } == "illegalState")
    #expect(known.customer.target?.name == "A")
    #expect(unknown.customer.target == nil)
    #expect(unknown.customer.hasValue)
    #expect(thrownCase { _ = try unknown.customer.resolve() } == "illegalState")
    #expect(read.orders.isEmpty)
    #expect(thrownCase { try read.orders.resolveFromDb() } == "illegalState")
    read.orders.append(Order("4"))
    #expect(thrownCase { try read.orders.applyToDb() } == "illegalState")
  }

  @Test(.promise(150)) func oneBoxForEachType() throws {
    let store = try SampleStore.inMemory()
    #expect(store.box(for: Setting.self) === store.box(for: Setting.self))
    let box: Box<Setting> = store.box()
    #expect(box.store === store)
    final class Counter {}
    let counter = store.lazyAttachedObject(key: "counter") { Counter() }
    #expect(store.lazyAttachedObject(key: "counter") { Counter() } === counter)
  }

  @Test(.promise(263, 374, 397)) func closingAndDeletingRemovesTheFiles() throws {
    let directory = try TemporaryDirectory()
    let store = try SampleStore.open(directory)
    let clone = try store.clone()
    try store.box().put(Setting("a"))
    try store.closeAndDeleteAllFiles()
    #expect(directory.names(in: directory.path).isEmpty)
    #expect(thrownCase { try clone.runInTransaction {} } == "illegalState")
    try store.closeAndDeleteAllFiles()
    #expect(try SampleStore.open(directory).box(for: Setting.self).isEmpty())
  }

  @Test(.promise(88)) func aReadOnlyStoreIsReadAndRefusesToWrite() throws {
    let directory = try TemporaryDirectory()
    #expect(thrownCase { _ = try SampleStore.open(directory, readOnly: true) } == "fileCorrupt")
    try SampleStore.open(directory).box().put(Setting("a"))
    let store = try SampleStore.open(directory, readOnly: true)
    #expect(try store.box(for: Setting.self).count() == 1)
    #expect(thrownCase { try store.box().put(Setting("b")) } == "cannotWriteWhileReading")
    #expect(thrownCase { try store.runInTransaction {} } == "cannotWriteWhileReading")
  }

  @Test(arguments: ["a\0b", "memory:a\0b", "\0"]) func aPathWithANULIsRefused(path: String) {
    #expect(
      thrownCase { _ = try Store(model: SampleStore.model, directory: path) } == "illegalArgument")
  }

  @Test(.promise(105)) func directoriesThatAreNotStoresAreRefused() throws {
    let directory = try TemporaryDirectory()
    try directory.write([1, 2, 3], to: "store")
    #expect(thrownCase { _ = try SampleStore.open(directory) } == "storageGeneral")
    // Below a file, and a name that no file system takes: neither root nor anybody else can make it.
    for place in ["store/below", String(repeating: "x", count: 300)] {
      #expect(
        thrownCase { _ = try Store(model: SampleStore.model, directory: directory.path(of: place)) }
          == "storageGeneral")
    }
    #expect(
      thrownCase { _ = try Store(model: StoreModel(json: "{"), directory: directory.path) }
        == "schema"
    )
    #expect(directory.names(in: directory.path) == ["store"])
  }

  @Test(.promise(105)) func theLimitOfTheSizeIsAnErrorAndNotALoss() throws {
    let directory = try TemporaryDirectory()
    let store = try Store(
      model: SampleStore.model, directory: directory.path(of: "store"), maxDbSizeInKByte: 1)
    let box = store.box(for: Setting.self)
    let long = String(repeating: "x", count: 100_000)
    try box.put(Setting("first"))
    #expect(
      thrownCase { for number in 0..<100 { try box.put(Setting("\(number)\(long)")) } } == "dbFull")
    let count = try box.count()
    #expect(count >= 1 && count < 20)
    #expect(try box.get(Id(1))?.key == "first")
    try box.removeAll()
    #expect(try box.isEmpty())
  }

  @Test(.promise(296, 373)) func anEntityThatTheModelLacksTraps() async {
    await #expect(processExitsWith: .failure) {
      let store = try Store(
        model: StoreModel(json: ImportSample.model), directory: "memory:lacking")
      _ = store.box(for: Customer.self)
    }
  }

  @Test(.promise(66)) func aConverterMustNotUseTheStore() throws {
    let store = try SampleStore.inMemory()
    let box = store.box(for: Spy.self)
    let id = try box.put(Spy())
    defer { Spy.work.value = nil }
    let uses: [(Store) throws -> Void] = [
      { store in _ = try store.box(for: Setting.self).count() },
      { store in _ = try store.box(for: Setting.self).put(Setting("a")) },
      { store in try store.runInTransaction { () throws -> Void in } },
      { store in try store.runInReadOnlyTransaction { () throws -> Void in } },
    ]
    for use in uses {
      Spy.work.value = use
      Spy.errors.value = []
      try box.put(Spy())
      _ = try box.get(id)
      #expect(Spy.errors.value == ["illegalState", "illegalState"])
    }
    Spy.work.value = nil
    #expect(try store.box(for: Setting.self).isEmpty())
  }
}

/// An entity whose binding does something with the store while it writes and reads.
final class Spy: Entity {
  var id: Id = 0

  /// A variable that only one test uses.
  final class Shared<Value>: @unchecked Sendable {
    var value: Value
    init(_ value: Value) { self.value = value }
  }

  static let work = Shared<((Store) throws -> Void)?>(nil)
  static let errors = Shared<[String]>([])

  static func use(_ store: Store) {
    guard let work = work.value else { return }
    errors.value.append(thrownCase { try work(store) } ?? "none")
  }
}

extension Spy: EntityInspectable, __EntityRelatable {
  typealias EntityType = Spy
  typealias EntityBindingType = SpyBinding
  static let entityInfo = EntityInfo(name: "Order", id: 2)
  static let entityBinding = SpyBinding()
  // swift-format-ignore: NoLeadingUnderscores
  var _id: EntityId<Spy> { EntityId(id) }
}

final class SpyBinding: EntityBinding {
  typealias EntityType = Spy
  typealias IdType = Id

  init() {}
  func generatorBindingVersion() -> Int { 2 }
  func entityId(of entity: Spy) -> Id { entity.id }
  func setEntityIdUnlessStruct(of entity: Spy, to id: Id) { entity.id = id }
  func collect(
    fromEntity entity: Spy, id: Id, propertyCollector: FlatBufferBuilder, store: Store
  ) throws { Spy.use(store) }
  func createEntity(entityReader: FlatBufferReader, store: Store) -> Spy {
    Spy.use(store)
    let spy = Spy()
    spy.id = entityReader.read(at: 4)
    return spy
  }
}
