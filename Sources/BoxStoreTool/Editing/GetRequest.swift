package import BoxDump
internal import BoxEngine
internal import BoxStorage

/// Objects that are shown by their ids, as `boxjoint store get` shows them.
package struct GetRequest {
  /// The directory of the store.
  package var store: String
  /// The entity.
  package var entity: String
  /// The ids, in the order of the result.
  package var ids: [UInt64]
  /// The format; text shows a line for each value.
  package var format = QueryFormat.text
  /// The receiver of the result.
  package var stream: any DumpOutput
  /// The terminal that the stream is shown on; nil for another stream.
  package var screen: QueryScreen?
  /// The form of integers and dates, without converters.
  package var values = ValueForm()
  /// The catalogue of converters; nil to show values as they are stored.
  package var catalogue: CatalogueChoice? = CatalogueChoice()
  /// The way to open the store.
  package var access = StoreAccess()

  /// Creates a request.
  package init(_ store: String, _ entity: String, _ ids: [UInt64], to stream: any DumpOutput) {
    self.store = store
    self.entity = entity
    self.ids = ids
    self.stream = stream
  }

  /// Writes the objects with all their properties and the ids of their to-many relations.
  ///
  /// - Throws: ``CommandFailure`` of the kind `impossible` if an object does not exist, before anything is
  ///   written, and as ``onStore(_:_:)``.
  /// - Complexity: O(log *n*) for each object and each entry of a relation.
  package func run(in place: Workspace) throws {
    try OpenStore.with(store, access, catalogue, isReadOnly: true, in: place) { try run(on: $0) }
  }

  private func run(on open: OpenStore) throws {
    let entity = try open.entity(entity)
    let columns = try RowColumn.all(
      of: entity, in: open.store, open.values(values))
    let selection = try ResolvedSelection(.ids(ids), of: entity, in: open)
    var seen: Set<UInt64> = []
    let ids = ids.filter { seen.insert($0).inserted }
    try open.store.read { transaction in
      if let missing = try selection.missing(in: transaction) { throw missing }
      let lines = ResultOutput(try stream.open(""))
      let writer: any RowWriter =
        format == .text
        ? RecordRows(lines)
        : format.writer(to: lines, around: entity.name, screen)
      var cells = RowCells(writer.form)
      try writer.begin(columns.map(\.name))
      try transaction.visit(ids, fulfilling: selection.query) { id, record in
        for column in columns { try column.append(id, record, transaction, to: &cells) }
        defer { cells.clear() }
        return try writer.append(cells)
      }
      try writer.end(remaining: 0)
      try lines.finish()
    }
  }
}
