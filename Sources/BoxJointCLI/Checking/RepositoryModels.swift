/// The model files of a repository.
enum RepositoryModels {
  /// The files that git tracks and a pattern matches, by paths from the current folder; those that
  /// were removed from the work tree are left out.
  ///
  /// - Throws: ``CommandFailure`` with status 2 outside of a repository, 64 if there is none in it, 74 if git
  ///   cannot be run.
  static func references(
    _ patterns: [FilePattern], git: GitClient = GitClient()
  ) async throws(CommandFailure) -> [SourceReference] {
    guard await git.isInstalled(), let top = try await git.repository()?.topLevel else {
      throw CommandFailure(
        .impossible, "this is not inside a git repository; name the files to check")
    }
    let folder = workingFolder()
    let paths = try await git.trackedFiles(matching: patterns)
      .map { path(of: $0, in: canonicalPath(top) ?? top, from: folder) }
      .filter { ((try? fileAttributes(at: $0)) ?? nil) != nil }
    if paths.isEmpty {
      let words = patterns.map(\.text).joined(separator: " ")
      throw CommandFailure(
        .usage,
        "name the files to check: no file that git tracks matches the setting 'files' (\(words))")
    }
    return paths.map { .file($0) }
  }

  /// The shortest path to a file of a repository from a folder of it.
  static func path(of file: String, in top: String, from folder: String) -> String {
    let target = (top.split(separator: "/") + file.split(separator: "/"))[...]
    let start = folder.split(separator: "/")[...]
    let common = zip(target, start).prefix { $0 == $1 }.count
    let up = Array(repeating: Substring(".."), count: start.count - common)
    return (up + target.dropFirst(common)).joined(separator: "/")
  }
}
