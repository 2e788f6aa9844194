/// The treatment of objects that other transactions have changed, when a draft is committed.
@nonexhaustive public enum DraftConflictRule: Hashable, Sendable {
  /// Nothing is committed if there is such an object.
  case refuse
  /// The changes of the draft overwrite the changes of others.
  case overwrite
}

/// An object of a draft that another transaction has changed meanwhile.
public struct DraftConflict: Hashable, Sendable {
  /// The change that the other transaction made.
  @nonexhaustive public enum Kind: Hashable, Sendable {
    /// The other transaction added it.
    case inserted
    /// The other transaction changed it.
    case updated
    /// The other transaction removed it.
    case removed
  }

  /// The name of the entity in the model.
  public let entityName: String
  /// The id of the object.
  public let id: Id
  /// The change.
  public let kind: Kind
}

extension DraftConflict: CustomStringConvertible {
  /// The object and its change, in a few words.
  public var description: String { "\(entityName) \(id) was \(kind)" }
}

/// The error of a draft that cannot be committed, as others have changed what it was made from.
public struct DraftConflictError: Error, Hashable, Sendable {
  /// The objects, by entity and id; at least one.
  public let conflicts: [DraftConflict]
}

extension DraftConflictError: CustomStringConvertible {
  /// The first of the objects and the advice, one sentence without a trailing period.
  public var description: String {
    let shown = conflicts.prefix(5).map(\.description).joined(separator: ", ")
    let rest = conflicts.count > 5 ? ", and \(conflicts.count - 5) more" : ""
    return "other transactions have changed objects of the draft: \(shown)\(rest); "
      + "roll the draft back and make its changes again, or commit it with .overwrite"
  }
}
