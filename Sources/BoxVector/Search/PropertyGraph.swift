internal import BoxEngine
internal import BoxModel
internal import BoxStorage

/// The graph of the vectors of one property, with the commits that it has.
///
/// The lock guards the state: searches hold it for reading, and changes of the graph for writing. Only the
/// thread of ``VectorGraphs`` changes it.
final class PropertyGraph: Sendable {
  enum State {
    /// Vectors are compared, for a reason.
    case absent(String)
    case ready(Ready)
  }

  /// A graph that can be searched.
  struct Ready {
    var graph: VectorGraph
    /// All changes of commits up to this number are in the graph.
    var low: UInt64
    /// No change of a commit above this number is in the graph.
    var high: UInt64
    /// Objects whose vectors have distances but no form in the graph, such as vectors of large numbers.
    var outside: Set<UInt64>
  }

  let entity: EntitySchema
  let property: PropertySchema
  let parameters: GraphParameters
  private let lock = ReadersLock()
  /// Guarded by the lock.
  private nonisolated(unsafe) var state: State = .absent("the graph is not built yet")

  /// The graph of a property; nil if its model has no vector index that a graph can serve.
  init?(_ entity: EntitySchema, _ property: PropertySchema) {
    let index = property.vectorIndex
    guard property.type == .floats, index.failureReason == nil,
      let dimensions = index.dimensions, let distance = index.distance
    else { return nil }
    self.entity = entity
    self.property = property
    parameters = GraphParameters(
      dimensions: dimensions, distance: distance, neighbors: index.neighborsPerNode,
      indexingSearchCount: index.indexingSearchCount)
  }

  // MARK: - Searching

  func candidates<E: Error>(
    _ request: NeighbourRequest, _ log: (UInt64, UInt64) -> Set<UInt64>?, _ limits: GraphLimits,
    admits: (UInt64) throws(E) -> Bool
  ) throws(E) -> NeighbourCandidates {
    try lock.withReading { () throws(E) in
      switch unsafe state {
      case .absent(let reason): return .none(reason)
      case .ready(let ready):
        return try Self.candidates(ready, request, log, limits, admits: admits)
      }
    }
  }

  private static func candidates<E: Error>(
    _ ready: Ready, _ request: NeighbourRequest, _ log: (UInt64, UInt64) -> Set<UInt64>?,
    _ limits: GraphLimits, admits: (UInt64) throws(E) -> Bool
  ) throws(E) -> NeighbourCandidates {
    let low = min(ready.low, request.number)
    guard var others = log(low, max(ready.high, request.number)) else {
      return .none("the graph lacks too many changes")
    }
    if ready.outside.count > limits.maximumChanges {
      return .none("many vectors are too large or too small for the graph")
    }
    others.formUnion(ready.outside)
    others.formUnion(request.changed)
    if others.count > limits.maximumChanges { return .none("the graph lacks too many changes") }
    let graph = ready.graph
    let searchCount = max(
      graph.parameters.indexingSearchCount, request.maximum + max(16, request.maximum / 4))
    func admitsCurrent(_ id: UInt64) throws(E) -> Bool {
      if others.contains(id) { return false }
      return try admits(id)
    }
    let strategy = limits.strategy(
      keeping: searchCount, for: request.maximum, of: request.objects, admitted: request.admitted,
      graph.form)
    let origin = request.measure.origin
    switch strategy {
    case .reading: return .none("few objects fulfil the other conditions")
    case .graph:
      let budget = max(16 * searchCount, request.objects / limits.testedPart)
      let hits = try graph.search(
        origin.span, searchCount: searchCount, budget: budget, admits: admitsCurrent)
      // Fewer hits than asked for can be all vectors, or all that the links reach.
      if let hits, hits.count >= request.maximum {
        return .found(near: hits.map(\.id), others: others)
      }
    case .memory: break
    }
    let near = try graph.compare(origin.span, maximum: request.maximum, admits: admitsCurrent)
    guard let near else {
      return .none("the vector is too large or too small for the graph, or too many are as near")
    }
    return .compared(near: near, others: others)
  }

  // MARK: - Changing

  /// Makes a graph ready that has the changes of all commits up to a number.
  func publish(_ graph: VectorGraph, _ number: UInt64, outside: Set<UInt64>) {
    lock.withWriting {
      unsafe state = .ready(Ready(graph: graph, low: number, high: number, outside: outside))
    }
  }

  /// Takes the graph away, so that vectors are compared.
  func withdraw(_ reason: String) -> VectorGraph? {
    lock.withWriting {
      defer { unsafe state = .absent(reason) }
      if case .ready(let ready) = unsafe state { return ready.graph }
      return nil
    }
  }

  /// The number of the last commit whose changes are in the graph; nil without a graph.
  var number: UInt64? {
    lock.withReading {
      if case .ready(let ready) = unsafe state { return ready.low }
      return nil
    }
  }

  /// Changes the graph, if there is one.
  func withGraph<R>(_ body: (inout Ready) -> R) -> R? {
    lock.withWriting {
      guard case .ready(var ready) = unsafe state else { return nil }
      defer { unsafe state = .ready(ready) }
      return body(&ready)
    }
  }

  /// The bytes of a file with the graph; nil without a graph.
  func encoded() -> [UInt8]? {
    lock.withReading {
      guard case .ready(let ready) = unsafe state else { return nil }
      return ready.graph.encoded(header(ready.low))
    }
  }

  func header(_ number: UInt64) -> GraphFileHeader {
    GraphFileHeader(property: property.uid, number: number, parameters: parameters)
  }

  /// The name of its file.
  var fileName: String { "\(property.uid)" }
}
