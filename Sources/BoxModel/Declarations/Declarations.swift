public import BoxJSON

/// The rules for the data of a model that its file cannot have: generators drop each key that they do not know.
///
/// A store keeps them, by UID; see `docs/storage-format.md`.
public struct Declarations: Hashable, Sendable {
  /// The declarations about relations, by ascending UID, each UID once.
  public var relations: [RelationDeclaration]

  /// Creates declarations.
  public init(relations: [RelationDeclaration] = []) {
    self.relations = relations
  }

  /// True if nothing is declared.
  public var isEmpty: Bool { relations.isEmpty }
}

/// The rules for each side of a relation when an object of the other side is removed.
public struct RelationDeclaration: Hashable, Sendable {
  /// The identity of the relation: of the property of a relation to one, or of a standalone relation.
  public var relation: UID
  /// The name of the relation when this was written, such as `Line.order`, for readers.
  @ExactText public var name: String
  /// The rule for the targets when a source is removed; nil where none is given, which is ``DeleteRule/noAction``.
  public var sourceRemoved: DeleteRule?
  /// The rule for the sources when a target is removed; nil where none is given, which is ``DeleteRule/noAction``.
  public var targetRemoved: DeleteRule?

  /// Creates a declaration about the relation of this UID.
  public init(
    relation: UID, name: String, sourceRemoved: DeleteRule? = nil, targetRemoved: DeleteRule? = nil
  ) {
    self.relation = relation
    self.name = name
    self.sourceRemoved = sourceRemoved
    self.targetRemoved = targetRemoved
  }
}

/// The effect of a removal on the objects at the other side of a relation.
public enum DeleteRule: String, CaseIterable, Sendable {
  /// Nothing: a relation to one keeps the id of what is gone, and pairs of a relation to many go.
  case noAction
  /// The relation of an object that stays becomes null.
  case nullify
  /// They are removed too.
  case cascade
  /// Nothing is removed as long as one of them stays.
  case deny
}
