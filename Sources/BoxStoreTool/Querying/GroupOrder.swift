internal import BoxDump
internal import BoxEngine
internal import BoxModel

/// An order of the groups of a query, by their value or by a number of each.
struct GroupOrder {
  private enum Term {
    case value
    case count
    /// A number of a summary.
    case number(QueryAggregate.Function, summary: Int)
  }

  private let terms: [Term]
  private let order: RowOrder

  /// Checks an order.
  ///
  /// - Parameters:
  ///   - order: The order; it names columns of the groups.
  ///   - column: The column of the groups.
  ///   - aggregates: The numbers of each group.
  /// - Throws: ``CommandFailure`` of the kind `usage` for a name that is not a column of the groups.
  init(
    _ order: [QueryOrder], by column: QueryColumn, _ aggregates: AggregateColumns
  ) throws(CommandFailure) {
    var terms: [Term] = []
    for order in order { terms.append(try Self.term(order, column, aggregates)) }
    self.terms = terms
    self.order = RowOrder(order)
  }

  private static func term(
    _ order: QueryOrder, _ column: QueryColumn, _ aggregates: AggregateColumns
  ) throws(CommandFailure) -> Term {
    let path = NamePath(reading: order.property)
    if order.property == column.name || path.names == column.path.names { return .value }
    for (name, aggregate, position) in aggregates.named
    where name == order.property || name == QueryAggregate.title(order.property) {
      if case .of(let function, _) = aggregate, let position {
        return .number(function, summary: position)
      }
      return .count
    }
    let names = ["\(column.path)"] + aggregates.written
    throw CommandFailure(
      .usage,
      "groups have no column '\(order.property)' to order by; they have \(names.joined(separator: ", "))"
    )
  }

  /// The groups in the order; those that it leaves open stay in theirs.
  ///
  /// - Complexity: O(*n* log *n*).
  func sorted(_ groups: [QueryGroup]) -> [QueryGroup] {
    order.sorted(groups) { group in terms.map { Self.value($0, group) } }
  }

  private static func value(_ term: Term, _ group: QueryGroup) -> RowValue {
    switch term {
    case .value: .value(group.value)
    case .count: .sum(Int128(group.count))
    case .number(let function, let summary): value(function, group.summaries[summary])
    }
  }

  /// A number of a summary; null where it has no value.
  private static func value(
    _ function: QueryAggregate.Function, _ summary: ColumnSummary
  ) -> RowValue {
    switch function {
    case .min: .value(summary.minimum ?? .null)
    case .max: .value(summary.maximum ?? .null)
    case .avg: .value(summary.average.map { .double($0) } ?? .null)
    case .sum:
      switch summary.sum {
      case .integer(let sum): .sum(sum)
      case .number(let sum): .value(.double(sum))
      case nil: .value(.null)
      }
    }
  }
}
