package import BoxJSON
package import BoxModel

/// The versions of one model: files that share UIDs of entities, in use or retired, directly or through
/// others.
package struct ModelLine: Sendable {
  /// The positions of the versions among the candidates, the newest first.
  package var candidates: [Int]
  /// The UIDs of the entities of all versions.
  package var entityUIDs: Set<UID>
  /// The names of the entities of all versions, without regard to case.
  package var entityNames: Set<ExactText>
  /// The paths of all versions.
  package var paths: Set<String>
  /// The moment of the first version; nil if none is known.
  private var first: OriginMoment?
  /// Whether a version was ever in git or a copy, and not only at its place on the disk.
  package var hasHistory: Bool

  /// Groups candidates; those without entities belong to no line.
  ///
  /// - Complexity: O(*n* log *n*) in the number of candidates and their entities.
  package static func lines(of candidates: [ModelCandidate]) -> [ModelLine] {
    var parents = Array(candidates.indices)
    func root(_ position: Int) -> Int {
      var current = position
      while parents[current] != current {
        parents[current] = parents[parents[current]]
        current = parents[current]
      }
      return current
    }
    var owners: [UID: Int] = [:]
    for (position, candidate) in candidates.enumerated() {
      // A version may have removed all that the one before it had.
      for uid in candidate.entityUIDs.union(candidate.retiredEntityUIDs) {
        if let owner = owners[uid] {
          parents[root(position)] = root(owner)
        } else {
          owners[uid] = position
        }
      }
    }
    let groups = Dictionary(
      grouping: candidates.indices.filter { !candidates[$0].entityUIDs.isEmpty }, by: root)
    return groups.values.map { ModelLine($0, candidates) }
      .sorted { $0.candidates[0] < $1.candidates[0] }
  }

  private init(_ positions: [Int], _ all: [ModelCandidate]) {
    candidates = Self.newestFirst(positions, all)
    let members = positions.map { all[$0] }
    entityUIDs = members.reduce(into: []) { $0.formUnion($1.entityUIDs) }
    entityNames = members.reduce(into: []) { $0.formUnion($1.entityNames) }
    let origins = members.flatMap(\.origins)
    paths = Set(origins.compactMap(\.path))
    first = origins.filter { $0.kind != .file }.compactMap(\.moment).min()
    hasHistory = origins.contains { $0.kind != .file }
  }

  /// Orders versions by their ids and, where these do not tell, by their times.
  ///
  /// The order by ids alone is not transitive, so the newest is found first, and the rest is in the order
  /// of time.
  private static func newestFirst(_ positions: [Int], _ all: [ModelCandidate]) -> [Int] {
    let byTime = positions.sorted { a, b in
      let (mine, theirs) = (all[a].latest ?? .unknown, all[b].latest ?? .unknown)
      return mine == theirs ? all[a].name < all[b].name : mine > theirs
    }
    guard var best = byTime.first else { return [] }
    for position in byTime.dropFirst() where all[position].isNewer(than: all[best]) == true {
      best = position
    }
    return [best] + byTime.filter { $0 != best }
  }

  /// Whether this line is the other one generated again: at the same path and with names of its
  /// entities, but without any of its UIDs, and later.
  ///
  /// - Complexity: O(*n*) in the number of entities.
  func isRegenerated(from other: ModelLine) -> Bool {
    guard entityUIDs.isDisjoint(with: other.entityUIDs), !paths.isDisjoint(with: other.paths),
      entityNames.intersection(other.entityNames).count * 2
        >= min(entityNames.count, other.entityNames.count)
    else { return false }
    guard hasHistory else { return other.hasHistory }
    guard other.hasHistory else { return false }
    switch (first, other.first) {
    case (let mine?, let theirs?): return mine > theirs
    // A blob without a commit has no time: what was committed counts.
    case (nil, _?): return true
    case (_, nil): return false
    }
  }
}

extension OriginMoment {
  /// The moment of what has none: before all others.
  fileprivate static let unknown = OriginMoment(time: .min, rank: 0)
}
