public import BoxModel

/// The step that migrates a store to a model, found without changing the store.
///
/// It is ``MigrationRun/pending()`` for the route of one hop; a route by other versions has as many
/// steps as it takes.
///
/// - Parameters:
///   - store: The directory of the store.
///   - model: The target model.
///   - mappings: The rules for objects; a step without a mapping is inferred.
/// - Returns: The step; none if the store has the model already.
/// - Throws: ``StoreError`` if the store cannot be inspected, ``MigrationError/noMapping(step:reasons:)``
///   if the step needs a mapping and has none, and another ``MigrationError`` if a mapping does not fit.
/// - Complexity: O(*n*) in the objects of entities whose values the step concerns.
public func pendingMigrations(
  store: String, model: ModelDocument, mappings: [ModelMapping] = []
) throws -> [PendingMigration] {
  let route = try MigrationRoute(to: MigrationVersion("the model", model))
  return try MigrationRun(store, route, mappings: mappings).pending()
}

/// A step that a store needs to get to a model.
public struct PendingMigration: Hashable, Sendable {
  /// The way in which a step is carried out.
  @nonexhaustive public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// In one transaction: the model changes, and indexes are built; objects stay as they are.
    case light
    /// Into a new data file that takes the place of the old one.
    case heavy
  }

  /// The version before, or ``MigrationRoute/storedName``.
  public var from: String
  /// The version after.
  public var to: String
  /// The way in which the step is carried out.
  public var kind: Kind
  /// Whether a mapping was given for the step; otherwise it is inferred.
  public var isMapped: Bool
}

extension PendingMigration: CustomStringConvertible {
  /// The step in a few words.
  public var description: String {
    "\(from) -> \(to) (\(kind.rawValue)\(isMapped ? ", by a mapping" : ""))"
  }
}
