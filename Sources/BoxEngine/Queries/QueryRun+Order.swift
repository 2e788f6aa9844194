internal import BoxStorage

/// The order of the objects.
extension QueryRun {
  /// The ids of the objects in the order of the query, from an offset on, at most so many; and the plan
  /// by which they were found.
  func orderedIDs(
    offset: Int, limit: Int?, explaining: Bool = false
  ) throws(StoreError) -> (ids: [UInt64], plan: QueryPlan?) {
    if query.parts.contains(where: { $0.isNever }) || limit == 0 {
      return ([], explaining ? plan(nil, .byID) : nil)
    }
    if let direction = idDirection {
      let choice = try choose()
      let ids = explaining ? [] : try idsByID(choice, direction, offset: offset, limit: limit)
      return (ids, explaining ? plan(choice, .byID) : nil)
    }
    let wanted = limit.map { offset + $0 }
    let choice = try choose()
    var walked: [UInt64] = []
    if let wanted, let index = orderingIndex, isWorthwhile(choice, wanted) {
      let (ids, isWhole) = try idsByIndex(index, choice, wanted)
      if isWhole {
        let plan = explaining ? plan(choice, .asFound, index: index) : nil
        return (Array(ids.dropFirst(offset)), plan)
      }
      walked = ids
    }
    if explaining {
      let isHeap = wanted.map { $0 <= max(limits.heap, objects / 4) } ?? false
      return ([], plan(choice, isHeap ? .first(wanted ?? 0) : .sorted))
    }
    // Without the time to sort all, the objects of the walk are the beginning of the answer.
    let walk = (interrupted?.last, interrupted?.looked ?? 0)
    do {
      return (try sortedIDs(choice, offset: offset, limit: limit, wanted), nil)
    } catch {
      guard error == .interrupted, let interrupted, transaction.isPastDeadline else { throw error }
      interrupted.isEnded = true
      if walk.0 != nil { (interrupted.last, interrupted.looked) = walk }
      return (Array(walked.dropFirst(offset)), nil)
    }
  }

  private func sortedIDs(
    _ choice: Choice, offset: Int, limit: Int?, _ wanted: Int?
  ) throws(StoreError) -> [UInt64] {
    if let wanted, wanted <= max(limits.heap, objects / 4) {
      var first = FirstInOrder(wanted, SortKeyMaker(query.order), in: query.window)
      try visitSorting(choice) { id, record in first.add(id, record) }
      return Array(first.ids().dropFirst(offset))
    }
    var all = SortedByKey(SortKeyMaker(query.order), in: query.window)
    try visitSorting(choice) { id, record in all.add(id, record) }
    let ids = all.ids().dropFirst(offset)
    return Array(limit.map { ids.prefix($0) } ?? ids)
  }

  /// The direction of the ids where they are the order; nil for another order.
  var idDirection: VisitDirection? {
    if !query.isByID { return nil }
    let isDescending = query.order.first?.rule.isDescending ?? false
    return isDescending != query.window.isReversed ? .backward : .forward
  }

  private func visitSorting(
    _ choice: Choice, _ body: (UInt64, borrowing RecordView) -> Void
  ) throws(StoreError) {
    try StoreError.only {
      try visitMatches(choice) { id, record in
        body(id, record)
        return .next
      }
    }
  }

  private func idsByID(
    _ choice: Choice, _ direction: VisitDirection, offset: Int, limit: Int?
  ) throws(StoreError) -> [UInt64] {
    var ids: [UInt64] = []
    var skipped = 0
    func appendID(_ id: UInt64) -> VisitStep {
      if skipped < offset {
        skipped += 1
        return .next
      }
      ids.append(id)
      return ids.count == limit ? .stop : .next
    }
    if direction == .forward {
      try visitMatchingIDs(choice) { (id) throws(StoreError) in appendID(id) }
    } else {
      try StoreError.only { try visitMatches(choice, direction) { id, _ in appendID(id) } }
    }
    return ids
  }

  // MARK: - By an index

  /// The index whose entries are in the order of the query, if any.
  private var orderingIndex: IndexSchema? {
    guard query.order.count == 1, let term = query.order.first, term.field.slot >= 0,
      !term.rule.ignoresCase, !term.takesBitsAsUnsigned,
      let index = entity.properties[term.field.position].index,
      index.hasByteKeys || index.type != .string
    else { return nil }
    return index
  }

  /// Whether walking through the index is likely to be less work than sorting.
  private func isWorthwhile(_ choice: Choice, _ wanted: Int) -> Bool {
    if wanted > objects / limits.triedPart { return false }
    guard case .scan = choice.source else {
      return choice.ids > max(limits.heap, wanted * limits.walkedPerObject)
    }
    return true
  }

  /// The first ids in the order of an index, and whether they are as many as there are or are wanted.
  ///
  /// They are fewer if objects without an entry in the index belong after them, or if too many objects do not
  /// fulfil the condition. None are found if objects without an entry come first.
  private func idsByIndex(
    _ index: IndexSchema, _ choice: Choice, _ wanted: Int
  ) throws(StoreError) -> (ids: [UInt64], isWhole: Bool) {
    try flush(index)
    let (term, window) = (query.order[0], query.window)
    guard let walk = IndexWalk(index, term, window) else { return ([], false) }
    // Objects without an entry are those with null, all before or all after the others, and those with zero.
    var hasRest = true
    if try storage.statistics(index.space).entries == objects {
      hasRest = false
    } else if !index.skipsZero, let nullsFirst = term.rule.nullsFirst {
      let areFirst = nullsFirst != window.isReversed
      if areFirst, window.start == nil { return ([], false) }
      hasRest = !areFirst
    } else {
      return ([], false)
    }
    let tests = query.parts.map(\.predicate)
    let maximumMisses = objects / limits.triedPart
    var (ids, misses): ([UInt64], Int) = ([], 0)
    func appendID(_ id: UInt64) throws(StoreError) -> VisitStep {
      if tests.isEmpty {
        ids.append(id)
      } else {
        try StoreError.only {
          _ = try visit(id, tests) { id, _ in
            ids.append(id)
            return .next
          }
        }
        if ids.last != id { misses += 1 }
      }
      interrupted?.last = id
      return ids.count == wanted || misses > maximumMisses ? .stop : .next
    }
    do {
      try StoreError.only {
        transaction.beginVisit()
        defer { transaction.endVisit() }
        try transaction.visitInOrder(entity, index, walk, storage) { try appendID($0) }
      }
    } catch {
      guard error == .interrupted, let interrupted, transaction.isPastDeadline else { throw error }
      interrupted.isEnded = true
      return (ids, true)
    }
    return (ids, ids.count == wanted || (!hasRest && misses <= maximumMisses))
  }

  // MARK: - Plans

  /// The plan of a run; without a choice, of one that can find nothing.
  func plan(
    _ choice: Choice?, _ order: QueryPlan.Order, index: IndexSchema? = nil
  ) -> QueryPlan {
    var plan = QueryPlan(entity: entity.name, objects: objects, access: .nothing)
    plan.links = links
    plan.orderedBy = query.query.order.map(\.description)
    plan.order = order
    guard let choice else { return plan }
    var answered = choice.answered
    if let index {
      plan.access = .ordered(index: index.property)
      answered = []
    } else if case .scan(let range) = choice.source {
      plan.access = .scan(objects: range == 0...UInt64.max ? objects : min(objects, range.width))
    } else {
      plan.access = .ids(steps: choice.steps, ids: choice.ids)
    }
    plan.tests = query.parts.indices.filter { !answered.contains($0) && !query.parts[$0].isAlways }
      .map { "\(query.parts[$0].condition)" }
    return plan
  }
}

extension ClosedRange<UInt64> {
  fileprivate var width: Int { Int(clamping: upperBound - lowerBound).addingReportingOverflow(1).0 }
}

extension PreparedQuery.Part {
  /// Whether it holds for every object.
  var isAlways: Bool { condition == .always }
  /// Whether it holds for no object.
  var isNever: Bool { condition == .never }
}
