public import BoxStorage

extension Transaction {
  /// Visits the objects that a query finds, in its order, and by id where that leaves it open.
  ///
  /// The objects are the same with and without indexes. Inside a write transaction its own writes count.
  ///
  /// - Parameters:
  ///   - query: The query, prepared by the store of this transaction.
  ///   - offset: The number of objects to leave out at the beginning.
  ///   - limit: The maximum number of objects; nil for all.
  ///   - body: Reads the values, and returns whether the visit continues. It may read from the store and
  ///     must not write to it; the values are lent for the call.
  /// - Throws: ``StoreError/foreignSchema(_:)``, ``StoreError/damagedRecord(entity:id:_:)``,
  ///   ``StoreError/transactionEnded``, ``StoreError/storage(_:)``, and the error of `body`.
  /// - Complexity: O(*n*) in the objects that have to be looked at: those that the indexes leave, or all.
  ///   An order that no index has takes 32 bytes for each object found, and its strings beyond eight
  ///   bytes; with a limit, that many for each object of the limit.
  public func visit(
    _ query: PreparedQuery, offset: Int = 0, limit: Int? = nil,
    _ body: (UInt64, borrowing RecordView) throws -> VisitStep
  ) throws {
    let run = try QueryRun(query, in: self)
    if offset == 0, limit != 0, let direction = run.idDirection {
      let choice = try run.choose()
      guard let limit else { return try run.visitMatches(choice, direction, body) }
      var count = 0
      return try run.visitMatches(choice, direction) { id, record in
        let step = try body(id, record)
        count += 1
        return count == limit ? .stop : step
      }
    }
    let ids = try run.orderedIDs(offset: offset, limit: limit).ids
    beginVisit()
    defer { endVisit() }
    for id in ids where try run.visit(id, [], body) == .stop { return }
  }

  /// The ids of the objects that a query finds, in its order.
  ///
  /// - Parameters:
  ///   - query: The query, prepared by the store of this transaction.
  ///   - offset: The number of objects to leave out at the beginning.
  ///   - limit: The maximum number of objects; nil for all.
  /// - Returns: The ids.
  /// - Throws: As ``visit(_:offset:limit:_:)-(PreparedQuery,_,_,_)``.
  /// - Complexity: As there; objects that an index shows to fulfil the condition are not read.
  public func ids(
    _ query: PreparedQuery, offset: Int = 0, limit: Int? = nil
  ) throws(StoreError) -> [UInt64] {
    try QueryRun(query, in: self).orderedIDs(offset: offset, limit: limit).ids
  }

  /// The number of objects that a query finds.
  ///
  /// - Throws: As ``visit(_:offset:limit:_:)-(PreparedQuery,_,_,_)``.
  /// - Complexity: O(1) for all objects, O(log *n*) for those that equal an indexed value, else as there.
  public func count(_ query: PreparedQuery) throws(StoreError) -> Int {
    let isWhole = query.window.start == nil
    if isWhole, query.parts.allSatisfy(\.isAlways) { return try count(query.entity) }
    let run = try QueryRun(query, in: self)
    let choice = try run.choose(counting: isWhole)
    let isOfIDs = isWhole || query.isByID
    if isOfIDs, run.isAnswered(choice) {
      switch choice.source {
      case .ids(let ids): return ids.count
      case .members where isWhole: return choice.ids
      case .members, .scan: break
      }
    }
    var count = 0
    try StoreError.only {
      try run.visitMatches(choice, isWhole ? .forward : run.idDirection ?? .forward) { id, record in
        if isOfIDs || query.window.contains(query.place(id, record).key) { count += 1 }
        return .next
      }
    }
    return count
  }

  /// Removes the objects that a query finds, all or none.
  ///
  /// - Returns: The number of removed objects.
  /// - Throws: As ``visit(_:offset:limit:_:)-(PreparedQuery,_,_,_)`` and ``remove(_:_:)``.
  /// - Complexity: As there, and O(log *n*) for each object and each entry of it.
  @discardableResult
  public func remove(_ query: PreparedQuery) throws(StoreError) -> Int {
    try remove(query.entity, try ids(query))
  }

  /// The way in which a query would be answered now.
  ///
  /// Conditions on other entities are answered, as the choice depends on how many objects fulfil them.
  ///
  /// - Throws: As ``visit(_:offset:limit:_:)-(PreparedQuery,_,_,_)``.
  /// - Complexity: O(*c*) in the conditions; no object of the entity is read.
  public func explain(
    _ query: PreparedQuery, offset: Int = 0, limit: Int? = nil
  ) throws(StoreError) -> QueryPlan {
    let run = try QueryRun(query, in: self)
    let found = try run.orderedIDs(offset: offset, limit: limit, explaining: true)
    return found.plan ?? run.plan(nil, .byID)
  }

  /// Visits the ids of an index in the order of its keys; strings longer than a key are compared by their
  /// records.
  func visitInOrder(
    _ entity: EntitySchema, _ index: IndexSchema, _ walk: IndexWalk, _ storage: StorageAccess,
    _ body: (UInt64) throws -> VisitStep
  ) throws {
    if !index.hasByteKeys {
      return try unsafe visitEntries(index, walk, storage) { try body($1) }
    }
    var walk = walk
    var (cutKey, cutIDs): ([UInt8], [UInt64]) = ([], [])
    var isStopped = false
    func visitCut(beyond start: IndexWalk.Start? = nil) throws -> VisitStep {
      defer { (cutKey, cutIDs) = ([], []) }
      for id in try sortedByText(cutIDs, entity, index, walk, storage, beyond: start)
      where try body(id) == .stop {
        return .stop
      }
      return .next
    }
    func visit(_ key: UnsafeRawBufferPointer, _ id: UInt64) throws -> VisitStep {
      if unsafe !cutIDs.isEmpty && !key.elementsEqual(cutKey), try visitCut() == .stop {
        return .stop
      }
      if key.count <= IndexSchema.maximumKeyBytes { return try body(id) }
      if cutIDs.isEmpty { cutKey = unsafe [UInt8](key) }
      cutIDs.append(id)
      return .next
    }
    func visitAndNote(_ key: UnsafeRawBufferPointer, _ id: UInt64) throws -> VisitStep {
      let step = try unsafe visit(key, id)
      isStopped = step == .stop
      return step
    }
    if let start = walk.start, case .bytes(let key) = start.key,
      key.count > IndexSchema.maximumKeyBytes
    {
      // The members of its key are in the order of their ids, and not of their strings.
      try visitMembers(of: start.key, index, storage) {
        cutIDs.append($0)
        return .next
      }
      if try visitCut(beyond: start) == .stop { return }
      walk.start?.id = walk.members == .forward ? .max : 0
    }
    try unsafe visitEntries(index, walk, storage, visitAndNote)
    if !isStopped && !cutIDs.isEmpty { _ = try visitCut() }
  }

  /// Visits the entries of an index in the order of its keys.
  private func visitEntries(
    _ index: IndexSchema, _ walk: IndexWalk, _ storage: StorageAccess,
    _ body: (UnsafeRawBufferPointer, UInt64) throws -> VisitStep
  ) throws {
    let all: UnsafeRawBufferPointer? = nil
    switch (walk.keys, walk.members) {
    case (.forward, .forward) where walk.start == nil:
      try unsafe storage.visitEntries(index.space, from: all, .forward, body)
    case (.backward, .forward) where walk.start == nil:
      try unsafe storage.visitEntries(index.space, descendingFrom: all, body)
    default:
      try unsafe storage.visitEntries(
        index.space, beyond: walk.start.map { ($0.key, $0.id) }, keys: walk.keys,
        members: walk.members, body)
    }
  }

  /// Ids in the order of the strings of their records, by id where those are equal.
  private func sortedByText(
    _ ids: [UInt64], _ entity: EntitySchema, _ index: IndexSchema, _ walk: IndexWalk,
    _ storage: StorageAccess, beyond start: IndexWalk.Start?
  ) throws(StoreError) -> [UInt64] {
    typealias Text = (utf8: [UInt8], id: UInt64)
    func isOrdered(_ a: Text, _ b: Text) -> Bool {
      if a.utf8 == b.utf8 { return a.id != b.id && (a.id < b.id) == (walk.members == .forward) }
      return a.utf8.lexicographicallyPrecedes(b.utf8) == (walk.keys == .forward)
    }
    var texts: [Text] = []
    for id in ids {
      guard let record = try unsafe storage.value(entity.space, id) else { continue }
      texts.append((try unsafe view(entity, id, record).copiedElements(index.slot), id))
    }
    if let start { texts.removeAll { !isOrdered((start.text, start.id), $0) } }
    texts.sort(by: isOrdered)
    return texts.map(\.id)
  }
}
