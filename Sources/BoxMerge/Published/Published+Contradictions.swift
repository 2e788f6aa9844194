package import BoxModel

/// Two of some versions, by their positions.
package struct VersionPair: Hashable, Sendable {
  package var first: Int
  package var second: Int

  /// Creates a pair.
  package init(_ first: Int, _ second: Int) {
    self.first = first
    self.second = second
  }
}

/// The decision between two ids under which an element is published: the one that was given later counts,
/// which is the one that the common ancestors of the two versions do not have.
extension Published {
  /// The pairs of versions that have an element under different ids.
  ///
  /// - Parameter versions: The versions that are published.
  /// - Returns: The pairs, by the positions of the versions.
  /// - Complexity: O(*n*) in the number of elements, if there are few contradictions.
  package func contradictions(of versions: [Model]) -> [VersionPair] {
    let contradictions = contradictions
    if contradictions.isEmpty { return [] }
    let known = versions.map { IDsOfModel($0) }
    return Set(contradictions.flatMap { Self.pairs(of: Self.holders(of: $0, in: known)) })
      .sorted { ($0.first, $0.second) < ($1.first, $1.second) }
  }

  /// Decides on the ids of elements that versions have under different ones, as far as their common
  /// ancestors tell.
  ///
  /// - Parameters:
  ///   - versions: The versions that are published.
  ///   - ancestors: The models in the merge bases of the versions of each contradiction.
  /// - Complexity: O(*n*) in the number of elements, if there are few contradictions.
  package mutating func settleContradictions(
    of versions: [Model], ancestors: [VersionPair: [Model]]
  ) {
    if ancestors.isEmpty { return }
    let known = versions.map { IDsOfModel($0) }
    let bases = ancestors.mapValues { $0.map { IDsOfModel($0) } }
    for place in contradictions {
      let holders = Self.holders(of: place, in: known)
      var earlier: Set<UInt32> = []
      for pair in Self.pairs(of: holders) {
        let former = Set((bases[pair] ?? []).compactMap { $0[place] })
        let (a, b) = (known[pair.first][place] ?? 0, known[pair.second][place] ?? 0)
        if former.contains(a) != former.contains(b) { earlier.insert(former.contains(a) ? a : b) }
      }
      let later = holders.filter { !earlier.contains($0.id) }
      if later.count == 1 { laterIDs[place] = later[0].id }
    }
  }

  /// The first version with each id of an element: of those that agree one is enough.
  private static func holders(
    of place: PublishedPlace, in versions: [IDsOfModel]
  ) -> [(id: UInt32, version: Int)] {
    var holders: [(id: UInt32, version: Int)] = []
    for (number, version) in versions.enumerated() {
      guard let id = version[place], !holders.contains(where: { $0.id == id }) else { continue }
      holders.append((id, number))
    }
    return holders
  }

  private static func pairs(of holders: [(id: UInt32, version: Int)]) -> [VersionPair] {
    holders.indices.flatMap { first in
      holders[(first + 1)...].map { VersionPair(holders[first].version, $0.version) }
    }
  }
}

/// The id of each element of a model.
private struct IDsOfModel {
  private var ids: [PublishedPlace: UInt32] = [:]

  init(_ model: Model) {
    model.forEachElement { place, pair in
      let key = ElementKey(place.kind, pair.uid)
      ids[PublishedPlace(key, in: model.counter(of: place))] = pair.id
    }
  }

  subscript(place: PublishedPlace) -> UInt32? { ids[place] }
}
