internal import BoxEngine
internal import BoxStorage

/// The work that brings the graph of a property to the state of its store.
struct GraphUpdate {
  let graph: PropertyGraph
  let store: ObjectStore
  let limits: GraphLimits
  let files: GraphFiles?
  /// The ids that commits above one number, up to another, changed; nil if that is not known.
  let changes: (UInt64, UInt64) -> Set<UInt64>?
  /// Whether the work has to end.
  let isCancelled: () -> Bool

  /// The number of vectors that are linked while searches wait.
  private static var linkedAtOnce: Int { 4 }
  /// The number of nodes whose links are repaired while searches wait.
  private static var clearedAtOnce: Int { 64 }

  /// Does the work.
  ///
  /// - Returns: The number of vectors that were changed.
  /// - Throws: ``StoreError``; the graph stays as it was, or vectors are compared.
  func run() throws(StoreError) -> Int {
    guard let number = graph.number else { return try build(nil) }
    let read = try reading { (transaction) throws(StoreError) -> Changes? in
      let current = try transaction.number
      if current == number { return Changes(number: number, vectors: []) }
      guard let ids = changes(number, current) else { return nil }
      var vectors: [(id: UInt64, vector: [Float]?)] = []
      for id in ids.sorted() {
        vectors.append((id, try transaction.vector(graph.entity, graph.property, id)))
      }
      return Changes(number: current, vectors: vectors)
    }
    guard let read else {
      return try build(graph.withdraw("the graph is being brought up to date"))
    }
    if read.number != number { apply(read) }
    return read.vectors.count
  }

  private struct Changes {
    var number: UInt64
    var vectors: [(id: UInt64, vector: [Float]?)]
  }

  private func reading<R>(
    _ body: (Transaction) throws(StoreError) -> R
  ) throws(StoreError) -> R {
    do {
      return try store.read { try body($0) }
    } catch let error as StoreError {
      throw error
    } catch {
      throw StoreError.transactionFailed(reason: "\(error)")
    }
  }

  // MARK: - Changes

  /// Puts the vectors of changed objects into the graph, while it can be searched.
  private func apply(_ changes: Changes) {
    _ = graph.withGraph { ready in
      ready.high = changes.number
      for (id, vector) in changes.vectors { Self.put(vector, of: id, &ready) }
      ready.graph.shuffleWaiting()
    }
    while graph.withGraph({ ready in
      ready.graph.linkWaiting(Self.linkedAtOnce)
      return ready.graph.waitingCount > 0
    }) == true {}
    _ = graph.withGraph { $0.low = changes.number }
    while !isCancelled(),
      graph.withGraph({ ready in
        ready.graph.needsClearing && !ready.graph.clear(Self.clearedAtOnce)
      }) == true
    {}
  }

  private static func put(_ vector: [Float]?, of id: UInt64, _ ready: inout PropertyGraph.Ready) {
    ready.outside.remove(id)
    guard let vector, vector.count == ready.graph.parameters.dimensions else {
      ready.graph.remove(id)
      return
    }
    if ready.graph.check(id) == VectorGraph.check(vector.span) { return }
    if !ready.graph.place(id, vector.span) { ready.outside.insert(id) }
  }

  // MARK: - Building

  /// Builds a graph that has all vectors of the store, from an older or saved one if it exists.
  private func build(_ old: VectorGraph?) throws(StoreError) -> Int {
    let count = try reading { (transaction) throws(StoreError) in
      try transaction.count(graph.entity)
    }
    if count < limits.minimumObjects {
      _ = graph.withdraw("there are few objects")
      return 0
    }
    let built = try reading { (transaction) throws(StoreError) in
      try collect(old, transaction)
    }
    // A visit that was cut short has not seen all vectors.
    if isCancelled() { return 0 }
    let changed = built.graph.waitingCount
    built.graph.shuffleWaiting()
    while built.graph.waitingCount > 0, !isCancelled() { built.graph.linkWaiting(64) }
    while built.graph.needsClearing, !isCancelled() { _ = built.graph.clear(1_024) }
    if built.graph.waitingCount > 0 {
      // What was linked so far is of use for the next time.
      save(built.graph.encoded(graph.header(built.number)))
      return 0
    }
    graph.publish(built.graph, built.number, outside: built.outside)
    return changed
  }

  private struct Built {
    var graph: VectorGraph
    var number: UInt64
    var outside: Set<UInt64> = []
  }

  /// A graph with all vectors of the store, of which those wait that an older or saved graph does not have.
  private func collect(
    _ old: VectorGraph?, _ transaction: Transaction
  ) throws(StoreError) -> Built {
    let number = try transaction.number
    if let old { return try update(old, number, transaction) }
    if let image = savedImage(try transaction.count(graph.entity)), image.header.number <= number {
      let built = try restore(image, number, transaction)
      // A graph with few old links is worse than a new one.
      if built.graph.waitingCount <= built.graph.count / 2 { return built }
    }
    var built = Built(graph: VectorGraph(graph.parameters), number: number)
    built.graph.reserve(try transaction.count(graph.entity))
    try visit(transaction) { id, vector in
      if !built.graph.place(id, vector) { built.outside.insert(id) }
    }
    return built
  }

  private func restore(
    _ image: GraphImage, _ number: UInt64, _ transaction: Transaction
  ) throws(StoreError) -> Built {
    var restoration = GraphRestoration(image)
    var outside: Set<UInt64> = []
    try visit(transaction) { id, vector in
      if !restoration.adopt(id, vector) { outside.insert(id) }
    }
    return Built(graph: restoration.finish(), number: number, outside: outside)
  }

  /// Compares all vectors with the vectors of a graph, if the changes are not known.
  private func update(
    _ old: VectorGraph, _ number: UInt64, _ transaction: Transaction
  ) throws(StoreError) -> Built {
    var built = Built(graph: old, number: number)
    var gone = Set(old.allIDs)
    try visit(transaction) { id, vector in
      gone.remove(id)
      if old.check(id) == VectorGraph.check(vector) { return }
      if !old.place(id, vector) { built.outside.insert(id) }
    }
    for id in gone { old.remove(id) }
    return built
  }

  /// Visits the vectors that have the length of the index.
  private func visit(
    _ transaction: Transaction, _ body: (UInt64, borrowing Span<Float>) -> Void
  ) throws(StoreError) {
    let dimensions = graph.parameters.dimensions
    try transaction.visitVectors(graph.entity, graph.property) { id, vector in
      if vector.count == dimensions { body(id, vector) }
      return isCancelled() ? .stop : .next
    }
  }

  // MARK: - Files

  private func savedImage(_ objects: Int) -> GraphImage? {
    // Each node has an id, a check, and on each level a row of links; half of all nodes are removed ones at most.
    let node = 64 + 8 * (graph.parameters.neighbors + 1)
    let maximum = 1 << 20 + 4 * node * objects
    return files?.read(graph.fileName, atMost: maximum).flatMap {
      GraphImage($0, of: graph.property.uid, graph.parameters)
    }
  }

  /// Saves the bytes of a graph, if they can be saved.
  func save(_ bytes: [UInt8]?) {
    // A graph that is not saved is built again: nothing is lost but time.
    guard let bytes, let files, !store.isReadOnly else { return }
    _ = try? files.write(graph.fileName, bytes)
  }
}
