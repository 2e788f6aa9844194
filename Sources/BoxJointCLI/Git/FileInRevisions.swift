/// The repository that a file is in, and the paths that it can have there.
struct FileInRevisions: Hashable, Sendable {
  /// A client for the repository.
  var git: GitClient
  /// The path from the top of the repository: as it is named, and, if symbolic links lead to another
  /// file of the repository, the path of that one.
  var names: [String]

  /// The path of the file itself.
  var name: String { names[names.count - 1] }

  /// Finds the repository of a file.
  ///
  /// That is the one of the working directory, or a submodule of it: a folder that its index has as
  /// another repository, and in which there is one. A file outside of it belongs to the nearest
  /// repository above the file.
  ///
  /// - Parameter path: The path from the working directory, or an absolute one.
  /// - Returns: The repository and the paths.
  /// - Throws: ``CommandFailure`` with status 74 if git cannot be run.
  /// - Complexity: O(*n*) in the depth of the path, and a run of git for each repository in between.
  static func find(_ path: String) async throws(CommandFailure) -> FileInRevisions {
    var git = GitClient()
    if !git.location.isRepository || Self.path(of: path, in: git.location).isEmpty {
      git = GitClient(in: parentFolder(of: path))
    }
    var names = Self.path(of: path, in: git.location)
    if names.isEmpty { names = [lastComponent(of: path)] }
    while let inner = try await submodule(of: git, above: names[names.count - 1]) {
      git = inner.git
      names = [inner.name]
    }
    return FileInRevisions(git: git, names: names)
  }

  /// The paths of a file from the top of a repository; none if it is elsewhere.
  static func path(of path: String, in location: RepositoryLocation) -> [String] {
    let file = joinPath(absolutePath(parentFolder(of: path)), lastComponent(of: path))
    return [normalizedPath(path), file].compactMap {
      RepositoryLocation.path($0, from: location.directory)
    }.reduce(into: []) { names, name in
      if !name.isEmpty && !names.contains(name) { names.append(name) }
    }
  }

  /// The outermost submodule that a path leads into.
  private static func submodule(
    of git: GitClient, above name: String
  ) async throws(CommandFailure) -> (git: GitClient, name: String)? {
    let parts = name.split(separator: "/")
    for count in parts.indices.dropFirst() {
      let folder = parts[..<count].joined(separator: "/")
      let full = joinPath(git.location.directory, folder)
      // A commit cannot bring a .git, so that git itself or the user put it there.
      guard ((try? fileAttributes(at: full + "/.git")) ?? nil) != nil,
        try await git.hasSubmodule(at: folder)
      else { continue }
      return (GitClient(in: full), parts[count...].joined(separator: "/"))
    }
    return nil
  }
}

extension GitClient {
  /// Whether the index has another repository at a path.
  ///
  /// - Throws: ``CommandFailure`` with status 74 if git cannot be run.
  fileprivate func hasSubmodule(at path: String) async throws(CommandFailure) -> Bool {
    let entry = try await run(
      ["ls-files", "--stage", "-z", "--", HardenedCommand.pathspec(path)])
    return entry.status == 0 && entry.text.hasPrefix("160000 ")
  }
}
