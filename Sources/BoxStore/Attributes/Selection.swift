/// Rows of typed values of the objects that a query finds, or of groups of them.
///
/// ```swift
/// let rows = try query.select(.value(Book.genre), .max(Book.price)).grouped(by: Book.genre).find()
/// for (genre, price) in rows { print(genre, price ?? 0) }
/// ```
///
/// The rows are the same as from ``Query/attributes(_:groupedBy:offset:limit:)-([AttributeTerm<E>],_,_,_)``.
/// It keeps its query, and has the values that the query's conditions have when it runs.
public struct Selection<E: EntityInspectable & __EntityRelatable, each Value: SelectableValue>:
  Sendable
where E == E.EntityBindingType.EntityType {
  private let query: Query<E>
  private let terms: (repeat SelectTerm<E, each Value>)
  private var keys: [AttributeTerm<E>] = []

  init(_ query: Query<E>, _ terms: (repeat SelectTerm<E, each Value>)) {
    self.query = query
    self.terms = terms
  }

  // MARK: - Groups

  /// Groups the objects by a property, after the properties of earlier calls.
  public func grouped<V, R>(by property: Property<E, V, R>) -> Selection {
    var result = self
    result.keys.append(.value(property))
    return result
  }

  // MARK: - Running

  /// The rows.
  ///
  /// - Parameters:
  ///   - offset: The number of rows to leave out at the beginning.
  ///   - limit: The maximum number of rows; 0 for all.
  /// - Returns: The rows.
  /// - Throws: As ``Query/attributes(_:groupedBy:offset:limit:)-([AttributeTerm<E>],_,_,_)``, and
  ///   ``ObjectBoxError/propertyTypeMismatch(message:)`` if a stored value does not fit its Swift type.
  /// - Complexity: As there.
  public func find(offset: Int = 0, limit: Int? = nil) throws -> [(repeat each Value)] {
    try rows(ResultWindow(offset: offset, limit: limit))
  }

  /// The first row; nil without values.
  ///
  /// - Throws: As ``find(offset:limit:)``.
  /// - Complexity: As ``find(offset:limit:)``.
  public func findFirst() throws -> (repeat each Value)? { try rows(.first).first }

  private var attributes: [AttributeTerm<E>] {
    var attributes: [AttributeTerm<E>] = []
    for term in repeat each terms { attributes.append(term.attribute) }
    return attributes
  }

  private func rows(_ window: ResultWindow) throws -> [(repeat each Value)] {
    let attributes = attributes
    let plan = try AttributePlan(attributes, by: keys, query.box, isNamed: false)
    // A key path in a function with a parameter pack traps at run time, in Swift 6.3.
    let areSums = attributes.map { $0.isSum }
    var rows: [(repeat each Value)] = []
    try plan.visit(query, window) { values in
      var reader = RowReader(values, areSums)
      rows.append((repeat try reader.next((each Value).self)))
    }
    return rows
  }
}

extension Selection: CustomDebugStringConvertible {
  /// The terms, the keys of groups, and the query.
  public var debugDescription: String {
    "Selection(\(selectionWords(attributes, keys)) of \(query.debugDescription))"
  }
}

/// The terms of a selection and the keys of its groups, for a debugger.
func selectionWords<E>(_ terms: [AttributeTerm<E>], _ keys: [AttributeTerm<E>]) -> String {
  func list(_ terms: [AttributeTerm<E>]) -> String {
    terms.map(\.words).joined(separator: ", ")
  }
  return list(terms) + (keys.isEmpty ? "" : ", grouped by \(list(keys))")
}

/// Reads the values of a row one after the other.
struct RowReader {
  private var values: ArraySlice<(PropertyValue?, isSum: Bool)>

  /// Begins to read a row.
  ///
  /// - Parameters:
  ///   - values: The values.
  ///   - areSums: Whether each of them is a sum.
  init(_ values: [PropertyValue?], _ areSums: [Bool]) {
    self.values = zip(values, areSums).map { ($0, isSum: $1) }[...]
  }

  mutating func next<Value: SelectableValue>(_ type: Value.Type) throws -> Value {
    let (stored, isSum) = values.popFirst() ?? (nil, false)
    // A value of a property has the bits of its type, whatever its sign.
    if isSum, case .unsigned(let sum) = stored {
      throw ObjectBoxError.stdOverflow(
        message: "the sum \(sum) does not fit into Int64; select the average, or use attributes")
    }
    if let value = Value(selected: stored) { return value }
    throw ObjectBoxError.propertyTypeMismatch(
      message: "the stored value \(stored.map { "\($0)" } ?? "null") is not a \(type); "
        + "generate the bindings again with the model of the store")
  }
}

extension Query {
  /// Rows of typed values, to be found by ``Selection/find(offset:limit:)``.
  ///
  /// ```swift
  /// let rows = try query.select(.value(Book.title), .value(Book.price)).find()
  /// ```
  public func select<each Value: SelectableValue>(
    _ terms: repeat SelectTerm<E, each Value>
  ) -> Selection<E, repeat each Value> {
    Selection(self, (repeat each terms))
  }
}
