internal import BoxEngine

/// An object that a search for nearest neighbours found, with its score.
public final class ObjectWithScore<T> {
  /// The object.
  public let object: T
  /// The distance from the vector of the query, in the measure of the property's index: see
  /// ``Query/findWithScores(offset:limit:)``.
  public let score: Double

  init(_ object: T, _ score: Double) {
    self.object = object
    self.score = score
  }
}

extension ObjectWithScore: Sendable where T: Sendable {}

/// The id of an object that a search for nearest neighbours found, with its score.
public final class IdWithScore: Sendable {
  /// The id of the object.
  public let id: Id
  /// The distance from the vector of the query, in the measure of the property's index: see
  /// ``Query/findWithScores(offset:limit:)``.
  public let score: Double

  init(_ neighbour: Neighbour) {
    id = neighbour.id
    score = neighbour.score
  }
}

extension Query {
  /// The objects of a query with `nearestNeighbors`, the nearest first.
  ///
  /// ```swift
  /// let near = try books.query {
  ///   Book.embedding.nearestNeighbors(queryVector: [0.1, 0.2, 0.3], maxCount: 5)
  /// }.build()
  /// for found in try near.findWithScores() { print(found.object.title, found.score) }
  /// ```
  ///
  /// The score is the distance that the vector index of the property in the model measures: the square
  /// of the Euclidean distance, which is the default; 1 minus the cosine; 1 minus the dot product; the
  /// dot product of vectors of any length, as a number from 0 for the nearest over 1 for orthogonal
  /// vectors to 2; or kilometers between places on Earth. Objects with equal distances come by id. Those
  /// without a vector, with one of another length and with one that has no distance are not found.
  ///
  /// - Parameters:
  ///   - offset: The number of objects to leave out at the beginning.
  ///   - limit: The maximum number of objects; nil for all, and 0 as well.
  /// - Returns: The objects with their scores.
  /// - Throws: ``ObjectBoxError/illegalState(message:)`` if the condition has no nearest neighbours, and
  ///   ``ObjectBoxError/illegalArgument(message:)`` for a negative offset or limit.
  /// - Complexity: O(*n*) in the vectors of the objects that fulfil the other conditions.
  public func findWithScores(
    offset: Int = 0, limit: Int? = nil
  ) throws -> sending [ObjectWithScore<EntityType>] {
    let window = try ResultWindow(offset: offset, limit: limit)
    let ready = ready
    nonisolated(unsafe) let found = try box.reading { transaction in
      let neighbours = window.slice(try ready.neighbours(transaction))
      // Each id was met in this transaction, so that none is left out.
      let objects = try box.read(.ids(neighbours.map(\.id)))
      return zip(objects, neighbours).map { ObjectWithScore($0, $1.score) }
    }
    return unsafe found
  }

  /// The ids of the objects of a query with `nearestNeighbors`, the nearest first.
  ///
  /// - Throws: As ``findWithScores(offset:limit:)``.
  /// - Complexity: As ``findWithScores(offset:limit:)``.
  public func findIdsWithScores(offset: Int = 0, limit: Int? = nil) throws -> [IdWithScore] {
    let window = try ResultWindow(offset: offset, limit: limit)
    let ready = ready
    return try box.reading { transaction in
      window.slice(try ready.neighbours(transaction)).map { IdWithScore($0) }
    }
  }
}
