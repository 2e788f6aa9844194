internal import BoxConvert
internal import BoxDump
internal import BoxEngine
internal import BoxJSON
internal import BoxModel

/// A query whose names were found in a store.
struct ResolvedQuery {
  let request: QueryRequest
  let store: ObjectStore
  let entity: EntitySchema
  /// The form of values, with the converters.
  let values: ValueForm
  /// The condition, with the order; nearest vectors are searched among the objects that it finds.
  let filter: PreparedQuery

  /// Resolves a request.
  ///
  /// - Throws: `DumpError` for an unknown entity, ``CommandFailure`` for the condition, with its place,
  ///   `ConditionError` for the order or the vector.
  init(_ request: QueryRequest, _ open: OpenStore) throws {
    store = open.store
    entity = try open.entity(request.entity)
    var request = request
    if let nearest = request.nearest {
      request.nearest?.property = entity.memberName(nearest.property)
      if nearest.object != nil {
        let entity = entity
        request.nearest = try store.read { try nearest.read(from: entity, in: $0) }
      }
    }
    self.request = request
    values = open.values(request.values)
    let converters = open.catalogue.map { ConditionConverters($0) }
    let entity = entity
    var order = request.order.map { $0.naming(in: entity) }
    if case .groups = request.rows { order = [] }
    filter = try Self.filter(request.condition, entity, store, converters).ordered(by: order)
    try requirePage()
    guard let nearest = request.nearest else { return }
    // Binding it finds every mistake in the property and the vector.
    _ = try store.prepare(
      StoreQuery(
        entity,
        .nearest(.init(nearest.property), nearest.elements, maximum: request.neighbours)),
      converters: converters)
  }

  /// Refuses an object after which rows begin that are not objects in an order.
  private func requirePage() throws(CommandFailure) {
    if request.after == nil { return }
    if case .objects(_, isDistinct: false) = request.rows, request.nearest == nil { return }
    throw CommandFailure(
      .usage,
      "only objects come after an object, and not groups, numbers, distinct rows or neighbours")
  }

  /// The query for the objects of the rows, which begin after the object of the request.
  ///
  /// - Throws: ``CommandFailure`` of the kind `impossible` if that does not exist and the order needs its
  ///   values, `StoreError` if the store cannot be read.
  func page(in transaction: Transaction) throws -> PreparedQuery {
    guard let after = request.after else { return filter }
    if let place = try transaction.place(of: after, in: filter) { return filter.page(after: place) }
    throw CommandFailure(
      .impossible,
      "there is no \(NamePath.quoted(entity.name)) with id \(after), so its place in the order is unknown; name "
        + "an object that exists, or order by id")
  }

  private static func filter(
    _ condition: String?, _ entity: EntitySchema, _ store: ObjectStore,
    _ converters: ConditionConverters?
  ) throws -> PreparedQuery {
    guard let condition else { return try store.prepare(StoreQuery(entity)) }
    do throws(ConditionError) {
      return try store.prepare(
        entity, try ConditionParser.parse(condition), converters: converters)
    } catch {
      throw CommandFailure(error, in: condition, about: entity)
    }
  }

  /// The rows of the answer.
  ///
  /// - Throws: `ConditionError` for a name that there is not, ``CommandFailure`` for an order of groups,
  ///   `DumpError` if a converter does not fit its property.
  func source() throws -> any RowSource {
    switch request.rows {
    case .objects(let paths, let isDistinct):
      let columns = try columns(paths)
      if let nearest = request.nearest { return NearestRows(self, columns, nearest) }
      return isDistinct
        ? DistinctRows(query: self, columns: columns) : ObjectRows(query: self, columns: columns)
    case .summary(let aggregates):
      return SummaryRow(
        query: filter, columns: try AggregateColumns(aggregates, of: entity, in: store, values))
    case .groups(let path, let aggregates): return try GroupRows(self, by: path, aggregates)
    }
  }

  private func columns(_ paths: [String]?) throws -> [RowColumn] {
    guard let paths else { return try RowColumn.all(of: entity, values) }
    var names: Set<String> = []
    return try paths.map { path in
      let column = try RowColumn(path, of: entity, in: store, values)
      if names.insert(column.name).inserted { return column }
      throw CommandFailure(.usage, "'\(path)' is selected twice; name it once")
    }
  }
}

extension QueryRequest {
  /// The number of objects that are looked for near a vector.
  var neighbours: Int {
    let (sum, overflow) = offset.addingReportingOverflow(limit ?? 10)
    return overflow ? .max : sum
  }
}

extension CommandFailure {
  /// Creates a failure from an error in a condition.
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - text: The text of the condition.
  ///   - entity: The entity that the condition is about.
  init(_ error: ConditionError, in text: String?, about entity: EntitySchema) {
    // The query probably means a name that needs backquotes.
    let name = text.flatMap { text in
      let place = error.position.map { $0.line == 1 ? $0.column - 1 : text.count } ?? text.count
      let rest = String(text.unicodeScalars.dropFirst(place))
      return entity.memberNames.first {
        if NamePath.isPlain($0) || $0.isEmpty { return false }
        return rest.hasPrefix($0)
          || !$0.unicodeScalars.allSatisfy(NamePath.isWordPart) && text.contains($0)
            && !text.contains(NamePath.quoted($0))
      }
    }
    let advice = name.map { "; the name \(NamePath.quoted($0)) goes in backquotes" } ?? ""
    self.init(.usage, error.message + advice, position: error.position)
    if text != nil { remedy = .dump(.correctCondition) }
    quoted = text
  }
}
