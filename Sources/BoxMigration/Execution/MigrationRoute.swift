public import BoxModel

/// A version of a model that stores are migrated to, or by way of.
public struct MigrationVersion: Sendable {
  /// The name: of the version, or of its file.
  public var name: String
  /// The model file.
  public var document: ModelDocument

  /// Creates a version.
  public init(_ name: String, _ document: ModelDocument) {
    self.name = name
    self.document = document
  }
}

/// The versions that a store is migrated by way of, to the last of them.
public struct MigrationRoute: Sendable {
  /// What the model of a store is called that is none of the versions.
  public static let storedName = "the store"

  private let versions: [MigrationVersion]
  private let history: ModelHistory

  /// Creates a route.
  ///
  /// - Parameters:
  ///   - versions: The versions and their models.
  ///   - chain: The way from each to the next; nil for the order of the versions, and an empty one for
  ///     one hop from any to the current one.
  ///   - current: The version to arrive at; nil for the last one of the chain.
  /// - Throws: ``ModelHistoryError`` that names everything that is wrong.
  public init(
    _ versions: [MigrationVersion], chain: MigrationChain? = nil, current: String? = nil
  ) throws(ModelHistoryError) {
    self.versions = versions
    history = try ModelHistory(
      versions.map { .init($0.name, $0.document.model) }, chain: chain, current: current)
  }

  /// The route to a model in one hop.
  public init(to version: MigrationVersion) throws(ModelHistoryError) { try self.init([version]) }

  /// The hops from the model of a store to the current version.
  ///
  /// A model that is none of the versions starts before the first of a list, and takes one hop to the
  /// current version where the chain is empty.
  func hops(from stored: Model) throws(ModelHistoryError) -> [MigrationHop] {
    var (name, model) = (Self.storedName, stored)
    var path: [String]
    if let known = versions.first(where: { $0.document.model == stored }) {
      path = Array(try history.chain.path(from: known.name, to: history.current.name).dropFirst())
      name = known.name
    } else if history.chain.isEmpty {
      path = [history.current.name]
    } else {
      let roots = history.chain.roots
      guard roots.count == 1 else { throw .noPath(from: name, to: history.current.name) }
      path = try history.chain.path(from: roots[0], to: history.current.name)
    }
    var hops: [MigrationHop] = []
    for next in path {
      guard let version = versions.first(where: { $0.name == next }) else {
        throw .unknownVersion(next)
      }
      hops.append(MigrationHop(from: name, old: model, to: version))
      (name, model) = (next, version.document.model)
    }
    return hops
  }
}

/// One step from a version to the next.
struct MigrationHop: Sendable {
  /// The name of the version before.
  var from: String
  /// The model before.
  var old: Model
  /// The version after.
  var to: MigrationVersion

  /// What messages call the step.
  var name: String { "the step from \(from) to \(to.name)" }
}
