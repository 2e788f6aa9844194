internal import BoxSystem

/// The directory that git runs in for the files of a directory.
///
/// Git takes a directory that holds `HEAD`, `objects` and `refs` for a bare repository, and runs the
/// commands that its `config` names. A commit can add such a directory, but never one named `.git`:
/// so only a `.git` makes a repository here, and git always runs in the directory that holds it.
package struct RepositoryLocation: Hashable, Sendable {
  /// The absolute path of the directory that holds `.git`, or `/` outside of a repository.
  package var directory: String
  /// The path from there to the directory that was asked about: empty, or with a slash at its end.
  package var prefix = ""
  /// Whether a repository was found.
  package var isRepository: Bool
  /// Overrides of environment variables for git; nil removes a variable.
  package var environment: [String: String?] = [:]

  /// Creates a location.
  package init(
    directory: String, prefix: String = "", isRepository: Bool, environment: [String: String?] = [:]
  ) {
    self.directory = directory
    self.prefix = prefix
    self.isRepository = isRepository
    self.environment = environment
  }

  /// The location for the working directory of the process.
  ///
  /// If `GIT_DIR` names the repository, as in a hook or a merge driver, git uses that. The
  /// directory is then `GIT_WORK_TREE`, or the working directory, as in git.
  package static let working = location(of: workingDirectory()) { environmentValue($0) }

  /// The location for a directory, whatever repository the process was started for.
  ///
  /// - Parameters:
  ///   - directory: The directory.
  ///   - environment: Overrides of environment variables; nil removes a variable.
  /// - Returns: The location.
  /// - Complexity: O(*n*) in the depth of the path.
  package static func containing(
    _ directory: String, environment: [String: String?] = [:]
  ) -> RepositoryLocation {
    var found = RepositoryLocation(directory: "/", isRepository: false, environment: environment)
    for name in variablesOfOneRepository { found.environment.updateValue(nil, forKey: name) }
    let place = search(from: absolutePath(directory), environment: found.variable)
    (found.directory, found.prefix, found.isRepository) =
      (place.directory, place.prefix, place.isRepository)
    return found
  }

  /// The value of a variable, as git gets it; nil if it is unset or empty.
  package func variable(_ name: String) -> String? {
    guard let override = environment[name] else { return environmentValue(name) }
    return override.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The location of a working directory under an environment.
  package static func location(
    of directory: String, environment: (String) -> String?
  ) -> RepositoryLocation {
    guard let gitDirectory = environment("GIT_DIR") else {
      return search(from: directory, environment: environment)
    }
    let workTree = environment("GIT_WORK_TREE").flatMap { canonicalPath(joinPath(directory, $0)) }
    let top = workTree ?? directory
    var found = RepositoryLocation(directory: top, isRepository: true)
    if let inside = path(directory, from: top), !inside.isEmpty { found.prefix = inside + "/" }
    // Git runs in the top directory, from which a relative path would be another one.
    found.environment["GIT_DIR"] = joinPath(directory, gitDirectory)
    if let workTree { found.environment["GIT_WORK_TREE"] = workTree }
    return found
  }

  private static func search(
    from directory: String, environment: (String) -> String?
  ) -> RepositoryLocation {
    let ceilings = (environment("GIT_CEILING_DIRECTORIES") ?? "").split(separator: ":")
      .map { canonicalPath(String($0)) ?? String($0) }
    for current in pathAndDirectoriesAbove(directory) {
      if current != directory, ceilings.contains(current) { break }
      if isPresent(joinPath(current, ".git")) {
        let inside = path(directory, from: current) ?? ""
        return RepositoryLocation(
          directory: current, prefix: inside.isEmpty ? "" : inside + "/", isRepository: true)
      }
    }
    return RepositoryLocation(directory: "/", isRepository: false)
  }

  /// The path from the top directory for a path from the requested directory; nil if it is not in
  /// the top directory.
  package func pathFromTop(_ path: String) -> String? {
    let full = path.hasPrefix("/") ? path : joinPath(joinPath(directory, prefix), path)
    return Self.path(normalizedPath(full), from: directory)
  }

  /// The path of a file or directory from one that it is in; empty for the directory itself, nil for
  /// what is elsewhere.
  package static func path(_ path: String, from top: String) -> String? {
    if path == top { return "" }
    let start = top.hasSuffix("/") ? top : top + "/"
    return path.hasPrefix(start) ? String(path.dropFirst(start.count)) : nil
  }

  /// The variables that `git rev-parse --local-env-vars` lists, except those for configuration.
  private static let variablesOfOneRepository = [
    "GIT_DIR", "GIT_WORK_TREE", "GIT_IMPLICIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_PREFIX", "GIT_SHALLOW_FILE",
    "GIT_GRAFT_FILE", "GIT_REPLACE_REF_BASE", "GIT_NO_REPLACE_OBJECTS", "GIT_NAMESPACE",
  ]
}

/// Whether something has a path.
private func isPresent(_ path: String) -> Bool { ((try? fileAttributes(at: path)) ?? nil) != nil }
