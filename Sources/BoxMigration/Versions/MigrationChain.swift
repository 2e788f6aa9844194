/// The order in which versions of a model follow each other: a list, or a tree of from and to.
///
///     let list: MigrationChain = ["V1", "V2", "V3"]
///     let tree: MigrationChain = ["V1": "V3", "V2": "V4", "V3": "V4"]
///
/// An empty chain means one hop, from the version of the store to the current one.
public struct MigrationChain: Sendable {
  private var nextVersions: [String: String] = [:]
  /// Versions in the order in which they were first named.
  public private(set) var versions: [String] = []
  private var repeated: [String] = []

  /// Creates a list: each version follows the one before.
  public init(_ versions: [String]) {
    var seen: Set<String> = []
    for version in versions {
      if seen.insert(version).inserted {
        self.versions.append(version)
      } else {
        repeated.append(version)
      }
    }
    for (from, to) in zip(self.versions, self.versions.dropFirst()) { nextVersions[from] = to }
  }

  /// Creates a tree of versions and those that follow them.
  public init(links: [(from: String, to: String)]) {
    var seen: Set<String> = []
    for (from, to) in links {
      for version in [from, to] where seen.insert(version).inserted { versions.append(version) }
      if nextVersions[from] == nil {
        nextVersions[from] = to
      } else {
        repeated.append(from)
      }
    }
  }

  /// Whether no version follows another.
  public var isEmpty: Bool { nextVersions.isEmpty }

  /// The versions that do not follow another.
  public var roots: [String] {
    let reached = Set(nextVersions.values)
    return versions.filter { !reached.contains($0) }
  }

  /// The versions that no other follows.
  public var leaves: [String] { versions.filter { nextVersions[$0] == nil } }

  /// Whether the chain names a version.
  public func contains(_ version: String) -> Bool { versions.contains(version) }

  /// The version that follows another; nil for a leaf and for one that is not in the chain.
  public func version(after version: String) -> String? {
    nextVersions[version].flatMap { $0 == version ? nil : $0 }
  }

  /// The errors of the chain; empty if the chain is valid.
  ///
  /// - Complexity: O(*n*) in the number of versions.
  public var problems: [ModelHistoryError] {
    var found = repeated.map { ModelHistoryError.versionTwice($0) }
    // Versions whose next step was followed, so that a loop is reported only once.
    var followed: Set<String> = []
    for start in versions where !followed.contains(start) {
      var path: [String] = []
      var positions: [String: Int] = [:]
      var next: String? = start
      while let version = next, !followed.contains(version) {
        if let first = positions.updateValue(path.count, forKey: version) {
          found.append(.loop(Array(path[first...]) + [version]))
          break
        }
        path.append(version)
        next = nextVersions[version]
      }
      followed.formUnion(path)
    }
    return found
  }

  /// The versions from one to another, both included.
  ///
  /// In an empty chain that is one hop.
  ///
  /// - Throws: ``ModelHistoryError/noPath(from:to:)``, or the first of ``problems``.
  /// - Complexity: O(*n*) in the number of versions.
  public func path(from start: String, to end: String) throws(ModelHistoryError) -> [String] {
    if start == end { return [start] }
    if isEmpty { return [start, end] }
    var path = [start]
    var passed: Set<String> = [start]
    while let next = version(after: path[path.count - 1]) {
      if !passed.insert(next).inserted { throw .loop(path + [next]) }
      path.append(next)
      if next == end { return path }
    }
    throw .noPath(from: start, to: end)
  }
}

extension MigrationChain: Hashable {
  /// Whether two chains lead from and to the same versions, however they were written.
  public static func == (a: MigrationChain, b: MigrationChain) -> Bool {
    a.nextVersions == b.nextVersions && Set(a.versions) == Set(b.versions)
      && a.repeated == b.repeated
  }

  /// Adds the links to a hash.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(nextVersions)
    hasher.combine(Set(versions))
  }
}

extension MigrationChain: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral,
  ExpressibleByStringLiteral
{
  /// Creates a list.
  public init(arrayLiteral elements: String...) { self.init(elements) }
  /// Creates a tree.
  public init(dictionaryLiteral elements: (String, String)...) {
    self.init(links: elements.map { (from: $0.0, to: $0.1) })
  }
  /// Creates a chain of one version.
  public init(stringLiteral value: String) { self.init([value]) }
}
