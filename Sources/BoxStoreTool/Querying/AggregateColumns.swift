internal import BoxDump
internal import BoxEngine
internal import BoxJSON
internal import BoxModel

/// The numbers that a query computes of objects, as columns of its result.
struct AggregateColumns {
  /// The columns to summarize, each once.
  let columns: [QueryColumn]
  /// The names of the columns of the result.
  let names: [String]
  /// The same, as an order names them.
  let written: [String]
  private let forms: [ColumnForm]
  private let aggregates: [QueryAggregate]
  /// For each number the position of its column; nil for a count.
  private let positions: [Int?]
  private let quoted: Bool

  /// Resolves numbers.
  ///
  /// - Parameters:
  ///   - aggregates: The numbers.
  ///   - entity: The entity of the objects.
  ///   - store: The store of the entity.
  ///   - values: The form of values.
  ///   - other: The name of a column beside them; a number of that name gets another one.
  /// - Throws: `ConditionError` for an unknown name, `DumpError` if a converter does not fit,
  ///   ``CommandFailure`` of the kind `usage` for a duplicate number.
  init(
    _ aggregates: [QueryAggregate], of entity: EntitySchema, in store: ObjectStore,
    _ values: ValueForm, beside other: String? = nil
  ) throws {
    var (columns, forms, positions): ([QueryColumn], [ColumnForm], [Int?]) = ([], [], [])
    var (names, written): ([String], [String]) = ([], [])
    for aggregate in aggregates {
      var (name, text) = ("\(aggregate)", "\(aggregate)")
      if case .of(let function, let path) = aggregate {
        let column = try store.column(path, of: entity)
        (name, text) = ("\(function)(\(column.name))", "\(function)(\(column.path))")
        let position = columns.firstIndex { $0.path == column.path } ?? columns.count
        positions.append(position)
        if position == columns.count {
          columns.append(column)
          forms.append(try ColumnForm(column.property, of: column.entity, values))
        }
        if aggregate.isArithmetic { try Self.requireNoID(column) }
      } else {
        positions.append(nil)
      }
      if names.contains(name) {
        throw CommandFailure(.usage, "'\(aggregate)' is asked for twice; ask for it once")
      }
      names.append(name)
      written.append(text)
    }
    self.written = written
    (self.columns, self.forms, self.positions) = (columns, forms, positions)
    self.aggregates = aggregates
    self.names = names.map { $0 == other ? "\($0)()" : $0 }
    quoted = values.integers == .string
  }

  /// Refuses ids, of which a sum or a mean says nothing.
  private static func requireNoID(_ column: QueryColumn) throws(CommandFailure) {
    let name = "\(column.entity.name).\(column.property.name)"
    if column.property.modelType == .relation {
      throw CommandFailure(
        .usage, "\(name) is a relation, and its ids have no sum; name a property of its target")
    }
    if column.property.flags.contains(.id) {
      throw CommandFailure(.usage, "\(name) is the id, and ids have no sum")
    }
  }

  /// Each number with its name and the position of its column.
  var named: [(name: String, aggregate: QueryAggregate, position: Int?)] {
    aggregates.indices.map { (names[$0], aggregates[$0], positions[$0]) }
  }

  /// Appends the numbers of objects to a row.
  ///
  /// - Throws: `DumpError` if a limit cannot be written.
  func append(
    _ count: Int, _ summaries: [ColumnSummary], to cells: inout RowCells
  ) throws(DumpError) {
    for (aggregate, position) in zip(aggregates, positions) {
      if case .of(let function, _) = aggregate, let position {
        try append(function, summaries[position], forms[position], to: &cells)
      } else {
        cells.append(Int128(count), quoted: false)
      }
      cells.endCell()
    }
  }

  private func append(
    _ function: QueryAggregate.Function, _ summary: ColumnSummary, _ form: ColumnForm,
    to cells: inout RowCells
  ) throws(DumpError) {
    switch function {
    case .min: try cells.append(form, summary.minimum ?? .null)
    case .max: try cells.append(form, summary.maximum ?? .null)
    case .avg:
      if let average = summary.average { cells.append(average) } else { cells.append(raw: "null") }
    case .sum:
      switch summary.sum {
      case .integer(let sum): cells.append(sum, quoted: quoted)
      case .number(let sum): cells.append(sum)
      case nil: cells.append(raw: "null")
      }
    }
  }
}
