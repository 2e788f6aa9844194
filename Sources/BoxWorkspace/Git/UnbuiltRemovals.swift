package import BoxModel

/// Elements that the model file of a commit has removed, and that the sources of the commit still have.
///
/// A merge makes such commits: git keeps a line that one branch moved, and the merge of the model removes what the
/// other branch removed. As long as nobody builds, each commit after it is of that kind.
package struct UnbuiltRemovals: Sendable {
  /// An element that is looked for: its names, and the UID of its entity.
  package struct Wanted: Hashable, Sendable {
    package var name: DeclaredElement
    /// The UID of the entity of a member, which has another name in other versions; nil for an entity.
    package var owner: UID?

    /// Creates an element.
    package init(_ name: DeclaredElement, owner: UID? = nil) {
      self.name = name
      self.owner = owner
    }

    /// Whether a model has it.
    fileprivate func isIn(_ model: Model) -> Bool {
      if model.has(name) { return true }
      guard let owner, let entity = model.entities.first(where: { $0.pair.uid == owner }) else {
        return false
      }
      return model.has(DeclaredElement(entity: entity.name, member: name.member))
    }
  }

  /// The versions that have the elements, one for each, the latest that does, with its commit.
  package private(set) var versions: [PrecedingModels.Version] = []
  /// Whether an element was not found, and may be in versions that a shallow clone lacks.
  package private(set) var isCutOff = false

  /// The maximum number of commits that are looked at.
  private static let limit = 20_000

  /// Looks for elements that a commit lacks.
  ///
  /// - Parameters:
  ///   - elements: The elements.
  ///   - path: The path of the model file from the top of the repository.
  ///   - model: The model as it is now, by which a file is recognised that was moved and not committed yet.
  ///   - commit: The commit.
  ///   - git: A client for the repository.
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git fails.
  /// - Complexity: O(*n*) in the size of the sources that name the entities, and of the versions since the elements
  ///   were removed; five runs of git, and one more for 25 versions.
  package init(
    of elements: [Wanted], modelAt path: String, _ model: Model, in commit: String,
    _ git: GitClient
  ) async throws(CommandFailure) {
    if elements.isEmpty { return }
    var path = path
    var bytes = try await git.blobs(["\(commit):\(path)"])[0]
    if bytes == nil, let moved = try await git.movedModel(model, in: commit, since: nil) {
      (path, bytes) = (moved.path, moved.bytes)
    }
    guard let bytes, let before = (try? ModelDocument(parsing: bytes))?.model else { return }
    // The sources of a commit whose model has an element of the name name that one.
    let elements = elements.filter { !$0.isIn(before) }
    // The sources may have the name that an entity has now, or the one that it had then.
    var names: [DeclaredElement: Set<Wanted>] = [:]
    for element in elements {
      names[element.name, default: []].insert(element)
      if let owner = element.owner,
        let entity = before.entities.first(where: { $0.pair.uid == owner })
      {
        let name = DeclaredElement(entity: entity.name, member: element.name.member)
        names[name, default: []].insert(element)
      }
    }
    var open: Set<Wanted> = []
    for name in try await git.declared(Array(names.keys), in: commit) {
      open.formUnion(names[name] ?? [])
    }
    if open.isEmpty { return }
    let paths = try await git.paths(of: path, from: [], to: commit)
    try await git.visitVersions(of: paths, from: [], to: commit, limit: Self.limit) {
      (version) throws(CommandFailure) in
      guard let model = version.bytes.flatMap({ (try? ModelDocument(parsing: $0))?.model }) else {
        return true
      }
      let found = open.filter { $0.isIn(model) }
      if !found.isEmpty {
        open.subtract(found)
        versions.append(
          PrecedingModels.Version(
            base: ResetBase(name: String(version.commit.prefix(12)), model: model),
            commit: version.commit))
      }
      return !open.isEmpty
    }
    if !open.isEmpty { isCutOff = try await git.isShallow() }
  }
}

extension GitClient {
  /// The sources that models are generated from, in all languages that have a generator.
  private static let sources = [
    "c", "cc", "cpp", "dart", "fbs", "go", "h", "hpp", "java", "js", "kt", "py", "rs", "swift",
    "ts",
  ]

  /// The maximum number of sources that are read.
  private static let maximumSources = 1_000

  /// The elements of a list that the sources of a commit declare.
  ///
  /// An element is named where a file has the name of its entity and its own, as whole words.
  ///
  /// - Parameters:
  ///   - elements: The elements.
  ///   - commit: The commit.
  /// - Returns: The elements that are named.
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot be run.
  /// - Complexity: O(*n*) in the size of the sources; two runs of git.
  package func declared(
    _ elements: [DeclaredElement], in commit: String
  ) async throws(CommandFailure) -> Set<DeclaredElement> {
    if elements.isEmpty { return [] }
    let names = Set(elements.map(\.entity)).sorted()
    let output = try await run(
      [
        "grep", "--files-with-matches", "-z", "--full-name", "--no-recurse-submodules", "-I", "-w",
        "-F",
      ]
        + names.flatMap { ["-e", $0] } + [commit, "--"]
        + Self.sources.map { ":(top)*.\($0)" })
    guard output.status == 0 else { return [] }
    let files = output.standardOutput.split(separator: 0).prefix(Self.maximumSources)
      .map { String(decoding: $0, as: UTF8.self) }
    var open = Set(elements)
    var result: Set<DeclaredElement> = []
    for case let bytes? in try await blobs(files) where !open.isEmpty {
      let words = Self.words(of: bytes)
      let found = open.filter { element in
        words.contains(element.entity)
          && (element.member.map { words.contains($0) || words.contains(Self.relation($0)) } ?? true)
      }
      result.formUnion(found)
      open.subtract(found)
    }
    return result
  }

  /// The name that a relation has in sources, if a name is the name of its property.
  private static func relation(_ name: String) -> String {
    name.hasSuffix("Id") ? String(name.dropLast(2)) : name
  }

  /// The words of a source: letters, digits, underscores, and all that is not ASCII.
  private static func words(of bytes: [UInt8]) -> Set<String> {
    Set(
      bytes.split { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A, 0x80...: false
        default: true
        }
      }.map { String(decoding: $0, as: UTF8.self) })
  }
}
