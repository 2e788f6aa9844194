import BoxStore

/// A customer with the backlink of a to-one relation.
final class Customer: Entity {
  var id: Id = 0
  var name = ""
  var orders: ToMany<Order> = nil

  init() {}
  convenience init(_ name: String) {
    self.init()
    self.name = name
  }
}

/// An order of a customer.
final class Order: Entity {
  var id: Id = 0
  var summary: String?
  var customer: ToOne<Customer> = nil

  init() {}
  convenience init(_ summary: String?, of customer: Customer? = nil) {
    self.init()
    self.summary = summary
    self.customer.target = customer
  }
}

extension Customer: EntityInspectable, __EntityRelatable {
  typealias EntityType = Customer
  typealias EntityBindingType = CustomerBinding
  static let entityInfo = EntityInfo(name: "Customer", id: 1)
  static let entityBinding = CustomerBinding()
  // swift-format-ignore: NoLeadingUnderscores
  var _id: EntityId<Customer> { EntityId(id) }

  static var id: Property<Customer, Id, Id> { Property(propertyId: 1, isPrimaryKey: true) }
  static var name: Property<Customer, String, Void> { Property(propertyId: 2) }
  static var orders: ToManyProperty<Order> { ToManyProperty(.valuePropertyId(3)) }
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

extension Order: EntityInspectable, __EntityRelatable {
  typealias EntityType = Order
  typealias EntityBindingType = OrderBinding
  static let entityInfo = EntityInfo(name: "Order", id: 2)
  static let entityBinding = OrderBinding()
  // swift-format-ignore: NoLeadingUnderscores
  var _id: EntityId<Order> { EntityId(id) }

  static var id: Property<Order, Id, Id> { Property(propertyId: 1, isPrimaryKey: true) }
  static var summary: Property<Order, String?, Void> { Property(propertyId: 2) }
  static var customer: Property<Order, EntityId<Customer>, Customer> { Property(propertyId: 3) }
}

final class OrderBinding: EntityBinding {
  typealias EntityType = Order
  typealias IdType = Id

  init() {}
  func generatorBindingVersion() -> Int { 2 }
  func entityId(of entity: Order) -> Id { entity.id }
  func setEntityIdUnlessStruct(of entity: Order, to id: Id) { entity.id = id }

  func setToOneRelation(_ propertyId: obx_schema_id, of entity: Order, to id: Id?) {
    switch propertyId {
    case 3: entity.customer.targetId = id.map { EntityId($0) }
    default: fatalError("Order has no relation \(propertyId)")
    }
  }

  func collect(
    fromEntity entity: Order, id: Id, propertyCollector: FlatBufferBuilder, store: Store
  ) throws {
    propertyCollector.collect(entity.customer, at: 8, store: store)
    propertyCollector.collect(entity.summary, at: 6)
  }

  func postPut(fromEntity entity: Order, id: Id, store: Store) throws {
    entity.customer.attach(to: store.box())
  }

  func createEntity(entityReader: FlatBufferReader, store: Store) -> Order {
    let entity = Order()
    entity.id = entityReader.read(at: 4)
    entity.summary = entityReader.read(at: 6)
    entity.customer = entityReader.read(at: 8, store: store)
    return entity
  }
}
