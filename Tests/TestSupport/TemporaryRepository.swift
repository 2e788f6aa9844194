/// A git repository of its own for a test, which nothing on the machine can influence.
///
/// Git has a fixed identity and time, no configuration of the system, and a home inside the
/// temporary directory.
public final class TemporaryRepository: Sendable {
  /// The directory that holds the repository, the home and whatever the test puts beside them.
  public let surroundings: TemporaryDirectory
  /// The name of the repository's directory in ``surroundings``.
  public let name: String

  /// Creates a repository with the branch `main` and no commit.
  ///
  /// - Throws: ``TestFailure`` if git refuses.
  public init(name: String = "repository") async throws {
    surroundings = try TemporaryDirectory()
    self.name = name
    try surroundings.write("", to: "home/.keep")
    let made = try await ProcessRun.of(
      "git", ["init", "--quiet", "--initial-branch=main", name], in: surroundings.path,
      environment: Self.environment(home: surroundings.path(of: "home")))
    guard made.status == 0 else { throw TestFailure("git init: \(made.messages)") }
  }

  /// Clones a repository into a directory beside it, with a home of its own.
  ///
  /// - Throws: ``TestFailure`` if git refuses.
  public init(
    cloning original: TemporaryRepository, options: [String] = [], name: String = "clone"
  ) async throws {
    surroundings = try TemporaryDirectory()
    self.name = name
    try surroundings.write("", to: "home/.keep")
    // With a URL, options such as --depth have an effect on local clones too.
    let made = try await ProcessRun.of(
      "git", ["clone", "--quiet"] + options + ["file://" + original.path, name],
      in: surroundings.path,
      environment: Self.environment(home: surroundings.path(of: "home")))
    guard made.status == 0 else { throw TestFailure("git clone: \(made.messages)") }
  }

  /// The absolute path of the top directory.
  public var path: String { surroundings.path(of: name) }

  /// The environment that git and the tool run in.
  public var environment: [String: String?] {
    Self.environment(home: surroundings.path(of: "home"))
  }

  private static func environment(home: String) -> [String: String?] {
    let time = "1700000000 +0000"
    var result: [String: String?] = [
      "HOME": home, "GIT_CONFIG_GLOBAL": home + "/.gitconfig", "GIT_CONFIG_NOSYSTEM": "1",
      "GIT_AUTHOR_NAME": "Ann", "GIT_AUTHOR_EMAIL": "ann@example.com", "GIT_AUTHOR_DATE": time,
      "GIT_COMMITTER_NAME": "Ann", "GIT_COMMITTER_EMAIL": "ann@example.com",
      "GIT_COMMITTER_DATE": time, "GIT_EDITOR": "true", "GIT_TERMINAL_PROMPT": "0",
      "GIT_ADVICE": "0", "LC_ALL": "C", "TZ": "UTC", "GIT_MERGE_AUTOEDIT": "no",
      "GIT_CEILING_DIRECTORIES": "/tmp",
    ]
    // The tests may run under a hook, or with the settings of a developer.
    let unset = [
      "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_CONFIG_PARAMETERS",
      "GIT_CONFIG_COUNT", "XDG_CONFIG_HOME", "BOXJOINT_CONFIG", "BOXJOINT_PUBLISHED",
      "BOXJOINT_FILES", "BOXJOINT_MERGE_HISTORY_LIMIT", "BOXJOINT_CHECK_IGNORE",
      "BOXJOINT_PLAN_FAIL_ON", "BOXJOINT_PLAN_IGNORE", "BOXJOINT_PLAN_SEVERITY", "NO_COLOR",
      "CLICOLOR_FORCE",
    ]
    for name in unset { result.updateValue(nil, forKey: name) }
    return result
  }

  /// Runs git in the repository, whatever its exit status will be.
  ///
  /// - Throws: ``TestFailure`` if git cannot be started.
  public func tryGit(
    _ arguments: [String], in directory: String = ".", environment: [String: String?] = [:],
    input: [UInt8] = []
  ) async throws -> ProcessRun {
    try await ProcessRun.of(
      "git", arguments, in: directory == "." ? path : path + "/" + directory,
      environment: self.environment.merging(environment) { $1 }, input: input)
  }

  /// Runs git in the repository and returns what it printed, without the last line ending.
  ///
  /// - Throws: ``TestFailure`` with git's words if its exit status is not 0.
  @discardableResult
  public func git(_ arguments: String..., in directory: String = ".") async throws -> String {
    let run = try await tryGit(arguments, in: directory)
    guard run.status == 0 else {
      throw TestFailure(
        "git \(arguments.joined(separator: " ")) ended with \(run.status): "
          + run.messages + run.text)
    }
    return run.text.hasSuffix("\n") ? String(run.text.dropLast()) : run.text
  }

  /// Runs the built `boxjoint` in the repository, or a directory of it.
  ///
  /// - Throws: ``TestFailure`` if it cannot be started.
  public func tool(
    _ arguments: String..., in directory: String = ".", environment: [String: String?] = [:],
    input: [UInt8] = []
  ) async throws -> ProcessRun {
    try await runTool(
      arguments, in: directory == "." ? path : path + "/" + directory,
      environment: self.environment.merging(environment) { $1 }, input: input)
  }

  /// Writes a file of the work tree and the directories that it is in.
  ///
  /// - Throws: ``TestFailure`` if it cannot be written.
  public func write(_ text: String, to name: String) throws {
    try surroundings.write(text, to: path + "/" + name)
  }

  /// Writes bytes to a file of the work tree and makes the directories that it is in.
  ///
  /// - Throws: ``TestFailure`` if it cannot be written.
  public func write(_ bytes: [UInt8], to name: String) throws {
    try surroundings.write(bytes, to: path + "/" + name)
  }

  /// The text of a file of the work tree.
  ///
  /// - Throws: ``TestFailure`` if it cannot be read.
  public func text(of name: String) throws -> String {
    try surroundings.text(of: path + "/" + name)
  }

  /// Writes files, adds everything and commits it.
  ///
  /// - Returns: The hash of the commit.
  /// - Throws: ``TestFailure`` if git refuses.
  @discardableResult
  public func commit(_ files: [String: String] = [:], message: String = "Change") async throws
    -> String
  {
    for (name, text) in files { try write(text, to: name) }
    try await git("add", "--all")
    try await git("commit", "--quiet", "--allow-empty", "-m", message)
    return try await git("rev-parse", "HEAD")
  }
}
