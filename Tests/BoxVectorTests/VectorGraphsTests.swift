import BoxModel
import BoxStorage
import BoxSystem
import Synchronization
import TestSupport
import Testing

@testable import BoxEngine
@testable import BoxVector

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Graphs of a store, kept up with its commits.
struct VectorGraphsTests {
  private static let count = Atomic<Int>(0)

  private static func memory() -> StorageLocation {
    .memory("VectorGraphsTests.\(count.add(1, ordering: .relaxed).newValue)")
  }

  private static func samples(_ test: String = #function) -> VectorSamples {
    VectorSamples(random: TestSeed.next(test), dimensions: VectorStore.dimensions)
  }

  /// A graph finds most of the nearest and a look at all vectors in memory all of them, and no answer names an
  /// object that is not there or has another distance.
  @Test(.promise(187), arguments: [GraphLimits.Strategy.graph, .memory])
  func randomCommitsAndQueriesAgreeWithAScan(_ way: GraphLimits.Strategy) throws {
    let store = try VectorStore(Self.memory(), .euclidean, VectorStore.limits(way))
    defer { store.close() }
    var samples = Self.samples("randomCommitsAndQueriesAgreeWithAScan \(way)")
    var (hits, wanted, answered) = (0, 0, 0)
    func take(_ answer: NearestAnswer, _ exact: [UInt64]) {
      answered += (way == .graph ? answer.strategy.isGraph : answer.strategy.isMemory) ? 1 : 0
      wanted += exact.count
      hits += Set(exact).intersection(answer.neighbours.map(\.id)).count
      if !answer.strategy.isGraph { #expect(answer.neighbours.map(\.id) == exact) }
      #expect(!Self.lacksChanges(answer))
    }
    try store.fill(300, &samples)
    for step in 1...TestSeed.count("BOXJOINT_SOAK_VECTOR_COMMITS", default: 150) {
      try store.store.write { transaction in
        for _ in 0...samples.random.below(6) {
          let id = UInt64(1 + samples.random.below(350))
          switch samples.random.below(8) {
          case 0: try transaction.remove(store.places, id)
          case 1: try store.put(id, nil, transaction)
          case 2: try store.put(id, [1, 2], transaction)
          case 3: try store.put(id, Array(repeating: .nan, count: 8), transaction)
          case 4: try store.put(id, Array(repeating: 1e25, count: 8), transaction)
          default: try store.put(id, samples.vector(.euclidean), transaction)
          }
        }
        if samples.random.oneIn(4) {
          try store.putAndUndo(samples.vector(.euclidean), within: transaction)
        }
        if samples.random.oneIn(4) {
          // The transaction sees its own changes.
          let origin = samples.vector(.euclidean)
          let answer = try store.nearest(origin, 5, .always, transaction)
          take(answer, try store.exact(origin, 5, .always, transaction))
        }
      }
      if samples.random.oneIn(4) { try store.putAndUndo(samples.vector(.euclidean)) }
      if samples.random.oneIn(3) { store.graphs.waitUntilCurrent() }
      let origin = samples.vector(.euclidean)
      let condition: Condition =
        step % 3 == 0 ? .compare(.init("size"), .equal, .integer(1)) : .always
      let answer = try store.nearest(origin, 10, condition)
      let exact = try store.exact(origin, 10, condition)
      take(answer, exact)
      #expect(answer.neighbours.count == exact.count)
      try Self.requireTrueDistances(answer, origin, store)
    }
    #expect(Double(hits) >= 0.97 * Double(wanted), "\(hits) of \(wanted)")
    #expect(answered > 50)
  }

  /// Whether changes were missed.
  fileprivate static func lacksChanges(_ answer: NearestAnswer) -> Bool {
    [
      "the graph lacks too many changes", "the graph is being brought up to date",
    ].contains { answer.strategy == .scan(reason: $0) }
  }

  private static func requireTrueDistances(
    _ answer: NearestAnswer, _ origin: [Float], _ store: VectorStore
  ) throws {
    let scores = answer.neighbours.map(\.score)
    #expect(zip(scores, scores.dropFirst()).allSatisfy { $0 <= $1 })
    try store.store.read { transaction in
      for neighbour in answer.neighbours {
        let vector = try #require(
          try transaction.vector(store.places, store.point, neighbour.id))
        let distance = VectorSamples.distance(.euclidean, origin, vector)
        #expect(abs(distance - neighbour.score) <= 1e-9 * max(1, distance))
      }
    }
  }

  @Test func aLogKnowsTheCommitsThatWereMade() {
    var log = CommitLog(maximumIDs: 4)
    func ids(_ low: UInt64, _ high: UInt64) -> Set<UInt64>? {
      log.ids(of: UID(7), after: low, through: high, atMost: .max)
    }
    for number in 3...6 as ClosedRange<UInt64> {
      log.append(FollowedChanges(number: number, ids: number == 5 ? [:] : [UID(7): [number]]))
    }
    #expect(ids(2, 6) == [3, 4, 6] && ids(4, 5) == [] && ids(1, 6) == nil && ids(6, 7) == nil)
    // The last one failed, and another process made a commit of its number.
    log.removeLast(6)
    #expect(ids(2, 5) == [3, 4] && ids(2, 6) == nil)
    log.removeLast(3)
    log.append(FollowedChanges(number: 7, ids: [UID(7): [8, 9]]))
    #expect(ids(6, 7) == [8, 9] && ids(5, 7) == nil)
    // More than it remembers.
    log.append(FollowedChanges(number: 8, ids: [UID(7): [1, 2, 3, 4, 5]]))
    #expect(ids(7, 8) == nil)
    log.removeLast(8)
    #expect(ids(6, 7) == nil && ids(7, 7) == [])
    log.append(FollowedChanges(number: 8, ids: [UID(7): [2]]))
    #expect(ids(7, 8) == [2])
  }

  /// Commits of another process come together: each of them may have changed any of the objects.
  @Test func aLogKnowsCommitsThatCameTogether() {
    var log = CommitLog()
    func ids(_ low: UInt64, _ high: UInt64) -> Set<UInt64>? {
      log.ids(of: UID(7), after: low, through: high, atMost: .max)
    }
    log.append(FollowedChanges(number: 3, ids: [UID(7): [1]]))
    log.append(FollowedChanges(first: 4, number: 6, ids: [UID(7): [2, 3]]))
    log.append(FollowedChanges(number: 7, ids: [UID(7): [4]]))
    #expect(ids(2, 7) == [1, 2, 3, 4] && ids(4, 5) == [2, 3] && ids(3, 6) == [2, 3])
    // So many at once are not remembered, and the next one is no sequel.
    log.append(FollowedChanges(first: 8, number: 100, ids: [UID(7): [5]]))
    log.append(FollowedChanges(number: 101, ids: [:]))
    #expect(ids(7, 101) == nil && ids(100, 101) == [])
  }

  @Test func theFastestWayIsChosen() throws {
    let store = try VectorStore(Self.memory(), .euclidean, VectorStore.limits(nil))
    defer { store.close() }
    var samples = Self.samples()
    try store.fill(3_000, &samples)
    let origin = samples.vector(.euclidean)
    // No index says how many there are: the graph gives up.
    let none = try store.nearest(origin, 5, .compare(.init("size"), .equal, .integer(7)))
    #expect(none.neighbours.isEmpty)
    #expect(none.strategy == .memory(candidates: 0))
    // A search keeps 40 vectors at least; so many more are compared.
    #expect(try store.nearest(origin, 5).strategy.isGraph)
    let many = try store.nearest(origin, 400)
    #expect(many.strategy.isMemory)
    #expect(try many.neighbours.map(\.id) == store.exact(origin, 400))
    // 300 of 3,000 objects.
    let part = try store.nearest(origin, 5, .compare(.init("kind"), .equal, .integer(3)))
    #expect(!part.strategy.isGraph)
    #expect(
      try part.neighbours.map(\.id)
        == store.exact(origin, 5, .compare(.init("kind"), .equal, .integer(3))))
  }

  @Test func theLeastTimeIsEstimated() {
    let limits = GraphLimits()
    func way(
      _ searchCount: Int, _ objects: Int, _ admitted: Int?, _ dimensions: Int,
      _ distance: VectorDistance = .euclidean
    ) -> GraphLimits.Strategy {
      let form = GraphForm(
        GraphParameters(
          dimensions: dimensions, distance: distance, neighbors: 30, indexingSearchCount: 100))
      return limits.strategy(
        keeping: searchCount, for: 10, of: objects, admitted: admitted, form)
    }
    #expect(way(100, 100_000, nil, 128) == .graph)
    #expect(way(100, 3_000, nil, 128) == .memory)
    #expect(way(5_000, 100_000, nil, 128) == .memory)
    #expect(way(100, 100_000, 1_000, 128) == .reading)
    #expect(way(100, 100_000, 10_000, 128) == .memory)
    #expect(way(100, 100_000, 50_000, 128) == .graph)
    #expect(way(100, 100_000, 0, 128) == .reading)
    #expect(way(100, .max, .max, 32_768) == .graph)
    // A search would miss too many.
    for distance in VectorDistance.allCases where distance != .geo {
      #expect(way(100, 100_000, nil, 1, distance) == .memory)
      #expect(way(100, 100_000, 90_000, 1, distance) == .memory)
    }
    #expect(way(100, 100_000, nil, 2) == .graph && way(100, 100_000, nil, 2, .geo) == .graph)
    #expect(way(100, 100_000, nil, 7, .dotProduct) == .memory)
    #expect(way(100, 100_000, nil, 8, .dotProductNonNormalized) == .graph)
  }

  @Test func aFewOfAConditionAreRead() throws {
    let store = try VectorStore(Self.memory(), .euclidean, VectorStore.limits(nil))
    defer { store.close() }
    var samples = Self.samples()
    try store.fill(500, &samples)
    let origin = samples.vector(.euclidean)
    let few = try store.nearest(origin, 5, .compare(.init("kind"), .equal, .integer(3)))
    #expect(few.strategy == .scan(reason: "few objects fulfil the other conditions"))
    #expect(
      try few.neighbours.map(\.id)
        == store.exact(origin, 5, .compare(.init("kind"), .equal, .integer(3))))
  }

  @Test func anOlderSnapshotFindsItsOwnObjects() throws {
    let store = try VectorStore(Self.memory())
    defer { store.close() }
    var samples = Self.samples()
    try store.fill(200, &samples)
    let origin = samples.vector(.euclidean)
    let before = try store.exact(origin, 10)
    try store.store.read { transaction in
      let change = Mutex<(any Error)?>(nil)
      // A transaction belongs to a thread, so another thread writes.
      let thread = try WorkerThread {
        do {
          try store.store.write { transaction in
            for id in before { try transaction.remove(store.places, id) }
          }
          store.graphs.waitUntilCurrent()
        } catch {
          change.withLock { $0 = error }
        }
      }
      thread.join()
      #expect(change.withLock { $0 == nil })
      let answer = try store.nearest(origin, 10, .always, transaction)
      #expect(Set(answer.neighbours.map(\.id)).intersection(before).count >= 9)
      #expect(answer.strategy.isGraph)
    }
    let after = try store.nearest(origin, 10)
    #expect(after.strategy.isGraph)
    #expect(Set(after.neighbours.map(\.id)).isDisjoint(with: before))
  }

  /// Threads that search while another one writes find objects of their snapshots.
  @Test func searchesRunBesideChanges() throws {
    let store = try VectorStore(Self.memory())
    defer { store.close() }
    var samples = Self.samples()
    try store.fill(200, &samples)
    let readers = Readers(store, (0..<20).map { _ in samples.vector(.euclidean) })
    var threads: [WorkerThread] = []
    for seed in 0..<2 { threads.append(try WorkerThread { readers.search(seed) }) }
    for _ in 0..<60 {
      try store.store.write { transaction in
        for _ in 0..<8 {
          let id = UInt64(1 + samples.random.below(220))
          if samples.random.oneIn(3) {
            try transaction.remove(store.places, id)
          } else {
            try store.put(id, samples.vector(.euclidean), transaction)
          }
        }
      }
    }
    readers.isOver.store(true, ordering: .relaxed)
    for thread in threads { thread.join() }
    #expect(readers.problems.withLock { $0 } == [])
  }

  /// Threads that search until a test is over.
  private final class Readers: Sendable {
    let isOver = Atomic(false)
    let problems = Mutex<[String]>([])
    private let store: VectorStore
    private let origins: [[Float]]

    init(_ store: VectorStore, _ origins: [[Float]]) {
      self.store = store
      self.origins = origins
    }

    func search(_ seed: Int) {
      var number = seed
      while !isOver.load(ordering: .relaxed) {
        number += 1
        do {
          try search(from: origins[number % origins.count])
        } catch {
          problems.withLock { $0.append("\(error)") }
        }
      }
    }

    private func search(from origin: [Float]) throws {
      try store.store.read { transaction in
        let answer = try store.nearest(origin, 5, .always, transaction)
        let missing = try answer.neighbours.filter {
          try transaction.vector(store.places, store.point, $0.id) == nil
        }
        if answer.neighbours.count == 5, missing.isEmpty, !VectorGraphsTests.lacksChanges(answer) {
          return
        }
        problems.withLock { $0.append("\(answer)") }
      }
    }
  }

  @Test func anAbortedTransactionLeavesNothing() throws {
    let store = try VectorStore(Self.memory())
    defer { store.close() }
    var samples = Self.samples()
    try store.fill(200, &samples)
    let origin = samples.vector(.euclidean)
    let before = try store.nearest(origin, 5).neighbours
    #expect(throws: TestFailure.self) {
      try store.store.write { transaction in
        try store.put(999, origin, transaction)
        #expect(try store.nearest(origin, 5, .always, transaction).neighbours.first?.id == 999)
        throw TestFailure("undo")
      }
    }
    store.graphs.waitUntilCurrent()
    #expect(try store.nearest(origin, 5).neighbours == before)
    try store.store.write { transaction in try transaction.removeAll(store.places) }
    #expect(try store.nearest(origin, 5).neighbours.isEmpty)
    store.graphs.waitUntilCurrent()
    #expect(try store.nearest(origin, 5).neighbours.isEmpty)
  }

  /// The ids that it gave are written by a commit of its own, which changes no object.
  @Test func anUndoneTransactionLeavesTheGraphAsItIs() throws {
    let store = try VectorStore(Self.memory())
    defer { store.close() }
    var samples = Self.samples()
    // So many that a graph of them is not built again at once.
    try store.fill(4_000, &samples)
    let origin = samples.vector(.euclidean)
    for step in 1...5 {
      try store.putAndUndo(origin)
      #expect(try store.nearest(origin, 5).strategy.isGraph)
      try store.store.write { try store.putAndUndo(origin, within: $0) }
      #expect(try store.nearest(origin, 5).strategy.isGraph)
      try store.store.write { try store.put(UInt64(step), origin, $0) }
      let answer = try store.nearest(origin, 5)
      #expect(answer.strategy.isGraph)
      #expect(answer.neighbours.prefix(step).map(\.id) == (1...step).map(UInt64.init))
    }
  }

  /// Only a query can notice it.
  @Test func aCommitOfAnotherProcessIsFollowed() throws {
    let store = try VectorStore(Self.memory())
    defer { store.close() }
    var samples = Self.samples()
    try store.fill(200, &samples)
    let origin = samples.vector(.euclidean)
    for id in [201, 202] as [UInt64] {
      store.store.neighbourSearch = nil
      try store.store.write { try store.put(id, origin, $0) }
      store.store.neighbourSearch = store.graphs
      let first = try store.nearest(origin, 5)
      #expect(first.strategy == .scan(reason: "the graph lacks too many changes"))
      #expect(try first.neighbours.map(\.id) == store.exact(origin, 5))
      var isFollowed = false
      for _ in 0..<1_000 where !isFollowed {
        isFollowed = try store.nearest(origin, 5).strategy.isGraph
        usleep(10_000)
      }
      #expect(isFollowed)
    }
  }

  /// Links do not lead to the nearest of them.
  @Test(arguments: [VectorDistance.cosine, .dotProduct, .dotProductNonNormalized])
  func vectorsThatSumsDoNotTellApartAreCompared(_ distance: VectorDistance) throws {
    let store = try VectorStore(Self.memory(), distance)
    defer { store.close() }
    var samples = Self.samples("vectorsThatSumsDoNotTellApartAreCompared \(distance)")
    func near() -> [Float] {
      (0..<8).map { _ in 1 + Float(samples.random.below(21)) * 1e-8 }
    }
    try store.store.write { transaction in
      for id in 1...2_000 as ClosedRange<UInt64> { try store.put(id, near(), transaction) }
    }
    store.graphs.waitUntilCurrent()
    for _ in 0..<5 {
      let origin = near()
      let answer = try store.nearest(origin, 10)
      #expect(!answer.strategy.isGraph)
      #expect(try answer.neighbours.map(\.id) == store.exact(origin, 10))
    }
  }

  /// So many that they are not listed.
  @Test func aConditionThatManyFulfilIsTestedDuringTheSearch() throws {
    let store = try VectorStore(Self.memory())
    defer { store.close() }
    var samples = Self.samples()
    try store.store.write { transaction in
      for number in 0..<1_050 {
        try store.put(UInt64(10 * number + 3), samples.vector(.euclidean), transaction)
        try store.put(UInt64(10 * number + 4), samples.vector(.euclidean), transaction)
      }
    }
    store.graphs.waitUntilCurrent()
    let condition = Condition.compare(.init("kind"), .equal, .integer(3))
    for _ in 0..<5 {
      let origin = samples.vector(.euclidean)
      let answer = try store.nearest(origin, 10, condition)
      #expect(answer.strategy.isGraph)
      #expect(answer.neighbours.allSatisfy { $0.id % 10 == 3 })
      let exact = try store.exact(origin, 10, condition)
      #expect(Set(exact).intersection(answer.neighbours.map(\.id)).count >= 8)
    }
  }

  @Test func anyMaximumIsAnswered() throws {
    let store = try VectorStore(Self.memory())
    defer { store.close() }
    var samples = Self.samples()
    try store.fill(200, &samples)
    let origin = samples.vector(.euclidean)
    for maximum in [0, -1, .min] {
      #expect(try store.nearest(origin, maximum).neighbours.isEmpty)
    }
    for maximum in [51, 199, 200, 201, .max] {
      let answer = try store.nearest(origin, maximum)
      #expect(answer.strategy == .scan(reason: "many of the objects are asked for"))
      #expect(answer.neighbours.count == min(200, maximum))
    }
  }

  @Test func conditionsInTextFindTheSame() throws {
    let store = try VectorStore(Self.memory())
    defer { store.close() }
    var samples = Self.samples()
    try store.fill(200, &samples)
    let origin = samples.vector(.euclidean)
    let query = try store.store.prepare(
      StoreQuery(store.places, .nearest(.init("point"), origin, maximum: 7)))
    let ids = try store.store.read { try $0.ids(query) }
    #expect(ids.count == 7)
    #expect(try Set(ids).intersection(store.exact(origin, 7)).count >= 6)
  }

  @Test func parametersThatNoGraphServesAreScanned() throws {
    let refused = [
      #"{"dimensions": 8, "neighbors-per-node": 1}"#, #"{"dimensions": 0}"#, "{}",
      #"{"dimensions": 3, "distance-type": "Geo"}"#, #"{"dimensions": 8, "distance-type": "Odd"}"#,
      #"{"dimensions": 8, "indexing-search-count": 100000000}"#,
    ]
    for parameters in refused {
      let model = TestModel(
        .init(
          name: "Place", uid: 100,
          properties: [
            .id(), .init(name: "point", type: .floatVector, vectorIndex: parameters),
          ]))
      let store = try ObjectStore.open(Self.memory(), model: model.document())
      defer { store.close() }
      #expect(VectorGraphs.attach(to: store) == nil, "\(parameters)")
    }
  }
}
