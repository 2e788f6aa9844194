import BoxStore

/// A person, as the documentation of ObjectBox asks for them, with what can be missing.
final class Person: Entity {
  var id: Id = 0
  var firstName = ""
  var lastName = ""
  var age = 0
  var rating: Float?
  var balance: Int64?
  var nickname: String?

  init() {}
  convenience init(
    _ firstName: String = "", _ lastName: String = "", age: Int = 0, nickname: String? = nil
  ) {
    self.init()
    self.firstName = firstName
    self.lastName = lastName
    self.age = age
    self.nickname = nickname
  }
}

extension Person: EntityInspectable, __EntityRelatable {
  typealias EntityType = Person
  typealias EntityBindingType = PersonBinding
  static let entityInfo = EntityInfo(name: "Person", id: 1)
  static let entityBinding = PersonBinding()
  // swift-format-ignore: NoLeadingUnderscores
  var _id: EntityId<Person> { EntityId(id) }

  static var id: Property<Person, Id, Id> { Property(propertyId: 1, isPrimaryKey: true) }
  static var firstName: Property<Person, String, Void> { Property(propertyId: 2) }
  static var lastName: Property<Person, String, Void> { Property(propertyId: 3) }
  static var age: Property<Person, Int, Void> { Property(propertyId: 4) }
  static var rating: Property<Person, Float?, Void> { Property(propertyId: 5) }
  static var balance: Property<Person, Int64?, Void> { Property(propertyId: 6) }
  static var nickname: Property<Person, String?, Void> { Property(propertyId: 7) }
}

extension ObjectBox.Property where E == Person {
  static var firstName: Property<Person, String, Void> { Person.firstName }
  static var age: Property<Person, Int, Void> { Person.age }
}

extension ObjectBox.QueryCondition where E == Person {
  static var firstName: Property<Person, String, Void> { Person.firstName }
}

final class PersonBinding: EntityBinding {
  typealias EntityType = Person
  typealias IdType = Id

  init() {}
  func generatorBindingVersion() -> Int { 2 }
  func entityId(of entity: Person) -> Id { entity.id }
  func setEntityIdUnlessStruct(of entity: Person, to id: Id) { entity.id = id }

  func collect(
    fromEntity entity: Person, id: Id, propertyCollector: FlatBufferBuilder, store: Store
  ) throws {
    propertyCollector.collect(entity.age, at: 10)
    propertyCollector.collect(entity.balance, at: 14)
    propertyCollector.collect(entity.rating, at: 12)
    propertyCollector.collect(entity.firstName, at: 6)
    propertyCollector.collect(entity.lastName, at: 8)
    propertyCollector.collect(entity.nickname, at: 16)
  }

  func createEntity(entityReader: FlatBufferReader, store: Store) -> Person {
    let entity = Person()
    entity.id = entityReader.read(at: 4)
    entity.firstName = entityReader.read(at: 6)
    entity.lastName = entityReader.read(at: 8)
    entity.age = entityReader.read(at: 10)
    entity.rating = entityReader.read(at: 12)
    entity.balance = entityReader.read(at: 14)
    entity.nickname = entityReader.read(at: 16)
    return entity
  }
}
