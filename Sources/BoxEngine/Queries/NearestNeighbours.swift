internal import BoxStorage

extension Transaction {
  /// The ids of the objects whose vectors are nearest to one, the nearest first, by a look at all.
  ///
  /// - Complexity: O(*n*) in the elements of all vectors.
  func nearest(
    _ entity: EntitySchema, _ slot: Int, _ vector: [Float], maximum: Int
  ) throws(StoreError) -> [UInt64] {
    try distances(entity, slot, vector, maximum: maximum).map(\.id)
  }

  /// The nearest objects with the squares of their Euclidean distances, the nearest first; of several at
  /// one distance, the one with the lowest id.
  ///
  /// - Complexity: O(*n*) in the elements of all vectors.
  package func distances(
    _ entity: EntitySchema, _ slot: Int, _ vector: [Float], maximum: Int
  ) throws(StoreError) -> [Neighbour] {
    var list = NeighbourList(maximum)
    if maximum <= 0 { return [] }
    try visitRecords(entity) { id, record in
      if let square = record.squaredDistance(slot, vector) { list.add(id, square) }
      return .next
    }
    return list.neighbours
  }

  /// The nearest of the objects that a query finds, as ``distances(_:_:_:maximum:)-(EntitySchema,_,_,_)``.
  ///
  /// - Parameters:
  ///   - query: The query, in the order of the ids.
  ///   - property: A vector of floats.
  ///   - vector: The vector to measure from.
  ///   - maximum: The maximum number of objects.
  /// - Returns: The objects, the nearest first.
  /// - Throws: As ``visit(_:offset:limit:_:)-(PreparedQuery,_,_,_)``.
  /// - Complexity: As there, and O(*n*) in the elements of the vectors of the objects.
  package func distances(
    _ query: PreparedQuery, _ property: PropertySchema, _ vector: [Float], maximum: Int
  ) throws(StoreError) -> [Neighbour] {
    var list = NeighbourList(maximum)
    if maximum <= 0 { return [] }
    try StoreError.only {
      try visit(query) { id, record in
        if let square = record.squaredDistance(property.slot, vector) { list.add(id, square) }
        return .next
      }
    }
    return list.neighbours
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
  /// The square of its Euclidean distance.
  package var square: Double
}

/// The nearest of the objects that are added in the order of their ids.
private struct NeighbourList {
  private let maximum: Int
  private(set) var neighbours: [Neighbour] = []

  init(_ maximum: Int) { self.maximum = maximum }

  mutating func add(_ id: UInt64, _ square: Double) {
    if neighbours.count == maximum, let last = neighbours.last, square >= last.square { return }
    // Ids ascend, so an equal distance goes behind.
    let place = neighbours.partitioningIndex { $0.square > square }
    neighbours.insert(Neighbour(id: id, square: square), at: place)
    if neighbours.count > maximum { neighbours.removeLast() }
  }
}

extension RecordView {
  /// The square of the distance of a vector from another; nil for none of that length, and for one that
  /// has no distance.
  fileprivate func squaredDistance(_ slot: Int, _ other: [Float]) -> Double? {
    if isNull(slot) { return nil }
    let bytes = unsafe elements(slot)
    if bytes.count != 4 * other.count { return nil }
    var sum = 0.0
    unsafe other.withUnsafeBufferPointer { other in
      for index in other.indices {
        let element = unsafe bytes.loadUnaligned(fromByteOffset: 4 * index, as: Float.self)
        let difference = unsafe Double(element) - Double(other[index])
        sum += difference * difference
      }
    }
    return sum.isNaN ? nil : sum
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
