/// A command line of git that runs nothing a repository names, and the variables that go with it.
///
/// Git reads the configuration of the repository and of the user as it always does; the author of that
/// configuration may run commands. What is turned off here runs on merely reading a repository, and no
/// command of this program needs it.
package struct HardenedCommand: Hashable, Sendable {
  /// The arguments, without the name of git.
  package var arguments: [String]
  /// Overrides of environment variables; nil removes a variable.
  package var environment: [String: String?]

  /// The options before each command.
  package static let options = [
    "--no-pager",
    // A directory with the files of a bare repository is one only where GIT_DIR names it.
    "-c", "safe.bareRepository=explicit",
    // A command that git asks which files have changed.
    "-c", "core.fsmonitor=false",
    "-c", "core.hooksPath=/dev/null",
    // A command that verifies signatures, as git log with this setting does.
    "-c", "log.showSignature=false",
    // Escape sequences in what is parsed.
    "-c", "color.ui=false",
  ]

  /// Commands that can show differences, and would run the programs of drivers for that.
  private static let differing: Set<String> = ["diff-index", "diff-tree", "log"]

  /// Variables that would change what paths mean, or run a command.
  private static let removedVariables = [
    "GIT_LITERAL_PATHSPECS", "GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS",
    "GIT_EXTERNAL_DIFF", "LANGUAGE",
  ]

  /// Completes a command and its arguments.
  ///
  /// - Parameters:
  ///   - command: The name of the command, and its arguments.
  ///   - location: The directory that the command runs in.
  ///   - writes: Whether the command is meant to change the repository; otherwise git takes no
  ///     locks.
  package init(_ command: [String], in location: RepositoryLocation, writes: Bool) {
    arguments = ["-C", location.directory] + Self.options + command.prefix(1)
    if let name = command.first, Self.differing.contains(name) {
      arguments += ["--no-ext-diff", "--no-textconv"]
    }
    arguments += command.dropFirst()
    environment = location.environment
    environment["LC_ALL"] = "C"
    for name in Self.removedVariables { environment.updateValue(nil, forKey: name) }
    if !writes { environment["GIT_OPTIONAL_LOCKS"] = "0" }
  }

  /// A path from the top of the repository as git takes it where patterns are allowed.
  package static func pathspec(_ path: String) -> String { ":(top,literal)" + path }
}
