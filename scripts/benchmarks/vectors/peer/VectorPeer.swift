import BoxEngine
import BoxModel
import BoxStorage
import BoxVector

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Measures graphs of a store with the vectors of a set, and writes a line for each number.
@main
struct VectorPeer {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 5, let dimensions = Int(arguments[3]) else {
      print("usage: VectorPeer DIRECTORY SET DIMENSIONS DISTANCE")
      return
    }
    let set = try VectorSet("\(arguments[1])/\(arguments[2])", dimensions)
    GraphMeasurement(set, arguments[4]).run()
    try StoreMeasurement(set, arguments[4], directory: arguments[1]).run()
  }
}

/// Vectors, vectors to measure from, and the ten nearest of each.
struct VectorSet {
  let vectors: [Float]
  let origins: [Float]
  let nearest: [Int32]
  let dimensions: Int

  init(_ path: String, _ dimensions: Int) throws {
    vectors = try Self.read(path + ".vectors")
    origins = try Self.read(path + ".origins")
    nearest = try Self.read(path + ".nearest")
    self.dimensions = dimensions
  }

  private static func read<T: BitwiseCopyable>(_ path: String) throws -> [T] {
    guard let file = fopen(path, "r") else { throw MissingFile(path: path) }
    defer { fclose(file) }
    fseek(file, 0, SEEK_END)
    let count = ftell(file) / MemoryLayout<T>.size
    rewind(file)
    return [T](unsafeUninitializedCapacity: count) { buffer, read in
      read = fread(buffer.baseAddress, MemoryLayout<T>.size, count, file)
    }
  }

  struct MissingFile: Error { var path: String }

  var count: Int { vectors.count / dimensions }
  var originCount: Int { origins.count / dimensions }

  func vector(_ number: Int) -> [Float] {
    Array(vectors[number * dimensions..<(number + 1) * dimensions])
  }

  /// The mean of a vector and one of the other end, which the set does not have.
  func mean(_ number: Int) -> [Float] {
    zip(vector(number), vector(count - 1 - number)).map { ($0 + $1) / 2 }
  }

  func origin(_ number: Int) -> [Float] {
    Array(origins[number * dimensions..<(number + 1) * dimensions])
  }

  /// The part of the ten nearest that is in an answer, of vectors whose ids are their numbers and 1.
  func hits(_ ids: [UInt64], _ origin: Int) -> Int {
    let wanted = Set(nearest[origin * 10..<origin * 10 + 10].map { UInt64($0) + 1 })
    return wanted.intersection(ids.prefix(10)).count
  }
}

func report(_ name: String, _ value: Double) { print("\(name)\t\(value)") }

/// The time that a function takes.
func microseconds(_ body: () throws -> Void) rethrows -> Double {
  try ContinuousClock().measure(body) / .microseconds(1)
}

/// The time of the processor that a function takes on this thread, which scatters less beside other work.
func processor(_ body: () throws -> Void) rethrows -> Double {
  func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
  }
  let start = now()
  try body()
  return now() - start
}

/// The graph alone.
struct GraphMeasurement {
  let set: VectorSet
  let parameters: GraphParameters

  init(_ set: VectorSet, _ distance: String) {
    self.set = set
    parameters = GraphParameters(
      dimensions: set.dimensions, distance: VectorDistance(rawValue: distance) ?? .euclidean)
  }

  func run() {
    let graph = VectorGraph(parameters)
    graph.reserve(set.count)
    let build = processor {
      for number in 0..<set.count { graph.insert(UInt64(number + 1), set.vector(number).span) }
    }
    report("graph build s", build / 1e6)
    report("graph memory MB", Double(graph.bytes) / 1e6)
    for searchCount in [10, 20, 40, 100, 200, 400] { search(graph, searchCount) }
    for part in [100, 10, 2] as [UInt64] { searchPart(graph, part) }
    let changed = min(2_000, set.count / 2)
    let means = (0..<changed).map(set.mean)
    let update = processor {
      for (number, mean) in means.enumerated() { graph.insert(UInt64(number + 1), mean.span) }
    }
    report("graph updates per s", Double(changed) / update * 1e6)
  }

  private func search(_ graph: VectorGraph, _ searchCount: Int) {
    var (hits, best) = (0, Double.infinity)
    for _ in 0..<3 {
      hits = 0
      var time = 0.0
      for number in 0..<set.originCount {
        let origin = set.origin(number)
        var ids: [UInt64] = []
        time += processor {
          ids = (graph.search(origin.span, searchCount: searchCount) ?? []).map(\.id)
        }
        hits += set.hits(ids, number)
      }
      best = min(best, time)
    }
    report("graph \(searchCount) recall", Double(hits) / Double(10 * set.originCount))
    report("graph \(searchCount) us", best / Double(set.originCount))
  }

  /// Searches among one of so many vectors, which no index knows.
  private func searchPart(_ graph: VectorGraph, _ part: UInt64) {
    var (found, time) = (0, 0.0)
    for number in 0..<set.originCount {
      let origin = set.origin(number)
      time += processor {
        found +=
          graph.search(origin.span, searchCount: 100, budget: .max) { $0 % part == 0 }?.count ?? 0
      }
    }
    report("graph 1 of \(part) us", time / Double(set.originCount))
  }
}

/// A store with the vectors, and a graph beside it.
struct StoreMeasurement {
  let set: VectorSet
  let distance: String
  let path: String

  init(_ set: VectorSet, _ distance: String, directory: String) {
    self.set = set
    self.distance = distance
    path = directory + "/store"
  }

  private func document() throws -> ModelDocument {
    let text = """
      {"_note1": "n", "_note2": "n", "_note3": "n",
       "entities": [{"id": "1:100", "lastPropertyId": "3:103", "name": "Item", "properties": [
         {"id": "1:101", "name": "id", "type": 6, "flags": 129},
         {"id": "2:102", "name": "vector", "type": 28, "hnswParams":
           {"dimensions": \(set.dimensions), "distance-type": "\(distance)"}},
         {"id": "3:103", "name": "kind", "indexId": "1:104", "type": 5, "flags": 8}],
         "relations": []}],
       "lastEntityId": "1:100", "lastIndexId": "1:104", "lastRelationId": "0:0",
       "lastSequenceId": "0:0", "modelVersion": 5, "modelVersionParserMinimum": 5,
       "retiredEntityUids": [], "retiredIndexUids": [], "retiredPropertyUids": [],
       "retiredRelationUids": [], "version": 1}
      """
    return try ModelDocument(parsing: Array(text.utf8))
  }

  func run() throws {
    let location = StorageLocation.directory(path)
    try? location.removeFiles()
    let store = try ObjectStore.open(location, model: document())
    let items = try store.entity(named: "Item")
    for first in stride(from: 0, to: set.count, by: 10_000) {
      try store.write { transaction in
        for number in first..<min(first + 10_000, set.count) {
          var item = DynamicObject(items)
          item["id"] = .unsigned(UInt64(number + 1))
          item["vector"] = .floats(set.vector(number))
          item["kind"] = .integer(Int64(number % 100))
          try transaction.put(item)
        }
      }
    }
    try search(store, "scan")
    let graphs = VectorGraphs.attach(to: store)
    report("store build s", microseconds { graphs?.waitUntilCurrent() } / 1e6)
    try search(store, "store")
    for part in [1, 10, 50] { try searchPart(store, part, "") }
    let close = microseconds { graphs?.close() }
    report("store save ms", close / 1e3)
    store.close()
    let again = try ObjectStore.open(location)
    defer { again.close() }
    var loaded: VectorGraphs?
    let first = try microseconds {
      loaded = VectorGraphs.attach(to: again)
      _ = try nearest(again, set.origin(0), .always)
    }
    report("store first answer ms", first / 1e3)
    report("store load ms", microseconds { loaded?.waitUntilCurrent() } / 1e3)
    loaded?.close()
    for (name, way) in [("by graph ", GraphLimits.Strategy.graph), ("by memory ", .memory)] {
      var limits = GraphLimits()
      limits.strategy = way
      let graphs = VectorGraphs.attach(to: again, limits)
      graphs?.waitUntilCurrent()
      try search(again, name + "store")
      for part in [1, 10, 50] { try searchPart(again, part, name) }
      graphs?.close()
    }
  }

  private func nearest(
    _ store: ObjectStore, _ origin: [Float], _ condition: Condition
  ) throws -> NearestAnswer {
    let items = try store.entity(named: "Item")
    guard let property = items.property(named: "vector") else {
      throw VectorSet.MissingFile(path: "vector")
    }
    let query = try store.prepare(StoreQuery(items, condition))
    let measure = try items.measure(from: origin, property)
    return try store.read { try $0.nearest(query, property, measure, maximum: 10) }
  }

  private func search(_ store: ObjectStore, _ name: String) throws {
    let count = name == "scan" ? min(20, set.originCount) : set.originCount
    var (hits, best) = (0, Double.infinity)
    for _ in 0..<3 {
      hits = 0
      var time = 0.0
      for number in 0..<count {
        let origin = set.origin(number)
        var ids: [UInt64] = []
        time += try processor { ids = try nearest(store, origin, .always).neighbours.map(\.id) }
        hits += set.hits(ids, number)
      }
      best = min(best, time)
    }
    report("\(name) recall", Double(hits) / Double(10 * count))
    report("\(name) us", best / Double(count))
  }

  /// Searches among the objects of so many of a hundred kinds, by the graph and by a scan.
  private func searchPart(_ store: ObjectStore, _ percent: Int, _ name: String) throws {
    let condition = Condition.compare(.init("kind"), .less, .integer(Int64(percent)))
    let search = store.neighbourSearch
    var (time, scan, hits, graphs) = (0.0, 0.0, 0, 0)
    let count = min(50, set.originCount)
    for number in 0..<count {
      let origin = set.origin(number)
      var found: [UInt64] = []
      time += try processor {
        let answer = try nearest(store, origin, condition)
        found = answer.neighbours.map(\.id)
        if case .graph = answer.strategy { graphs += 1 }
      }
      store.neighbourSearch = nil
      var exact: [UInt64] = []
      scan += try processor {
        exact = try nearest(store, origin, condition).neighbours.map(\.id)
      }
      store.neighbourSearch = search
      hits += Set(exact).intersection(found).count
    }
    report("\(name)\(percent) % recall", Double(hits) / Double(10 * count))
    report("\(name)\(percent) % us", time / Double(count))
    report("\(name)\(percent) % scan us", scan / Double(count))
    report("\(name)\(percent) % by the graph", Double(graphs) / Double(count))
  }
}
