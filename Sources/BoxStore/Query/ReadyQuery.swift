internal import BoxEngine

/// A query that was checked against a store, with the values that its conditions have now.
struct ReadyQuery: Sendable {
  /// The search for neighbours among the objects that fulfil the other conditions.
  struct Nearest: Sendable {
    var property: PropertySchema
    var measure: VectorMeasure
    var maximum: Int
  }

  let engine: ObjectStore
  /// The conditions without the search for neighbours, in the order of the ids.
  let byID: PreparedQuery
  /// The same in the order of the query.
  let ordered: PreparedQuery
  let order: [QueryOrder]
  let nearest: Nearest?

  /// The nearest objects, the nearest first.
  ///
  /// - Throws: ``ObjectBoxError/illegalState(message:)`` if the query asks for none.
  func neighbours(_ transaction: EngineTransaction) throws -> [Neighbour] {
    try nearest(transaction).neighbours
  }

  /// The nearest objects, and the way in which they were found.
  ///
  /// - Throws: As ``neighbours(_:)``.
  func nearest(_ transaction: EngineTransaction) throws -> NearestAnswer {
    guard let nearest else {
      throw ObjectBoxError.illegalState(
        message: "the query has no scores; ask for nearestNeighbors in its condition")
    }
    return try transaction.nearest(
      byID, nearest.property, nearest.measure, maximum: nearest.maximum)
  }

  /// The query to run in a transaction: the prepared one, or one for the current neighbours.
  ///
  /// - Parameters:
  ///   - transaction: The transaction.
  ///   - isOrdered: Whether the objects have to be in the order of the query.
  /// - Returns: The query.
  /// - Throws: The errors of the transaction.
  func query(_ transaction: EngineTransaction, isOrdered: Bool) throws -> PreparedQuery {
    if nearest == nil { return isOrdered ? ordered : byID }
    let entity = byID.query.entity
    let ids = try neighbours(transaction).map { Condition.Literal.unsigned($0.id) }
    let condition = entity.idPosition.map { position in
      Condition.isOneOf(Condition.PropertyName(entity.properties[position].name), ids)
    }
    return try engine.prepare(
      StoreQuery(entity, condition ?? .never, order: isOrdered ? order : []))
  }

  /// The query for the objects after one with an id, in the order of the ids.
  ///
  /// - Throws: ``ObjectBoxError/illegalArgument(message:)`` if the query has an order, and the errors of the
  ///   transaction.
  func page(after id: UInt64, _ transaction: EngineTransaction) throws -> PreparedQuery {
    if !order.isEmpty {
      throw ObjectBoxError.illegalArgument(
        message: "a page after an id is in the order of the ids, and the query has another order; "
          + "build it without one, or pass an offset")
    }
    let all = try query(transaction, isOrdered: false)
    return all.page(after: try transaction.place(of: id, in: all))
  }
}

/// A part of the results of a query.
struct ResultWindow {
  let offset: Int
  /// The maximum number of results; nil for all.
  let limit: Int?

  static let first = ResultWindow(firstOnly: 1)
  /// As many as tell one from several.
  static let firstTwo = ResultWindow(firstOnly: 2)

  private init(firstOnly count: Int) {
    offset = 0
    limit = count
  }

  /// The part that a caller asks for.
  ///
  /// - Parameters:
  ///   - offset: The number of results to leave out at the beginning.
  ///   - limit: The maximum number of results; nil for all, and 0 as well.
  /// - Throws: ``ObjectBoxError/illegalArgument(message:)`` for a negative number.
  init(offset: Int, limit: Int?) throws {
    let limit = limit ?? 0
    if offset < 0 || limit < 0 {
      throw ObjectBoxError.illegalArgument(
        message: "offset \(offset) and limit \(limit) of a query cannot be negative; "
          + "pass 0 for no offset or no limit")
    }
    self.offset = offset
    self.limit = limit == 0 ? nil : limit
  }

  /// The elements of an array that are in the window.
  func slice<Element>(_ elements: [Element]) -> ArraySlice<Element> {
    let rest = elements.dropFirst(offset)
    return limit.map { rest.prefix($0) } ?? rest
  }
}
