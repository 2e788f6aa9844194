/// Values of an object or of a group of objects, by their names.
///
/// ``Query/attributes(_:groupedBy:offset:limit:)-([AttributeTerm<E>],_,_,_)`` gives rows.
public struct AttributeRow: Hashable, Sendable {
  /// The names of the values, in the order of the terms.
  public let names: [String]
  /// The values in the order of the terms; nil for null.
  public let values: [PropertyValue?]

  /// The value of a name; nil for null, and for a name that the row does not have.
  ///
  /// - Complexity: O(*n*) in the number of values.
  public subscript(name: String) -> PropertyValue? {
    names.firstIndex(of: name).flatMap { values[$0] }
  }

  /// The values that are not null, by their names.
  ///
  /// - Complexity: O(*n*) in the number of values.
  public var dictionary: [String: PropertyValue] {
    Dictionary(zip(names, values)) { first, _ in first }.compactMapValues(\.self)
  }
}

extension AttributeRow: CustomDebugStringConvertible {
  /// The names and the values, null as `nil`.
  public var debugDescription: String {
    let parts = zip(names, values).map { "\($0): \($1.map { "\($0)" } ?? "nil")" }
    return "AttributeRow(\(parts.joined(separator: ", ")))"
  }
}

extension Query {
  /// The values of attributes of the objects that the query finds, or of groups of them.
  ///
  /// There is a row for each object, in the order of the query. With aggregates alone there is one row for
  /// all objects, even if no object matches. With keys there is one for each group of objects that have equal
  /// keys, in the order in which the query meets the first object of a group. Objects without a value of a
  /// key are a group. Aggregates leave null out.
  ///
  /// ```swift
  /// let rows = try query.attributes([.value(Book.genre), .count(Book.id, as: "n")], groupedBy: [.value(Book.genre)])
  /// print(rows.first?["n"] ?? "none")
  /// ```
  ///
  /// In a transaction, rows see its writes.
  ///
  /// - Parameters:
  ///   - terms: The values of a row.
  ///   - keys: The values by which objects are grouped; none for no groups.
  ///   - offset: The number of rows to leave out at the beginning.
  ///   - limit: The maximum number of rows; nil for all, and 0 as well.
  /// - Returns: The rows.
  /// - Throws: ``ObjectBoxError/illegalArgument(message:)`` for a negative offset or limit, two terms of one
  ///   name, an aggregate that the type of its property does not have, and a term that is neither an
  ///   aggregate nor a key where rows are of groups; ``ObjectBoxError/stdOverflow(message:)`` for a sum that
  ///   does not fit; ``ObjectBoxError/schema(message:)`` for a property that the model lacks.
  /// - Complexity: As ``find(offset:limit:)``; no objects are built, and groups take memory.
  public func attributes(
    _ terms: [AttributeTerm<E>], groupedBy keys: [AttributeTerm<E>] = [], offset: Int = 0,
    limit: Int? = nil
  ) throws -> [AttributeRow] {
    let plan = try AttributePlan(terms, by: keys, box)
    var rows: [AttributeRow] = []
    try plan.visit(self, ResultWindow(offset: offset, limit: limit)) { values in
      rows.append(AttributeRow(names: plan.names, values: values))
    }
    return rows
  }

  /// The values of attributes, as ``attributes(_:groupedBy:offset:limit:)-([AttributeTerm<E>],_,_,_)``.
  ///
  /// - Throws: As there.
  /// - Complexity: As there.
  public func attributes(
    _ terms: AttributeTerm<E>..., groupedBy keys: [AttributeTerm<E>] = [], offset: Int = 0,
    limit: Int? = nil
  ) throws -> [AttributeRow] {
    try attributes(terms, groupedBy: keys, offset: offset, limit: limit)
  }
}
