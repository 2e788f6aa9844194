internal import BoxModel
internal import BoxRecovery
internal import BoxSystem

/// The whole model files that a search finds, and the way to their bytes.
struct FoundModels {
  /// The place of the bytes of a candidate.
  private enum Content: Hashable {
    case blob(String)
    case bytes([UInt8])
  }

  /// The candidates.
  private(set) var candidates: [ModelCandidate] = []
  private let requirement: AgreementRequirement
  private var contents: [Content] = []
  private var positions: [Content: Int] = [:]
  private let git: GitClient

  init(requirement: AgreementRequirement, git: GitClient) {
    self.requirement = requirement
    self.git = git
  }

  /// Adds a file if it is a model with entities.
  mutating func add(_ bytes: [UInt8], _ origin: CandidateOrigin) {
    let content = Content.bytes(bytes)
    if let known = positions[content] {
      candidates[known].origins.append(origin)
    } else if let document = try? ModelDocument(parsing: bytes), !document.model.entities.isEmpty {
      add(document, content, name: origin.place, origins: [origin])
    }
  }

  private mutating func add(
    _ document: ModelDocument, _ content: Content, name: String, origins: [CandidateOrigin]
  ) {
    var candidate = ModelCandidate(document, name: name, requirement: requirement)
    candidate.origins = origins
    positions[content] = candidates.count
    candidates.append(candidate)
    contents.append(content)
  }

  /// The bytes of a candidate.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot be run.
  func bytes(of position: Int) async throws(CommandFailure) -> [UInt8] {
    switch contents[position] {
    case .bytes(let bytes): return bytes
    case .blob(let hash):
      guard let found = try await git.blobs([hash]).first, let bytes = found else {
        throw CommandFailure(.inputOutput, "git no longer has the blob \(hash)")
      }
      return bytes
    }
  }

  // MARK: Git

  /// Adds every model that the repository has in any object.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git fails.
  /// - Complexity: O(*n*) in the size of the blobs and the number of commits; four runs of git.
  mutating func addGit(
    top: String, _ observer: any WorkObserver
  ) async throws(CommandFailure) {
    defer { observer.finish() }
    let objects = try await git.allObjects(sizes: ModelText.sizes)
    let total = objects.blobs.count
    var done = 0
    var local = self
    try await git.forEachBlob(objects.blobs) { hash, bytes in
      done += 1
      if done % 1000 == 0 { observer.update("reading git", done, of: total, unit: "files") }
      guard ModelText.isLikely(bytes), let document = try? ModelDocument(parsing: Array(bytes)),
        !document.model.entities.isEmpty
      else { return }
      local.add(document, .blob(hash), name: hash, origins: [])
    }
    self = local
    try await addOrigins(objects.commits, top: top)
  }

  private mutating func addOrigins(
    _ commits: [String], top: String
  ) async throws(CommandFailure) {
    var byHash: [String: Int] = [:]
    for (position, content) in contents.enumerated() {
      if case .blob(let hash) = content { byHash[hash] = position }
    }
    if byHash.isEmpty { return }
    let hashes = Set(byHash.keys)
    let origins = try await git.origins(of: hashes, in: git.ordered(commits))
    let latestFirst = origins.enumerated().sorted { a, b in
      (a.element.time, a.offset) > (b.element.time, b.offset)
    }
    for (rank, origin) in latestFirst {
      guard let position = byHash[origin.blob] else { continue }
      var found = CandidateOrigin(
        kind: .git,
        place:
          "\(origin.path) in commit \(origin.commit.prefix(10)) of \(utcTime(Int64(origin.time)).prefix(10))",
        path: joinPath(top, origin.path), time: origin.time)
      found.rank = rank
      found.version = "\(origin.commit):\(origin.path)"
      // The first place decides which of two models is older.
      if candidates[position].origins.count == Self.maximumOrigins {
        candidates[position].origins.removeLast()
      }
      candidates[position].origins.append(found)
    }
    let staged = try await git.stagedPaths(of: hashes)
    for (hash, path) in staged.sorted(by: { $0.key < $1.key }) {
      guard let position = byHash[hash] else { continue }
      var found = CandidateOrigin(
        kind: .git, place: "\(path) in git's index", path: joinPath(top, path))
      found.version = ":\(path)"
      candidates[position].origins.append(found)
    }
    for (hash, position) in byHash where candidates[position].origins.isEmpty {
      candidates[position].origins = [
        CandidateOrigin(kind: .git, place: "blob \(hash.prefix(10)) without a commit")
      ]
    }
  }

  /// The number of places that are kept of one file: one that never changes may be in every commit.
  private static let maximumOrigins = 20
}
