import BoxStore

// The model, built as generated code builds it, and what generated code adds to the library.

extension Store {
  convenience init(
    directoryPath: String, maxDbSizeInKByte: UInt64 = 1024 * 1024, fileMode: UInt32 = 0o644,
    maxReaders: UInt32 = 0, readOnly: Bool = false
  ) throws {
    try self.init(
      model: try buildModel(), directory: directoryPath, maxDbSizeInKByte: maxDbSizeInKByte,
      fileMode: fileMode, maxReaders: maxReaders, readOnly: readOnly)
  }
}

extension Box where E == Author {
  /// Puts a struct, and returns a copy with the id.
  func put(struct author: Author) throws -> Author {
    Author(id: try put(author), name: author.name, age: author.age)
  }
}

private func buildModel() throws -> OpaquePointer {
  let model = try ModelBuilder()
  let user = try model.entityBuilder(for: User.self, id: 1, uid: 1000)
  try user.addProperty(name: "id", type: .long, flags: [.id], id: 1, uid: 1001)
  try user.addProperty(
    name: "name", type: .string, flags: [.unique, .indexHash], id: 2, uid: 1002,
    indexId: 1, indexUid: 90001)
  try user.addProperty(name: "firstName", type: .string, id: 3, uid: 1003)
  try user.addProperty(name: "lastName", type: .string, id: 4, uid: 1004)
  try user.addProperty(name: "role", type: .long, id: 5, uid: 1005)
  try user.lastProperty(id: 5, uid: 1005)
  let person = try model.entityBuilder(for: Person.self, id: 2, uid: 2000)
  try person.addProperty(name: "id", type: .long, flags: [.id], id: 1, uid: 2001)
  try person.addProperty(name: "firstName", type: .string, id: 2, uid: 2002)
  try person.addProperty(name: "lastName", type: .string, id: 3, uid: 2003)
  try person.addProperty(name: "age", type: .long, id: 4, uid: 2004)
  try person.lastProperty(id: 4, uid: 2004)
  let note = try model.entityBuilder(for: Note.self, id: 3, uid: 3000)
  try note.addProperty(name: "id", type: .long, flags: [.id], id: 1, uid: 3001)
  try note.lastProperty(id: 1, uid: 3001)
  let exampleEntity = try model.entityBuilder(for: ExampleEntity.self, id: 4, uid: 4000)
  try exampleEntity.addProperty(name: "id", type: .long, flags: [.id], id: 1, uid: 4001)
  try exampleEntity.lastProperty(id: 1, uid: 4001)
  let anEntity = try model.entityBuilder(for: AnEntity.self, id: 5, uid: 5000)
  try anEntity.addProperty(name: "id", type: .long, flags: [.id], id: 1, uid: 5001)
  try anEntity.addProperty(name: "number", type: .long, id: 2, uid: 5002)
  try anEntity.lastProperty(id: 2, uid: 5002)
  let author = try model.entityBuilder(for: Author.self, id: 6, uid: 6000)
  try author.addProperty(name: "id", type: .long, flags: [.id], id: 1, uid: 6001)
  try author.addProperty(name: "name", type: .string, id: 2, uid: 6002)
  try author.addProperty(name: "age", type: .long, id: 3, uid: 6003)
  try author.lastProperty(id: 3, uid: 6003)
  let customer = try model.entityBuilder(for: Customer.self, id: 7, uid: 7000)
  try customer.addProperty(name: "id", type: .long, flags: [.id], id: 1, uid: 7001)
  try customer.addProperty(name: "name", type: .string, id: 2, uid: 7002)
  try customer.lastProperty(id: 2, uid: 7002)
  let order = try model.entityBuilder(for: Order.self, id: 8, uid: 8000)
  try order.addProperty(name: "id", type: .long, flags: [.id], id: 1, uid: 8001)
  try order.addProperty(name: "summary", type: .string, id: 2, uid: 8002)
  try order.addProperty(name: "date", type: .date, id: 3, uid: 8003)
  try order.addToOneRelation(
    name: "customer", targetEntityInfo: Customer.entityInfo,
    flags: [.indexed, .indexPartialSkipZero],
    id: 4, uid: 8004, indexId: 2, indexUid: 90002)
  try order.lastProperty(id: 4, uid: 8004)
  let teacher = try model.entityBuilder(for: Teacher.self, id: 9, uid: 9000)
  try teacher.addProperty(name: "id", type: .long, flags: [.id], id: 1, uid: 9001)
  try teacher.lastProperty(id: 1, uid: 9001)
  let student = try model.entityBuilder(for: Student.self, id: 10, uid: 10000)
  try student.addProperty(name: "id", type: .long, flags: [.id], id: 1, uid: 10001)
  try student.addToManyRelation(id: 1, uid: 80001, targetId: 9, targetUid: 9000)
  try student.lastProperty(id: 1, uid: 10001)
  let treeNode = try model.entityBuilder(for: TreeNode.self, id: 11, uid: 11000)
  try treeNode.addProperty(name: "id", type: .long, flags: [.id], id: 1, uid: 11001)
  try treeNode.addToOneRelation(
    name: "parent", targetEntityInfo: TreeNode.entityInfo,
    flags: [.indexed, .indexPartialSkipZero],
    id: 2, uid: 11002, indexId: 3, indexUid: 90003)
  try treeNode.lastProperty(id: 2, uid: 11002)
  let guidePerson = try model.entityBuilder(for: Guide.Person.self, id: 12, uid: 12000)
  try guidePerson.addProperty(name: "id", type: .long, flags: [.id], id: 1, uid: 12001)
  try guidePerson.addProperty(name: "firstName", type: .string, id: 2, uid: 12002)
  try guidePerson.addProperty(name: "lastName", type: .string, id: 3, uid: 12003)
  try guidePerson.lastProperty(id: 3, uid: 12003)
  model.lastEntity(id: 12, uid: 12000)
  model.lastIndex(id: 3, uid: 90003)
  model.lastRelation(id: 1, uid: 80001)
  return model.finish()
}
