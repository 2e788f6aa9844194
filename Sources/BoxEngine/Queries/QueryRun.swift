internal import BoxStorage

/// One answer to a query in a transaction.
///
/// The sets of ids that its condition refers to are computed when it begins: where an index leaves few
/// objects, for those objects, else for all. Then the way to the objects is chosen by counts.
struct QueryRun {
  let query: PreparedQuery
  let transaction: Transaction
  let storage: StorageAccess
  private(set) var sets: [IDSet] = []
  /// The plans of the queries for the sets.
  private(set) var links: [QueryPlan.Link] = []
  /// The choice, where it was made before the sets were computed.
  private(set) var given: Choice?
  /// The number of objects of the entity.
  let objects: Int
  /// The place at which a visit was interrupted; nil where nobody asks for it.
  var interrupted: InterruptedVisit?
  private let folded = FoldedText()

  /// The ids of the part of the answer that is asked for; nil for none.
  private(set) var idRange: ClosedRange<UInt64>?

  var entity: EntitySchema { query.entity }
  var limits: PlannerLimits { query.limits }

  /// Begins to answer a query.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - transaction: The transaction.
  ///   - candidates: The ids of the only objects that are asked about, in ascending order; nil for all.
  /// - Throws: ``StoreError``, also of the objects that decide about the sets.
  init(
    _ query: PreparedQuery, in transaction: Transaction, among candidates: [UInt64]? = nil
  ) throws(StoreError) {
    try transaction.require(query.entity)
    self.query = query
    self.transaction = transaction
    storage = try transaction.reading()
    objects = try storage.statistics(query.entity.space).entries
    idRange = 0...UInt64.max
    if let direction = idDirection { idRange = query.window.ids(direction) }
    given = candidates.map { ids in
      let step = QueryPlan.Step(kind: "candidates", condition: "", ids: ids.count)
      return Choice(source: .ids(ids), steps: [step], ids: ids.count, mayDangle: true)
    }
    if query.sets.isEmpty { return }
    if given == nil { given = try fewCandidates() }
    for set in query.sets {
      let found = try ids(of: set)
      sets.append(found.ids)
      if let plan = found.plan { links.append(.init(plan: plan, ids: found.ids.count)) }
    }
  }

  // MARK: - Objects

  /// The objects to look at, and the parts of the condition that they fulfil in any case.
  struct Choice {
    enum Source {
      case scan(ClosedRange<UInt64>)
      case ids([UInt64])
      /// The members of one key, which are in the order of their ids.
      case members(IndexSchema, IndexKey)
    }

    var source: Source
    /// The positions of the parts that need no test.
    var answered: Set<Int> = []
    /// The tests that are left for each object.
    var tests: [Predicate] = []
    var steps: [QueryPlan.Step] = []
    /// The number of ids, where it is known.
    var ids = 0
    /// Whether some of the objects may have been removed: a to-one relation keeps the id.
    var mayDangle = false
  }

  /// Whether all objects of a choice fulfil the condition, so that none has to be read.
  func isAnswered(_ choice: Choice) -> Bool {
    choice.answered.count == query.parts.count && !choice.mayDangle
  }

  /// Visits the objects that fulfil the condition in the order of their ids.
  ///
  /// `body` may read and must not write.
  func visitMatches(
    _ choice: Choice, _ direction: VisitDirection = .forward,
    _ body: (UInt64, borrowing RecordView) throws -> VisitStep
  ) throws {
    let tests = choice.tests
    transaction.beginVisit()
    defer { transaction.endVisit() }
    switch choice.source {
    case .scan(let range):
      let (entity, transaction) = (entity, transaction)
      let verifier = transaction.verifier(entity)
      let start = direction == .forward ? range.lowerBound : range.upperBound
      let isWhole = range == 0...UInt64.max
      var visited = 0
      try unsafe storage.visitRecords(entity.space, from: isWhole ? nil : start, direction) {
        id, record in
        visited &+= 1
        if visited % Transaction.visitsBetweenLooks == 0 { try checkVisit(before: id, visited - 1) }
        if !isWhole, !range.contains(id) { return .stop }
        let view = try unsafe transaction.view(entity, id, record, verifier)
        for test in tests where !test.matches(id, view, sets, folded) { return .next }
        return try body(id, view)
      }
    case .ids(let ids):
      let ids = direction == .forward ? ids : ids.reversed()
      for id in ids where try visit(id, tests, body) == .stop { return }
    case .members(let index, let key):
      guard let range = idRange else { return }
      if direction == .forward, range.lowerBound == 0 {
        return try transaction.visitMembers(of: key, index, storage) { try visit($0, tests, body) }
      }
      // No object has the first or the last id.
      let start =
        direction == .forward
        ? max(range.lowerBound, 1) - 1 : min(range.upperBound, .max - 1) + 1
      try unsafe key.withBytes { bytes in
        try unsafe storage.visitEntries(
          index.space, beyond: (key, start), keys: direction, members: direction
        ) { other, id in
          unsafe other.elementsEqual(bytes) ? try visit(id, tests, body) : .stop
        }
      }
    }
  }

  /// Ends a visit of records if that was requested, before an object and after a number of others.
  private func checkVisit(before id: UInt64, _ visited: Int) throws(StoreError) {
    do throws(StoreError) {
      try transaction.checkInterruption()
    } catch {
      interrupted?.next = id
      interrupted?.looked += visited
      throw error
    }
  }

  /// Visits an object if it exists and passes the tests.
  @inline(__always)
  func visit(
    _ id: UInt64, _ tests: [Predicate], _ body: (UInt64, borrowing RecordView) throws -> VisitStep
  ) throws -> VisitStep {
    do throws(StoreError) {
      try transaction.checkInterruptionOfLookUp()
    } catch {
      interrupted?.next = id
      throw error
    }
    interrupted?.looked += 1
    return try lookUp(id, tests, body)
  }

  /// Visits an object if it exists and passes the tests, also after an interruption.
  @inline(__always)
  func lookUp(
    _ id: UInt64, _ tests: [Predicate], _ body: (UInt64, borrowing RecordView) throws -> VisitStep
  ) throws -> VisitStep {
    guard let record = try unsafe storage.value(entity.space, id) else { return .next }
    let view = try unsafe transaction.view(entity, id, record)
    for test in tests where !test.matches(id, view, sets, folded) { return .next }
    return try body(id, view)
  }

  /// Visits the ids of the objects that fulfil the condition in their order.
  ///
  /// Objects that are known to fulfil it are not read.
  func visitMatchingIDs(
    _ choice: Choice, _ body: (UInt64) throws(StoreError) -> VisitStep
  ) throws(StoreError) {
    if isAnswered(choice) {
      switch choice.source {
      case .ids(let ids):
        for id in ids where try body(id) == .stop { return }
        return
      case .members(let index, let key) where idRange?.lowerBound == 0:
        return try StoreError.only {
          transaction.beginVisit()
          defer { transaction.endVisit() }
          try transaction.visitMembers(of: key, index, storage, body)
        }
      case .scan(0...UInt64.max): return try storage.keys(entity.space, body)
      case .members, .scan: break
      }
    }
    try StoreError.only { try visitMatches(choice) { id, _ in try body(id) } }
  }

  // MARK: - Index entries

  /// Gives the members of a key of an index.
  func members(
    of key: IndexKey, _ index: IndexSchema, _ body: (UInt64) -> Void
  ) throws(StoreError) {
    func visit(_ member: UInt64) throws(StoreError) -> VisitStep {
      body(member)
      return .next
    }
    try storage.members(index.space, key, visit)
  }

  /// Writes what a write transaction has held back of the indexes that the query can use.
  func flush(_ index: IndexSchema) throws(StoreError) {
    if transaction.isWritable { try transaction.pending.flush(index, to: storage) }
  }
}
