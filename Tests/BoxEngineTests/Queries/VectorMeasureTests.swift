import BoxModel
import BoxStorage
import Synchronization
import TestSupport
import Testing

@testable import BoxEngine

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The distances that a vector index can measure, against formulas written another way.
struct VectorMeasureTests {
  private static let count = Atomic<Int>(0)

  /// A store in memory with a vector of floats, which has an index.
  private static func store(_ index: String?) throws -> ObjectStore {
    let name = "VectorMeasureTests.\(count.add(1, ordering: .relaxed).newValue)"
    let model = TestModel(
      .init(
        name: "Place", uid: 100,
        properties: [
          .id(), .init(name: "point", type: .floatVector, vectorIndex: index),
          .init(name: "name", type: .string),
        ]))
    return try ObjectStore.open(.memory(name), model: model.document())
  }

  private static func put(_ vectors: [[Float]?], in store: ObjectStore) throws {
    let places = try store.entity(named: "Place")
    try store.write { transaction in
      for vector in vectors {
        var place = DynamicObject(places)
        place["point"] = vector.map { .floats($0) } ?? .null
        try transaction.put(place)
      }
    }
  }

  private static func near(
    _ store: ObjectStore, _ origin: [Float], _ maximum: Int
  ) throws -> [Neighbour] {
    let places = try store.entity(named: "Place")
    let point = try #require(places.property(named: "point"))
    let measure = try places.measure(from: origin, point)
    return try store.read { transaction in
      try transaction.nearest(places, point, measure, maximum: maximum).neighbours
    }
  }

  /// The distance by its definition; nil where there is none.
  private static func naive(_ distance: VectorDistance, _ a: [Float], _ b: [Float]) -> Double? {
    if a.count != b.count || !b.allSatisfy({ !$0.isNaN }) { return nil }
    let (x, y) = (a.map { Double($0) }, b.map { Double($0) })
    func dot(_ x: [Double], _ y: [Double]) -> Double { zip(x, y).reduce(0) { $0 + $1.0 * $1.1 } }
    switch distance {
    case .euclidean: return zip(x, y).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
    case .cosine:
      // The chord between the unit vectors: |u - v|² = 2 - 2 cos.
      let (m, n) = (dot(x, x).squareRoot(), dot(y, y).squareRoot())
      if m == 0 || n == 0 { return nil }
      return zip(x, y).reduce(0) { $0 + ($1.0 / m - $1.1 / n) * ($1.0 / m - $1.1 / n) } / 2
    case .dotProduct: return 1 - dot(x, y)
    case .dotProductNonNormalized:
      let product = dot(x, y)
      return product >= 0 ? 1 / (1 + product) : 2 - 1 / (1 - product)
    case .geo:
      // The angle between the points on the unit sphere.
      func point(_ v: [Double]) -> [Double] {
        let (north, east) = (v[0] * .pi / 180, v[1] * .pi / 180)
        return [cos(north) * cos(east), cos(north) * sin(east), sin(north)]
      }
      let (p, q) = (point(x), point(y))
      let cross = [
        p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0],
      ]
      return 6371 * atan2(dot(cross, cross).squareRoot(), dot(p, q))
    }
  }

  @Test(arguments: VectorDistance.allCases)
  func theNearestMatchTheDefinition(_ distance: VectorDistance) throws {
    var random = TestSeed.next()
    for _ in 0..<100 {
      let dimensions = distance == .geo ? 2 : 1 + random.below(5)
      let store = try Self.store(#"{"distance-type": "\#(distance.rawValue)"}"#)
      func vector() -> [Float] {
        if distance == .geo {
          return [Float(random.below(181) - 90), Float(random.below(361) - 180)]
        }
        return (0..<dimensions).map { _ in Float(random.below(9) - 4) }
      }
      let vectors = (0..<random.below(60)).map { _ -> [Float]? in
        switch random.below(12) {
        case 0: nil
        case 1: (0..<random.below(dimensions)).map { Float($0) }
        case 2: vector().map { random.oneIn(2) ? .nan : $0 }
        case 3: vector() + [1]
        default: vector()
        }
      }
      try Self.put(vectors, in: store)
      var origin = vector()
      if distance == .cosine, origin.allSatisfy({ $0 == 0 }) { origin[0] = 1 }
      let scores = vectors.map { $0.flatMap { Self.naive(distance, origin, $0) } }
      let sorted = scores.compactMap(\.self).sorted()
      for maximum in [0, 1, 5, 100] {
        let near = try Self.near(store, origin, maximum)
        #expect(near.count == min(maximum, sorted.count))
        #expect(Set(near.map(\.id)).count == near.count)
        for (position, neighbour) in near.enumerated() {
          let expected = try #require(scores[Int(neighbour.id) - 1])
          let tolerance = distance == .geo ? 1e-3 : 1e-9
          #expect(abs(neighbour.score - expected) < tolerance)
          // As near as the one that the definition has at this place.
          #expect(abs(expected - sorted[position]) < tolerance)
          if position > 0, near[position - 1].score == neighbour.score {
            #expect(near[position - 1].id < neighbour.id)
          }
        }
        let ids = try Self.ids(store, .nearest(.init("point"), origin, maximum: maximum))
        #expect(ids == near.map(\.id).sorted())
      }
    }
  }

  private static func ids(_ store: ObjectStore, _ condition: Condition) throws -> [UInt64] {
    let query = try store.prepare(StoreQuery(store.entity(named: "Place"), condition))
    return try store.read { try $0.ids(query) }
  }

  @Test func knownDistances() throws {
    func score(_ distance: String?, _ a: [Float], _ b: [Float]) throws -> Double? {
      let store = try Self.store(distance.map { #"{"distance-type": "\#($0)"}"# })
      try Self.put([b], in: store)
      return try Self.near(store, a, 1).first?.score
    }
    #expect(try score(nil, [0, 0], [3, 4]) == 25)
    #expect(try score("Euclidean", [0, 0], [3, 4]) == 25)
    #expect(try score("Cosine", [1, 0], [5, 0]) == 0)
    #expect(try score("Cosine", [1, 0], [0, 2]) == 1)
    #expect(try score("Cosine", [1, 0], [-3, 0]) == 2)
    #expect(try score("DotProduct", [1, 0], [1, 0]) == 0)
    #expect(try score("DotProduct", [1, 0], [0, 1]) == 1)
    #expect(try score("DotProduct", [1, 0], [-1, 0]) == 2)
    #expect(try score("DotProductNonNormalized", [1, 0], [0, 7]) == 1)
    #expect(try score("DotProductNonNormalized", [3, 0], [1, 0]) == 0.25)
    #expect(try score("DotProductNonNormalized", [3, 0], [-1, 0]) == 1.75)
    // A degree, a quarter of the way round, and half of it.
    let degree = 6371 * Double.pi / 180
    for (a, b, degrees) in [
      ([0, 0], [0, 1], 1.0), ([89, 17], [90, 0], 1), ([0, 0], [90, 42], 90),
      ([45, 10], [-45, -170], 180), ([10, 179], [10, -181], 0), ([0, 179], [0, -179], 2),
    ] as [([Float], [Float], Double)] {
      let found = try #require(try score("Geo", a, b))
      #expect(abs(found - degrees * degree) < 1e-6)
    }
  }

  /// A score never decreases where the rank does not, whatever is rounded.
  @Test func scoresHaveTheOrderOfRanks() {
    var random = TestSeed.next()
    for distance in VectorDistance.allCases {
      let measure = VectorMeasure(distance, from: [1, 1])
      for _ in 0..<2_000 {
        let rank = Double(
          sign: random.oneIn(2) ? .plus : .minus, exponent: Int(random.below(261)) - 130,
          significand: 1 + Double(random.below(1 << 20)) * 0x1p-20)
        let (lower, upper) = (measure.score(rank.nextDown), measure.score(rank))
        #expect(lower <= upper, "\(distance) \(rank)")
        if distance != .dotProductNonNormalized { continue }
        #expect(abs(upper - (1 + rank / (1 + abs(rank)))) <= 0x1p-51)
      }
    }
    let measure = VectorMeasure(.dotProductNonNormalized, from: [1])
    #expect(measure.score(-.infinity) == 0 && measure.score(.infinity) == 2)
    #expect(measure.score(0) == 1 && measure.score(-0.0) == 1)
  }

  /// Products of huge floats differ although their scores are all 0 or 2.
  @Test func largeProductsAreStillOrdered() throws {
    let store = try Self.store(#"{"distance-type": "DotProductNonNormalized"}"#)
    let huge = Float.greatestFiniteMagnitude
    try Self.put([[-huge / 2], [-huge], [huge / 2], [huge], [.infinity], [-.infinity]], in: store)
    let near = try Self.near(store, [huge], 6)
    #expect(near.map(\.id).prefix(5) == [5, 4, 3, 1, 2])
    #expect(near.allSatisfy { (0...2).contains($0.score) })
  }

  @Test func aVectorFromWhichNothingCanBeMeasuredIsRefused() throws {
    let cases: [(index: String?, vector: [Float], message: String)] = [
      (nil, [], "needs at least one element, and finite numbers only"),
      (nil, [.nan], "needs at least one element, and finite numbers only"),
      (nil, [.infinity], "needs at least one element, and finite numbers only"),
      (#"{"distance-type": "Cosine"}"#, [0, 0], "has no direction"),
      (#"{"distance-type": "Geo"}"#, [1, 2, 3], "a latitude and a longitude"),
      (
        #"{"dimensions": 3}"#, [1, 2],
        "the vector has 2 elements, and the index of Place.point has 3 dimensions"
      ),
      (
        #"{"distance-type": "Manhattan"}"#, [1],
        "the index of Place.point measures the distance 'Manhattan', which is not known"
      ),
    ]
    for (index, vector, message) in cases {
      let store = try Self.store(index)
      let error = #expect(throws: ConditionError.self) {
        try Self.ids(store, .nearest(.init("point"), vector, maximum: 1))
      }
      #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    }
    // Parameters that are not an object, or say nothing about vectors, change nothing.
    let unusable = ["[]", "7", #"{"distance-type": 2, "dimensions": "x"}"#, #"{"dimensions": 0}"#]
    for index in unusable {
      let store = try Self.store(index)
      try Self.put([[1]], in: store)
      #expect(try Self.near(store, [3], 1).map(\.score) == [4])
    }
  }
}
