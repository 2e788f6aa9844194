internal import BoxStorage

/// The choice of a way to the objects. No statistics are kept: what is counted in constant time decides,
/// and a range of an index is read until it has become too long.
extension QueryRun {
  /// An access path with its weight.
  private struct WeighedAccess {
    var part: Int
    var candidate: AccessCandidate
    /// The number of ids; nil where it is not known without reading them.
    var ids: Int?
  }

  /// Chooses the way to the objects.
  ///
  /// - Parameter counting: Whether only the number of the objects is asked for, so that a long list of ids
  ///   is better than a look at the objects.
  /// - Returns: The way, the parts of the condition that it answers, and the tests for the others.
  /// - Throws: ``StoreError/storage(_:)``.
  func choose(counting: Bool = false) throws(StoreError) -> Choice {
    guard let idRange else { return Choice(source: .ids([])) }
    var choice = if let given { given } else { try best(counting: counting, idRange) }
    if given != nil, case .ids(let ids) = choice.source {
      choice.source = .ids(ids.filter { idRange.contains($0) })
    }
    choice.tests = query.parts.indices.filter { !choice.answered.contains($0) }
      .map { query.parts[$0].predicate }
    return choice
  }

  /// The way that leaves the fewest objects among a range of ids, without its tests.
  private func best(
    counting: Bool, _ idRange: ClosedRange<UInt64>
  ) throws(StoreError) -> Choice {
    var (accesses, range): ([WeighedAccess], ClosedRange<UInt64>) = ([], idRange)
    var answered: Set<Int> = []
    for (position, part) in query.parts.enumerated() {
      guard let candidate = part.candidate else { continue }
      if case .idRange(let ids) = candidate.access {
        if !range.overlaps(ids) { return Choice(source: .ids([])) }
        range = range.clamped(to: ids)
        if candidate.isExact { answered.insert(position) }
        continue
      }
      accesses.append(
        WeighedAccess(part: position, candidate: candidate, ids: try weight(candidate.access)))
    }
    accesses.sort { ($0.ids ?? .max, $0.part) < ($1.ids ?? .max, $1.part) }
    let isCountedAlone =
      counting && query.parts.count == 1 && accesses.first?.candidate.isExact == true
    let limit = isCountedAlone ? Int.max : objects / limits.usedPart
    var choice: Choice?
    for weighed in accesses {
      if let ids = choice?.ids, ids < limits.fewIDs { break }
      if let known = weighed.ids {
        if known <= limit { try consider(weighed, known, &choice) }
      } else {
        let most =
          isCountedAlone
          ? .max : max(limits.fewIDs, min(choice?.ids ?? .max, objects / limits.triedPart))
        guard let ids = try ids(weighed.candidate.access, atMost: most) else { continue }
        try add(weighed, ids, &choice)
      }
    }
    guard var choice else { return Choice(source: .scan(range), answered: answered) }
    if range != 0...UInt64.max {
      // The tests of ids are cheap, and not all of the ways were compared with them.
      if case .ids(let ids) = choice.source {
        choice.source = .ids(ids.filter { range.contains($0) })
        choice.answered.formUnion(answered)
      }
    }
    return choice
  }

  /// A way that needs no set and finds few objects, if any.
  func fewCandidates() throws(StoreError) -> Choice? {
    for (position, part) in query.parts.enumerated() {
      guard let candidate = part.candidate, !candidate.access.needsSets,
        try weight(candidate.access) ?? 0 < limits.fewIDs,
        let ids = try ids(candidate.access, atMost: max(0, limits.fewIDs - 1))
      else { continue }
      var choice: Choice?
      try add(WeighedAccess(part: position, candidate: candidate, ids: ids.count), ids, &choice)
      return choice
    }
    return nil
  }

  /// Considers an access path with a known number of ids, if the ids chosen so far are not far fewer.
  private func consider(
    _ weighed: WeighedAccess, _ known: Int, _ choice: inout Choice?
  ) throws(StoreError) {
    if let chosen = choice, known > limits.longestRatio * chosen.ids { return }
    if choice == nil, case .equal(let index, let keys) = weighed.candidate.access, keys.count == 1 {
      choice = Choice(source: .members(index, keys[0]), ids: known)
      return recordStep(weighed, known, &choice)
    }
    if let ids = try ids(weighed.candidate.access, atMost: .max) { try add(weighed, ids, &choice) }
  }

  /// Adds a list of ids to the choice.
  private func add(
    _ weighed: WeighedAccess, _ ids: [UInt64], _ choice: inout Choice?
  ) throws(StoreError) {
    let common: [UInt64]
    switch choice?.source {
    case .ids(let others): common = others.intersection(ids)
    case .members(let index, let key):
      var members: [UInt64] = []
      members.reserveCapacity(choice?.ids ?? 0)
      try self.members(of: key, index) { members.append($0) }
      common = members.intersection(ids)
    case .scan, nil: common = ids
    }
    choice = Choice(
      source: .ids(common), answered: choice?.answered ?? [], steps: choice?.steps ?? [],
      ids: common.count)
    recordStep(weighed, ids.count, &choice)
  }

  private func recordStep(_ weighed: WeighedAccess, _ ids: Int, _ choice: inout Choice?) {
    if weighed.candidate.isExact { choice?.answered.insert(weighed.part) }
    let (kind, property) = describe(weighed.candidate.access)
    choice?.steps.append(
      .init(
        kind: kind, property: property, condition: "\(query.parts[weighed.part].condition)",
        ids: ids))
  }

  private func describe(_ access: Access) -> (String, String?) {
    switch access {
    case .ids, .idRange: ("ids", nil)
    case .equal(let index, _): ("index", index.property)
    case .range(let index, _): ("index range", index.property)
    case .textRange(let index, let range):
      if case .prefix = range.end {
        ("index prefix", index.property)
      } else {
        ("index range", index.property)
      }
    case .set: ("relation", nil)
    case .targets(let index, _): ("relation index", index.property)
    case .union: ("union", nil)
    }
  }

  // MARK: - Weights

  /// The number of ids that a way finds, if it is known without reading them.
  private func weight(_ access: Access) throws(StoreError) -> Int? {
    switch access {
    case .ids(let ids): return ids.count
    case .idRange, .range, .textRange: return nil
    case .set(let number): return sets[number].count
    case .equal(let index, let keys):
      if keys.count > limits.countedKeys { return nil }
      try flush(index)
      var count = 0
      for key in keys { count += try storage.memberCount(index.space, key) }
      return count
    case .targets(let index, let number):
      if sets[number].count > limits.countedKeys { return nil }
      try flush(index)
      var count = 0
      for id in sets[number].ids { count += try storage.memberCount(index.space, id) }
      return count
    case .union(let candidates):
      var count = 0
      for candidate in candidates {
        guard let weight = try weight(candidate.access) else { return nil }
        count += weight
      }
      return count
    }
  }

  // MARK: - Ids

  /// The ids that a way finds, in ascending order; nil for more than `maximum`.
  func ids(_ access: Access, atMost maximum: Int) throws(StoreError) -> [UInt64]? {
    var ids: [UInt64] = []
    switch access {
    case .ids(let known): return known.count <= maximum ? known.sortedAndUnique() : nil
    case .idRange: return nil
    case .set(let number): return sets[number].count <= maximum ? sets[number].ids : nil
    case .equal(let index, let keys):
      try flush(index)
      for key in keys {
        try members(of: key, index) { ids.append($0) }
        if ids.count > maximum { return nil }
      }
    case .targets(let index, let number):
      try flush(index)
      for target in sets[number].ids {
        try members(of: .integer(target), index) { ids.append($0) }
        if ids.count > maximum { return nil }
      }
    case .range(let index, let keys):
      try flush(index)
      try storage.entries(index.space, from: keys.lowerBound, .forward) {
        (key, member) throws(StoreError) in
        if key > keys.upperBound || ids.count > maximum { return .stop }
        ids.append(member)
        return .next
      }
    case .textRange(let index, let range):
      try flush(index)
      try unsafe range.start.withBytes { (start) throws(StoreError) in
        try unsafe storage.entries(index.space, from: start, .forward) {
          (key, member) throws(StoreError) in
          if unsafe !range.contains(key) || ids.count > maximum { return .stop }
          ids.append(member)
          return .next
        }
      }
    case .union(let candidates):
      for candidate in candidates {
        guard let part = try self.ids(candidate.access, atMost: maximum - ids.count) else {
          return nil
        }
        ids += part
      }
    }
    return ids.count <= maximum ? ids.sortedAndUnique() : nil
  }
}
