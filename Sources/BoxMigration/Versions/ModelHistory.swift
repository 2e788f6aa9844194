public import BoxModel

/// An error in a history of models.
@nonexhaustive public enum ModelHistoryError: Error, Hashable, Sendable {
  /// A history has no version.
  case emptyHistory
  /// A version is listed twice, or is followed by two.
  case versionTwice(String)
  /// Versions form a cycle.
  case loop([String])
  /// A chain names a version without a model.
  case unknownVersion(String)
  /// More than one version can be the current one.
  case ambiguousLeaf([String])
  /// No version can be the current one.
  case noLeaf
  /// No migration leads from one version to the other.
  case noPath(from: String, to: String)
  /// Several errors.
  case several([ModelHistoryError])
}

extension ModelHistoryError: CustomStringConvertible {
  /// The error, in one sentence without a trailing period.
  public var description: String {
    switch self {
    case .emptyHistory: "there is no version"
    case .versionTwice(let version): "version \(version) occurs twice"
    case .loop(let path): "the versions \(path.joined(separator: " -> ")) form a cycle"
    case .unknownVersion(let version): "there is no model of version \(version)"
    case .ambiguousLeaf(let versions):
      "any of \(versions.joined(separator: ", ")) can be the current version; name one"
    case .noLeaf: "no version of the chain is the last one"
    case .noPath(let from, let to): "there is no chain from version \(from) to \(to)"
    case .several(let errors): errors.map(\.description).joined(separator: "; ")
    }
  }
}

/// The versions of a model, the way from each to the next, and the current one.
public struct ModelHistory: Sendable {
  /// A version and its model.
  public struct Version: Sendable {
    /// The name.
    public var name: String
    /// The model.
    public var model: Model
    /// The model file; nil for a model that was not read from one.
    let document: ModelDocument?
    /// The values of properties that are not optional in objects without one, as bindings give them.
    package var constants: [UID: Value]?
    /// The declarations about the relations of the model; nil keeps the declarations of a store.
    public var declarations: Declarations?

    /// Creates a version.
    public init(_ name: String, _ model: Model) {
      self.name = name
      self.model = model
      document = nil
    }

    /// Creates a version of a model file.
    public init(_ name: String, _ document: ModelDocument) {
      self.name = name
      model = document.model
      self.document = document
    }
  }

  /// The versions, in the order in which they were given.
  public let versions: [Version]
  /// The way from each to the next.
  public let chain: MigrationChain
  /// The version that stores are opened with.
  public let current: Version

  /// Creates a history.
  ///
  /// - Parameters:
  ///   - versions: The versions and their models.
  ///   - chain: The way from each to the next; nil for the order of the versions.
  ///   - current: The current version; nil for the last one of the chain.
  /// - Throws: ``ModelHistoryError`` that lists all problems.
  public init(
    _ versions: [Version], chain: MigrationChain? = nil, current: String? = nil
  ) throws(ModelHistoryError) {
    let chain = chain ?? MigrationChain(versions.map(\.name))
    var problems = chain.problems
    if versions.isEmpty { problems.append(.emptyHistory) }
    var names: Set<String> = []
    for version in versions where !names.insert(version.name).inserted {
      if !problems.contains(.versionTwice(version.name)) {
        problems.append(.versionTwice(version.name))
      }
    }
    problems += chain.versions.filter { !names.contains($0) }.map { .unknownVersion($0) }
    let leaves = chain.leaves.filter { names.contains($0) }
    var name = current
    if let current {
      if !names.contains(current) || (!chain.isEmpty && !chain.contains(current)) {
        problems.append(.unknownVersion(current))
      }
    } else if chain.versions.isEmpty || chain.isEmpty && versions.count == 1 {
      // Without a chain there has to be exactly one version, or the caller has to name one.
      if versions.count > 1 { problems.append(.ambiguousLeaf(versions.map(\.name))) }
      name = versions.first?.name
    } else if leaves.count == 1 {
      name = leaves[0]
    } else if !versions.isEmpty {
      problems.append(leaves.isEmpty ? .noLeaf : .ambiguousLeaf(leaves))
    }
    if problems.count > 1 { throw .several(problems) }
    if let problem = problems.first { throw problem }
    guard let found = versions.first(where: { $0.name == name }) else { throw .emptyHistory }
    self.versions = versions
    self.chain = chain
    self.current = found
  }

  /// The version with a name.
  public func version(_ name: String) -> Version? { versions.first { $0.name == name } }

  /// The plans from a version to the current one, one for each step of the chain.
  ///
  /// - Throws: ``ModelHistoryError`` if the version is not known, or no way leads on.
  /// - Complexity: O(*n*) in the sizes of the models on the way.
  public func plans(from name: String) throws(ModelHistoryError) -> [MigrationPlan] {
    guard version(name) != nil else { throw .unknownVersion(name) }
    let path = try chain.path(from: name, to: current.name)
    return zip(path, path.dropFirst()).compactMap { from, to in
      guard let old = version(from), let new = version(to) else { return nil }
      return MigrationPlan(
        from: PlanSide(old.model, path: from), to: PlanSide(new.model, path: to))
    }
  }
}
