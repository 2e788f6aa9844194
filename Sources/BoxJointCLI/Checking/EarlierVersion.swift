internal import BoxJSON
internal import BoxModel

/// What files are compared with: the value of `--against`.
struct EarlierVersion: Hashable, Sendable {
  private enum Place: Hashable {
    /// One file for the only file that is checked, exactly as it is.
    case file(SourceReference)
    /// The same path where the version at hand left a revision. What was added in the revision since
    /// is not in this version, and not gone.
    case revision(String)
  }

  private let place: Place

  /// Tells what the value means: a path that exists, `REF:PATH` and `-` are a file, anything else
  /// is a revision.
  ///
  /// - Throws: ``CommandFailure`` with status 64 if one file is to be compared with several, or
  ///   with itself.
  init(_ argument: String, of references: [SourceReference]) async throws(CommandFailure) {
    let reference = SourceReference(argument)
    let isFile =
      switch reference {
      case .standardInput, .revision: true
      case .file(let path): ((try? fileAttributes(at: path)) ?? nil)?.isRegularFile ?? false
      }
    if isFile {
      guard references.count == 1 else {
        throw CommandFailure(
          .usage, "--against with a file compares one file; name a revision for several")
      }
      if references == [.standardInput], reference == .standardInput {
        throw CommandFailure(.usage, "standard input can be read once only")
      }
      place = .file(reference)
    } else {
      if references.contains(.standardInput) {
        throw CommandFailure(
          .usage, "standard input has no path in a revision; name REF:PATH with --against")
      }
      place = .revision(argument)
    }
  }

  /// The earlier version of a file, or a sentence that says why there is none.
  enum Found {
    case document(ModelDocument)
    case nothing(String)
  }

  /// Reads the earlier version of a file.
  ///
  /// In a revision a file may be missing, as it is new, or damaged, as it was mended since. One that
  /// was moved since is found by the UIDs of its model.
  ///
  /// - Throws: ``CommandFailure`` with status 74 if the revision does not exist or the file cannot
  ///   be read, 65 if a file that was named is no model.
  func read(
    of reference: SourceReference, _ model: Model
  ) async throws(CommandFailure) -> Found {
    switch place {
    case .file(let earlier):
      let source = try await earlier.read()
      let document: ModelDocument
      do {
        document = try ModelDocument(parsing: source.bytes)
      } catch {
        throw CommandFailure(
          .badInput, error.message, path: source.path, position: error.position)
      }
      // What else could not be read of it is not compared.
      if let failure = document.incompleteness(path: source.path, rule: ModelRule.versionTooNew) {
        throw failure
      }
      return .document(document)
    case .revision(let name):
      let bytes: [UInt8]
      switch try await content(of: reference, model, in: name) {
      case .bytes(let found): bytes = found
      case .noFile:
        return .nothing("there is no such file in \(name), so it is compared with nothing")
      case .unrelated:
        return .nothing("it has no history in common with \(name), so it is compared with nothing")
      }
      do {
        return .document(try ModelDocument(parsing: bytes))
      } catch {
        let place = "\(error.position.line):\(error.position.column)"
        return .nothing(
          "in \(name) the file is no model (\(place): \(error.message)), "
            + "so it is compared with nothing")
      }
    }
  }

  /// What there is to compare with in a revision.
  private enum Content {
    case bytes([UInt8])
    case noFile
    /// The revision and the version at hand have no common commit.
    case unrelated
  }

  /// The content of a file where the version at hand left a revision.
  private func content(
    of reference: SourceReference, _ model: Model, in revision: String
  ) async throws(CommandFailure) -> Content {
    var git = GitClient()
    var name = ""
    var later: String?
    var shown = ""
    switch reference {
    case .standardInput: return .noFile
    case .revision(let revision, let path):
      (name, later, shown) = (path, revision, "\(revision):\(path)")
    case .file(let path):
      let file = FileInRevisions(path)
      (git, name, shown) = (file.git, file.name, path)
    }
    guard let commit = try await git.resolve(revision) else {
      try await git.requireSupportedVersion()
      throw CommandFailure(
        .inputOutput,
        "there is no revision or file '\(revision)'; in a shallow clone, git fetch brings it")
    }
    guard let base = try await git.mergeBase(of: commit, with: later) else {
      if try await git.isShallow() {
        throw CommandFailure(
          .inputOutput,
          "the clone is too shallow to say where this version left '\(revision)'; try "
            + "'git fetch --unshallow'")
      }
      return .unrelated
    }
    let found = try await git.earlierModel(
      name, in: base, called: revision, model, shownAs: shown, since: later)
    return found.map { .bytes($0.bytes) } ?? .noFile
  }
}
