internal import BoxModel

/// The model of the entity types that the tests of typed stores declare, in the order of their ids.
public enum StoreSample {
  /// The text of the model file.
  ///
  /// - Throws: `ModelError` if the model is not valid.
  public static var text: String {
    get throws { try model.text }
  }

  /// The text of the model file, in which the vectors of books have an index.
  ///
  /// - Throws: `ModelError` if the parameters are not valid JSON.
  public static func text(vectorIndex: String) throws -> String {
    var model = model
    for entity in model.entities.indices {
      for position in model.entities[entity].properties.indices
      where model.entities[entity].properties[position].name == "embedding" {
        model.entities[entity].properties[position].vectorIndex = vectorIndex
      }
    }
    return try model.text
  }

  private static let model = TestModel(
    .init(
      name: "Customer", uid: 101, properties: [.id(), .init(name: "name", type: .string)]),
    .init(
      name: "Order", uid: 102,
      properties: [
        .id(), .init(name: "summary", type: .string), relation("customerId", to: "Customer"),
      ]),
    .init(
      name: "Teacher", uid: 103, properties: [.id(), .init(name: "name", type: .string)]),
    .init(
      name: "Student", uid: 104, properties: [.id(), .init(name: "name", type: .string)],
      relations: [.init("teachers", to: "Teacher")]),
    .init(
      name: "TreeNode", uid: 105,
      properties: [
        .id(), .init(name: "name", type: .string), relation("parentId", to: "TreeNode"),
      ]),
    .init(
      name: "Author", uid: 106, properties: [.id(), .init(name: "name", type: .string)]),
    .init(
      name: "Book", uid: 107,
      properties: [
        .id(), .init(name: "title", type: .string, flags: [.indexed]),
        .init(name: "isbn", type: .string, flags: [.unique, .indexHash]),
        .init(name: "genre", type: .long), .init(name: "price", type: .double),
        .init(name: "published", type: .date), relation("authorId", to: "Author"),
        .init(name: "embedding", type: .floatVector),
      ], relations: [.init("related", to: "Book")]),
    .init(name: "Everything", uid: 108, properties: everything),
    .init(
      name: "Setting", uid: 109,
      properties: [
        .id([.idSelfAssignable]),
        .init(
          name: "key", type: .string, flags: [.unique, .indexHash, .uniqueOnConflictReplace]),
        .init(name: "count", type: .int, flags: [.indexed]),
      ]))

  private static let everything: [TestModel.Property] = [
    .id(), .init(name: "bool", type: .bool), .init(name: "int8", type: .byte),
    .init(name: "uint8", type: .byte, flags: .unsigned), .init(name: "int16", type: .short),
    .init(name: "uint16", type: .short, flags: .unsigned), .init(name: "char", type: .char),
    .init(name: "int32", type: .int), .init(name: "uint32", type: .int, flags: .unsigned),
    .init(name: "int64", type: .long), .init(name: "uint64", type: .long, flags: .unsigned),
    .init(name: "float", type: .float), .init(name: "double", type: .double),
    .init(name: "string", type: .string), .init(name: "date", type: .date),
    .init(name: "dateNano", type: .dateNano), .init(name: "data", type: .byteVector),
    .init(name: "flex", type: .flex), .init(name: "bools", type: .boolVector),
    .init(name: "int16s", type: .shortVector), .init(name: "chars", type: .charVector),
    .init(name: "int32s", type: .intVector), .init(name: "int64s", type: .longVector),
    .init(name: "floats", type: .floatVector), .init(name: "doubles", type: .doubleVector),
    .init(name: "strings", type: .stringVector),
  ]

  private static func relation(_ name: String, to target: String) -> TestModel.Property {
    .init(name: name, type: .relation, flags: [.indexed, .indexPartialSkipZero], target: target)
  }
}
