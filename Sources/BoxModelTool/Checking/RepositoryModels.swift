internal import BoxModel
internal import BoxReport
internal import BoxSystem

/// The model files of a repository.
enum RepositoryModels {
  /// The tracked files that match a pattern, by paths from the working directory, without those
  /// that were removed from the work tree.
  ///
  /// - Parameters:
  ///   - patterns: The patterns.
  ///   - place: The place whose repository has the files.
  ///   - readsIndex: Whether files that a sparse checkout leaves out are among them, as they are in git's
  ///     index; a note says so.
  ///   - takesRevisions: Whether the command takes a revision in place of a file.
  /// - Returns: The files.
  /// - Throws: ``CommandFailure`` of the kind `impossible` outside of a repository, or if a sparse
  ///   checkout leaves all of them out; `usage` if it has no model file, `inputOutput` if git cannot be run.
  static func references(
    _ patterns: [FilePattern], in place: Workspace, readsIndex: Bool = false,
    takesRevisions: Bool = true
  ) async throws(CommandFailure) -> [SourceReference] {
    let git = place.git
    guard git.isInstalled() else {
      throw CommandFailure(
        .inputOutput, "git finds the models of a repository, and is not on the PATH; name the files"
      )
    }
    guard let repository = try await git.repository() else {
      throw CommandFailure(
        .impossible, "this is not inside a git repository; name the files\(git.bareHint)")
    }
    guard let top = repository.topLevel else {
      throw CommandFailure(
        .impossible,
        "this repository has no work tree; name the file, as REF:PATH where its content is read")
    }
    let directory = workingDirectory()
    func here(_ file: String) -> String {
      path(of: file, in: top, from: directory)
    }
    let tracked = try await git.trackedFiles(matching: patterns)
    let paths = tracked.map(here).filter { ((try? fileAttributes(at: $0)) ?? nil) != nil }
    // Usually none is missing, which saves another call of git.
    var leftOut: [String] = []
    if paths.count < tracked.count {
      let present = Set(paths)
      leftOut = try await git.filesLeftOut(matching: patterns).filter {
        !present.contains(here($0))
      }
    }
    if readsIndex && !leftOut.isEmpty {
      place.observer.receive(
        Notice(
          .note,
          "boxjoint: note: outside of the sparse checkout, read from the index: "
            + leftOut.joined(separator: ", ")))
      return paths.map { .file($0) } + leftOut.map { .revision("", path: $0) }
    }
    if !paths.isEmpty { return paths.map { .file($0) } }
    if let first = leftOut.first {
      let directory = parentDirectory(of: first)
      let added = directory == "." ? first : here(directory)
      let command = "git sparse-checkout add \(shellOperand(added))"
      let index = takesRevisions ? "name it as ':\(first)' for the version in the index, or " : ""
      throw CommandFailure(
        .impossible,
        "this is outside of the sparse checkout; \(index)run \(quotedCommand(command))", path: first
      )
    }
    let words = patterns.map(\.text).joined(separator: " ")
    throw CommandFailure(
      .usage,
      "name the files, or git add them: no file that git tracks matches the setting 'files' "
        + "(\(words))")
  }

  /// The model files as git's index has them, for the next commit.
  ///
  /// - Parameters:
  ///   - files: The files that are meant; if empty, all that match a pattern.
  ///   - patterns: The patterns.
  ///   - place: The place whose repository has the files.
  /// - Returns: The versions in the index; a file that the index lacks is left out.
  /// - Throws: ``CommandFailure`` of the kind `usage` for an invalid path, `impossible` outside of a
  ///   repository, `inputOutput` if git cannot be run.
  static func inIndex(
    _ files: [SourceReference], _ patterns: [FilePattern], in place: Workspace
  ) async throws(CommandFailure) -> [SourceReference] {
    guard try await place.git.repository() != nil else {
      throw CommandFailure(
        .impossible, "this is not inside a git repository, so there is no index to read")
    }
    let tracked = try await place.git.trackedFiles(matching: files.isEmpty ? patterns : nil)
    if files.isEmpty { return tracked.map { .revision("", path: $0) } }
    let known = Set(tracked)
    var result: [SourceReference] = []
    for file in files {
      guard case .file(let path) = file else {
        throw CommandFailure(
          .usage, "--staged reads files of the index; name a path", path: file.argument)
      }
      for name in FileInRevisions.underReview(path, place.git).names where known.contains(name) {
        result.append(.revision("", path: name))
        break
      }
    }
    return result
  }

  /// The one of them that is a model, or is meant to be one.
  ///
  /// - Returns: Its path; nil if it does not exist and that is not an error.
  /// - Throws: ``CommandFailure`` of the kind `usage` if there are several, or none, and as
  ///   ``references(_:in:readsIndex:takesRevisions:)``.
  static func onlyModel(
    _ patterns: [FilePattern], isRequired: Bool = true, takesRevisions: Bool = true,
    in place: Workspace
  ) async throws(CommandFailure) -> String? {
    let tracked: [SourceReference]
    do throws(CommandFailure) {
      tracked = try await references(patterns, in: place, takesRevisions: takesRevisions)
    } catch {
      if !isRequired && error.kind == .usage { return nil }
      throw error
    }
    var paths: [String] = []
    for case .file(let path) in tracked where isModel(try SourceFile.read(path).bytes) {
      paths.append(path)
    }
    if paths.count == 1 { return paths[0] }
    if paths.isEmpty {
      if !isRequired { return nil }
      throw CommandFailure(
        .usage, "no file that git tracks and the setting 'files' matches is a model; name the model"
      )
    }
    throw CommandFailure(
      .usage,
      "the repository has \(paths.count) model files (\(paths.joined(separator: ", "))); "
        + "name the one that is meant")
  }

  /// Whether a text is a model, sound or not, and not something else of that name.
  ///
  /// - Complexity: O(*n*) in the size of the text.
  static func isModel(_ bytes: [UInt8]) -> Bool {
    MergeVersion(SourceFile(path: "", bytes: bytes)).isMeantAsModel
  }

  /// The shortest path to a file of a repository from one of its directories.
  static func path(of file: String, in top: String, from directory: String) -> String {
    let target = (top.split(separator: "/") + file.split(separator: "/"))[...]
    let start = directory.split(separator: "/")[...]
    let common = zip(target, start).prefix { $0 == $1 }.count
    let up = Array(repeating: Substring(".."), count: start.count - common)
    return (up + target.dropFirst(common)).joined(separator: "/")
  }
}
