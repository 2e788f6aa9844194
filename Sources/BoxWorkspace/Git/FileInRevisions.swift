internal import BoxSystem

/// The repository that a file is in, and the paths that it can have there.
package struct FileInRevisions: Hashable, Sendable {
  /// A client for the repository.
  package var git: GitClient
  /// The path from the top of the repository: the named one, and after it the path of another file
  /// of the repository if symbolic links refer to that.
  package var names: [String]

  /// The path of the file itself.
  package var name: String { names[names.count - 1] }

  /// Finds the repository that a change of a file is held against, and the paths of the file in it.
  ///
  /// That is the one of the working directory; a file outside of it belongs to the nearest repository
  /// above the file. Submodules are not entered: a change can replace a directory with one, whose history its
  /// author has written. The commit that the base names decides (``GitClient/content(at:in:called:)``).
  ///
  /// - Parameters:
  ///   - path: The path from the working directory, or an absolute one.
  ///   - git: A client for the repository of the working directory.
  /// - Returns: The repository and the paths.
  /// - Complexity: O(*n*) in the depth of the path.
  package static func underReview(_ path: String, _ git: GitClient) -> FileInRevisions {
    var git = git
    if !git.location.isRepository || Self.path(of: path, in: git.location).isEmpty {
      git = git.client(in: parentDirectory(of: path))
    }
    let names = Self.path(of: path, in: git.location)
    return FileInRevisions(git: git, names: names.isEmpty ? [lastComponent(of: path)] : names)
  }

  /// Finds the repository that has the history of a file.
  ///
  /// That is the one of ``underReview(_:_:)``, or a submodule of it: a directory that its index has
  /// as another repository, and that contains one.
  ///
  /// - Parameters:
  ///   - path: The path from the working directory, or an absolute one.
  ///   - git: A client for the repository of the working directory.
  /// - Returns: The repository and the paths.
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot be run.
  /// - Complexity: O(*n*) in the depth of the path, and a run of git for each repository in between.
  package static func find(
    _ path: String, _ git: GitClient
  ) async throws(CommandFailure) -> FileInRevisions {
    var found = underReview(path, git)
    while let inner = try await submodule(of: found.git, above: found.name) {
      found = FileInRevisions(git: inner.git, names: [inner.name])
    }
    return found
  }

  /// The paths of a file from the top of a repository; none if it is elsewhere.
  package static func path(of path: String, in location: RepositoryLocation) -> [String] {
    let file = joinPath(absolutePath(parentDirectory(of: path)), lastComponent(of: path))
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
      let directory = parts[..<count].joined(separator: "/")
      let full = joinPath(git.location.directory, directory)
      // A commit cannot bring a .git, so that git itself or the user put it there.
      guard ((try? fileAttributes(at: full + "/.git")) ?? nil) != nil,
        try await git.hasSubmodule(at: directory)
      else { continue }
      return (git.client(in: full), parts[count...].joined(separator: "/"))
    }
    return nil
  }
}

extension GitClient {
  /// Whether the index has another repository at a path.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot be run.
  package func hasSubmodule(at path: String) async throws(CommandFailure) -> Bool {
    let entry = try await run(
      ["ls-files", "--stage", "-z", "--", HardenedCommand.pathspec(path)])
    return entry.status == 0 && entry.text.hasPrefix("160000 ")
  }
}
