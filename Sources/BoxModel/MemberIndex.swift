import BoxJSON

/// The members of an entity by name and by UID; of several that are alike the first is found.
///
/// Names are compared without regard to case (``foldedName(_:)``).
package struct MemberIndex: Sendable {
  private let properties: Keys
  private let toOnes: [ExactText: Int]
  private let relations: Keys

  private struct Keys: Sendable {
    let byName: [ExactText: Int]
    let byUID: [UID: Int]

    init(_ members: [(name: String, uid: UID)]) {
      let all = members.enumerated()
      byName = Dictionary(all.map { (foldedName($1.name), $0) }) { first, _ in first }
      byUID = Dictionary(all.map { ($1.uid, $0) }) { first, _ in first }
    }
  }

  /// - Complexity: O(*n*) in the number of members.
  package init(_ entity: Entity) {
    properties = Keys(entity.properties.map { ($0.name, $0.pair.uid) })
    relations = Keys((entity.relations ?? []).map { ($0.name, $0.pair.uid) })
    toOnes = Dictionary(
      entity.properties.enumerated().filter { $1.type == .relation }.map {
        (foldedName($1.name), $0)
      }
    ) { first, _ in first }
  }

  /// The position of a property.
  package func property(named name: String) -> Int? { properties.byName[foldedName(name)] }

  /// The position of a property.
  package func property(_ uid: UID) -> Int? { properties.byUID[uid] }

  /// The position among the properties of a to-one relation.
  package func toOne(named name: String) -> Int? { toOnes[foldedName(name)] }

  /// The position of a to-many relation.
  package func relation(named name: String) -> Int? { relations.byName[foldedName(name)] }

  /// The position of a to-many relation.
  package func relation(_ uid: UID) -> Int? { relations.byUID[uid] }
}
