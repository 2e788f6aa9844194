package import BoxStorage

/// The end of a visit of a page.
package enum PageEnd: Hashable, Sendable {
  /// There are no more objects.
  case last
  /// The page has as many objects as it can; there may be more.
  case full
  /// The deadline of the transaction has passed. All objects up to a place were looked at, and visited where
  /// the query finds them.
  case deadline(after: ListKey, looked: Int)
  /// The deadline has passed before the order of any object was known.
  case unordered(looked: Int)
}

extension Transaction {
  /// The place of an object in the order of a query.
  ///
  /// - Parameters:
  ///   - id: The id of the object.
  ///   - query: The query; the object need not fulfil its condition.
  /// - Returns: The place; nil if the object does not exist, unless ids are the order.
  /// - Throws: ``StoreError/foreignSchema(_:)``, ``StoreError/damagedRecord(entity:id:_:)``,
  ///   ``StoreError/transactionEnded`` or ``StoreError/storage(_:)``.
  /// - Complexity: O(log *n*), and O(*k*) in the bytes of its values.
  package func place(
    of id: UInt64, in query: PreparedQuery
  ) throws(StoreError) -> ListKey? {
    try require(query.entity)
    if query.isByID { return ListKey(SortKey(id: id)) }
    let storage = try reading()
    guard let record = try unsafe storage.value(query.entity.space, id) else { return nil }
    return query.place(id, try unsafe view(query.entity, id, record))
  }

  /// The place right before an object in the order of a query: a page after it begins with the object, if that
  /// fulfils the condition.
  ///
  /// - Parameters:
  ///   - id: The id of the object.
  ///   - query: The query.
  /// - Returns: The place; nil if the object does not exist, unless ids are the order.
  /// - Throws: As ``place(of:in:)``.
  /// - Complexity: As there.
  package func place(
    before id: UInt64, in query: PreparedQuery
  ) throws(StoreError) -> ListKey? {
    guard let place = try place(of: id, in: query) else { return nil }
    var key = place.key
    // The id decides at last, and the lower one comes first unless ids are the order the other way round.
    let isDescending = query.isByID && query.order.first?.rule.isDescending ?? false
    key.id = isDescending ? (id == .max ? id : id + 1) : (id == 0 ? id : id - 1)
    return ListKey(key)
  }

  /// Visits the first objects that a query finds, until the deadline of this transaction.
  ///
  /// In the order of the ids or of an index, the objects are visited that were found until then. The rest is
  /// the page after the place that is returned: ``PreparedQuery/page(after:reversed:)``.
  ///
  /// - Parameters:
  ///   - query: The query, prepared by the store of this transaction.
  ///   - limit: The maximum number of objects.
  ///   - body: As for ``visit(_:offset:limit:_:)-(PreparedQuery,_,_,_)``.
  /// - Returns: The reason for which the visit ended; ``PageEnd/full`` if `body` ended it.
  /// - Throws: As there, and ``StoreError/interrupted`` on a request that is not the deadline.
  /// - Complexity: In the order of the ids or of an index, O(log *n*) and O(*m*) in the objects that are
  ///   looked at; otherwise as there.
  package func visitPage(
    _ query: PreparedQuery, limit: Int,
    _ body: (UInt64, borrowing RecordView) throws -> VisitStep
  ) throws -> PageEnd {
    if limit == 0 { return .full }
    let visit = InterruptedVisit()
    var run: QueryRun
    do throws(StoreError) {
      run = try QueryRun(query, in: self)
    } catch {
      if error == .interrupted, isPastDeadline { return .unordered(looked: 0) }
      throw error
    }
    run.interrupted = visit
    if let direction = run.idDirection {
      return try visitPage(run, direction, visit, limit, body)
    }
    let ids = try run.orderedIDs(offset: 0, limit: limit).ids
    beginVisit()
    defer { endVisit() }
    for id in ids where try run.lookUp(id, [], body) == .stop { return .full }
    if !visit.isEnded { return ids.count == limit ? .full : .last }
    guard let last = visit.last, let place = try place(of: last, in: query) else {
      return .unordered(looked: visit.looked)
    }
    return .deadline(after: place, looked: visit.looked)
  }

  /// Visits a page in the order of the ids.
  private func visitPage(
    _ run: QueryRun, _ direction: VisitDirection, _ visit: InterruptedVisit, _ limit: Int,
    _ body: (UInt64, borrowing RecordView) throws -> VisitStep
  ) throws -> PageEnd {
    var (count, isFull, isInBody) = (0, false, false)
    do {
      try run.visitMatches(try run.choose(), direction) { id, record in
        isInBody = true
        let step = try body(id, record)
        isInBody = false
        count += 1
        isFull = count == limit || step == .stop
        return isFull ? .stop : .next
      }
    } catch let error as StoreError {
      guard error == .interrupted, !isInBody, isPastDeadline, let next = visit.next else {
        throw error
      }
      let place = direction == .forward ? next &- 1 : next &+ 1
      return .deadline(after: ListKey(SortKey(id: place)), looked: visit.looked)
    }
    return isFull ? .full : .last
  }
}
