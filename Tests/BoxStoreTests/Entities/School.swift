import BoxStore

/// A student with a standalone relation.
final class Student: Entity {
  var id: Id = 0
  var name = ""
  var teachers: ToMany<Teacher> = nil

  init() {}
  convenience init(_ name: String) {
    self.init()
    self.name = name
  }
}

/// A teacher with the backlink of a standalone relation.
final class Teacher: Entity {
  var id: Id = 0
  var name = ""
  var students: ToMany<Student> = nil

  init() {}
  convenience init(_ name: String) {
    self.init()
    self.name = name
  }
}

extension Teacher: EntityInspectable, __EntityRelatable {
  typealias EntityType = Teacher
  typealias EntityBindingType = TeacherBinding
  static let entityInfo = EntityInfo(name: "Teacher", id: 3)
  static let entityBinding = TeacherBinding()
  // swift-format-ignore: NoLeadingUnderscores
  var _id: EntityId<Teacher> { EntityId(id) }

  static var id: Property<Teacher, Id, Id> { Property(propertyId: 1, isPrimaryKey: true) }
  static var name: Property<Teacher, String, Void> { Property(propertyId: 2) }
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
    propertyCollector.collect(entity.name, at: 6)
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
    entity.name = entityReader.read(at: 6)
    entity.students = .backlink(
      sourceBox: store.box(), targetId: EntityId<Teacher>(entity.id), relationId: 1)
    return entity
  }
}

extension Student: EntityInspectable, __EntityRelatable {
  typealias EntityType = Student
  typealias EntityBindingType = StudentBinding
  static let entityInfo = EntityInfo(name: "Student", id: 4)
  static let entityBinding = StudentBinding()
  // swift-format-ignore: NoLeadingUnderscores
  var _id: EntityId<Student> { EntityId(id) }

  static var id: Property<Student, Id, Id> { Property(propertyId: 1, isPrimaryKey: true) }
  static var name: Property<Student, String, Void> { Property(propertyId: 2) }
  static var teachers: ToManyProperty<Teacher> { ToManyProperty(.relationId(1)) }
}

/// Replaces the relation of a new object when it is put, as ObjectBox's generator writes it.
final class StudentBinding: EntityBinding {
  typealias EntityType = Student
  typealias IdType = Id

  init() {}
  func generatorBindingVersion() -> Int { 1 }
  func entityId(of entity: Student) -> Id { entity.id }
  func setEntityIdUnlessStruct(of entity: Student, to id: Id) { entity.id = id }

  func collect(
    fromEntity entity: Student, id: Id, propertyCollector: FlatBufferBuilder, store: Store
  ) throws {
    propertyCollector.collect(id, at: 2 + 2 * 1)
    let name = propertyCollector.prepare(string: entity.name, at: 2 + 2 * 2)
    propertyCollector.collect(dataOffset: name, at: 2 + 2 * 2)
  }

  func postPut(fromEntity entity: Student, id: Id, store: Store) throws {
    if entityId(of: entity) == 0 {
      let teachers = ToMany<Teacher>.relation(
        sourceId: EntityId<Student>(id),
        targetBox: store.box(for: ToMany<Teacher>.ReferencedType.self),
        relationId: 1)
      if !entity.teachers.isEmpty { teachers.replace(entity.teachers) }
      entity.teachers = teachers
      try entity.teachers.applyToDb()
    }
  }

  func createEntity(entityReader: FlatBufferReader, store: Store) -> Student {
    let entity = Student()
    entity.id = entityReader.read(at: 2 + 2 * 1)
    entity.name = entityReader.read(at: 2 + 2 * 2)
    entity.teachers = ToMany<Teacher>.relation(
      sourceId: EntityId<Student>(entity.id), targetBox: store.box(for: Teacher.self), relationId: 1
    )
    return entity
  }
}
