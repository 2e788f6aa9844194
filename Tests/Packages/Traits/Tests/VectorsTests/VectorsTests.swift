import BoxStore
import Dispatch
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Queries that a graph answers.
struct VectorsTests {
  private static let count = 5_000

  private static func number(_ seed: Int) -> Float {
    Float((seed &* 7_919 &+ 12_345) % 10_007) / 1_000
  }

  private static func point(_ number: Int) -> [Float] {
    (0..<4).map { Self.number(number * 4 + $0) }
  }

  private static func distance(_ a: [Float], _ b: [Float]) -> Float {
    zip(a, b).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
  }

  /// Waits until a graph answers a query.
  private static func requireGraph(_ query: Query<Place>) throws {
    for _ in 0..<3_000 {
      if try query.explain().contains("by the graph") { return }
      usleep(20_000)
    }
    Issue.record("no graph: \(try query.explain())")
  }

  @Test func aGraphAnswersAsALookAtAllVectorsDoes() throws {
    let directory = "/tmp/boxjoint-vectors-\(getpid())"
    defer { try? Store(model: .places, directory: directory).closeAndDeleteAllFiles() }
    // The second time the saved graph is read.
    for round in 0..<2 {
      let store = try Store(model: .places, directory: directory)
      defer { store.close() }
      let box: Box<Place> = store.box()
      if round == 0 {
        try box.put((1...Self.count).map { Place(Self.point($0), size: Int32($0 % 2)) })
      }
      let origin = Self.point(round + 17)
      let query = try box.query {
        Place.point.nearestNeighbors(queryVector: origin, maxCount: 10)
      }.build()
      try Self.requireGraph(query)
      let found = try query.findIdsWithScores().map { Int($0.id) }
      let exact = (1...Self.count).sorted {
        (Self.distance(Self.point($0), origin), $0) < (Self.distance(Self.point($1), origin), $1)
      }.prefix(10)
      #expect(Set(exact).intersection(found).count >= 9)
      let odd = try box.query {
        Place.point.nearestNeighbors(queryVector: origin, maxCount: 10) && Place.size == 1
      }.build()
      #expect(try odd.find().allSatisfy { $0.size == 1 })
      // An object is found in its transaction, and after it.
      let new = Place(origin, size: 5)
      try store.runInTransaction {
        try box.put(new)
        #expect(try query.findIdsWithScores().contains { $0.id == new.id })
      }
      #expect(try query.findIdsWithScores().contains { $0.id == new.id })
      try box.remove(new)
      #expect(try !query.findIdsWithScores().contains { $0.id == new.id })
    }
  }
}
