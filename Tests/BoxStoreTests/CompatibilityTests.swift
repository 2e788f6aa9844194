import BoxStore
import TestSupport
import Testing

// An entity and its generated code in the form in which ObjectBox's generator writes them: qualified
// names, a model that is built in code, offsets as terms, and relations that a put replaces.

final class Memo: ObjectBox.Entity {
  var id: Id = 0
  var text: String = ""
  var pinned: Bool?
  var next: ToOne<Memo> = nil
  var links: ToMany<Memo> = nil

  init() {}
}

extension Memo: ObjectBox.__EntityRelatable {
  internal typealias EntityType = Memo

  // swift-format-ignore: NoLeadingUnderscores
  internal var _id: EntityId<Memo> {
    return EntityId<Memo>(self.id.value)
  }
}

extension Memo: ObjectBox.EntityInspectable {
  internal typealias EntityBindingType = MemoBinding

  internal static let entityInfo = ObjectBox.EntityInfo(name: "Memo", id: 1)
  internal static let entityBinding = EntityBindingType()

  fileprivate static func buildEntity(modelBuilder: ObjectBox.ModelBuilder) throws {
    let entityBuilder = try modelBuilder.entityBuilder(for: Memo.self, id: 1, uid: 1001)
    try entityBuilder.addProperty(
      name: "id", type: PropertyType.long, flags: [.id], id: 1, uid: 2001)
    try entityBuilder.addProperty(name: "text", type: PropertyType.string, id: 2, uid: 2002)
    try entityBuilder.addProperty(name: "pinned", type: PropertyType.bool, id: 3, uid: 2003)
    try entityBuilder.addToOneRelation(
      name: "next", targetEntityInfo: ToOne<Memo>.Target.entityInfo,
      flags: [.indexed, .indexPartialSkipZero], id: 4, uid: 2004, indexId: 1, indexUid: 3001)
    try entityBuilder.addToManyRelation(id: 1, uid: 4001, targetId: 1, targetUid: 1001)
    try entityBuilder.lastProperty(id: 4, uid: 2004)
  }
}

extension Memo {
  internal static var id: Property<Memo, Id, Id> {
    return Property<Memo, Id, Id>(propertyId: 1, isPrimaryKey: true)
  }
  internal static var text: Property<Memo, String, Void> {
    return Property<Memo, String, Void>(propertyId: 2, isPrimaryKey: false)
  }
  internal static var links: ToManyProperty<Memo> { return ToManyProperty(.relationId(1)) }
}

extension ObjectBox.Property where E == Memo {
  internal static var text: Property<Memo, String, Void> {
    return Property<Memo, String, Void>(propertyId: 2, isPrimaryKey: false)
  }
}

internal final class MemoBinding: ObjectBox.EntityBinding, Sendable {
  internal typealias EntityType = Memo
  internal typealias IdType = Id

  internal required init() {}

  internal func generatorBindingVersion() -> Int { 1 }

  internal func setEntityIdUnlessStruct(of entity: EntityType, to entityId: ObjectBox.Id) {
    entity.id = entityId
  }

  internal func entityId(of entity: EntityType) -> ObjectBox.Id {
    return entity.id.value
  }

  internal func collect(
    fromEntity entity: EntityType, id: ObjectBox.Id,
    propertyCollector: ObjectBox.FlatBufferBuilder, store: ObjectBox.Store
  ) throws {
    let propertyOffsetText = propertyCollector.prepare(string: entity.text)

    propertyCollector.collect(id, at: 2 + 2 * 1)
    propertyCollector.collect(entity.pinned, at: 2 + 2 * 3)
    propertyCollector.collect(entity.next, at: 2 + 2 * 4, store: store)
    propertyCollector.collect(dataOffset: propertyOffsetText, at: 2 + 2 * 2)
  }

  internal func postPut(
    fromEntity entity: EntityType, id: ObjectBox.Id, store: ObjectBox.Store
  ) throws {
    if entityId(of: entity) == 0 {  // New object was put? Attach relations now that we have an ID.
      entity.next.attach(to: store.box(for: Memo.self))
      let links = ToMany<Memo>.relation(
        sourceId: EntityId<Memo>(id.value),
        targetBox: store.box(for: ToMany<Memo>.ReferencedType.self), relationId: 1)
      if !entity.links.isEmpty {
        links.replace(entity.links)
      }
      entity.links = links
      try entity.links.applyToDb()
    }
  }

  internal func setToOneRelation(
    _ propertyId: obx_schema_id, of entity: EntityType, to entityId: ObjectBox.Id?
  ) {
    switch propertyId {
    case 4:
      entity.next.targetId = (entityId != nil) ? EntityId<Memo>(entityId ?? 0) : nil
    default:
      fatalError("Attempt to change nonexistent ToOne relation with ID \(propertyId)")
    }
  }

  internal func createEntity(
    entityReader: ObjectBox.FlatBufferReader, store: ObjectBox.Store
  ) -> EntityType {
    let entity = Memo()

    entity.id = entityReader.read(at: 2 + 2 * 1)
    entity.text = entityReader.read(at: 2 + 2 * 2)
    entity.pinned = entityReader.read(at: 2 + 2 * 3)

    entity.next = entityReader.read(at: 2 + 2 * 4, store: store)
    entity.links = ToMany<Memo>.relation(
      sourceId: EntityId<Memo>(entity.id.value),
      targetBox: store.box(for: ToMany<Memo>.ReferencedType.self), relationId: 1)
    return entity
  }
}

private func cModel() throws -> OpaquePointer {
  let modelBuilder = try ObjectBox.ModelBuilder()
  try Memo.buildEntity(modelBuilder: modelBuilder)
  modelBuilder.lastEntity(id: 1, uid: 1001)
  modelBuilder.lastIndex(id: 1, uid: 3001)
  modelBuilder.lastRelation(id: 1, uid: 4001)
  return modelBuilder.finish()
}

extension ObjectBox.Store {
  fileprivate convenience init(
    directoryPath: String, maxDbSizeInKByte: UInt64 = 1024 * 1024, fileMode: UInt32 = 0o644,
    maxReaders: UInt32 = 0, readOnly: Bool = false
  ) throws {
    try self.init(
      model: try cModel(), directory: directoryPath, maxDbSizeInKByte: maxDbSizeInKByte,
      fileMode: fileMode, maxReaders: maxReaders, readOnly: readOnly)
  }
}

struct CompatibilityTests {
  /// A store of memos in memory.
  static func store(_ name: String) throws -> Store {
    try ObjectBox.Store(directoryPath: "memory:\(name)")
  }

  @Test(.promise(151)) func codeOfAnotherGeneratorStoresAndReads() throws {
    let directory = try TemporaryDirectory()
    let store = try ObjectBox.Store(directoryPath: directory.path(of: "store"))
    let box: ObjectBox.Box<Memo> = store.box(for: Memo.self)
    let (first, second) = (Memo(), Memo())
    (first.text, second.text) = ("first", "second")
    first.pinned = true
    first.next.target = second
    first.links.append(second)
    second.links.append(first)
    try box.put(first)
    #expect(try box.count() == 2)
    let read = try #require(try box.get(first.id))
    #expect(read.text == "first")
    #expect(read.pinned == true)
    #expect(read.next.target?.text == "second")
    #expect(read.next.target?.pinned == nil)
    #expect(read.links.map(\.text) == ["second"])
    #expect(read.links.first?.links.map(\.text) == ["first"])
    store.close()
    let again = try ObjectBox.Store(directoryPath: directory.path(of: "store"))
    #expect(try again.box(for: Memo.self).count() == 2)
  }

  /// These bindings tie relations to many to an object whose id is 0; one that was undone keeps its id.
  @Test func codeOfAnotherGeneratorStoresTheLinksOfAnUndonePutWhenItIsRepeated() throws {
    struct Stop: Error {}
    let store = try Self.store("undone-links")
    let box: ObjectBox.Box<Memo> = store.box()
    let (first, second, third) = (Memo(), Memo(), Memo())
    (first.text, second.text, third.text) = ("first", "second", "third")
    first.links.append(second)
    second.links.append(third)
    #expect(throws: Stop.self) {
      try store.runInTransaction {
        try box.put(first)
        throw Stop()
      }
    }
    let id = first.id
    #expect(id != 0)
    try box.put(first)
    #expect(first.id == id)
    #expect(!first.links.hasPendingDbChanges)
    #expect(try box.get(id)?.links.map(\.text) == ["second"])
    #expect(try box.get(second.id)?.links.map(\.text) == ["third"])
    #expect(try box.count() == 3)
  }

  /// The first of the list leads to the others, by a chain that is longer than one put follows at once.
  @Test(arguments: [[199, 100, 3, 0], [0, 3, 100, 199], [50, 199, 199, 2]])
  func aListHasObjectsOfTheChainOfAnother(positions: [Int]) throws {
    let store = try ObjectBox.Store(directoryPath: "memory:chain-\(positions)")
    let box: ObjectBox.Box<Memo> = store.box()
    let chain = (0..<200).map { _ in Memo() }
    for (number, memo) in chain.enumerated() {
      memo.text = "\(number)"
      if number > 0 { memo.next.target = chain[number - 1] }
    }
    let host = Memo()
    host.links.replace(positions.map { chain[$0] })
    // In both directions: the end of the chain lists its beginning.
    chain[0].links.append(host)
    chain[0].links.append(chain[199])
    try box.put(host)
    #expect(try box.count() == 201)
    let read = try #require(try box.get(host.id))
    #expect(read.links.map { Int($0.text) ?? -1 }.sorted() == Set(positions).sorted())
    for number in 1..<200 {
      #expect(try box.get(chain[number].id)?.next.target?.text == "\(number - 1)")
    }
    #expect(try box.get(chain[0].id)?.links.map(\.id) == [host.id, chain[199].id].sorted())
    for memo in chain { memo.next.target = nil }
    chain[0].links = nil
    host.links = nil
  }
}
