package import BoxEngine
internal import BoxModel
package import BoxStorage

/// The objects whose vectors are nearest to another one, with their distances.
package struct Neighbours {
  private let query: PreparedQuery
  private let distances: [(id: UInt64, distance: Double)]

  /// Visits the objects, the nearest first.
  ///
  /// - Parameters:
  ///   - transaction: The transaction in which they were found.
  ///   - body: Called with the id, the record and the distance; returns whether the visit continues.
  /// - Throws: As `Transaction.visit`.
  /// - Complexity: O(log *n*) for each object.
  package func visit(
    in transaction: Transaction,
    _ body: (UInt64, borrowing RecordView, Double) throws -> VisitStep
  ) throws {
    let known = Dictionary(uniqueKeysWithValues: distances.map { ($0.id, $0.distance) })
    try transaction.visit(distances.map(\.id), fulfilling: query) { id, record in
      try body(id, record, known[id, default: .nan])
    }
  }

  fileprivate init(_ query: PreparedQuery, _ distances: [(id: UInt64, distance: Double)]) {
    self.query = query
    self.distances = distances
  }
}

extension Transaction {
  /// The objects that fulfil a condition and are nearest to a vector.
  ///
  /// - Parameters:
  ///   - query: The condition.
  ///   - nearest: The vector, with its elements.
  ///   - maximum: The maximum number of objects.
  /// - Returns: The objects.
  /// - Throws: `ConditionError` if the property or the vector does not fit, ``CommandFailure`` of the kind `usage` if
  ///   the vectors of all objects have another length, `StoreError` if the store cannot be read.
  /// - Complexity: As `Transaction.nearest`.
  package func neighbours(
    _ query: PreparedQuery, _ nearest: NearestVector, maximum: Int
  ) throws -> Neighbours {
    let entity = query.query.entity
    guard let property = entity.property(named: nearest.property) else {
      throw entity.unknown("property", nearest.property, among: entity.properties.map(\.name))
    }
    let measure = try entity.measure(from: nearest.elements, property)
    let found = try self.nearest(query, property, measure, maximum: maximum).neighbours
    if found.isEmpty { try requireLength(of: property, in: entity, nearest) }
    let isSquare = measure.distance == .euclidean
    return Neighbours(query, found.map { ($0.id, isSquare ? $0.score.squareRoot() : $0.score) })
  }

  /// Refuses a vector that no object can be near to, as theirs have another length.
  private func requireLength(
    of property: PropertySchema, in entity: EntitySchema, _ nearest: NearestVector
  ) throws {
    guard let first = try firstVector(entity, property.slot),
      first.count != nearest.elements.count
    else { return }
    throw CommandFailure(
      .usage,
      "the vector has \(nearest.elements.count) elements, and \(entity.name).\(property.name) "
        + "has \(first.count) in object \(first.id); no object has one of that length")
  }
}
