package import BoxJSON
package import BoxModel
internal import CDistance

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The distances of vectors from one vector.
///
/// Sums are in double precision, so that sums of finite floats are finite.
package struct VectorMeasure: Sendable {
  /// The measure of distance.
  package let distance: VectorDistance
  /// The vector to measure from.
  package let origin: [Float]
  /// The sum of the squares of its elements.
  private let square: Double

  /// Creates a measure.
  ///
  /// - Parameters:
  ///   - distance: The measure of distance.
  ///   - origin: The vector to measure from, of finite numbers.
  package init(_ distance: VectorDistance, from origin: [Float]) {
    self.distance = distance
    self.origin = origin
    square = origin.reduce(0) { $0 + Double($1) * Double($1) }
  }

  /// The reason why nothing can be measured from the vector; nil if it can.
  package var failureReason: String? {
    if origin.isEmpty || !origin.allSatisfy(\.isFinite) {
      return "the query vector needs at least one element, and finite numbers only"
    }
    switch distance {
    case .cosine where square == 0:
      return "a vector of zeros has no direction, so there is no cosine distance from it"
    case .geo where origin.count != 2:
      return "a place is a latitude and a longitude in degrees, and the vector has "
        + "\(origin.count) elements"
    default: return nil
    }
  }

  /// A number that is less for a nearer vector; nil for a vector of another length, and for one that has
  /// no distance.
  func rank(_ record: borrowing RecordView, _ slot: Int) -> Double? {
    if record.isNull(slot) { return nil }
    let bytes = unsafe record.elements(slot)
    if bytes.count != 4 * origin.count { return nil }
    let rank = unsafe origin.withUnsafeBufferPointer { origin in
      switch distance {
      case .euclidean: unsafe Self.squaredDistance(origin, bytes)
      case .cosine: unsafe cosineDistance(origin, bytes)
      // The score of products saturates, so that the products themselves decide.
      case .dotProduct, .dotProductNonNormalized: unsafe -Self.product(origin, bytes)
      case .geo: unsafe Self.geoDistance(origin, bytes)
      }
    }
    return rank.isNaN ? nil : rank
  }

  /// The distance that a rank stands for.
  func score(_ rank: Double) -> Double {
    switch distance {
    case .euclidean, .cosine, .geo: rank
    case .dotProduct: 1 + rank
    // 1 - product / (1 + |product|), in steps each of which keeps the order when it is rounded.
    case .dotProductNonNormalized: rank <= 0 ? 1 / (1 - rank) : 2 - 1 / (1 + rank)
    }
  }

  // MARK: - Distances

  private static func element(_ bytes: UnsafeRawBufferPointer, _ index: Int) -> Double {
    unsafe Double(bytes.loadUnaligned(fromByteOffset: 4 * index, as: Float.self))
  }

  private static func squaredDistance(
    _ origin: UnsafeBufferPointer<Float>, _ bytes: UnsafeRawBufferPointer
  ) -> Double {
    guard let first = origin.baseAddress, let other = bytes.baseAddress else { return 0 }
    return unsafe boxjoint_squares(first, other.assumingMemoryBound(to: CChar.self), origin.count)
  }

  private static func product(
    _ origin: UnsafeBufferPointer<Float>, _ bytes: UnsafeRawBufferPointer
  ) -> Double {
    guard let first = origin.baseAddress, let other = bytes.baseAddress else { return 0 }
    return unsafe boxjoint_products(first, other.assumingMemoryBound(to: CChar.self), origin.count)
  }

  /// The sum of the squares of the elements.
  private static func square(_ bytes: UnsafeRawBufferPointer) -> Double {
    guard let first = bytes.baseAddress else { return 0 }
    return unsafe boxjoint_own_products(
      first.assumingMemoryBound(to: CChar.self), bytes.count / MemoryLayout<Float>.size)
  }

  /// NaN for a vector of zeros, which has no direction.
  private func cosineDistance(
    _ origin: UnsafeBufferPointer<Float>, _ bytes: UnsafeRawBufferPointer
  ) -> Double {
    let (dot, other) = unsafe (Self.product(origin, bytes), Self.square(bytes))
    // Rounding must not lead out of the range of a cosine. The roots apart: their product is finite.
    let cosine = dot / (square.squareRoot() * other.squareRoot())
    return cosine.isNaN ? .nan : 1 - min(max(cosine, -1), 1)
  }

  /// The mean radius of the Earth in kilometers.
  private static let earthRadius = 6371.0

  /// The distance along a great circle, by the haversine formula, which is exact for near places too.
  private static func geoDistance(
    _ origin: UnsafeBufferPointer<Float>, _ bytes: UnsafeRawBufferPointer
  ) -> Double {
    let radians = Double.pi / 180
    let (latitude, longitude) = unsafe (Double(origin[0]) * radians, Double(origin[1]) * radians)
    let (otherLatitude, otherLongitude) = unsafe (
      element(bytes, 0) * radians, element(bytes, 1) * radians
    )
    let north = sin((otherLatitude - latitude) / 2)
    let east = sin((otherLongitude - longitude) / 2)
    let haversine = north * north + cos(latitude) * cos(otherLatitude) * east * east
    return haversine.isNaN
      ? .nan : 2 * earthRadius * asin(min(max(haversine, 0), 1).squareRoot())
  }
}

extension EntitySchema {
  /// The distances from a vector, as the index of a property in the model measures them; without an
  /// index, the square of the Euclidean distance.
  ///
  /// - Parameters:
  ///   - vector: The vector to measure from.
  ///   - property: The property, of the entity.
  ///   - position: The place of the property in a text; nil without one.
  /// - Returns: The distances.
  /// - Throws: ``ConditionError`` for a property that is not a vector of floats, for a vector that has
  ///   another number of elements than the model says, or from which there are no distances, and for a
  ///   distance that is not known.
  package func measure(
    from vector: [Float], _ property: PropertySchema, at position: JSONPosition? = nil
  ) throws(ConditionError) -> VectorMeasure {
    let (name, index) = ("\(name).\(property.name)", property.vectorIndex)
    if property.type != .floats {
      throw ConditionError(
        "\(name) has the type \(property.modelType), and nearest is for vectors of floats",
        position: position)
    }
    guard let distance = index.distance else {
      let known = VectorDistance.allCases.map(\.rawValue).joined(separator: ", ")
      throw ConditionError(
        "the index of \(name) measures the distance '\(index.distanceName)', which is not known; "
          + "use one of \(known) in the model", position: position)
    }
    // No vector has 0 elements or fewer: such a number says nothing about the vectors that there are.
    if let expected = index.dimensions, expected > 0, !vector.isEmpty, vector.count != expected {
      throw ConditionError(
        "the vector has \(vector.count) elements, and the index of \(name) has \(expected) dimensions; "
          + "pass a vector of that length", position: position)
    }
    let measure = VectorMeasure(distance, from: vector)
    if let reason = measure.failureReason { throw ConditionError(reason, position: position) }
    return measure
  }
}
