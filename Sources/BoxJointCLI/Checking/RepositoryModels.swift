internal import BoxModel

/// The model files of a repository.
enum RepositoryModels {
  /// The tracked files that match a pattern, by paths from the working directory, without those
  /// that were removed from the work tree.
  ///
  /// - Throws: ``CommandFailure`` with status 2 outside of a repository, 64 if there is none in it, 74 if git
  ///   cannot be run.
  static func references(
    _ patterns: [FilePattern], git: GitClient = GitClient()
  ) async throws(CommandFailure) -> [SourceReference] {
    guard await git.isInstalled(), let top = try await git.repository()?.topLevel else {
      throw CommandFailure(
        .impossible, "this is not inside a git repository; name the files")
    }
    let folder = workingFolder()
    let paths = try await git.trackedFiles(matching: patterns)
      .map { path(of: $0, in: canonicalPath(top) ?? top, from: folder) }
      .filter { ((try? fileAttributes(at: $0)) ?? nil) != nil }
    if paths.isEmpty {
      let words = patterns.map(\.text).joined(separator: " ")
      throw CommandFailure(
        .usage,
        "name the files, or git add them: no file that git tracks matches the setting 'files' "
          + "(\(words))")
    }
    return paths.map { .file($0) }
  }

  /// The one of them that is a model, or is meant to be one.
  ///
  /// - Returns: Its path; nil if there is none and that is not an error.
  /// - Throws: ``CommandFailure`` with status 64 if there are several, or none, and as
  ///   ``references(_:git:)``.
  static func onlyModel(
    _ patterns: [FilePattern], isRequired: Bool = true
  ) async throws(CommandFailure) -> String? {
    let tracked: [SourceReference]
    do throws(CommandFailure) {
      tracked = try await references(patterns)
    } catch {
      if !isRequired && error.status == .usage { return nil }
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
  static func isModel(_ bytes: [UInt8]) -> Bool {
    do throws(ModelError) {
      _ = try ModelDocument(parsing: bytes)
      return true
    } catch {
      return error.isAboutModel(bytes)
    }
  }

  /// The shortest path to a file of a repository from one of its directories.
  static func path(of file: String, in top: String, from folder: String) -> String {
    let target = (top.split(separator: "/") + file.split(separator: "/"))[...]
    let start = folder.split(separator: "/")[...]
    let common = zip(target, start).prefix { $0 == $1 }.count
    let up = Array(repeating: Substring(".."), count: start.count - common)
    return (up + target.dropFirst(common)).joined(separator: "/")
  }
}
