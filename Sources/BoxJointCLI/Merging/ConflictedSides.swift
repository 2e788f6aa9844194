internal import BoxMerge

/// The versions that a conflicted file is made of.
struct ConflictedSides: Sendable {
  /// Where the versions come from.
  enum Origin: String, Hashable, Sendable { case index, markers }

  var origin: Origin
  var base: SourceFile
  var ours: SourceFile
  var theirs: SourceFile
  /// The file as it is; nil where it is gone.
  var current: [UInt8]?
  /// The versions that the markers in the file show, if it has any.
  var marked: ConflictedText?

  /// Why there is nothing to merge.
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
        throw .problem("line \(error.line): \(error.message)")
      }
    }
    if let stages = file.stages {
      return try await read(stages, file, current, marked, git)
    }
    guard let marked else { throw .noConflict }
    func source(_ name: String, _ bytes: [UInt8]) -> SourceFile {
      SourceFile(path: "\(file.shownPath) (\(name))", bytes: bytes)
    }
    return ConflictedSides(
      origin: .markers, base: source("base", marked.base ?? []),
      ours: source("ours", marked.ours), theirs: source("theirs", marked.theirs),
      current: current, marked: marked)
  }

  private static func read(
    _ stages: UnmergedFile, _ file: ConflictedFile, _ current: [UInt8]?,
    _ marked: ConflictedText?, _ git: GitClient
  ) async throws(Absence) -> ConflictedSides {
    let path = shellQuoted(file.shownPath)
    guard let ours = stages.ours, let theirs = stages.theirs else {
      let gone = stages.ours == nil ? "ours" : "theirs"
      let changed = stages.ours == nil ? "theirs" : "ours"
      let isGone = stages.ours == nil && stages.theirs == nil
      throw .problem(
        isGone
          ? "both sides removed or renamed the file; 'git rm \(path)' ends the conflict"
          : "\(gone) removed the file and \(changed) changed it; 'git rm \(path)' removes it, "
            + "'git add \(path)' keeps it as it is")
    }
    if [ours.mode, theirs.mode].contains("120000") {
      throw .problem("a side made a symbolic link of it; 'git add \(path)' keeps what is there")
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
    func source(_ number: Int, _ bytes: [UInt8]) -> SourceFile {
      SourceFile(path: ":\(number):\(file.path)", bytes: bytes)
    }
    return ConflictedSides(
      origin: .index, base: source(1, blobs[0] ?? []), ours: source(2, ourBytes),
      theirs: source(3, theirBytes), current: current, marked: marked)
  }

  /// Whether somebody has changed the file since git or the merge driver left it conflicted, as far
  /// as that can be told; `result` is the merge of the versions.
  func isEdited(
    since result: MergeResult, gitFolder: String, git: GitClient
  ) async -> Bool {
    guard origin == .index, let current else { return false }
    guard let marked else {
      // Git itself leaves ours in the file where it could not merge it.
      return ![ours.bytes, result.bytes].contains(current)
    }
    if marked.ours == result.resolved[.ours], marked.theirs == result.resolved[.theirs] {
      return false
    }
    guard let text = await mergedAsText(gitFolder: gitFolder, git: git),
      let parsed = try? ConflictedText(parsing: text)
    else { return true }
    return parsed.ours != marked.ours || parsed.theirs != marked.theirs
  }

  /// What git's own merge of the versions is.
  private func mergedAsText(gitFolder: String, git: GitClient) async -> [UInt8]? {
    let names = ["base", "ours", "theirs"].map {
      joinPath(gitFolder, "boxjoint-\($0)-\(UInt32.random(in: .min ... .max))")
    }
    defer { names.forEach(removeFile) }
    do throws(CommandFailure) {
      for (name, file) in zip(names, [base, ours, theirs]) {
        try AtomicFile.write(file.bytes, to: name)
      }
      let merge = GitTextMerge(markerSize: 7, labels: ConflictLabels(), git: git)
      return try await merge.merge(ours: names[1], base: names[0], theirs: names[2]).bytes
    } catch {
      return nil
    }
  }
}
