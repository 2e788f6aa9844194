package import BoxModel

/// Elements that the model file of a commit has removed, and that the sources of the commit still have.
///
/// A merge makes such commits: git keeps a line that one branch moved, and the merge of the model removes what the
/// other branch removed. As long as nobody builds, each commit after it is of that kind.
package struct UnbuiltRemovals: Sendable {
  /// The versions that have the elements, one for each, the latest that does, with its commit.
  package private(set) var versions: [PrecedingModels.Version] = []

  /// The maximum number of versions that are read, and how many at once.
  private static let limit = 500
  private static let step = 25

  /// Looks for elements that a commit lacks.
  ///
  /// - Parameters:
  ///   - elements: The elements.
  ///   - path: The path of the model file from the top of the repository.
  ///   - commit: The commit.
  ///   - git: A client for the repository.
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git fails.
  /// - Complexity: O(*n*) in the size of the sources that name the entities, and of the versions since the elements
  ///   were removed; four runs of git, and one more for 25 versions.
  package init(
    of elements: [DeclaredElement], modelAt path: String, in commit: String, _ git: GitClient
  ) async throws(CommandFailure) {
    var open = try await git.declared(elements, in: commit)
    if open.isEmpty { return }
    let commits = try await git.commits(of: path, upTo: commit, limit: Self.limit)
    for start in stride(from: 0, to: commits.count, by: Self.step) {
      let part = commits[start..<min(start + Self.step, commits.count)]
      let contents = try await git.blobs(part.map { "\($0):\(path)" })
      for (commit, bytes) in zip(part, contents) {
        guard let model = bytes.flatMap({ (try? ModelDocument(parsing: $0))?.model }) else {
          continue
        }
        let found = open.filter(model.has)
        if found.isEmpty { continue }
        open.subtract(found)
        versions.append(
          PrecedingModels.Version(
            base: ResetBase(name: String(commit.prefix(12)), model: model), commit: commit))
        if open.isEmpty { return }
      }
    }
  }
}

extension GitClient {
  /// The sources that models are generated from, in all languages that have a generator.
  private static let sources = [
    "c", "cc", "cpp", "dart", "fbs", "go", "h", "hpp", "java", "js", "kt", "py", "rs", "swift", "ts",
  ]

  /// The maximum number of sources that are read.
  private var maximumSources: Int { 1_000 }

  /// Those of some elements that the sources of a commit name.
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
      ["grep", "--files-with-matches", "-z", "--full-name", "--no-recurse-submodules", "-I", "-w", "-F"]
        + names.flatMap { ["-e", $0] } + [commit, "--"]
        + Self.sources.map { ":(top)*.\($0)" })
    guard output.status == 0 else { return [] }
    let files = output.standardOutput.split(separator: 0).prefix(maximumSources)
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

  /// The name that a relation has in sources, if this is that of its property.
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

  /// The commits that changed a file, up to a commit, the latest first.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git fails.
  fileprivate func commits(
    of path: String, upTo commit: String, limit: Int
  ) async throws(CommandFailure) -> [String] {
    let log = try await require(
      ["log", "--full-history", "--max-count=\(limit)", "--format=%H", commit, "--"]
        + [":(top,literal)\(path)"])
    return log.text.split(separator: "\n").map(String.init)
  }
}
