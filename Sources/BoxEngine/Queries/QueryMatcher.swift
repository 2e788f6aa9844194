/// The condition of a query for objects that are met in another way, in one transaction.
package struct QueryMatcher {
  private let tests: [Predicate]
  private let sets: [IDSet]
  private let folded = FoldedText()

  /// Computes what the condition needs of other entities.
  ///
  /// - Throws: ``StoreError``.
  package init(_ query: PreparedQuery, in transaction: Transaction) throws(StoreError) {
    tests = query.parts.map(\.predicate)
    sets = try QueryRun(query, in: transaction).sets
  }

  /// Whether an object fulfils the condition.
  package func matches(_ id: UInt64, _ record: borrowing RecordView) -> Bool {
    for test in tests where !test.matches(id, record, sets, folded) { return false }
    return true
  }
}
