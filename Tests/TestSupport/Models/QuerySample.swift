internal import BoxModel

/// Models of the entity types that the tests of queries declare.
public enum QuerySample {
  /// The kinds of indexes that a string can have, none among them.
  public enum StringIndex: String, CaseIterable, Sendable {
    case none, value, hash, hash64

    fileprivate var flags: PropertyFlags {
      switch self {
      case .none: []
      case .value: .indexed
      case .hash: .indexHash
      case .hash64: .indexHash64
      }
    }
  }

  /// The text of a model of people.
  ///
  /// - Throws: `ModelError` if the model is not valid.
  public static func people() throws -> String {
    try TestModel(
      .init(
        name: "Person", uid: 201,
        properties: [
          .id(), .init(name: "firstName", type: .string), .init(name: "lastName", type: .string),
          .init(name: "age", type: .long), .init(name: "rating", type: .float),
          .init(name: "balance", type: .long), .init(name: "nickname", type: .string),
        ])
    ).text
  }

  /// The text of a model of customers and orders, where the summary of an order has an index.
  ///
  /// - Throws: `ModelError` if the model is not valid.
  public static func shop(_ index: StringIndex) throws -> String {
    try TestModel(
      .init(name: "Customer", uid: 101, properties: [.id(), .init(name: "name", type: .string)]),
      .init(
        name: "Order", uid: 102,
        properties: [
          .id(), .init(name: "summary", type: .string, flags: index.flags),
          .init(
            name: "customerId", type: .relation, flags: [.indexed, .indexPartialSkipZero],
            target: "Customer"),
        ])
    ).text
  }
}
