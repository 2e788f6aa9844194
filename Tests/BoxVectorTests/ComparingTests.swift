import BoxModel
import TestSupport
import Testing

@testable import BoxVector

/// A look at all vectors of a graph, whose sums are in single precision.
struct ComparingTests {
  /// The nearest are among the answers, although sums in single precision put them in another order.
  @Test(arguments: VectorDistance.allCases, [3, 40, 400])
  func vectorsThatSumsDoNotTellApartAreAllFound(_ distance: VectorDistance, _ length: Int) {
    let dimensions = distance == .geo ? 2 : length
    var random = TestSeed.next("vectorsThatSums \(distance) \(length)")
    func number() -> Float { Float(random.below(2_000_001) - 1_000_000) / 1_000_000 }
    var misled = 0
    for round in 0..<30 {
      let graph = VectorGraph(
        GraphParameters(dimensions: dimensions, distance: distance, neighbors: 4))
      let factor: Float = distance == .geo ? 80 : [1, 1e-9, 1e9][round % 3]
      let center = (0..<dimensions).map { _ in number() * factor }
      let origin = (0..<dimensions).map { _ in number() * factor }
      var vectors: [UInt64: [Float]] = [:]
      for id in UInt64(1)...300 {
        // Next to the center, but for some of the last bits.
        var vector = center
        for index in vector.indices {
          vector[index] *= 1 + Float(random.below(7) - 3) * 0x1p-23
        }
        vectors[id] = vector
        graph.place(id, vector.span)
      }
      graph.linkWaiting(.max)
      let nearest = VectorSamples.nearest(vectors, distance, to: origin, 10)
      let compared = graph.compare(origin.span, maximum: 10) { _ in true }
      let missed = Set(nearest).subtracting(compared ?? [])
      // Those at the distance of the farthest stand for each other.
      let farthest = nearest.last.map {
        VectorSamples.distance(distance, origin, vectors[$0] ?? [])
      }
      let wrong = missed.filter {
        VectorSamples.distance(distance, origin, vectors[$0] ?? []) < farthest ?? 0
      }
      #expect(wrong.isEmpty, "\(wrong) of round \(round)")
      let found = graph.search(origin.span, searchCount: 300) ?? []
      misled += Set(nearest).isSubset(of: found.prefix(10).map(\.id)) ? 0 : 1
    }
    #expect(misled > 3, "single precision is enough for these vectors")
  }

  /// A vector of few is found whatever the lengths of others.
  @Test func longVectorsDoNotHideShortOnes() {
    let graph = VectorGraph(GraphParameters(dimensions: 2, distance: .dotProduct))
    for id in UInt64(1)...100 { graph.place(id, [Float(id), 1].span) }
    graph.place(101, [-1e14, 1e-3].span)
    graph.linkWaiting(.max)
    let found = graph.compare([1, 0].span, maximum: 3) { _ in true }
    #expect(Set(found ?? []).isSuperset(of: [98, 99, 100]))
    // With such a long one there, the sums tell the others not apart.
    #expect(found?.count == 100)
  }

  @Test func tooManyAtOneDistanceAreNoAnswer() {
    let graph = VectorGraph(GraphParameters(dimensions: 2, distance: .euclidean, neighbors: 4))
    for id in UInt64(1)...9_000 { graph.place(id, [1, 1].span) }
    graph.linkWaiting(.max)
    #expect(graph.compare([0, 0].span, maximum: 3) { _ in true } == nil)
    #expect(graph.compare([0, 0].span, maximum: 3) { $0 < 50 }?.count == 49)
    #expect(graph.compare([.nan, 0].span, maximum: 3) { _ in true } == nil)
    #expect(graph.compare([1].span, maximum: 3) { _ in true } == nil)
    graph.removeAll()
    #expect(graph.compare([0, 0].span, maximum: 3) { _ in true } == [])
  }
}
