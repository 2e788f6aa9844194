import BoxEngine
import BoxModel
import BoxStorage
import TestSupport
import Testing

@testable import BoxVector

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Graphs that are saved beside a store, and what is found in their place later.
struct SavedGraphTests {
  private static func samples(_ test: String = #function) -> VectorSamples {
    VectorSamples(random: TestSeed.next(test), dimensions: VectorStore.dimensions)
  }

  /// A store with a saved graph.
  private static func saved(
    _ directory: TemporaryDirectory, _ samples: inout VectorSamples
  ) throws -> (location: StorageLocation, file: String) {
    let location = StorageLocation.directory(directory.path(of: "store"))
    let store = try VectorStore(location)
    try store.fill(300, &samples)
    store.close()
    let names = directory.names(in: directory.path(of: "store/graphs"))
    let name = try #require(names.first { $0.hasSuffix(".graph") })
    #expect(Set(names) == [name, "graphs.lock"])
    return (location, "store/graphs/" + name)
  }

  /// Requires the answers of a scan, and a graph.
  private static func requireAnswers(
    _ location: StorageLocation, _ samples: inout VectorSamples
  ) throws {
    let store = try VectorStore(location)
    defer { store.close() }
    let origin = samples.vector(.euclidean)
    // At once, while the graph may not be ready.
    try store.requireNearest(origin, 10, try store.nearest(origin, 10))
    store.graphs.waitUntilCurrent()
    let answer = try store.nearest(origin, 10)
    #expect(answer.strategy.isGraph)
    try store.requireNearest(origin, 10, answer)
  }

  @Test func aDamagedGraphIsBuiltAgain() throws {
    let directory = try TemporaryDirectory()
    var samples = Self.samples()
    let (location, file) = try Self.saved(directory, &samples)
    let bytes = try directory.bytes(of: file)
    for _ in 0..<TestSeed.count("BOXJOINT_SOAK_SAVED_GRAPHS", default: 6) {
      var changed = bytes
      changed[samples.random.below(bytes.count)] ^= UInt8(1 + samples.random.below(255))
      if samples.random.oneIn(3) { changed.removeLast(1 + samples.random.below(bytes.count)) }
      try directory.write(changed, to: file)
      try Self.requireAnswers(location, &samples)
    }
  }

  @Test func aGraphOfAnotherStateIsBroughtUpToDate() throws {
    let directory = try TemporaryDirectory()
    var samples = Self.samples()
    let (location, file) = try Self.saved(directory, &samples)
    let old = try directory.bytes(of: file)
    // Without graphs, as another program writes.
    let store = try ObjectStore.open(location)
    let places = try store.entity(named: "Place")
    try store.write { transaction in
      for id in 1...40 { try transaction.remove(places, UInt64(id)) }
      for id in 41...80 {
        var place = DynamicObject(places)
        place["id"] = .unsigned(UInt64(id))
        place["point"] = .floats(samples.vector(.euclidean))
        try transaction.put(place)
      }
    }
    store.close()
    for _ in 0..<3 { try Self.requireAnswers(location, &samples) }
    // A graph that is older, or newer than the data, as that of a restored backup.
    try directory.write(old, to: file)
    try Self.requireAnswers(location, &samples)
    let parameters = try #require(try GraphImageProbe.parameters(location))
    let image = try #require(GraphImage(old, of: parameters.uid, parameters.graph))
    let newer = VectorGraph(parameters.graph)
    for id in 1...60 {
      let vector = samples.vector(.euclidean)
      newer.insert(UInt64(id), vector.span)
    }
    var header = image.header
    header.number = 1 << 40
    try directory.write(newer.encoded(header), to: file)
    try Self.requireAnswers(location, &samples)
  }

  @Test func whatACrashLeftIsReplaced() throws {
    let directory = try TemporaryDirectory()
    var samples = Self.samples()
    let (location, file) = try Self.saved(directory, &samples)
    let bytes = try directory.bytes(of: file)
    for count in [0, 100, bytes.count / 2] {
      try directory.write(Array(bytes.prefix(count)), to: file + ".new")
      try directory.write(Array(bytes.prefix(count)), to: file)
      try Self.requireAnswers(location, &samples)
      #expect(try directory.bytes(of: file).count > bytes.count / 2)
      #expect(
        !directory.names(in: directory.path(of: "store/graphs")).contains { $0.hasSuffix(".new") })
    }
  }

  @Test func anUnwritableDirectoryDoesNotFail() throws {
    let directory = try TemporaryDirectory()
    var samples = Self.samples()
    let (location, _) = try Self.saved(directory, &samples)
    directory.removeEverything("store/graphs")
    // A file in its place, and a link to a directory elsewhere.
    try directory.write([], to: "store/graphs")
    try Self.requireAnswers(location, &samples)
    directory.removeEverything("store/graphs")
    mkdir(directory.path(of: "elsewhere"), 0o700)
    symlink(directory.path(of: "elsewhere"), directory.path(of: "store/graphs"))
    try Self.requireAnswers(location, &samples)
    #expect(directory.names(in: directory.path(of: "elsewhere")).isEmpty)
  }

  @Test func onlyTheHolderOfTheLockWrites() throws {
    let directory = try TemporaryDirectory()
    var samples = Self.samples()
    let (location, file) = try Self.saved(directory, &samples)
    directory.removeEverything(file)
    let lock = open(directory.path(of: "store/graphs/graphs.lock"), O_RDWR | O_CLOEXEC)
    #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
    try Self.requireAnswers(location, &samples)
    #expect(access(directory.path(of: file), F_OK) != 0)
    // A process that another test starts shares the lock for a moment, until it runs its program.
    flock(lock, LOCK_UN)
    close(lock)
    try Self.requireAnswers(location, &samples)
    #expect(access(directory.path(of: file), F_OK) == 0)
  }

  @Test func graphsAreRemovedWithTheirStore() throws {
    let directory = try TemporaryDirectory()
    var samples = Self.samples()
    let (location, _) = try Self.saved(directory, &samples)
    try location.removeFiles()
    #expect(access(directory.path(of: "store"), F_OK) != 0)
  }
}

/// The parameters of the index of a store.
private enum GraphImageProbe {
  static func parameters(_ location: StorageLocation) throws -> (
    uid: UInt64, graph: GraphParameters
  )? {
    let store = try ObjectStore.open(location)
    defer { store.close() }
    let places = try store.entity(named: "Place")
    return places.property(named: "point").flatMap { PropertyGraph(places, $0) }
      .map { ($0.property.uid, $0.parameters) }
  }
}
