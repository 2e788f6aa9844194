import BoxStore

/// A node of a tree, with a relation to its own type in both directions.
final class TreeNode: Entity {
  var id: Id = 0
  var name = ""
  var parent: ToOne<TreeNode> = nil
  var children: ToMany<TreeNode> = nil

  init() {}
  convenience init(_ name: String, under parent: TreeNode? = nil) {
    self.init()
    self.name = name
    self.parent.target = parent
  }
}

extension TreeNode: EntityInspectable, __EntityRelatable {
  typealias EntityType = TreeNode
  typealias EntityBindingType = TreeNodeBinding
  static let entityInfo = EntityInfo(name: "TreeNode", id: 5)
  static let entityBinding = TreeNodeBinding()
  // swift-format-ignore: NoLeadingUnderscores
  var _id: EntityId<TreeNode> { EntityId(id) }

  static var id: Property<TreeNode, Id, Id> { Property(propertyId: 1, isPrimaryKey: true) }
  static var name: Property<TreeNode, String, Void> { Property(propertyId: 2) }
  static var parent: Property<TreeNode, EntityId<TreeNode>, TreeNode> { Property(propertyId: 3) }
  static var children: ToManyProperty<TreeNode> { ToManyProperty(.valuePropertyId(3)) }
}

final class TreeNodeBinding: EntityBinding {
  typealias EntityType = TreeNode
  typealias IdType = Id

  init() {}
  func generatorBindingVersion() -> Int { 2 }
  func entityId(of entity: TreeNode) -> Id { entity.id }
  func setEntityIdUnlessStruct(of entity: TreeNode, to id: Id) { entity.id = id }

  func setToOneRelation(_ propertyId: obx_schema_id, of entity: TreeNode, to id: Id?) {
    entity.parent.targetId = id.map { EntityId($0) }
  }

  func collect(
    fromEntity entity: TreeNode, id: Id, propertyCollector: FlatBufferBuilder, store: Store
  ) throws {
    propertyCollector.collect(entity.parent, at: 8, store: store)
    propertyCollector.collect(entity.name, at: 6)
  }

  func postPut(fromEntity entity: TreeNode, id: Id, store: Store) throws {
    entity.parent.attach(to: store.box())
    if !entity.children.canInteractWithDb {
      try entity.children.attach(
        targetId: EntityId<TreeNode>(id), sourceBox: store.box(), sourceProperty: TreeNode.parent)
    }
  }

  func createEntity(entityReader: FlatBufferReader, store: Store) -> TreeNode {
    let entity = TreeNode()
    entity.id = entityReader.read(at: 4)
    entity.name = entityReader.read(at: 6)
    // As newer generated code does; the other entities of these tests read as older code.
    if !ToOne.load(entityReader.read(at: 8), into: &entity.parent, store: store) {
      entity.parent = entityReader.read(at: 8, store: store)
    }
    if !ToMany.backlink(
      loading: &entity.children, store: store, sourceProperty: TreeNode.parent,
      targetId: EntityId<TreeNode>(entity.id))
    {
      entity.children = .backlink(
        store: store, sourceProperty: TreeNode.parent, targetId: EntityId<TreeNode>(entity.id))
    }
    return entity
  }
}
