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
  ) throws(StoreError) -> [(id: UInt64, square: Double)] {
    var nearest: [(id: UInt64, square: Double)] = []
    if maximum <= 0 { return nearest }
    try visitRecords(entity) { id, record in
      guard let square = record.squaredDistance(slot, vector) else { return .next }
      if nearest.count == maximum, let last = nearest.last, square >= last.square { return .next }
      // Ids ascend, so an equal distance goes behind.
      let place = nearest.partitioningIndex { $0.square > square }
      nearest.insert((id, square), at: place)
      if nearest.count > maximum { nearest.removeLast() }
      return .next
    }
    return nearest
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
