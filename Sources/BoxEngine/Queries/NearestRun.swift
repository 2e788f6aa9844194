internal import BoxStorage

/// One search for nearest vectors in a transaction.
///
/// If the store has a ``NeighbourSearch``, its candidates are read again here; otherwise, or if they are not
/// enough, the vectors of all objects that fulfil the condition are read and compared.
struct NearestRun {
  private let run: QueryRun
  private let choice: QueryRun.Choice
  private let property: PropertySchema
  private let measure: VectorMeasure
  private let maximum: Int

  init(
    _ run: QueryRun, property: PropertySchema, measure: VectorMeasure, maximum: Int
  ) throws(StoreError) {
    self.run = run
    choice = try run.choose()
    self.property = property
    self.measure = measure
    self.maximum = maximum
  }

  func answer() throws(StoreError) -> NearestAnswer {
    guard let search = run.transaction.store.neighbourSearch else {
      return try scan("there is no graph")
    }
    // Also so that no sum of the maximum overflows.
    if maximum > run.objects / 4 { return try scan("many of the objects are asked for") }
    let admission = try Admission(run, choice)
    let found = try search.candidates(request(admission)) { (id) throws(StoreError) in
      try admission.admits(id)
    }
    switch found {
    case .none(let reason): return try scan(reason)
    case .found(let near, let others):
      // More than asked for, because the search orders by single precision.
      let wanted = maximum + max(8, maximum / 4)
      let (list, read) = try read(near, atMost: wanted, others, admission)
      if list.count < maximum { return try scan("the graph reaches too few objects") }
      return NearestAnswer(neighbours: list.neighbours(measure), strategy: .graph(candidates: read))
    case .compared(let near, let others):
      let (list, read) = try read(near, atMost: .max, others, admission)
      return NearestAnswer(
        neighbours: list.neighbours(measure), strategy: .memory(candidates: read))
    }
  }

  private func request(_ admission: Admission) -> NeighbourRequest {
    let (transaction, number) = (run.transaction, run.storage.number)
    return NeighbourRequest(
      entity: run.entity, property: property, measure: measure, maximum: maximum,
      number: transaction.isWritable ? number - 1 : number,
      changed: transaction.isWritable ? transaction.pending.changes.ids(run.entity.position) : [],
      admitted: admission.count, objects: run.objects)
  }

  /// Compares all vectors.
  private func scan(_ reason: String) throws(StoreError) -> NearestAnswer {
    var list = NeighbourList(maximum)
    let (measure, slot) = (measure, property.slot)
    try StoreError.only {
      try run.visitMatches(choice) { id, record in
        if let rank = measure.rank(record, slot) { list.add(id, rank) }
        return .next
      }
    }
    return NearestAnswer(neighbours: list.neighbours(measure), strategy: .scan(reason: reason))
  }

  /// Reads candidates again, the nearest first, until `maximum` have a distance.
  ///
  /// - Returns: The nearest, and the number of objects that were read.
  private func read(
    _ near: [UInt64], atMost wanted: Int, _ others: Set<UInt64>, _ admission: Admission
  ) throws(StoreError) -> (NeighbourList, read: Int) {
    var found: [(id: UInt64, rank: Double)] = []
    func add(_ id: UInt64) throws(StoreError) {
      try StoreError.only {
        _ = try run.visit(id, []) { id, record in
          if let rank = measure.rank(record, property.slot) { found.append((id, rank)) }
          return .next
        }
      }
    }
    var read = others.count
    for id in near {
      if found.count >= wanted { break }
      read += 1
      try add(id)
    }
    for id in others {
      if try admission.admits(id) { try add(id) }
    }
    var list = NeighbourList(maximum)
    for (id, rank) in found.sorted(by: { $0.id < $1.id }) { list.add(id, rank) }
    return (list, read)
  }
}

/// The test whether an object can be found, for objects in any order.
private struct Admission {
  private let run: QueryRun
  private let range: ClosedRange<UInt64>
  /// The only ids that can be found; nil for all ids of the range.
  private let ids: IDSet?
  private let tests: [Predicate]
  /// The number of objects that can be found, at most; nil if it is not known.
  let count: Int?

  init(_ run: QueryRun, _ choice: QueryRun.Choice) throws(StoreError) {
    self.run = run
    if case .scan(let range) = choice.source {
      self.range = range
      (ids, count, tests) = (nil, nil, choice.tests)
      return
    }
    range = 0...UInt64.max
    count = choice.ids
    if choice.ids > Self.listedIDs {
      (ids, tests) = (nil, run.query.parts.map(\.predicate))
      return
    }
    tests = choice.tests
    switch choice.source {
    case .ids(let known): ids = IDSet(known)
    case .members(let index, let key):
      var known: [UInt64] = []
      try run.members(of: key, index) { known.append($0) }
      ids = IDSet(known)
    case .scan: ids = nil
    }
  }

  /// The maximum number of ids to put into a set; building a larger set takes longer than reading the few
  /// objects that a search meets.
  private static var listedIDs: Int { 1_024 }

  func admits(_ id: UInt64) throws(StoreError) -> Bool {
    if !range.contains(id) { return false }
    if let ids, !ids.contains(id) { return false }
    if tests.isEmpty { return true }
    return try StoreError.only {
      var isFulfilled = false
      _ = try run.visit(id, tests) { _, _ in
        isFulfilled = true
        return .stop
      }
      return isFulfilled
    }
  }
}
