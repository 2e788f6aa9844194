internal import BoxModel

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The form in which a graph keeps vectors of one distance.
///
/// In this form a sum in single precision has the order of the distances. Nothing else depends on it:
/// answers have the distances of the vectors in the store.
struct GraphForm: Sendable {
  let distance: VectorDistance
  let dimensions: Int

  init(_ parameters: GraphParameters) {
    distance = parameters.distance
    dimensions = parameters.dimensions
  }

  /// Whether products give the order, the greatest first, rather than squared distances.
  var isProduct: Bool {
    switch distance {
    case .euclidean, .geo: false
    case .cosine, .dotProduct, .dotProductNonNormalized: true
    }
  }

  /// The number of elements with those that fill the last cache line.
  var width: Int {
    let elements = distance == .geo ? 3 : dimensions
    return (elements + 15) & ~15
  }

  /// The squares of lengths that sums in single precision can be trusted with.
  private static var lengths: ClosedRange<Double> { 1e-24...1e30 }

  /// Writes a vector in its form to a row; the rest of the row has to be zero.
  ///
  /// - Returns: The sum of the squares of its elements; nil if it has no form: its elements are not finite, or
  ///   sums or differences could overflow.
  func write(_ vector: borrowing Span<Float>, to row: inout MutableSpan<Float>) -> Double? {
    if vector.count != dimensions { return nil }
    var square = 0.0
    for index in vector.indices { square += Double(vector[index]) * Double(vector[index]) }
    if square != 0, !Self.lengths.contains(square) { return nil }
    switch distance {
    case .euclidean, .dotProduct, .dotProductNonNormalized:
      for index in vector.indices { row[index] = vector[index] }
    case .cosine:
      if square == 0 { return nil }
      let factor = 1 / square.squareRoot()
      for index in vector.indices { row[index] = Float(Double(vector[index]) * factor) }
    case .geo:
      // Chords in a sphere have the order of distances along great circles.
      let radians = Double.pi / 180
      let (latitude, longitude) = (Double(vector[0]) * radians, Double(vector[1]) * radians)
      row[0] = Float(cos(latitude) * cos(longitude))
      row[1] = Float(cos(latitude) * sin(longitude))
      row[2] = Float(sin(latitude))
    }
    return square
  }
}
