import BoxModel
import TestSupport
import Testing

@testable import BoxVector

/// Graphs under random changes, compared with a dictionary and with a look at all vectors.
struct GraphLawTests {
  @Test(arguments: VectorDistance.allCases)
  func theNearestVectorsAreFoundWhateverChanges(_ distance: VectorDistance) {
    let operations = TestSeed.count("BOXJOINT_SOAK_VECTORS", default: 5_000) / 5
    var world = World(distance, TestSeed.next("theNearestVectorsAreFound \(distance)"))
    for step in 1...operations {
      world.change()
      if step % 50 == 0 { world.search() }
      if step % 200 == 0 { world.saveAndRestore() }
    }
    world.requireSame()
    #expect(Double(world.hits) >= 0.95 * Double(world.wanted), "\(world.hits) of \(world.wanted)")
  }

  /// Vectors of nothing, such as those of empty texts, fill neither the links nor what a search keeps.
  @Test func manyEqualVectorsDoNotHideTheOthers() {
    var samples = VectorSamples(random: TestSeed.next(), dimensions: 16)
    let graph = VectorGraph(GraphParameters(dimensions: 16, distance: .euclidean))
    var vectors: [UInt64: [Float]] = [:]
    let zero = [Float](repeating: 0, count: 16)
    for id in UInt64(1)...4000 {
      let vector = id % 4 == 0 ? zero : samples.vector(.euclidean)
      vectors[id] = vector
      graph.place(id, vector.span)
    }
    graph.shuffleWaiting()
    graph.linkWaiting(.max)
    var hits = 0
    for _ in 0..<60 {
      let origin = vectors[UInt64(1 + 4 * samples.random.below(1000))] ?? []
      let found = (graph.search(origin.span, searchCount: 26) ?? []).prefix(10).map(\.id)
      let nearest = VectorSamples.nearest(vectors, .euclidean, to: origin, 10)
      let farthest = nearest.map { distance(origin, vectors[$0]) }.max() ?? 0
      hits += found.count { distance(origin, vectors[$0]) <= farthest }
    }
    #expect(hits >= 580, "\(hits) of 600")
    // Of equal ones those with the lowest ids, and no other.
    let equal = (graph.search(zero.span, searchCount: 26) ?? []).map(\.id)
    #expect(equal == (1...26).map { UInt64(4 * $0) })
    let odd = graph.search(zero.span, searchCount: 10, budget: .max) { $0 % 8 == 4 }
    #expect(odd?.map(\.id) == (0..<10).map { UInt64(8 * $0 + 4) })
    for id in stride(from: UInt64(4), through: 3996, by: 4) { graph.remove(id) }
    #expect(graph.search(zero.span, searchCount: 26)?.first?.id == 4000)
    #expect(graph.count == 3001)
  }

  private func distance(_ a: [Float], _ b: [Float]?) -> Double {
    VectorSamples.distance(.euclidean, a, b ?? [])
  }

  /// Groups far from each other, one after the other, as the parts of texts come.
  @Test func vectorsOfGroupsAreFoundWhereTheyArePutTogether() {
    var samples = VectorSamples(random: TestSeed.next(), dimensions: 16)
    let graph = VectorGraph(GraphParameters(dimensions: 16, distance: .euclidean))
    var vectors: [UInt64: [Float]] = [:]
    for _ in 0..<50 {
      let center = samples.vector(.euclidean)
      for _ in 0..<100 {
        let near = samples.vector(.euclidean)
        let vector = zip(center, near).map { $0 + $1 / 100 }
        let id = UInt64(vectors.count + 1)
        vectors[id] = vector
        graph.place(id, vector.span)
      }
    }
    graph.shuffleWaiting()
    graph.linkWaiting(.max)
    var hits = 0
    for _ in 0..<100 {
      let origin = vectors[UInt64(1 + samples.random.below(vectors.count))] ?? []
      let found = (graph.search(origin.span, searchCount: 26) ?? []).prefix(10).map(\.id)
      hits +=
        Set(VectorSamples.nearest(vectors, .euclidean, to: origin, 10)).intersection(found).count
    }
    #expect(hits >= 970, "\(hits) of 1000")
  }

  /// A graph beside the vectors that it has to have.
  private struct World {
    var samples: VectorSamples
    let distance: VectorDistance
    let parameters: GraphParameters
    var graph: VectorGraph
    var vectors: [UInt64: [Float]] = [:]
    var (hits, wanted) = (0, 0)

    init(_ distance: VectorDistance, _ random: SplitMix64) {
      let dimensions = distance == .geo ? 2 : 9
      samples = VectorSamples(random: random, dimensions: dimensions)
      self.distance = distance
      parameters = GraphParameters(
        dimensions: dimensions, distance: distance, neighbors: 12, indexingSearchCount: 40)
      graph = VectorGraph(parameters)
    }

    mutating func change() {
      let id = UInt64(1 + samples.random.below(400))
      switch samples.random.below(20) {
      case 0..<3:
        let wasThere = vectors.removeValue(forKey: id) != nil
        #expect(graph.remove(id) == wasThere)
      case 3 where samples.random.oneIn(40):
        graph.removeAll()
        vectors = [:]
      case 4..<7:
        // Linked later.
        let vector = samples.vector(distance)
        let isPlaced = graph.place(id, vector.span)
        #expect(isPlaced)
        vectors[id] = vector
        if samples.random.oneIn(2) { graph.linkWaiting(.max) }
      default:
        let vector = samples.vector(distance)
        graph.linkWaiting(.max)
        let isInserted = graph.insert(id, vector.span)
        #expect(isInserted)
        vectors[id] = vector
      }
      if graph.removedCount > 20 { _ = graph.clear(1 + samples.random.below(300)) }
    }

    mutating func search() {
      graph.linkWaiting(.max)
      let origin = samples.vector(distance)
      let even = samples.random.oneIn(2)
      let admitted = even ? vectors.filter { $0.key % 2 == 0 } : vectors
      let found = graph.search(origin.span, searchCount: 40, budget: .max) { id in
        !even || id % 2 == 0
      }
      guard let found else {
        Issue.record("there is no answer")
        return
      }
      #expect(Set(found.map(\.id)).count == found.count)
      #expect(found.allSatisfy { admitted[$0.id] != nil })
      #expect(zip(found, found.dropFirst()).allSatisfy { $0.rank <= $1.rank })
      let nearest = VectorSamples.nearest(admitted, distance, to: origin, 10)
      let compared = graph.compare(origin.span, maximum: 10) { id in !even || id % 2 == 0 }
      #expect(Set(compared ?? []).isSuperset(of: nearest))
      #expect(Set(compared ?? []).isSubset(of: admitted.keys))
      wanted += nearest.count
      // Vectors at equal distances stand for each other.
      let distances = found.map { measure(origin, $0.id) }
      let farthest = nearest.map { measure(origin, $0) }.max() ?? 0
      hits += min(nearest.count, distances.count { $0 <= farthest + 1e-6 * abs(farthest) })
    }

    private func measure(_ origin: [Float], _ id: UInt64) -> Double {
      VectorSamples.distance(distance, origin, vectors[id] ?? [])
    }

    /// Some of the vectors change between saving and restoring.
    mutating func saveAndRestore() {
      graph.linkWaiting(.max)
      let header = GraphFileHeader(property: 7, number: 9, parameters: parameters)
      guard let image = GraphImage(graph.encoded(header), of: 7, parameters) else {
        Issue.record("the graph cannot be read")
        return
      }
      #expect(image.header == header)
      for id in vectors.keys.sorted() where samples.random.oneIn(20) {
        vectors[id] = samples.random.oneIn(2) ? nil : samples.vector(distance)
      }
      var restoration = GraphRestoration(image)
      for (id, vector) in vectors.sorted(by: { $0.key < $1.key }) {
        let isAdopted = restoration.adopt(id, vector.span)
        #expect(isAdopted)
      }
      graph = restoration.finish()
      requireSame()
    }

    func requireSame() {
      #expect(Set(graph.allIDs) == Set(vectors.keys))
      for (id, vector) in vectors {
        let check = VectorGraph.check(vector.span)
        #expect(graph.check(id) == check)
      }
    }
  }

  @Test func vectorsWithoutAFormAreRefused() {
    let graph = VectorGraph(GraphParameters(dimensions: 2, distance: .cosine))
    let refused: [[Float]] = [
      [0, 0], [.nan, 1], [.infinity, 1], [1e30, 1e30], [1], [1, 2, 3], [],
    ]
    func insert(_ vector: [Float]) -> Bool { graph.insert(1, vector.span) }
    func found(_ origin: [Float]) -> [UInt64]? {
      graph.search(origin.span, searchCount: 3)?.map(\.id)
    }
    for vector in refused { #expect(!insert(vector)) }
    #expect(graph.count == 0)
    #expect(insert([1, 0]))
    #expect(found([.nan, 0]) == nil)
    #expect(found([0, 1]) == [1])
    // A vector that is refused takes the place of the one that was there.
    #expect(!insert([0, 0]))
    #expect(found([0, 1]) == [])
  }

  @Test func aSearchThatTestsTooManyGivesUp() {
    let graph = VectorGraph(GraphParameters(dimensions: 1, distance: .euclidean, neighbors: 4))
    for id in 1...200 {
      let vector = [Float(id)]
      graph.insert(UInt64(id), vector.span)
    }
    func found(_ budget: Int) -> Int? {
      let origin: [Float] = [0]
      return graph.search(origin.span, searchCount: 5, budget: budget) { _ in false }?.count
    }
    #expect(found(50) == nil)
    #expect(found(1_000) == 0)
  }
}
