package import BoxStorage

extension QueryColumn {
  /// Whether the property is one of the object itself, at the end of no relation.
  package var isOwn: Bool { steps.isEmpty }
}

extension Transaction {
  /// Visits the records that have the values of a column of an object, in the order of
  /// ``values(_:_:_:)``.
  ///
  /// - Parameters:
  ///   - column: The column.
  ///   - id: The id of the object.
  ///   - record: The record of the object.
  ///   - body: Called with the id and the record of each object at the end of the path; the record is lent
  ///     for the call.
  /// - Throws: As ``values(_:_:_:)``.
  /// - Complexity: O(log *n*) for each object on the path.
  package func visitEnds(
    of column: QueryColumn, _ id: UInt64, _ record: borrowing RecordView,
    _ body: (UInt64, borrowing RecordView) -> Void
  ) throws(StoreError) {
    try column.visitEnds(id, record, self, try reading(), body)
  }
}

extension Transaction {
  /// Visits the objects of a list of ids that a query finds, in the order of the list.
  ///
  /// - Parameters:
  ///   - ids: The ids; ids without an object are skipped.
  ///   - query: The query, prepared by the store of this transaction; its order does not matter.
  ///   - body: As for ``visit(_:offset:limit:_:)-(PreparedQuery,_,_,_)``.
  /// - Throws: As there.
  /// - Complexity: O(log *n*) for each id.
  package func visit(
    _ ids: [UInt64], fulfilling query: PreparedQuery,
    _ body: (UInt64, borrowing RecordView) throws -> VisitStep
  ) throws {
    let run = try QueryRun(query, in: self)
    let tests = query.parts.map(\.predicate)
    beginVisit()
    defer { endVisit() }
    for id in ids where try run.visit(id, tests, body) == .stop { return }
  }
}
