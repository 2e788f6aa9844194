import BoxModel
import TestSupport

@testable import BoxVector

/// Random vectors, and what is true of them.
struct VectorSamples {
  var random: SplitMix64
  let dimensions: Int

  /// A number from -1 to 1.
  private mutating func number() -> Float { Float(random.below(20_001) - 10_000) / 10_000 }

  /// A vector near to one of eight places, so that vectors have near neighbors; one of eight is one of three
  /// that come again and again.
  mutating func vector(_ distance: VectorDistance) -> [Float] {
    if random.oneIn(8) {
      let number = Float(random.below(3) + 1)
      return [Float](repeating: number, count: distance == .geo ? 2 : dimensions)
    }
    if distance == .geo { return [number() * 90, number() * 180] }
    let place = random.below(8)
    return (0..<dimensions).map { index in
      number() + (index % 8 == place ? 3 : 0)
    }
  }

  /// A number that is less for a nearer vector, by the definition of the distance.
  static func distance(_ distance: VectorDistance, _ a: [Float], _ b: [Float]) -> Double {
    let (x, y) = (a.map { Double($0) }, b.map { Double($0) })
    let product = zip(x, y).reduce(0) { $0 + $1.0 * $1.1 }
    func length(_ x: [Double]) -> Double { x.reduce(0) { $0 + $1 * $1 }.squareRoot() }
    switch distance {
    case .euclidean: return zip(x, y).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
    case .cosine: return -product / length(x) / length(y)
    case .dotProduct, .dotProductNonNormalized: return -product
    case .geo: return length(zip(sphere(x), sphere(y)).map { $0 - $1 })
    }
  }

  private static func sphere(_ place: [Double]) -> [Double] {
    let (latitude, longitude) = (place[0] * .pi / 180, place[1] * .pi / 180)
    return [
      cosine(latitude) * cosine(longitude), cosine(latitude) * sine(longitude), sine(latitude),
    ]
  }

  /// The ids of the nearest of some vectors.
  static func nearest(
    _ vectors: [UInt64: [Float]], _ distance: VectorDistance, to origin: [Float], _ count: Int
  ) -> [UInt64] {
    let all = vectors.map { (Self.distance(distance, origin, $0.value), $0.key) }
    return all.sorted { $0 < $1 }.prefix(count).map(\.1)
  }
}

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

private func sine(_ angle: Double) -> Double { sin(angle) }
private func cosine(_ angle: Double) -> Double { cos(angle) }
