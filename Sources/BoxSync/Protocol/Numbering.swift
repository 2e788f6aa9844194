/// The small numbers that messages have for the elements of a model: their places in the order of UIDs.
package struct Numbering: Sendable {
  let entities: [SyncEntity]
  let relations: [SyncRelation]
  private let entityNumbers: [UID: Int]
  private let relationNumbers: [UID: Int]

  /// Numbers the elements of the model in a welcome.
  ///
  /// - Complexity: O(*n* log *n*) in the number of elements.
  package init(_ model: SyncModel) {
    entities = model.entities.values.sorted { $0.uid < $1.uid }
    relations = model.relations.values.sorted { $0.uid < $1.uid }
    entityNumbers = Dictionary(entities.enumerated().map { ($1.uid, $0) }) { $1 }
    relationNumbers = Dictionary(relations.enumerated().map { ($1.uid, $0) }) { $1 }
  }

  func number(ofEntity uid: UID) -> Int? { entityNumbers[uid] }
  func number(ofRelation uid: UID) -> Int? { relationNumbers[uid] }
}
