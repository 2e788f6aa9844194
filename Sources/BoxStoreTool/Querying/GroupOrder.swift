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

  private let terms: [(term: Term, order: QueryOrder)]

  /// Checks an order.
  ///
  /// - Parameters:
  ///   - order: The order; its names are those of columns of the groups.
  ///   - column: The column of the groups.
  ///   - aggregates: The numbers of each group.
  /// - Throws: ``CommandFailure`` of the kind `usage` for a name that is not a column of the groups.
  init(
    _ order: [QueryOrder], by column: QueryColumn, _ aggregates: AggregateColumns
  ) throws(CommandFailure) {
    var terms: [(Term, QueryOrder)] = []
    for order in order {
      terms.append((try Self.term(order, column, aggregates), order))
    }
    self.terms = terms
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
    if terms.isEmpty { return groups }
    let keyed = groups.map { group in
      (group, terms.map { $0.order.key(of: Self.value($0.term, group)) })
    }
    return keyed.enumerated().sorted { a, b in
      for (number, (_, order)) in terms.enumerated() {
        let (first, second) = (a.element.1[number], b.element.1[number])
        if first != second { return order.precedes(first, second) }
      }
      return a.offset < b.offset
    }.map(\.element.0)
  }

  private static func value(_ term: Term, _ group: QueryGroup) -> SortValue? {
    switch term {
    case .value: SortValue(group.value)
    case .count: .integer(Int128(group.count))
    case .number(let function, let summary): SortValue(function, group.summaries[summary])
    }
  }
}

/// A value that is ordered as the engine orders the values of a property.
private enum SortValue: Equatable {
  case integer(Int128)
  case number(Double)
  case bytes([UInt8])

  /// Takes a value; nil for null.
  init?(_ value: Value) {
    switch value {
    case .bool(let value): self = .integer(value ? 1 : 0)
    case .integer(let value): self = .integer(Int128(value))
    case .unsigned(let value): self = .integer(Int128(value))
    case .float(let value): self = .number(Double(value))
    case .double(let value): self = .number(value)
    case .string(let value): self = .bytes(Array(value.utf8))
    case .bytes(let value): self = .bytes(value)
    default: return nil
    }
  }

  /// Takes a number of a summary; nil where it has no value.
  init?(_ function: QueryAggregate.Function, _ summary: ColumnSummary) {
    switch function {
    case .min: self.init(summary.minimum ?? .null)
    case .max: self.init(summary.maximum ?? .null)
    case .avg: self.init(summary.average.map { .double($0) } ?? .null)
    case .sum:
      switch summary.sum {
      case .integer(let sum): self = .integer(sum)
      case .number(let sum): self = .number(sum)
      case nil: return nil
      }
    }
  }

  static func < (a: SortValue, b: SortValue) -> Bool {
    switch (a, b) {
    case (.integer(let a), .integer(let b)): a < b
    // NaN is above all other numbers.
    case (.number(let a), .number(let b)): b.isNaN ? !a.isNaN : a < b
    // The zero that stands for null.
    case (.integer(let a), .number(let b)): SortValue.number(Double(a)) < .number(b)
    case (.number(let a), .integer(let b)): SortValue.number(a) < .number(Double(b))
    case (.bytes(let a), .bytes(let b)): a.lexicographicallyPrecedes(b)
    default: false
    }
  }

  /// NaN equals itself.
  static func == (a: SortValue, b: SortValue) -> Bool {
    switch (a, b) {
    case (.integer(let a), .integer(let b)): a == b
    case (.number(let a), .number(let b)): a == b || a.isNaN && b.isNaN
    case (.integer(let a), .number(let b)), (.number(let b), .integer(let a)): Double(a) == b
    case (.bytes(let a), .bytes(let b)): a == b
    default: false
    }
  }
}

extension QueryOrder {
  fileprivate func key(of value: SortValue?) -> SortValue? {
    switch value {
    case nil where nulls == .zero: .integer(0)
    case .bytes(let bytes) where ignoresCase:
      .bytes(CaseFolding.fold(String(decoding: bytes, as: UTF8.self)))
    default: value
    }
  }

  /// Whether a value comes before another one, which differs.
  fileprivate func precedes(_ a: SortValue?, _ b: SortValue?) -> Bool {
    let nullsFirst = nulls == .first || nulls == .smallest && !isDescending
    guard let a else { return nullsFirst }
    guard let b else { return !nullsFirst }
    return isDescending ? b < a : a < b
  }
}
