internal import BoxMigration
internal import BoxModel

/// The versions of a model in commits and their parents, each read once.
struct VersionReader {
  /// The path of a version, and the hash of its content.
  struct Place: Hashable {
    var path: String
    var hash: String
  }

  private let git: GitClient
  private let paths: [String]
  private var places: [String: Place] = [:]
  private var contents: [String: [UInt8]] = [:]

  /// Reads the versions of commits and of their parents, by two runs of git.
  ///
  /// - Parameters:
  ///   - commits: The commits.
  ///   - paths: The paths of the file over time, the current path first.
  ///   - git: A client in the repository.
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot be run.
  init(
    _ commits: [GitCommit], paths: [String], git: GitClient
  ) async throws(CommandFailure) {
    self.git = git
    self.paths = paths
    places = try await Self.places(
      in: Set(commits.flatMap { [$0.hash] + ($0.parent.map { [$0] } ?? []) }).sorted(), paths, git)
    let hashes = Set(places.values.map(\.hash)).sorted()
    for (hash, bytes) in zip(hashes, try await git.blobs(hashes)) { contents[hash] = bytes }
  }

  /// The place of the file in a commit; nil if it does not exist.
  func place(in commit: String) -> Place? { places[commit] }

  /// The plan of a commit's change, or the reason why it is missing; neither for the first version.
  func change(
    from before: Place?, to after: Place?, for targets: Set<PlanTarget>
  ) -> (plan: MigrationPlan?, note: String?) {
    guard let after else { return (nil, "the file was removed") }
    guard let new = side(after) else { return (nil, "the file was not a model") }
    guard let before else { return (nil, nil) }
    guard let old = side(before) else { return (nil, "the file was not a model before") }
    return (MigrationPlan(from: old, to: new, for: targets), nil)
  }

  /// The model of a version; nil if the file is not one.
  func model(_ place: Place) -> Model? { side(place)?.model }

  private func side(_ place: Place) -> PlanSide? {
    guard let bytes = contents[place.hash],
      let document = try? ModelDocument(parsing: bytes)
    else { return nil }
    return PlanSide(document, path: place.path)
  }

  /// The tags that have a version.
  ///
  /// - Parameters:
  ///   - commits: The commits of the versions, the latest first.
  ///   - hashes: The contents of the versions.
  /// - Returns: The names in the order of their numbers, each with the position of its version.
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot be run.
  func tags(
    of commits: [String], _ hashes: [String?]
  ) async throws(CommandFailure) -> [(name: String, position: Int)] {
    let tags = try await git.references(matching: "refs/tags")
    let tagged = try await Self.places(in: Set(tags.map(\.commit)).sorted(), paths, git)
    var result: [(name: String, position: Int)] = []
    for tag in tags {
      guard let hash = tagged[tag.commit]?.hash else { continue }
      let candidates = hashes.indices.filter { hashes[$0] == hash }
      var position = candidates.last
      // A version that was changed and changed back occurs several times.
      if candidates.count > 1 {
        for candidate in candidates
        where try await git.isAncestor(commits[candidate], of: tag.commit) {
          position = candidate
          break
        }
      }
      if let position { result.append((String(tag.name.dropFirst("refs/tags/".count)), position)) }
    }
    return result
  }

  private static func places(
    in commits: [String], _ paths: [String], _ git: GitClient
  ) async throws(CommandFailure) -> [String: Place] {
    let names = commits.flatMap { commit in paths.map { "\(commit):\($0)" } }
    let hashes = try await git.blobHashes(names)
    var places: [String: Place] = [:]
    for (row, commit) in commits.enumerated() {
      for (column, path) in paths.enumerated() where places[commit] == nil {
        places[commit] = hashes[row * paths.count + column].map { Place(path: path, hash: $0) }
      }
    }
    return places
  }
}
