import BoxStore
import TestSupport
import Testing

/// Relations and objects that several threads use.
struct RelationThreadTests {
  /// A reference that a test hands to several threads; the relation is locked inside.
  private struct Shared<Value>: @unchecked Sendable {
    let value: Value
  }

  @Test func aToManyIsEditedByManyThreads() async throws {
    let store = try SampleStore.inMemory()
    let student = Student("S")
    try store.box().put(student)
    let teachers = Shared(value: student.teachers)
    await withTaskGroup(of: Void.self) { group in
      for thread in 0..<8 {
        group.addTask {
          for number in 0..<50 {
            teachers.value.append(Teacher("\(thread)-\(number)"))
            _ = teachers.value.count
            if number % 10 == 0 { try? teachers.value.applyToDb() }
          }
        }
      }
    }
    try teachers.value.applyToDb()
    #expect(!teachers.value.hasPendingDbChanges)
    #expect(try store.box(for: Teacher.self).count() == 400)
    #expect(try teachers.value.getUncachedIdsFromDb().count == 400)
  }

  @Test func aToOneIsSetAndReadByManyThreads() async throws {
    let store = try SampleStore.inMemory()
    let customers = (0..<4).map { Customer("\($0)") }
    try store.box().put(customers)
    let order = Order("1", of: customers[0])
    try store.box().put(order)
    let relation = Shared(value: order.customer)
    let ids = customers.map(\.id)
    await withTaskGroup(of: Void.self) { group in
      for thread in 0..<8 {
        group.addTask {
          for number in 0..<200 {
            if (thread + number) % 3 == 0 {
              relation.value.targetId = EntityId(ids[number % 4])
            } else if (thread + number) % 7 == 0 {
              relation.value.reset()
            } else if let name = relation.value.target?.name {
              #expect(name.count == 1)
            }
          }
        }
      }
    }
    #expect(relation.value.hasValue)
  }

  /// The ninth behaviour; `MainActorTests` has it with another isolation.
  @Test(.promise(33, 362)) func objectsReadOnOneThreadAreUsedOnAnother() async throws {
    let store = try SampleStore.inMemory()
    let customer = Customer("A")
    try store.box().put([Order("1", of: customer), Order("2", of: customer)])
    let orders = try await store.runInReadOnlyTransaction { [store] _ in
      try store.box(for: Order.self).all()
    }
    #expect(orders.first?.customer.target?.orders.map(\.summary) == ["1", "2"])
  }

  @Test func eightThreadsPutReadAndRemove() async throws {
    let store = try SampleStore.inMemory()
    let box = store.box(for: Order.self)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for thread in 0..<8 {
        group.addTask {
          var random = SplitMix64(seed: UInt64(thread))
          for number in 0..<100 {
            switch random.below(4) {
            case 0: try box.put(Order("\(thread) \(number)", of: Customer("\(thread)")))
            case 1:
              for order in try box.all() {
                // Every order was put with its customer, and none is ever removed.
                #expect(order.customer.target != nil)
              }
            case 2: _ = try box.remove(Id(1 + random.below(200)))
            default:
              try store.runInReadOnlyTransaction { () throws -> Void in
                let count = try box.count()
                #expect(try box.all().count == count)
              }
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try store.box(for: Customer.self).count() >= box.count())
  }

  @Test(.promise(368)) func aRelationThatIsStoredAsZeroHasNoTarget() throws {
    let store = try SampleStore.inMemory()
    let id = try store.box().put(ZeroOrder())
    let order = try #require(try store.box(for: Order.self).get(id))
    #expect(!order.customer.hasValue)
    #expect(order.customer.targetId == nil)
    #expect(order.customer.target == nil)
    // Queries take it for none too.
    let orders = store.box(for: Order.self)
    #expect(try orders.query { Order.customer.isNil() }.build().findIds().map(\.value) == [id])
    #expect(try orders.query { Order.customer.isNotNil() }.build().count() == 0)
  }
}

/// An order as other programs write it: with 0 for no customer.
final class ZeroOrder: Entity {
  var id: Id = 0
  init() {}
}

extension ZeroOrder: EntityInspectable, __EntityRelatable {
  typealias EntityType = ZeroOrder
  typealias EntityBindingType = ZeroOrderBinding
  static let entityInfo = EntityInfo(name: "Order", id: 2)
  static let entityBinding = ZeroOrderBinding()
  // swift-format-ignore: NoLeadingUnderscores
  var _id: EntityId<ZeroOrder> { EntityId(id) }
}

final class ZeroOrderBinding: EntityBinding {
  typealias EntityType = ZeroOrder
  typealias IdType = Id

  init() {}
  func generatorBindingVersion() -> Int { 2 }
  func entityId(of entity: ZeroOrder) -> Id { entity.id }
  func setEntityIdUnlessStruct(of entity: ZeroOrder, to id: Id) { entity.id = id }
  func collect(
    fromEntity entity: ZeroOrder, id: Id, propertyCollector: FlatBufferBuilder, store: Store
  ) throws {
    propertyCollector.collect(0 as UInt64, at: 8)
  }
  func createEntity(entityReader: FlatBufferReader, store: Store) -> ZeroOrder { ZeroOrder() }
}
