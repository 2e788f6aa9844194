internal import BoxDump
internal import BoxEngine
internal import BoxModel
internal import BoxStorage

/// The rows of an answer.
protocol RowSource {
  /// Writes the rows, each as soon as it is known.
  ///
  /// - Throws: `StoreError` if the store cannot be read, `DumpError` if a value cannot be written, and the
  ///   errors of the writer.
  func write(to writer: any RowWriter, in transaction: Transaction) throws
}

/// The objects that a query finds.
struct ObjectRows: RowSource {
  let query: ResolvedQuery
  let columns: [RowColumn]

  func write(to writer: any RowWriter, in transaction: Transaction) throws {
    let (offset, limit) = (query.request.offset, query.request.limit)
    var cells = RowCells(writer.form)
    var (written, isFull) = (0, false)
    let page = try query.page(in: transaction)
    try writer.begin(columns.map(\.name))
    try transaction.visit(page, offset: offset, limit: limit) { id, record in
      for column in columns { try column.append(id, record, transaction, to: &cells) }
      written += 1
      isFull = try writer.append(cells) == .stop
      cells.clear()
      return isFull ? .stop : .next
    }
    let found = isFull ? max(0, try transaction.count(page) - offset) : written
    try writer.end(remaining: min(found, limit ?? .max) - written)
  }
}

/// The distinct rows of the objects, each where it comes first.
struct DistinctRows: RowSource {
  let query: ResolvedQuery
  let columns: [RowColumn]

  func write(to writer: any RowWriter, in transaction: Transaction) throws {
    var cells = RowCells(writer.form)
    var seen: Set<[UInt8]> = []
    var rows = CountedRows(query.request, writer)
    try writer.begin(columns.map(\.name))
    try transaction.visit(query.filter) { id, record in
      for column in columns { try column.append(id, record, transaction, to: &cells) }
      defer { cells.clear() }
      return seen.insert(cells.key).inserted ? try rows.append(cells) : .next
    }
    try rows.end()
  }
}

/// The objects that fulfil the condition whose vectors are nearest to one, the nearest first, with their
/// distances.
struct NearestRows: RowSource {
  private let query: ResolvedQuery
  private let columns: [RowColumn]
  private let nearest: NearestVector

  init(_ query: ResolvedQuery, _ columns: [RowColumn], _ nearest: NearestVector) {
    self.query = query
    self.columns = columns
    self.nearest = nearest
  }

  /// The name of the column after the columns of the object.
  private static let distanceName = "distance"

  func write(to writer: any RowWriter, in transaction: Transaction) throws {
    var cells = RowCells(writer.form)
    var rows = CountedRows(query.request, writer)
    // A property of that name keeps it.
    let isTaken = columns.contains { $0.name == Self.distanceName }
    let near = try transaction.neighbours(
      query.filter, nearest, maximum: query.request.neighbours)
    try writer.begin(columns.map(\.name) + [isTaken ? "distance()" : Self.distanceName])
    try near.visit(in: transaction) { id, record, distance in
      for column in columns { try column.append(id, record, transaction, to: &cells) }
      cells.append(distance)
      cells.endCell()
      defer { cells.clear() }
      return try rows.append(cells)
    }
    try rows.end()
  }
}

/// Numbers of all objects.
struct SummaryRow: RowSource {
  let query: PreparedQuery
  let columns: AggregateColumns

  func write(to writer: any RowWriter, in transaction: Transaction) throws {
    var cells = RowCells(writer.form)
    try writer.begin(columns.names)
    if columns.columns.isEmpty {
      try columns.append(try transaction.count(query), [], to: &cells)
    } else {
      let (count, summaries) = try transaction.summarize(query, columns.columns)
      try columns.append(count, summaries, to: &cells)
    }
    _ = try writer.append(cells)
    try writer.end(remaining: 0)
  }
}

/// A row for each value of a property.
struct GroupRows: RowSource {
  private let query: ResolvedQuery
  private let column: QueryColumn
  private let form: ColumnForm
  private let aggregates: AggregateColumns
  private let order: GroupOrder

  /// Resolves the names.
  ///
  /// - Throws: As ``ResolvedQuery/source()``.
  init(_ query: ResolvedQuery, by path: String, _ aggregates: [QueryAggregate]) throws {
    self.query = query
    let (entity, store, values) = (query.entity, query.store, query.values)
    column = try store.column(path, of: entity)
    form = try ColumnForm(column.property, of: column.entity, values)
    self.aggregates = try AggregateColumns(
      aggregates, of: entity, in: store, values, beside: column.name)
    order = try GroupOrder(query.request.order, by: column, self.aggregates)
  }

  func write(to writer: any RowWriter, in transaction: Transaction) throws {
    let groups = order.sorted(
      try transaction.groups(query.filter, by: column, aggregates.columns))
    var cells = RowCells(writer.form)
    var rows = CountedRows(query.request, writer)
    try writer.begin([column.name] + aggregates.names)
    for group in groups {
      try cells.append(form, group.value)
      cells.endCell()
      try aggregates.append(group.count, group.summaries, to: &cells)
      if try rows.append(cells) == .stop { break }
      cells.clear()
    }
    try rows.end()
  }
}

/// The rows between an offset and a limit, and the number of those that a writer does not take.
private struct CountedRows {
  private let offset: Int
  private let limit: Int?
  private let writer: any RowWriter
  private var count = 0
  private var isFull = false
  private var remaining = 0

  init(_ request: QueryRequest, _ writer: any RowWriter) {
    offset = request.offset
    limit = request.limit
    self.writer = writer
  }

  /// Takes one more row, and returns whether another one can be of interest.
  mutating func append(_ row: borrowing RowCells) throws -> VisitStep {
    if limit == 0 { return .stop }
    count += 1
    if count <= offset { return .next }
    if isFull {
      remaining += 1
    } else {
      isFull = try writer.append(row) == .stop
    }
    return limit == count - offset ? .stop : .next
  }

  func end() throws { try writer.end(remaining: remaining) }
}
