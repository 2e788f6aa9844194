package import BoxEngine
internal import BoxModel
internal import BoxStorage
internal import Dispatch
internal import Synchronization

/// The graphs of all vector indexes of a store, kept up with its commits.
///
/// A thread of their own builds and changes the graphs. Until a graph has the state of a query's transaction,
/// the query compares what the graph lacks, or all vectors.
package final class VectorGraphs: NeighbourSearch {
  private let graphs: [PropertyGraph]
  private let entities: Set<UID>
  private let limits: GraphLimits
  private let files: GraphFiles?
  private let log = Mutex(CommitLog())
  private let queue = DispatchQueue(label: "boxjoint.vectors", qos: .utility)
  private let isScheduled = Atomic(false)
  private let isClosed = Atomic(false)
  /// The number of vectors of each graph that were changed since it was saved; used on the queue.
  private let unsaved: Mutex<[Int]>
  private weak let store: ObjectStore?

  /// Attaches graphs to a store that has vector indexes; they are built in the background.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - limits: The numbers by which graphs are built and searched.
  /// - Returns: The graphs, to be closed before the store; nil if the model has no vector index that a graph
  ///   can serve.
  /// - Complexity: O(*n*) in the properties of the model.
  package static func attach(
    to store: ObjectStore, _ limits: GraphLimits = GraphLimits()
  ) -> VectorGraphs? {
    let graphs = store.entities.flatMap { entity in
      entity.properties.compactMap { PropertyGraph(entity, $0) }
    }
    if graphs.isEmpty { return nil }
    let result = VectorGraphs(graphs, store, limits)
    store.neighbourSearch = result
    result.schedule()
    return result
  }

  private init(_ graphs: [PropertyGraph], _ store: ObjectStore, _ limits: GraphLimits) {
    self.graphs = graphs
    self.limits = limits
    self.store = store
    entities = Set(graphs.map(\.entity.uid))
    files = GraphFiles(store.location)
    unsaved = Mutex(Array(repeating: 0, count: graphs.count))
  }

  // MARK: - Searching

  package func follows(_ entity: EntitySchema) -> Bool { entities.contains(entity.uid) }

  package func candidates(
    _ request: NeighbourRequest, admits: (UInt64) throws(StoreError) -> Bool
  ) throws(StoreError) -> NeighbourCandidates {
    guard let graph = graphs.first(where: { $0.property.uid == request.property.uid }) else {
      return .none("the model has no vector index for it")
    }
    func known(after low: UInt64, through high: UInt64) -> Set<UInt64>? {
      let changes = changes(of: graph, after: low, through: high)
      // Another process has written, which nothing but a query tells.
      if changes == nil { schedule() }
      return changes
    }
    return try graph.candidates(request, known, limits, admits: admits)
  }

  private func changes(
    of graph: PropertyGraph, after low: UInt64, through high: UInt64
  ) -> Set<UInt64>? {
    log.withLock {
      $0.ids(of: graph.entity.uid, after: low, through: high, atMost: .max)
    }
  }

  // MARK: - Following

  package func recordChanges(_ changes: FollowedChanges) {
    log.withLock { $0.append(changes) }
  }

  package func end(_ number: UInt64, isCommitted: Bool) {
    if isCommitted { schedule() } else { log.withLock { $0.removeLast(number) } }
  }

  private func schedule() {
    if isScheduled.exchange(true, ordering: .acquiringAndReleasing) { return }
    queue.async { [weak self] in
      guard let self else { return }
      isScheduled.store(false, ordering: .releasing)
      update()
    }
  }

  /// Brings all graphs to the state of the store; on the queue.
  private func update() {
    guard let store else { return }
    for (position, graph) in graphs.enumerated() where !isCancelled {
      let work = work(graph, store)
      // A record that cannot be read is reported to who reads it, and vectors are compared.
      guard let changed = try? work.run() else {
        _ = graph.withdraw("the vectors cannot be read")
        continue
      }
      save(position, work, changed, isLast: false)
    }
  }

  private func work(_ graph: PropertyGraph, _ store: ObjectStore) -> GraphUpdate {
    GraphUpdate(
      graph: graph, store: store, limits: limits, files: files,
      changes: { [self] in changes(of: graph, after: $0, through: $1) },
      isCancelled: { [self] in isCancelled })
  }

  private var isCancelled: Bool { isClosed.load(ordering: .relaxed) }

  /// Saves a graph of which enough was changed.
  private func save(_ position: Int, _ work: GraphUpdate, _ changed: Int, isLast: Bool) {
    let isEnough = unsaved.withLock { unsaved in
      unsaved[position] += changed
      let count = work.graph.withGraph { $0.graph.count } ?? 0
      let enough = isLast ? 1 : max(1, count / limits.savedPart)
      if unsaved[position] < enough { return false }
      unsaved[position] = 0
      return true
    }
    if isEnough { work.save(work.graph.encoded()) }
  }

  /// Waits until the graphs have all commits that were made before.
  package func waitUntilCurrent() { queue.sync { update() } }

  /// Ends the work in the background, and saves what was changed.
  ///
  /// Call it before the store is closed. Queries compare vectors from then on.
  ///
  /// - Complexity: O(*n*) in the links of the graphs that were changed.
  package func close() {
    if isClosed.exchange(true, ordering: .acquiringAndReleasing) { return }
    queue.sync {
      guard let store else { return }
      store.neighbourSearch = nil
      for (position, graph) in graphs.enumerated() {
        save(position, work(graph, store), 0, isLast: true)
        _ = graph.withdraw("the graph is closed")
      }
    }
  }
}
