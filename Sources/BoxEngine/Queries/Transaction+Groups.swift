internal import BoxModel
package import BoxStorage

extension Transaction {
  /// Visits rows of values of the objects that a query finds, in its order.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - terms: The values of a row; each of one object.
  ///   - offset: The number of objects to leave out at the beginning.
  ///   - limit: The maximum number of objects; nil for all.
  ///   - body: Called with each row; returns whether the visit continues.
  /// - Throws: As ``visit(_:offset:limit:_:)-(PreparedQuery,_,_,_)``, and the error of `body`.
  /// - Complexity: As there; no objects are built.
  package func visitRows(
    _ query: PreparedQuery, _ terms: [RowTerm], offset: Int = 0, limit: Int? = nil,
    _ body: ([RowValue]) throws -> VisitStep
  ) throws {
    precondition(terms.allSatisfy(\.isOfObject), "a row of one object has no aggregate")
    let counters = try counters(terms)
    try visit(query, offset: offset, limit: limit) { id, record in
      var row: [RowValue] = []
      row.reserveCapacity(terms.count)
      for (term, counter) in zip(terms, counters) {
        switch term {
        case .value(let column): row.append(.value(column.value(id, record)))
        case .targets, .aggregate:
          row.append(.value(.integer(Int64(try counter?.count(of: id) ?? 0))))
        }
      }
      return try body(row)
    }
  }

  /// Rows of values of groups of the objects that a query finds, in the order in which the groups are
  /// met.
  ///
  /// Two objects are in one group if they have equal keys: numbers as in a condition, strings by their
  /// bytes, and null, with which a to-one relation without a target counts, is equal to null. Without
  /// keys all objects are one group, which exists without objects too.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - terms: The values of a row; each an aggregate, or a term of an object that is a key.
  ///   - keys: The keys, of single values.
  /// - Returns: The rows.
  /// - Throws: As ``visit(_:offset:limit:_:)-(PreparedQuery,_,_,_)``.
  /// - Complexity: As there; takes memory for each group.
  package func groupRows(
    _ query: PreparedQuery, _ terms: [GroupTerm], by keys: [RowTerm]
  ) throws -> [[RowValue]] {
    let columns = terms.compactMap(\.column)
    var groups = GroupTable<[GroupKey]>(columns)
    if keys.isEmpty { _ = groups.position(of: []) }
    let counters = try counters(keys)
    var key: [GroupKey] = []
    try visit(query) { id, record in
      key.removeAll(keepingCapacity: true)
      for (term, counter) in zip(keys, counters) {
        try term.append(to: &key, id, record, counter)
      }
      let group = groups.position(of: key)
      for index in columns.indices { groups.accumulators[group][index].accumulate(id, record) }
      return .next
    }
    return groups.keys.indices.map { position in
      var accumulators = groups.accumulators[position][...]
      return terms.map { term in
        switch term {
        case .key(let index): keys[index].value(of: groups.keys[position][index])
        case .aggregate(let aggregate, let column):
          (accumulators.popFirst()?.summary ?? ColumnSummary()).value(aggregate, of: column)
        }
      }
    }
  }

  private func counters(_ terms: [RowTerm]) throws(StoreError) -> [TargetCounter?] {
    var counters: [TargetCounter?] = []
    for term in terms {
      if case .targets(let target) = term {
        counters.append(try TargetCounter(target, in: self))
      } else {
        counters.append(nil)
      }
    }
    return counters
  }
}

/// A value in the row of a group.
package enum GroupTerm: Sendable {
  /// The key at a position.
  case key(Int)
  case aggregate(RowAggregate, QueryColumn)

  fileprivate var column: QueryColumn? {
    if case .aggregate(_, let column) = self { column } else { nil }
  }
}

extension RowTerm {
  /// Appends the key of an object.
  fileprivate func append(
    to key: inout [GroupKey], _ id: UInt64, _ record: borrowing RecordView,
    _ counter: TargetCounter?
  ) throws(StoreError) {
    guard case .value(let column) = self else {
      return key.append(.bits(UInt64(try counter?.count(of: id) ?? 0)))
    }
    let count = key.count
    column.appendKeys(id, record, to: &key)
    if key.count == count {
      key.append(.null)
    } else if column.property.target != nil, key[count] == .bits(0) {
      key[count] = .null
    }
  }

  /// The value of a key.
  fileprivate func value(of key: GroupKey) -> RowValue {
    switch self {
    case .value(let column): .value(column.value(of: key))
    case .targets, .aggregate:
      if case .bits(let bits) = key { .value(.integer(Int64(bits))) } else { .value(.null) }
    }
  }
}
