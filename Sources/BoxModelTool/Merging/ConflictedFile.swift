internal import BoxMerge
internal import BoxModel
internal import BoxReport
internal import BoxSystem

/// A file with an unfinished merge.
package struct ConflictedFile: Hashable, Sendable {
  /// The path from the top of the repository; as the user named it outside of one.
  package var path: String
  /// The path by which it is read and written.
  var workPath: String
  /// The path for messages, from the working directory.
  var shownPath: String
  /// The stages of git's index; nil where the file is not unmerged there.
  package var stages: UnmergedFile?
  /// The names of the file if both sides renamed it.
  var rename: DoubleRename?
}

/// The names of a file that both sides of a merge renamed, for messages.
struct DoubleRename: Hashable, Sendable {
  /// The name before.
  var base: String
  /// The name on our side.
  var ours: String
  /// The name on their side.
  var theirs: String

  /// The sentence about it, with what to do, without a trailing period.
  var problem: String {
    "both sides renamed \(base), ours to \(ours) and theirs to \(theirs); to keep \(ours), run "
      + "`git rm \(shellOperands([base, theirs]))`, `git add \(shellOperand(ours))` and "
      + "`boxjoint resolve \(shellOperand(ours))`"
  }
}

/// Finds the conflicted model files of a repository.
package struct ConflictedFiles: Sendable {
  package var git: GitClient
  /// The top of the work tree; nil outside of a repository.
  package var topLevel: String?
  package var patterns: [FilePattern]

  /// Creates a search.
  package init(git: GitClient, topLevel: String? = nil, patterns: [FilePattern]) {
    self.git = git
    self.topLevel = topLevel
    self.patterns = patterns
  }

  /// The files to resolve.
  ///
  /// Without names, those are the unmerged files that match a pattern or are models, and the other
  /// files that match a pattern and have conflict markers in them.
  ///
  /// - Throws: ``CommandFailure`` of the kind `impossible` if no file is named outside of a
  ///   repository, `inputOutput` if a named file does not exist, or git fails.
  package func find(named names: [String]) async throws(CommandFailure) -> [ConflictedFile] {
    let unmerged = topLevel == nil ? [] : try await git.unmergedFiles()
    if !names.isEmpty {
      var files: [ConflictedFile] = []
      for name in names { files.append(try file(named: name, unmerged)) }
      return files
    }
    guard topLevel != nil else {
      throw CommandFailure(
        .impossible, "this is not inside a git repository; name the file to resolve")
    }
    let tracked = try await git.trackedFiles(matching: patterns)
    let matching = Set(tracked)
    var files: [ConflictedFile] = []
    for file in unmerged {
      let rename = Self.rename(of: file, among: unmerged)
      // One of its names is enough.
      if let rename, rename.ours != file.path { continue }
      let names = rename.map { [$0.base, $0.ours, $0.theirs] } ?? [file.path]
      let isExpected = names.contains { matching.contains($0) }
      // A file that git lists by pattern may still be something else of that name.
      for part in unmerged where names.contains(part.path) {
        guard try await isModel(part, isExpected: isExpected) else { continue }
        files.append(conflicted(file.path, file, rename))
        break
      }
    }
    let known = Set(unmerged.map(\.path))
    for path in tracked where !known.contains(path) {
      let file = conflicted(path, nil)
      if let content = try? SourceFile.read(file.workPath), RepositoryModels.isModel(content.bytes),
        hasMarkers(content.bytes)
      {
        files.append(file)
      }
    }
    return files
  }

  private func file(
    named name: String, _ unmerged: [UnmergedFile]
  ) throws(CommandFailure) -> ConflictedFile {
    // If a side removed the file, it does not exist.
    let directory = canonicalPath(parentDirectory(of: name))
    let full = directory.map { joinPath($0, lastComponent(of: name)) }
    for path in [full, canonicalPath(name)].compactMap({ $0 }) {
      guard let topLevel = topLevel.flatMap({ canonicalPath($0) }), path.hasPrefix(topLevel + "/")
      else { continue }
      let inside = String(path.dropFirst(topLevel.count + 1))
      if let found = unmerged.first(where: { $0.path == inside }) {
        return ConflictedFile(
          path: inside, workPath: path, shownPath: name, stages: found,
          rename: Self.rename(of: found, among: unmerged).map(shown))
      }
    }
    _ = try SourceFile.read(name)
    var path = name
    if let full, let top = topLevel.flatMap({ canonicalPath($0) }), full.hasPrefix(top + "/") {
      path = String(full.dropFirst(top.count + 1))
    }
    return ConflictedFile(path: path, workPath: name, shownPath: name, stages: nil)
  }

  private func isModel(
    _ file: UnmergedFile, isExpected: Bool
  ) async throws(CommandFailure) -> Bool {
    let stages = [file.base, file.ours, file.theirs].compactMap { $0 }
    // The content of a symbolic link is a path.
    if stages.allSatisfy({ $0.mode == "120000" }) { return false }
    return try await git.blobs(stages.map(\.blob)).contains { bytes in
      guard let bytes else { return false }
      return isExpected
        ? RepositoryModels.isModel(bytes) || LFSPointer.isPointer(bytes)
        : (try? ModelDocument(parsing: bytes)) != nil
    }
  }

  private func hasMarkers(_ bytes: [UInt8]) -> Bool {
    do throws(ConflictedTextError) {
      return try ConflictedText(parsing: bytes) != nil
    } catch {
      return true
    }
  }

  private func conflicted(
    _ path: String, _ stages: UnmergedFile?, _ rename: DoubleRename? = nil
  ) -> ConflictedFile {
    let workPath = joinPath(topLevel ?? ".", path)
    return ConflictedFile(
      path: path, workPath: workPath, shownPath: pathFromHere(workPath), stages: stages,
      rename: rename.map(shown))
  }

  /// The names of a file that both sides renamed, from the top of the repository; nil if they did not.
  ///
  /// Git leaves the old name with the base alone, and each new name with the side that has it. Both of
  /// those are the merged content.
  private static func rename(
    of file: UnmergedFile, among unmerged: [UnmergedFile]
  ) -> DoubleRename? {
    let bases = unmerged.filter { $0.base != nil && $0.ours == nil && $0.theirs == nil }
    let ours = unmerged.filter { $0.base == nil && $0.ours != nil && $0.theirs == nil }
    let theirs = unmerged.filter { $0.base == nil && $0.ours == nil && $0.theirs != nil }
    let pairs = ours.flatMap { mine in
      theirs.filter { $0.theirs?.blob == mine.ours?.blob }.map { (mine.path, $0.path) }
    }
    // With several of them it is not known which is which.
    guard bases.count == 1, pairs.count == 1, let base = bases.first?.path,
      let (mine, other) = pairs.first, [base, mine, other].contains(file.path)
    else { return nil }
    return DoubleRename(base: base, ours: mine, theirs: other)
  }

  /// The names from the working directory.
  private func shown(_ names: DoubleRename) -> DoubleRename {
    func here(_ path: String) -> String { pathFromHere(joinPath(topLevel ?? ".", path)) }
    return DoubleRename(base: here(names.base), ours: here(names.ours), theirs: here(names.theirs))
  }
}
