import BoxEngine
import BoxModel
import BoxStorage
import TestSupport
import Testing

@testable import BoxVector

/// A store of places with vectors and a kind, in a directory or in memory, with graphs.
struct VectorStore: Sendable {
  let store: ObjectStore
  let graphs: VectorGraphs
  let places: EntitySchema
  let point: PropertySchema

  static let dimensions = 8

  /// Numbers with which graphs are built even for few objects.
  static func limits(_ way: GraphLimits.Strategy?) -> GraphLimits {
    var limits = GraphLimits()
    (limits.minimumObjects, limits.strategy) = (50, way)
    return limits
  }

  static func document(_ distance: VectorDistance = .euclidean) throws -> ModelDocument {
    let parameters =
      #"{"dimensions": 8, "distance-type": "\#(distance.rawValue)", "neighbors-per-node": 12, "#
      + #""indexing-search-count": 40}"#
    return try TestModel(
      .init(
        name: "Place", uid: 100,
        properties: [
          .id(.idSelfAssignable),
          .init(name: "point", type: .floatVector, vectorIndex: parameters),
          .init(name: "kind", type: .int, flags: .indexed), .init(name: "size", type: .int),
        ])
    ).document()
  }

  init(
    _ location: StorageLocation, _ distance: VectorDistance = .euclidean,
    _ limits: GraphLimits = Self.limits(.graph)
  ) throws {
    // As `Store` opens it.
    var options = StoreOptions()
    options.keepsIssuedIDs = true
    store = try ObjectStore.open(location, model: Self.document(distance), options: options)
    places = try store.entity(named: "Place")
    guard let point = places.property(named: "point"),
      let graphs = VectorGraphs.attach(to: store, limits)
    else { throw TestFailure("the model has no vector index") }
    self.point = point
    self.graphs = graphs
  }

  func close() {
    graphs.close()
    store.close()
  }

  func put(_ id: UInt64, _ vector: [Float]?, _ transaction: Transaction) throws {
    var place = DynamicObject(places)
    place["id"] = .unsigned(id)
    place["point"] = vector.map { .floats($0) } ?? .null
    place["kind"] = .integer(Int64(id % 10))
    place["size"] = .integer(Int64(id % 3))
    try transaction.put(place)
  }

  /// Puts vectors of the samples with the ids from 1 on, and waits for the graph.
  func fill(_ count: Int, _ samples: inout VectorSamples) throws {
    var vectors: [[Float]] = []
    for _ in 0..<count { vectors.append(samples.vector(.euclidean)) }
    try store.write { transaction in
      for (position, vector) in vectors.enumerated() {
        try put(UInt64(position + 1), vector, transaction)
      }
    }
    graphs.waitUntilCurrent()
  }

  /// The nearest objects that fulfil a condition.
  func nearest(
    _ origin: [Float], _ maximum: Int, _ condition: Condition = .always,
    _ transaction: Transaction? = nil
  ) throws -> NearestAnswer {
    let query = try store.prepare(StoreQuery(places, condition))
    let measure = try places.measure(from: origin, point)
    if let transaction {
      return try transaction.nearest(query, point, measure, maximum: maximum)
    }
    return try store.read { try $0.nearest(query, point, measure, maximum: maximum) }
  }

  /// Puts a vector with the next id, in a transaction or in a part of one that is undone.
  func putAndUndo(_ vector: [Float], within transaction: Transaction? = nil) throws {
    func undo(_ transaction: Transaction) throws {
      try put(0, vector, transaction)
      throw TestFailure("undo")
    }
    #expect(throws: TestFailure.self) {
      if let transaction {
        try transaction.savepoint { try undo(transaction) }
      } else {
        try store.write { try undo($0) }
      }
    }
  }

  /// The same by a look at all vectors.
  func exact(
    _ origin: [Float], _ maximum: Int, _ condition: Condition = .always,
    _ transaction: Transaction? = nil
  ) throws -> [UInt64] {
    let search = store.neighbourSearch
    store.neighbourSearch = nil
    defer { store.neighbourSearch = search }
    return try nearest(origin, maximum, condition, transaction).neighbours.map(\.id)
  }
}

extension VectorStore {
  /// Requires nearly all of the nearest objects.
  func requireNearest(_ origin: [Float], _ maximum: Int, _ answer: NearestAnswer) throws {
    let exact = try exact(origin, maximum)
    #expect(answer.neighbours.count == exact.count)
    #expect(Set(answer.neighbours.map(\.id)).intersection(exact).count >= exact.count - 1)
  }
}

extension NearestStrategy {
  /// Whether the graph was searched.
  var isGraph: Bool { if case .graph = self { true } else { false } }

  /// Whether all vectors were compared in memory.
  var isMemory: Bool { if case .memory = self { true } else { false } }
}
