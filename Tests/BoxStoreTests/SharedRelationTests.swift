import BoxStore
import Testing

/// Relations that an initializer does not make for its object alone.
struct SharedRelationTests {
  @Test func objectsThatAreReadHaveRelationsOfTheirOwn() throws {
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
    entityReader.read(at: 8, into: &entity.parent, store: store)
    ToMany.backlink(
      into: &entity.children, store: store, sourceProperty: TreeNode.parent,
      targetId: EntityId<TreeNode>(entity.id))
    return entity
  }
}
