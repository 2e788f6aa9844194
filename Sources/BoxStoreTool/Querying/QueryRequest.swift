package import BoxDump
package import BoxEngine
internal import BoxStorage

/// A question about the objects of a store, as a user asks it.
package struct QueryRequest {
  /// The directory of the store.
  package var store: String
  /// The entity.
  package var entity: String
  /// The condition that the objects fulfil; nil for all.
  package var condition: String?
  /// The vector whose nearest objects are listed, as many as ``limit`` says, or ten.
  package var nearest: NearestVector?
  /// The order of the objects, or of their groups.
  package var order: [QueryOrder] = []
  /// The id of the object after which the rows begin, in their order; nil for the first one.
  ///
  /// Only for rows that are objects in an order, not each distinct row once.
  package var after: UInt64?
  /// The number of rows to leave out at the beginning.
  package var offset = 0
  /// The maximum number of rows; nil for all, or for as many as a page of HTML has without a limit.
  package var limit: Int?
  /// The rows of the answer.
  package var rows = Rows.objects(select: nil, isDistinct: false)
  /// The format.
  package var format = QueryFormat.text
  /// The file to write; nil for ``stream``.
  package var output: String?
  /// The receiver of a result without an ``output``.
  package var stream: (any DumpOutput)?
  /// The terminal that the stream is shown on; nil for another stream.
  package var screen: QueryScreen?
  /// The form of integers and dates, without converters.
  package var values = ValueForm()
  /// The catalogue of converters; nil to show values as they are stored.
  package var catalogue: CatalogueChoice? = CatalogueChoice()
  /// The way to open the store.
  package var access = StoreAccess()

  /// The rows of an answer.
  package enum Rows: Hashable, Sendable {
    /// The objects, with all properties or the paths that are selected; each row once if they are
    /// distinct.
    case objects(select: [String]?, isDistinct: Bool)
    /// One row with numbers of all objects.
    case summary([QueryAggregate])
    /// A row for each value of a property, with numbers of its objects.
    case groups(by: String, [QueryAggregate])
  }

  /// Creates a request for all objects of an entity.
  package init(_ store: String, _ entity: String) {
    self.store = store
    self.entity = entity
  }

  /// Writes the answer.
  ///
  /// Rows are written while objects are read, unless they have to be sorted or grouped.
  ///
  /// - Throws: ``CommandFailure`` of the kind `usage` for a name that the store does not have, a
  ///   condition that cannot be read, and an output that is an input or in the store, of the kind
  ///   `impossible` if the place of ``after`` is unknown; and as ``onStore(_:_:)``.
  /// - Complexity: As `Transaction.visit` for the query.
  package func run(in place: Workspace) throws {
    try requireOutput()
    try OpenStore.with(store, access, catalogue, isReadOnly: true, in: place) { open in
      let query = try ResolvedQuery(self, open)
      let source = try query.source()
      let file = try destination().open("")
      let lines = ResultOutput(file)
      let writer = writer(to: lines, query.entity.name)
      try query.store.read { try source.write(to: writer, in: $0) }
      try lines.finish()
    }
  }

  /// The way in which the objects would be found; nothing is written.
  ///
  /// - Throws: As ``run(in:)``.
  package func explain(in place: Workspace) throws -> QueryPlan {
    try requireOutput()
    return try OpenStore.with(store, access, catalogue, isReadOnly: true, in: place) { open in
      let query = try ResolvedQuery(self, open)
      let isCut: Bool
      if case .objects(_, false) = rows { isCut = nearest == nil } else { isCut = false }
      var plan = try query.store.read {
        try $0.explain(
          try query.page(in: $0), offset: isCut ? offset : 0, limit: isCut ? limit : nil)
      }
      plan.nearest = nearest.map { "\(neighbours) by \($0.property), a look at each vector" }
      return plan
    }
  }

  private func requireOutput() throws {
    guard let output else { return }
    try requireOutside(output, ofStore: store)
    try requireOutputs(
      [output], notAmong: [catalogue?.path, catalogue?.configurationPath].compactMap { $0 })
  }

  private func destination() throws(CommandFailure) -> any DumpOutput {
    if let output { return FileDestination(output) }
    guard let stream else { throw CommandFailure(.usage, "a query needs an output", path: store) }
    return stream
  }

  private func writer(to lines: ResultOutput, _ entity: String) -> any RowWriter {
    let screen = output == nil ? screen : nil
    var (isOneValue, isOfObjects) = (false, true)
    if case .summary(let numbers) = rows { (isOneValue, isOfObjects) = (numbers.count == 1, false) }
    switch format {
    case .text:
      return TextRows(
        lines, width: screen?.width, maximumRows: limit == nil ? screen?.rows : nil,
        isOneValue: isOneValue)
    case .html:
      return HTMLRows(
        lines, pageHead(entity), maximumRows: limit == nil ? HTMLRows.defaultMaximum : nil)
    default: return format.writer(to: lines, around: entity, screen, isOfObjects: isOfObjects)
    }
  }

  private func pageHead(_ entity: String) -> HTMLRows.Head {
    var head = HTMLRows.Head(entity: entity)
    if let condition { head.parts.append(("where", condition)) }
    if let nearest { head.parts.append(("nearest by", nearest.property)) }
    if case .groups(let path, _) = rows { head.parts.append(("grouped by", path)) }
    if !order.isEmpty {
      head.parts.append(("ordered by", order.map(\.description).joined(separator: ", ")))
    }
    return head
  }
}

extension QueryFormat {
  /// A writer of rows; for text, the writer of a table without limits.
  ///
  /// - Parameters:
  ///   - lines: The output.
  ///   - entity: The entity of the rows.
  ///   - screen: The terminal that the output is shown on; nil for another one.
  ///   - isOfObjects: Whether the rows are objects, and not a summary of them.
  /// - Returns: The writer.
  func writer(
    to lines: ResultOutput, around entity: String, _ screen: QueryScreen?, isOfObjects: Bool = true
  ) -> any RowWriter {
    switch self {
    case .ndjson: JSONRows(lines)
    case .json: JSONRows(lines, around: entity)
    case .csv: CSVRows(lines, isForDisplay: screen != nil, isOfObjects: isOfObjects)
    case .markdown: MarkdownRows(lines)
    case .html: HTMLRows(lines, HTMLRows.Head(entity: entity))
    case .text: TextRows(lines, width: screen?.width, maximumRows: nil, isOneValue: false)
    }
  }
}
