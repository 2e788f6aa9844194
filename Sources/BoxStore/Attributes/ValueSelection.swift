/// Values of one kind of the objects that a query finds, or of groups of them: a ``Selection`` whose rows
/// have one value.
///
/// ```swift
/// let dearest = try query.select(.max(Book.price)).findFirst()
/// ```
public struct ValueSelection<E: EntityInspectable & __EntityRelatable, Value: SelectableValue>:
  Sendable
where E == E.EntityBindingType.EntityType {
  private let query: Query<E>
  private let term: SelectTerm<E, Value>
  private var keys: [AttributeTerm<E>] = []

  init(_ query: Query<E>, _ term: SelectTerm<E, Value>) {
    self.query = query
    self.term = term
  }

  /// Groups the objects by a property, after the properties of earlier calls.
  public func grouped<V, R>(by property: Property<E, V, R>) -> ValueSelection {
    var result = self
    result.keys.append(.value(property))
    return result
  }

  /// The values, one of each row.
  ///
  /// - Throws: As ``Selection/find(offset:limit:)``.
  /// - Complexity: As ``Selection/find(offset:limit:)``.
  public func find(offset: Int = 0, limit: Int? = nil) throws -> [Value] {
    try values(ResultWindow(offset: offset, limit: limit))
  }

  /// The value of the first row; nil without values.
  ///
  /// - Throws: As ``Selection/find(offset:limit:)``.
  /// - Complexity: As ``Selection/find(offset:limit:)``.
  public func findFirst() throws -> Value? { try values(.first).first }

  private func values(_ window: ResultWindow) throws -> [Value] {
    let plan = try AttributePlan([term.attribute], by: keys, query.box)
    var found: [Value] = []
    try plan.visit(query, window) { values in
      var reader = RowReader(values, [term.attribute.isSum])
      found.append(try reader.next(Value.self))
    }
    return found
  }
}

extension ValueSelection: CustomDebugStringConvertible {
  /// The term, the keys of groups, and the query.
  public var debugDescription: String {
    "ValueSelection(\(selectionWords([term.attribute], keys)) of \(query.debugDescription))"
  }
}

extension Query {
  /// Values of one kind, to be found by ``ValueSelection/find(offset:limit:)``.
  public func select<Value: SelectableValue>(
    _ term: SelectTerm<E, Value>
  ) -> ValueSelection<E, Value> {
    ValueSelection(self, term)
  }
}
