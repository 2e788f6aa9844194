/// The effect of a change on stores that were made before it, in the words that differences, merges
/// and plans share.
package struct StoreOutcome: Hashable, Sendable {
  /// The effect in a store of BoxJoint, a clause without a period.
  package var boxjoint: String
  /// The same for an ObjectBox store, as far as public evidence says.
  package var objectBox: String

  /// Both in one line.
  package var words: String { "BoxJoint: \(boxjoint); ObjectBox: \(objectBox)" }

  /// The effect of other ids in a store of BoxJoint, which knows everything by UID.
  package static let idsAreNotStored = "it opens, since ids are not stored"

  /// The effect of another id under the same UID.
  package static func renumbered(_ kind: ElementKind) -> StoreOutcome {
    let objectBox =
      switch kind {
      case .entity, .property:
        "the store may be refused; the documentation renumbers in a merge and says that both "
          + "developers can continue"
      case .index: "the store may be refused: \"Incoming index ID … does not match existing UID\""
      case .relation: "the store may be refused, or the links may be lost"
      }
    return StoreOutcome(boxjoint: idsAreNotStored, objectBox: objectBox)
  }

  /// The effect of another type of a property under the same UID.
  package static let typeChanged = StoreOutcome(
    boxjoint: "a store with objects of the entity is refused",
    objectBox:
      "the store is refused: \"… is not compatible to its previous definition. Check its type.\"")

  /// The effect of another entity that a property or relation belongs to, under the same UID.
  package static let moved = StoreOutcome(
    boxjoint: "the store is refused",
    objectBox: "a UID that is known in another place is likely to be refused")

  /// The effect of another target entity of a relation, under the same UID.
  package static let targetChanged = StoreOutcome(
    boxjoint: "a store with objects of the entity is refused",
    objectBox: "stored links may refer to objects of the other entity, silently")
}
