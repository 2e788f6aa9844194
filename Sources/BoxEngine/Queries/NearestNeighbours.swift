internal import BoxStorage

/// An object near to a vector.
package struct Neighbour: Hashable, Sendable {
  /// The id of the object.
  package var id: UInt64
  /// Its distance, in the measure that was asked for.
  package var score: Double
}

/// The nearest objects, and the way in which they were found.
package struct NearestAnswer: Hashable, Sendable {
  /// The objects, the nearest first, and those at one distance by id.
  package var neighbours: [Neighbour]
  /// The strategy by which they were found.
  package var strategy: NearestStrategy
}

extension Transaction {
  /// The nearest of the objects that a query finds, the nearest first, and those at one distance by id.
  ///
  /// Objects without a vector, with one of another length, and with one that has no distance are left out.
  ///
  /// - Parameters:
  ///   - query: The query, in the order of the ids.
  ///   - property: A vector of floats.
  ///   - measure: The distances from a vector.
  ///   - maximum: The maximum number of objects.
  /// - Returns: The objects, the nearest first. Without a ``NeighbourSearch`` of the store they are the
  ///   nearest ones; with one, most of them.
  /// - Throws: As ``visit(_:offset:limit:_:)-(PreparedQuery,_,_,_)``.
  /// - Complexity: As there, and O(*n*) in the elements of the vectors of the objects; with a graph,
  ///   O(log *n*) on average.
  package func nearest(
    _ query: PreparedQuery, _ property: PropertySchema, _ measure: VectorMeasure, maximum: Int
  ) throws(StoreError) -> NearestAnswer {
    if maximum <= 0 { return NearestAnswer(neighbours: [], strategy: .graph(candidates: 0)) }
    return try NearestRun(
      try QueryRun(query, in: self), property: property, measure: measure, maximum: maximum
    ).answer()
  }

  /// The nearest of all objects of an entity, as ``nearest(_:_:_:maximum:)``.
  package func nearest(
    _ entity: EntitySchema, _ property: PropertySchema, _ measure: VectorMeasure, maximum: Int
  ) throws(StoreError) -> NearestAnswer {
    try nearest(PreparedQuery(allOf: entity), property, measure, maximum: maximum)
  }

  /// The first object that has a vector, with the number of its elements.
  ///
  /// - Complexity: O(*n*) in the objects before it.
  package func firstVector(
    _ entity: EntitySchema, _ slot: Int
  ) throws(StoreError) -> (id: UInt64, count: Int)? {
    var first: (id: UInt64, count: Int)?
    try visitRecords(entity) { id, record in
      if record.isNull(slot) { return .next }
      first = (id, unsafe record.elements(slot).count / MemoryLayout<Float>.size)
      return .stop
    }
    return first
  }
}

/// The nearest of the objects that are added in the order of their ids.
struct NeighbourList {
  private let maximum: Int
  private var found: [(id: UInt64, rank: Double)] = []

  init(_ maximum: Int) { self.maximum = maximum }

  var count: Int { found.count }

  mutating func add(_ id: UInt64, _ rank: Double) {
    if found.count == maximum, let last = found.last, rank >= last.rank { return }
    // Ids ascend, so an equal distance goes after the others.
    let place = found.partitioningIndex { $0.rank > rank }
    found.insert((id, rank), at: place)
    if found.count > maximum { found.removeLast() }
  }

  func neighbours(_ measure: VectorMeasure) -> [Neighbour] {
    found.map { Neighbour(id: $0.id, score: measure.score($0.rank)) }
  }
}

extension Array {
  /// The first position from which on all elements have a property that none before has.
  fileprivate func partitioningIndex(_ isBehind: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
