/// A step that a store needs to get to a model.
public struct PendingMigration: Hashable, Sendable {
  /// How a step is carried out.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// In one transaction: the model changes, and indexes are built; objects stay as they are.
    case light
    /// Into a new data file that takes the place of the old one.
    case heavy
  }

  /// The version before, or ``MigrationRoute/storedName``.
  public var from: String
  /// The version after.
  public var to: String
  /// How it is carried out.
  public var kind: Kind
  /// Whether a mapping says what becomes of the objects; otherwise it is inferred.
  public var isMapped: Bool
}

extension PendingMigration: CustomStringConvertible {
  /// The step in a few words.
  public var description: String {
    "\(from) -> \(to) (\(kind.rawValue)\(isMapped ? ", by a mapping" : ""))"
  }
}
