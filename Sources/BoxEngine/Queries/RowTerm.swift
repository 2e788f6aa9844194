package import BoxModel

/// A value that a row of ``Transaction/visitRows(_:_:offset:limit:_:)`` has.
package enum RowTerm: Sendable {
  /// The value of a property of each object, or of each group that has it as a key.
  case value(QueryColumn)
  /// The number of targets of a to-many relation.
  case targets(TargetCount)
  /// One value of all objects, or of the objects of a group.
  case aggregate(RowAggregate, QueryColumn)

  /// Whether it is a value of one object.
  package var isOfObject: Bool { if case .aggregate = self { false } else { true } }
}

/// A value that is computed of the values of a column; null is left out.
package enum RowAggregate: String, Hashable, Sendable {
  case average
  case count
  case maximum = "max"
  case minimum = "min"
  case sum
}

/// A value in a row.
package enum RowValue: Hashable, Sendable {
  case value(Value)
  /// The exact sum of integers.
  case sum(Int128)
}

extension RowTerm {
  /// Checks that a term is defined for the type of its property.
  ///
  /// - Throws: ``ConditionError`` for a sum or an average of anything but numbers, for a limit of a vector,
  ///   and for a vector as a key of groups.
  package func check(isKey: Bool) throws(ConditionError) {
    switch self {
    case .targets, .aggregate(.count, _): return
    case .value(let column):
      if isKey, column.isVector { throw column.refusal("groups have single values as keys") }
    case .aggregate(let aggregate, let column):
      if column.isVector {
        throw column.refusal("\(aggregate.rawValue) is for single values; use count")
      }
      let isLimit = aggregate == .maximum || aggregate == .minimum
      if !isLimit, !ColumnAccumulator.supports(column) {
        throw column.refusal("\(aggregate.rawValue) is for numbers; use max, min or count")
      }
    }
  }
}

extension QueryColumn {
  fileprivate func refusal(_ reason: String) -> ConditionError {
    ConditionError(
      "\(entity.name).\(property.name) has the type \(property.modelType), and \(reason)")
  }
}

extension ColumnSummary {
  /// One value of the summary: a sum of nothing is 0, a count too, and all others are null.
  func value(_ aggregate: RowAggregate, of column: QueryColumn) -> RowValue {
    switch aggregate {
    case .average: .value(average.map { .double($0) } ?? .null)
    case .count: .value(.integer(Int64(count)))
    case .maximum: .value(maximum ?? .null)
    case .minimum: .value(minimum ?? .null)
    case .sum:
      switch sum {
      case .integer(let sum): .sum(sum)
      case .number(let sum): .value(.double(sum))
      case nil: column.hasFractions ? .value(.double(0)) : .sum(0)
      }
    }
  }
}

extension QueryColumn {
  /// Whether the values are floating-point numbers.
  fileprivate var hasFractions: Bool { field.type == .float || field.type == .double }
}
