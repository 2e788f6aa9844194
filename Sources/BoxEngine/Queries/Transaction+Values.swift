package import BoxModel
package import BoxStorage

/// The values of a column that are looked at.
package struct ColumnOptions: Sendable {
  /// Whether a value is left out that equals one of an object with a lower id.
  package var isDistinct = false
  /// Whether strings that differ in case alone are equal.
  package var ignoresCase = false
  /// The value of the objects without one; nil to leave them out.
  package var nullValue: Value?

  /// Creates the options for every value that is not null.
  package init() {}

  fileprivate func key(_ value: Value) -> Value {
    switch value {
    case .float(let number): .unsigned(OrderedKey.of(Double(number)))
    case .double(let number): .unsigned(OrderedKey.of(number))
    case .string(let text) where ignoresCase: .bytes(CaseFolding.fold(Array(text.utf8)))
    // Swift compares strings by canonical equivalence, the engine by bytes.
    case .string(let text): .bytes(Array(text.utf8))
    default: value
    }
  }
}

extension Transaction {
  /// Visits the values of a column of the objects that a query finds.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - column: A property of its entity.
  ///   - options: The values that are looked at.
  ///   - body: Called with each value; returns whether the visit continues. It must not use the store.
  /// - Throws: As ``visit(_:offset:limit:_:)-(PreparedQuery,_,_,_)``, and the error of `body`.
  /// - Complexity: As there; distinct values are kept in memory.
  package func visitValues(
    _ query: PreparedQuery, _ column: QueryColumn, _ options: ColumnOptions,
    _ body: (Value) throws -> VisitStep
  ) throws {
    var seen: Set<Value> = []
    try visit(query) { id, record in
      var value = column.value(id, record)
      if case .null = value {
        guard let replacement = options.nullValue else { return .next }
        value = replacement
      }
      if options.isDistinct, !seen.insert(options.key(value)).inserted { return .next }
      return try body(value)
    }
  }

  /// The summary of the values of a column of the objects that a query finds.
  ///
  /// - Parameters:
  ///   - query: The query; its order does not matter.
  ///   - column: A property of its entity.
  ///   - options: The values that are summed up.
  /// - Returns: The summary.
  /// - Throws: As ``summarize(_:_:)``.
  /// - Complexity: As ``visitValues(_:_:_:_:)``.
  package func summarize(
    _ query: PreparedQuery, _ column: QueryColumn, _ options: ColumnOptions
  ) throws(StoreError) -> ColumnSummary {
    if !options.isDistinct, options.nullValue == nil {
      return try summarize(query, [column]).summaries[0]
    }
    try requireNumeric([column])
    var accumulator = ColumnAccumulator(column)
    try StoreError.only {
      try visitValues(query, column, options) { value in
        accumulator.accumulate(value)
        return .next
      }
    }
    return accumulator.summary
  }
}
