internal import BoxStorage

/// The sets of ids that fulfil conditions on other entities.
extension QueryRun {
  /// The ids of a set, and the plan of the query that it took.
  typealias FoundSet = (ids: IDSet, plan: QueryPlan?)

  /// Finds the ids of a set: the targets of the given objects, or all.
  func ids(of set: PreparedQuery.SetQuery) throws(StoreError) -> FoundSet {
    if let given, let found = try probe(set, given) { return found }
    return try all(set)
  }

  private func all(_ set: PreparedQuery.SetQuery) throws(StoreError) -> FoundSet {
    switch set {
    case .nearest(let query, let property, let measure, let maximum):
      let near = try transaction.nearest(query, property, measure, maximum: maximum)
      return (IDSet(near.neighbours.map(\.id)), nil)
    case .linked(let link, let query):
      let run = try QueryRun(query, in: transaction)
      let choice = try run.choose()
      return (IDSet(try run.linkedIDs(link, choice)), run.plan(choice, .byID))
    }
  }

  /// Finds the ids of a set among the targets of a few objects; nil if finding all is not more work.
  private func probe(
    _ set: PreparedQuery.SetQuery, _ choice: Choice
  ) throws(StoreError) -> FoundSet? {
    guard case .linked(let link, let query) = set, case .ids(let candidates) = choice.source,
      let ends = try ends(link, candidates), ends.count <= limits.countedKeys
    else { return nil }
    let others = ends.map(\.end).sortedAndUnique()
    let run = try QueryRun(query, in: transaction, among: others)
    let inner = try run.choose()
    var found: Set<UInt64> = []
    try run.visitMatchingIDs(inner) { (id) throws(StoreError) in
      found.insert(id)
      return .next
    }
    let ids = ends.filter { found.contains($0.end) }.map { end in
      if case .toOne = link { end.end } else { end.candidate }
    }
    return (IDSet(ids), run.plan(inner, .byID))
  }

  /// The objects at the other ends of a relation from a few; nil if no index has them.
  private func ends(
    _ link: FollowedLink, _ candidates: [UInt64]
  ) throws(StoreError) -> [(candidate: UInt64, end: UInt64)]? {
    var ends: [(candidate: UInt64, end: UInt64)] = []
    switch link {
    case .toOne(let position):
      let slot = entity.properties[position].slot
      try StoreError.only {
        for id in candidates {
          _ = try visit(id, []) { id, record in
            if let target = record.uint64(slot) { ends.append((id, target)) }
            return .next
          }
        }
      }
    case .toMany(let relation), .toManyBackward(let relation):
      let isForward = if case .toMany = link { true } else { false }
      for id in candidates {
        try storage.members(isForward ? relation.forward : relation.backward, id) {
          (end) throws(StoreError) in
          ends.append((id, end))
          return .next
        }
      }
    case .toOneBackward(let source, let position):
      guard let index = source.properties[position].index else { return nil }
      try flush(index)
      for id in candidates {
        try members(of: .integer(id), index) { ends.append((id, $0)) }
      }
    }
    return ends
  }

  /// The ids at the other end of a relation from the objects that the query finds.
  private func linkedIDs(
    _ link: FollowedLink, _ choice: Choice
  ) throws(StoreError) -> [UInt64] {
    var ids: [UInt64] = []
    switch link {
    case .toOne:
      try visitMatchingIDs(choice) { (id) throws(StoreError) in
        ids.append(id)
        return .next
      }
    case .toMany(let relation):
      try visitMatchingIDs(choice) { (id) throws(StoreError) in
        try append(relation.backward, id, to: &ids)
        return .next
      }
    case .toManyBackward(let relation):
      try visitMatchingIDs(choice) { (id) throws(StoreError) in
        try append(relation.forward, id, to: &ids)
        return .next
      }
    case .toOneBackward(let source, let position):
      let slot = source.properties[position].slot
      try StoreError.only {
        try visitMatches(choice) { _, record in
          if let target = record.uint64(slot) { ids.append(target) }
          return .next
        }
      }
    }
    return ids
  }

  private func append(
    _ space: Space, _ key: UInt64, to ids: inout [UInt64]
  ) throws(StoreError) {
    try storage.members(space, key) { (id) throws(StoreError) in
      ids.append(id)
      return .next
    }
  }
}
