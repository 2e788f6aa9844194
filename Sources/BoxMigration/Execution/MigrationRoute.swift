internal import BoxEngine
public import BoxModel

/// A version of a model that stores are migrated to, or by way of.
public struct MigrationVersion: Sendable {
  /// The name: of the version, or of its file.
  public var name: String
  /// The model file.
  public var document: ModelDocument
  /// The values of properties that are not optional in objects without one, as bindings give them.
  package var constants: [UID: Value]?
  /// The declarations about the relations of the model; nil keeps the declarations of the store.
  package var declarations: Declarations?

  /// Creates a version.
  public init(_ name: String, _ document: ModelDocument) {
    self.name = name
    self.document = document
  }
}

/// The versions that a store is migrated by way of, to the last of them.
public struct MigrationRoute: Sendable {
  /// The name of the model of a store that is not one of the versions.
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
  /// - Throws: ``ModelHistoryError`` that lists all problems.
  public init(
    _ versions: [MigrationVersion], chain: MigrationChain? = nil, current: String? = nil
  ) throws(ModelHistoryError) {
    self.versions = versions
    history = try ModelHistory(
      versions.map { .init($0.name, $0.document) }, chain: chain, current: current)
  }

  /// Creates the route of a history.
  ///
  /// - Throws: ``ModelError`` if a model that was not read from a file cannot be written as one.
  /// - Complexity: O(*n*) in the sizes of the models.
  public init(_ history: ModelHistory) throws(ModelError) {
    var versions: [MigrationVersion] = []
    for version in history.versions {
      if let document = version.document {
        versions.append(MigrationVersion(version.name, document))
        versions[versions.count - 1].constants = version.constants
      } else {
        versions.append(MigrationVersion(version.name, try ModelDocument(of: version.model)))
      }
      versions[versions.count - 1].declarations = version.declarations
    }
    self.versions = versions
    self.history = history
  }

  /// The route to a model in one hop.
  public init(to version: MigrationVersion) throws(ModelHistoryError) { try self.init([version]) }

  /// The hops from the model of a store to the current version.
  ///
  /// If the model is not one of the versions, the hops begin at the first version that has, or had, all of
  /// its elements. With an empty chain there is one hop to the current version.
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
      // A version without an element would drop its data.
      let first = path.firstIndex { name in
        versions.first { $0.name == name }.map { $0.document.model.knows(stored) } ?? false
      }
      if let first { path.removeFirst(first) }
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

extension MigrationRoute {
  /// The version to arrive at.
  package func currentVersion() throws(ModelHistoryError) -> MigrationVersion {
    guard let version = versions.first(where: { $0.name == history.current.name }) else {
      throw .unknownVersion(history.current.name)
    }
    return version
  }

  /// The version with a name.
  func version(named name: String) -> MigrationVersion? { versions.first { $0.name == name } }

  /// The names that mappings can use for the ends of a step.
  var knownNames: [String] { [Self.storedName] + versions.map(\.name) }

  /// Whether a name belongs to a version, or to the model in the store.
  func isKnown(_ name: String?) -> Bool { name.map(knownNames.contains) ?? false }

  /// Whether a store can take a step between versions of these names; nil matches any name.
  ///
  /// The model of the store may have any name if it is not one of the versions.
  func hasStep(from: String?, to: String?) -> Bool {
    var steps: [(from: String?, to: String)] = []
    if history.chain.isEmpty {
      let current = history.current.name
      steps = [(nil, current)]
      steps += versions.map(\.name).filter { $0 != current }.map { ($0, current) }
    } else {
      steps = history.chain.roots.map { (nil, $0) }
      steps += history.chain.versions.compactMap { version in
        history.chain.version(after: version).map { (version, $0) }
      }
    }
    return steps.contains { step in
      let leads = to.map { $0 == step.to } ?? true
      guard let from else { return leads }
      if let start = step.from { return leads && from == start }
      // Without a known end, a name that nobody knows says nothing.
      return to != nil && leads && (from == Self.storedName || !isKnown(from))
        || to == nil && from == Self.storedName
    }
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

  /// The name of the step in messages.
  var name: String { "the step from \(from) to \(to.name)" }
}

extension Model {
  /// Whether the model has, or had, all elements of another one.
  fileprivate func knows(_ other: Model) -> Bool {
    Set(other.elementUIDs).isSubset(of: elementUIDs + retiredElementUIDs)
  }
}
