internal import BoxJSON
internal import BoxMerge
internal import BoxModel
internal import BoxReport

/// The versions in a conflicted file.
struct ConflictedSides: Sendable {
  /// The origin of the versions.
  enum Origin: String, Hashable, Sendable { case index, markers }

  var origin: Origin
  var base: SourceFile
  var ours: SourceFile
  var theirs: SourceFile
  /// The content of the file; nil if it does not exist.
  var current: [UInt8]?
  /// The versions that the markers in the file show, if it has any.
  var marked: ConflictedText?

  /// The reason why there is nothing to merge.
  enum Absence: Error {
    /// There is no conflict.
    case noConflict
    /// One sentence without a trailing period.
    case problem(String)
    case failure(CommandFailure)
  }

  /// Reads the stages of the index, or else the markers in the file.
  ///
  /// - Throws: ``Absence``.
  static func read(
    _ file: ConflictedFile, git: GitClient
  ) async throws(Absence) -> ConflictedSides {
    var current: [UInt8]?
    do throws(CommandFailure) {
      current = try SourceFile.read(file.workPath).bytes
    } catch {
      if file.stages == nil { throw .failure(error) }
    }
    var marked: ConflictedText?
    do throws(ConflictedTextError) {
      marked = try current.flatMap { (bytes) throws(ConflictedTextError) in
        try ConflictedText(parsing: bytes)
      }
    } catch {
      // The stages have whole versions, so damaged markers matter only without them.
      if file.stages == nil {
        let position = JSONPosition(line: error.line, column: 1)
        throw .failure(
          CommandFailure(.badInput, error.message, path: file.shownPath, position: position))
      }
    }
    if let stages = file.stages {
      return try await read(stages, file, current, marked, git)
    }
    guard let marked else { throw absence(of: current ?? [], file) }
    if let current, LFSPointer.isPointer(current) {
      throw .problem(
        "it is a pointer of Git LFS with conflict markers and not a model; restore it from version "
          + "control")
    }
    func source(_ name: String, _ bytes: [UInt8]) -> SourceFile {
      SourceFile(path: "\(file.shownPath) (\(name))", bytes: bytes)
    }
    return ConflictedSides(
      origin: .markers, base: source("base", marked.base ?? []),
      ours: source("ours", marked.ours), theirs: source("theirs", marked.theirs),
      current: current, marked: marked)
  }

  /// The reason why pointers of Git LFS are not merged.
  private static func pointer(_ file: ConflictedFile) -> Absence {
    .problem(
      "its versions are pointers of Git LFS and not models; "
        + LFSPointer.advice(forConflictIn: file.shownPath))
  }

  /// The reason why a file without markers has nothing to merge: no conflict, or an error in the
  /// file.
  private static func absence(
    of current: [UInt8], _ file: ConflictedFile
  ) -> Absence {
    do throws(CommandFailure) {
      _ = try MergeVersion(SourceFile(path: file.shownPath, bytes: current)).side()
      return .noConflict
    } catch {
      return .failure(error)
    }
  }

  private static func read(
    _ stages: UnmergedFile, _ file: ConflictedFile, _ current: [UInt8]?,
    _ marked: ConflictedText?, _ git: GitClient
  ) async throws(Absence) -> ConflictedSides {
    if let rename = file.rename { throw .problem(rename.problem) }
    let path = shellOperand(file.shownPath)
    guard let ours = stages.ours, let theirs = stages.theirs else {
      let gone = stages.ours == nil ? "ours" : "theirs"
      let changed = stages.ours == nil ? "theirs" : "ours"
      let isGone = stages.ours == nil && stages.theirs == nil
      throw .problem(
        isGone
          ? "both sides removed or renamed the file; `git rm \(path)` ends the conflict"
          : "\(gone) removed or renamed the file and \(changed) changed it; `git rm \(path)` removes it, "
            + "`git add \(path)` keeps it as it is")
    }
    if [ours.mode, theirs.mode].contains("120000") {
      throw .problem("a side made a symbolic link of it; `git add \(path)` keeps what is there")
    }
    let blobs: [[UInt8]?]
    do throws(CommandFailure) {
      blobs = try await git.blobs([stages.base?.blob, ours.blob, theirs.blob].map { $0 ?? "" })
    } catch {
      throw .failure(error)
    }
    guard let ourBytes = blobs[1], let theirBytes = blobs[2] else {
      throw .problem("git does not have the versions that its index names")
    }
    if LFSPointer.isPointer(ourBytes) || LFSPointer.isPointer(theirBytes) { throw pointer(file) }
    func source(_ number: Int, _ bytes: [UInt8]) -> SourceFile {
      SourceFile(path: ":\(number):\(file.path)", bytes: bytes)
    }
    return ConflictedSides(
      origin: .index, base: source(1, blobs[0] ?? []), ours: source(2, ourBytes),
      theirs: source(3, theirBytes), current: current, marked: marked)
  }

  /// Whether the file was changed after git or the merge driver left it conflicted, as far as that
  /// is known; `result` is the merge of the versions, and the path starts at the directory of the
  /// client.
  func isEdited(
    since result: MergeResult, path: String, gitDirectory: String, git: GitClient
  ) async -> Bool {
    guard origin == .index, let current else { return false }
    func isStaged(_ bytes: [UInt8], as content: [UInt8]?) async -> Bool {
      guard let content else { return false }
      return (try? await git.stages(bytes, at: path, as: content)) ?? false
    }
    guard let marked else {
      // Git itself leaves ours in the file where it could not merge it.
      if await isStaged(current, as: ours.bytes) { return false }
      return await !isStaged(current, as: result.bytes)
    }
    if await isStaged(marked.ours, as: result.resolved[.ours]),
      await isStaged(marked.theirs, as: result.resolved[.theirs])
    {
      return false
    }
    guard let text = await mergedAsText(gitDirectory: gitDirectory, git: git),
      let parsed = try? ConflictedText(parsing: text),
      await isStaged(marked.ours, as: parsed.ours)
    else { return true }
    return await !isStaged(marked.theirs, as: parsed.theirs)
  }

  /// The result of git's own merge of the versions; nil if it failed.
  private func mergedAsText(gitDirectory: String, git: GitClient) async -> [UInt8]? {
    let files = [base, ours, theirs].map { ($0.bytes, TemporaryPath(in: gitDirectory)) }
    defer { for (_, temporary) in files { temporary.remove() } }
    do throws(CommandFailure) {
      for (bytes, temporary) in files { try AtomicFile.write(bytes, to: temporary.path) }
      let names = files.map(\.1.path)
      let merge = GitTextMerge(
        markerSize: standardMarkerSize, labels: ConflictLabels(), git: git)
      return try await merge.merge(ours: names[1], base: names[0], theirs: names[2]).bytes
    } catch {
      return nil
    }
  }
}
