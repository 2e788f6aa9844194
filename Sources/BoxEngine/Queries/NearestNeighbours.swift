internal import BoxStorage

extension Transaction {
  /// The nearest objects with their distances, the nearest first, and those at one distance by id.
  ///
  /// Every vector is looked at. Objects without a vector, with one of another length, and with one that has no distance are left
  /// out.
  ///
  /// - Complexity: O(*n*) in the elements of all vectors.
  package func distances(
    _ entity: EntitySchema, _ slot: Int, _ measure: VectorMeasure, maximum: Int
  ) throws(StoreError) -> [Neighbour] {
    var list = NeighbourList(maximum)
    if maximum <= 0 { return [] }
    try visitRecords(entity) { id, record in
      if let rank = measure.rank(record, slot) { list.add(id, rank) }
      return .next
    }
    return list.neighbours(measure)
  }

  /// The nearest of the objects that a query finds, as ``distances(_:_:_:maximum:)-(EntitySchema,_,_,_)``.
  ///
  /// - Parameters:
  ///   - query: The query, in the order of the ids.
  ///   - property: A vector of floats.
  ///   - measure: The distances from a vector.
  ///   - maximum: The maximum number of objects.
  /// - Returns: The objects, the nearest first.
  /// - Throws: As ``visit(_:offset:limit:_:)-(PreparedQuery,_,_,_)``.
  /// - Complexity: As there, and O(*n*) in the elements of the vectors of the objects.
  package func distances(
    _ query: PreparedQuery, _ property: PropertySchema, _ measure: VectorMeasure, maximum: Int
  ) throws(StoreError) -> [Neighbour] {
    var list = NeighbourList(maximum)
    if maximum <= 0 { return [] }
    try StoreError.only {
      try visit(query) { id, record in
        if let rank = measure.rank(record, property.slot) { list.add(id, rank) }
        return .next
      }
    }
    return list.neighbours(measure)
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

/// An object near to a vector.
package struct Neighbour: Hashable, Sendable {
  /// The id of the object.
  package var id: UInt64
  /// Its distance, in the measure that was asked for.
  package var score: Double
}

/// The nearest of the objects that are added in the order of their ids.
private struct NeighbourList {
  private let maximum: Int
  private var found: [(id: UInt64, rank: Double)] = []

  init(_ maximum: Int) { self.maximum = maximum }

  mutating func add(_ id: UInt64, _ rank: Double) {
    if found.count == maximum, let last = found.last, rank >= last.rank { return }
    // Ids ascend, so an equal distance goes behind.
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
