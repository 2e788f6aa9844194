import BoxStore
import Foundation

// Bindings of types with relations, as the generator writes them.

// MARK: - Customer

extension Customer: EntityInspectable, __EntityRelatable {
  typealias EntityType = Customer
  typealias EntityBindingType = CustomerBinding
  static let entityInfo = EntityInfo(name: "Customer", id: 7)
  static let entityBinding = CustomerBinding()
  // swift-format-ignore: NoLeadingUnderscores
  var _id: EntityId<Customer> { EntityId(id) }

  static var id: Property<Customer, Id, Id> { Property(propertyId: 1, isPrimaryKey: true) }
  static var name: Property<Customer, String, Void> { Property(propertyId: 2) }
  static var orders: ToManyProperty<Order> { ToManyProperty(.valuePropertyId(4)) }
}

final class CustomerBinding: EntityBinding {
  typealias EntityType = Customer
  typealias IdType = Id

  init() {}
  func generatorBindingVersion() -> Int { 2 }
  func entityId(of entity: Customer) -> Id { entity.id }
  func setEntityIdUnlessStruct(of entity: Customer, to id: Id) { entity.id = id }

  func collect(
    fromEntity entity: Customer, id: Id, propertyCollector: FlatBufferBuilder, store: Store
  ) throws {
    propertyCollector.collect(entity.name, at: 6)
  }

  func postPut(fromEntity entity: Customer, id: Id, store: Store) throws {
    if !entity.orders.canInteractWithDb {
      try entity.orders.attach(
        targetId: EntityId<Customer>(id), sourceBox: store.box(), sourceProperty: Order.customer)
    }
  }

  func createEntity(entityReader: FlatBufferReader, store: Store) -> Customer {
    let entity = Customer()
    entity.id = entityReader.read(at: 4)
    entity.name = entityReader.read(at: 6)
    entity.orders = .backlink(
      sourceBox: store.box(), sourceProperty: Order.customer,
      targetId: EntityId<Customer>(entity.id))
    return entity
  }
}

// MARK: - Order

extension Order: EntityInspectable, __EntityRelatable {
  typealias EntityType = Order
  typealias EntityBindingType = OrderBinding
  static let entityInfo = EntityInfo(name: "Order", id: 8)
  static let entityBinding = OrderBinding()
  // swift-format-ignore: NoLeadingUnderscores
  var _id: EntityId<Order> { EntityId(id) }

  static var id: Property<Order, Id, Id> { Property(propertyId: 1, isPrimaryKey: true) }
  static var summary: Property<Order, String, Void> { Property(propertyId: 2) }
  static var date: Property<Order, Date?, Void> { Property(propertyId: 3) }
  static var customer: Property<Order, EntityId<Customer>, Customer> { Property(propertyId: 4) }
}

final class OrderBinding: EntityBinding {
  typealias EntityType = Order
  typealias IdType = Id

  init() {}
  func generatorBindingVersion() -> Int { 2 }
  func entityId(of entity: Order) -> Id { entity.id }
  func setEntityIdUnlessStruct(of entity: Order, to id: Id) { entity.id = id }

  func setToOneRelation(_ propertyId: obx_schema_id, of entity: Order, to id: Id?) {
    entity.customer.targetId = id.map { EntityId($0) }
  }

  func collect(
    fromEntity entity: Order, id: Id, propertyCollector: FlatBufferBuilder, store: Store
  ) throws {
    propertyCollector.collect(entity.summary, at: 6)
    propertyCollector.collect(entity.date, at: 8)
    propertyCollector.collect(entity.customer, at: 10, store: store)
  }

  func postPut(fromEntity entity: Order, id: Id, store: Store) throws {
    entity.customer.attach(to: store.box())
  }

  func createEntity(entityReader: FlatBufferReader, store: Store) -> Order {
    let entity = Order()
    entity.id = entityReader.read(at: 4)
    entity.summary = entityReader.read(at: 6)
    entity.date = entityReader.read(at: 8)
    entity.customer = entityReader.read(at: 10, store: store)
    return entity
  }
}

// MARK: - Teacher

extension Teacher: EntityInspectable, __EntityRelatable {
  typealias EntityType = Teacher
  typealias EntityBindingType = TeacherBinding
  static let entityInfo = EntityInfo(name: "Teacher", id: 9)
  static let entityBinding = TeacherBinding()
  // swift-format-ignore: NoLeadingUnderscores
  var _id: EntityId<Teacher> { EntityId(id) }

  static var id: Property<Teacher, Id, Id> { Property(propertyId: 1, isPrimaryKey: true) }
  static var students: ToManyProperty<Student> { ToManyProperty(.backlinkRelationId(1)) }
}

final class TeacherBinding: EntityBinding {
  typealias EntityType = Teacher
  typealias IdType = Id

  init() {}
  func generatorBindingVersion() -> Int { 2 }
  func entityId(of entity: Teacher) -> Id { entity.id }
  func setEntityIdUnlessStruct(of entity: Teacher, to id: Id) { entity.id = id }

  func collect(
    fromEntity entity: Teacher, id: Id, propertyCollector: FlatBufferBuilder, store: Store
  ) throws {
  }

  func postPut(fromEntity entity: Teacher, id: Id, store: Store) throws {
    if !entity.students.canInteractWithDb {
      try entity.students.attach(
        targetId: EntityId<Teacher>(id), sourceBox: store.box(), relationId: 1)
    }
  }

  func createEntity(entityReader: FlatBufferReader, store: Store) -> Teacher {
    let entity = Teacher()
    entity.id = entityReader.read(at: 4)
    entity.students = .backlink(
      sourceBox: store.box(), targetId: EntityId<Teacher>(entity.id), relationId: 1)
    return entity
  }
}

// MARK: - Student

extension Student: EntityInspectable, __EntityRelatable {
  typealias EntityType = Student
  typealias EntityBindingType = StudentBinding
  static let entityInfo = EntityInfo(name: "Student", id: 10)
  static let entityBinding = StudentBinding()
  // swift-format-ignore: NoLeadingUnderscores
  var _id: EntityId<Student> { EntityId(id) }

  static var id: Property<Student, Id, Id> { Property(propertyId: 1, isPrimaryKey: true) }
  static var teachers: ToManyProperty<Teacher> { ToManyProperty(.relationId(1)) }
}

final class StudentBinding: EntityBinding {
  typealias EntityType = Student
  typealias IdType = Id

  init() {}
  func generatorBindingVersion() -> Int { 2 }
  func entityId(of entity: Student) -> Id { entity.id }
  func setEntityIdUnlessStruct(of entity: Student, to id: Id) { entity.id = id }

  func collect(
    fromEntity entity: Student, id: Id, propertyCollector: FlatBufferBuilder, store: Store
  ) throws {
  }

  func postPut(fromEntity entity: Student, id: Id, store: Store) throws {
    if !entity.teachers.canInteractWithDb {
      try entity.teachers.attach(
        sourceId: EntityId<Student>(id), targetBox: store.box(), relationId: 1)
    }
  }

  func createEntity(entityReader: FlatBufferReader, store: Store) -> Student {
    let entity = Student()
    entity.id = entityReader.read(at: 4)
    entity.teachers = .relation(
      sourceId: EntityId<Student>(entity.id), targetBox: store.box(), relationId: 1)
    return entity
  }
}

// MARK: - TreeNode

extension TreeNode: EntityInspectable, __EntityRelatable {
  typealias EntityType = TreeNode
  typealias EntityBindingType = TreeNodeBinding
  static let entityInfo = EntityInfo(name: "TreeNode", id: 11)
  static let entityBinding = TreeNodeBinding()
  // swift-format-ignore: NoLeadingUnderscores
  var _id: EntityId<TreeNode> { EntityId(id) }

  static var id: Property<TreeNode, Id, Id> { Property(propertyId: 1, isPrimaryKey: true) }
  static var parent: Property<TreeNode, EntityId<TreeNode>, TreeNode> { Property(propertyId: 2) }
  static var children: ToManyProperty<TreeNode> { ToManyProperty(.valuePropertyId(2)) }
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
    propertyCollector.collect(entity.parent, at: 6, store: store)
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
    entity.parent = entityReader.read(at: 6, store: store)
    entity.children = .backlink(
      sourceBox: store.box(), sourceProperty: TreeNode.parent,
      targetId: EntityId<TreeNode>(entity.id))
    return entity
  }
}

// MARK: - Guide.Person

extension Guide.Person: Entity, EntityInspectable, __EntityRelatable {
  typealias EntityType = Guide.Person
  typealias EntityBindingType = GuidePersonBinding
  static let entityInfo = EntityInfo(name: "GuidePerson", id: 12)
  static let entityBinding = GuidePersonBinding()
  // swift-format-ignore: NoLeadingUnderscores
  var _id: EntityId<Guide.Person> { EntityId(id) }

  static var id: Property<Guide.Person, Id, Id> { Property(propertyId: 1, isPrimaryKey: true) }
  static var firstName: Property<Guide.Person, String, Void> { Property(propertyId: 2) }
  static var lastName: Property<Guide.Person, String, Void> { Property(propertyId: 3) }
}

final class GuidePersonBinding: EntityBinding {
  typealias EntityType = Guide.Person
  typealias IdType = Id

  init() {}
  func generatorBindingVersion() -> Int { 2 }
  func entityId(of entity: Guide.Person) -> Id { entity.id }
  func setEntityIdUnlessStruct(of entity: Guide.Person, to id: Id) { entity.id = id }

  func collect(
    fromEntity entity: Guide.Person, id: Id, propertyCollector: FlatBufferBuilder, store: Store
  ) throws {
    propertyCollector.collect(entity.firstName, at: 6)
    propertyCollector.collect(entity.lastName, at: 8)
  }

  func createEntity(entityReader: FlatBufferReader, store: Store) -> Guide.Person {
    let entity = Guide.Person()
    entity.id = entityReader.read(at: 4)
    entity.firstName = entityReader.read(at: 6)
    entity.lastName = entityReader.read(at: 8)
    return entity
  }
}
