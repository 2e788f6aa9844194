import Testing

@testable import BoxStore

/// Relations that an initializer does not make for its object alone.
struct SharedRelationTests {
  /// As newer and as older generated code reads.
  @Test(arguments: [false, true])
  func objectsThatAreReadHaveRelationsOfTheirOwn(_ isOlder: Bool) throws {
    try JoinedNodeBinding.$isOlder.withValue(isOlder) { try requireOwnRelations() }
  }

  private func requireOwnRelations() throws {
    let store = try SampleStore.inMemory()
    let root = TreeNode("root")
    let child = TreeNode("child", under: root)
    try store.box(for: TreeNode.self).put([child, TreeNode("other")])
    let (rootID, childID) = (root.id, child.id)
    let box = store.box(for: JoinedNode.self)
    let (first, second) = (try #require(try box.get(childID)), try #require(try box.get(rootID)))
    #expect(first.parent !== second.parent && first.parent !== JoinedNode.none)
    #expect(first.children !== second.children && first.children !== JoinedNode.nobody)
    #expect(first.parent.target?.name == "root")
    #expect(second.parent.target == nil)
    #expect(second.children.map(\.name) == ["child"])
    #expect(!JoinedNode.none.hasValue && !JoinedNode.nobody.canInteractWithDb)
  }
}

/// Places of relations to many in four bytes.
struct RelationPlaceTests {
  private static let limit: UInt32 = 1 << 14

  @Test(arguments: [1, 2, 77, limit - 1] as [UInt32], [1, 300, 1 << 16 - 1] as [UInt32])
  func aCodeIsThePlace(_ id: obx_schema_id, _ store: UInt32) throws {
    for kind in [ToManyKind.relation(id), .backlink(id), .toOne(id)] {
      let place = ToManyPlace(store: store, kind: kind, owner: 9)
      let read = try #require(ToManyPlace(place.code, 9))
      #expect(read.store == store && read.kind == kind && read.owner == 9)
    }
  }

  @Test func largeNumbersHaveNoCode() {
    #expect(ToManyPlace(store: 1 << 16, kind: .relation(1), owner: 1).code == 0)
    for id in [Self.limit, .max] {
      for kind in [ToManyKind.relation(id), .backlink(id), .toOne(id)] {
        #expect(ToManyPlace(store: 1, kind: kind, owner: 1).code == 0)
      }
    }
    #expect(ToManyPlace(0, 5) == nil)
  }

  @Test func aRelationWithoutACodeIsInTheStore() throws {
    let store = try SampleStore.inMemory()
    var relation: ToMany<TreeNode> = nil
    let isLoaded = ToMany<TreeNode>.relation(
      loading: &relation, sourceId: EntityId<TreeNode>(1), store: store, relationId: Self.limit)
    #expect(!isLoaded && !relation.canInteractWithDb)
    let other = ToMany<TreeNode>.relation(
      sourceId: EntityId<TreeNode>(1), store: store, relationId: Self.limit)
    #expect(other.canInteractWithDb && !other.resolved)
  }

  /// A relation is not what keeps a store.
  @Test func aRelationOfAStoreThatIsGoneThrows() throws {
    var store: Store? = try SampleStore.inMemory()
    let root = TreeNode("root")
    let new = TreeNode("child", under: root)
    try store?.box(for: TreeNode.self).put([new])
    let child = try #require(try store?.box(for: TreeNode.self).get(new.id))
    let parent = try #require(try store?.box(for: TreeNode.self).get(root.id))
    store = nil
    for error in [
      #expect(throws: ObjectBoxError.self) { try child.parent.resolve() },
      #expect(throws: ObjectBoxError.self) { try parent.children.resolveFromDb() },
    ] {
      #expect(error.map { caseName($0) } == "illegalState")
    }
    #expect(child.parent.target == nil && child.parent.hasValue)
    #expect(parent.children.isEmpty && parent.children.canInteractWithDb)
  }
}

/// A node of a tree whose new objects have the same relations.
private final class JoinedNode: Entity {
  // Nothing changes them.
  nonisolated(unsafe) static let none: ToOne<TreeNode> = nil
  nonisolated(unsafe) static let nobody: ToMany<TreeNode> = nil

  var id: Id = 0
  var parent = JoinedNode.none
  var children = JoinedNode.nobody
}

extension JoinedNode: EntityInspectable, __EntityRelatable {
  typealias EntityType = JoinedNode
  typealias EntityBindingType = JoinedNodeBinding
  static let entityInfo = EntityInfo(name: "TreeNode", id: 5)
  static let entityBinding = JoinedNodeBinding()
  // swift-format-ignore: NoLeadingUnderscores
  var _id: EntityId<JoinedNode> { EntityId(id) }
}

private final class JoinedNodeBinding: EntityBinding {
  typealias EntityType = JoinedNode
  typealias IdType = Id

  @TaskLocal static var isOlder = false

  init() {}
  func generatorBindingVersion() -> Int { 2 }
  func entityId(of entity: JoinedNode) -> Id { entity.id }
  func setEntityIdUnlessStruct(of entity: JoinedNode, to id: Id) { entity.id = id }

  func collect(
    fromEntity entity: JoinedNode, id: Id, propertyCollector: FlatBufferBuilder, store: Store
  ) throws {
    propertyCollector.collect(entity.parent, at: 8, store: store)
  }

  func createEntity(entityReader: FlatBufferReader, store: Store) -> JoinedNode {
    let entity = JoinedNode()
    entity.id = entityReader.read(at: 4)
    let id = EntityId<TreeNode>(entity.id)
    if Self.isOlder {
      entityReader.read(at: 8, into: &entity.parent, store: store)
      ToMany.backlink(
        into: &entity.children, store: store, sourceProperty: TreeNode.parent, targetId: id)
      return entity
    }
    if !ToOne.load(entityReader.read(at: 8), into: &entity.parent, store: store) {
      entity.parent = entityReader.read(at: 8, store: store)
    }
    if !ToMany.backlink(
      loading: &entity.children, store: store, sourceProperty: TreeNode.parent, targetId: id)
    {
      entity.children = .backlink(store: store, sourceProperty: TreeNode.parent, targetId: id)
    }
    return entity
  }
}
