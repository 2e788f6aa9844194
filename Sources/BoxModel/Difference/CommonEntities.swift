/// The entities that two models have in common by their names, without regard to case.
///
/// Two models without a UID in common can still be versions of one, of which the later was begun again.
package struct CommonEntities: Hashable, Sendable {
  /// The number of the names that both have.
  package let count: Int
  /// The first of these names, as spelled in the later model.
  package let example: String?
  /// The number of the names of the later model.
  package let total: Int
  /// The number of the names of the earlier model.
  package let earlierTotal: Int

  /// Compares names.
  ///
  /// - Parameters:
  ///   - names: The names of the entities of the later model.
  ///   - earlier: The names of the earlier model.
  /// - Complexity: O(*n*) in the number of names.
  package init(_ names: [String], in earlier: [String]) {
    let known = Set(earlier.map(foldedName))
    let common = names.filter { known.contains(foldedName($0)) }
    count = Set(common.map(foldedName)).count
    example = common.first
    total = Set(names.map(foldedName)).count
    earlierTotal = known.count
  }

  /// Whether at least half of the later model is in the earlier one.
  package var areHalf: Bool { count > 0 && 2 * count >= total }
  /// Whether at least half of each model is in the other one.
  package var areHalfOfBoth: Bool { areHalf && 2 * count >= earlierTotal }
}

extension Model {
  /// The names of the entities, in their order.
  package var entityNames: [String] { entities.map(\.name) }

  /// The UIDs of all elements in use.
  ///
  /// - Complexity: O(*n*) in the number of elements.
  package var uidsInUse: Set<UID> {
    var uids: Set<UID> = []
    forEachElement { _, pair in if pair.uid != 0 { uids.insert(pair.uid) } }
    return uids
  }
}
