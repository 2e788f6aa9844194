internal import BoxSystem

/// The directories of a repository.
package struct GitRepository: Hashable, Sendable {
  /// The absolute path of the top directory of the work tree; nil in a bare repository or inside `.git`.
  package var topLevel: String?
  /// The absolute path of the repository's own directory; each work tree has its own.
  package var gitDirectory: String
  /// The absolute path of the directory that all work trees share.
  package var commonDirectory: String
}

extension GitClient {
  /// The repository of the client, or nil outside of one.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot be run, or refuses the
  ///   repository, as one of another user.
  package func repository() async throws(CommandFailure) -> GitRepository? {
    let output = try await run(["rev-parse", "--absolute-git-dir", "--git-common-dir"])
    let lines = output.text.split(separator: "\n", omittingEmptySubsequences: false)
    guard output.status == 0, lines.count == 2 else {
      if output.complaint.hasPrefix("not a git repository") { return nil }
      throw CommandFailure(.inputOutput, "git rev-parse: \(output.complaint)")
    }
    let top = try await run(["rev-parse", "--show-toplevel"])
    return GitRepository(
      topLevel: top.status == 0 && !top.text.isEmpty ? absolute(top.text) : nil,
      gitDirectory: String(lines[0]),
      commonDirectory: absolute(String(lines[1])))
  }

  /// Runs git, which has to be inside of a repository.
  ///
  /// - Throws: ``CommandFailure`` of the kind `impossible` outside of one, and `inputOutput` if git
  ///   fails.
  package func requireInside(_ arguments: [String]) async throws(CommandFailure) -> GitOutput {
    do throws(CommandFailure) {
      return try await require(arguments)
    } catch {
      if try await repository() != nil { throw error }
      throw CommandFailure(.impossible, "this is not inside a git repository" + bareHint)
    }
  }

  /// A hint for a working directory in a bare repository, which has to be named; empty elsewhere.
  package var bareHint: String {
    let isInBareRepository = pathAndDirectoriesAbove(workingDirectory()).contains { directory in
      ["HEAD", "objects", "refs"].allSatisfy {
        ((try? fileAttributes(at: joinPath(directory, $0))) ?? nil) != nil
      }
    }
    return isInBareRepository ? "; set GIT_DIR to use a bare repository" : ""
  }

  /// The absolute path of a file of the repository, such as `info/attributes`, wherever the work
  /// tree keeps it.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if there is no repository.
  package func path(ofRepositoryFile name: String) async throws(CommandFailure) -> String {
    absolute(try await require(["rev-parse", "--git-path", name]).text)
  }

  /// Whether the history was cut off when it was fetched.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if there is no repository.
  package func isShallow() async throws(CommandFailure) -> Bool {
    try await require(["rev-parse", "--is-shallow-repository"]).text == "true"
  }

  /// Whether the repository lacks files that its remote has promised.
  package func isPartial() async throws(CommandFailure) -> Bool {
    try await run(["config", "--get-regexp", "^remote\\..*\\.promisor$"]).status == 0
  }

  /// The version of git.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot be run.
  package func version() async throws(CommandFailure) -> GitVersion? {
    GitVersion(reportedAs: try await require(["--version"]).text)
  }

  /// Refuses a git that is too old to find revisions.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput`.
  func requireSupportedVersion() async throws(CommandFailure) {
    guard let version = try await version(), version < .oldestSupported else { return }
    throw CommandFailure(
      .inputOutput,
      "git \(version) is older than \(GitVersion.oldestSupported), the oldest supported")
  }

  /// Completes a path that git gave relative to the directory that it ran in.
  private func absolute(_ path: String) -> String {
    let joined = joinPath(location.directory, path)
    return canonicalPath(joined) ?? joined
  }
}

/// A version of git, as far as the tool cares.
package struct GitVersion: Hashable, Sendable, Comparable, CustomStringConvertible {
  var major: Int
  var minor: Int

  /// The oldest git that the tool works with: the first with `--end-of-options`.
  package static let oldestSupported = GitVersion(major: 2, minor: 24)

  /// The first git with `merge-tree --write-tree`.
  package static let oldestWithTreeMerge = GitVersion(major: 2, minor: 38)

  package init(major: Int, minor: Int) {
    self.major = major
    self.minor = minor
  }

  /// Reads what `git --version` prints, such as `git version 2.39.5 (Apple Git-154)`.
  package init?(reportedAs text: String) {
    let words = text.split(separator: " ")
    guard words.count >= 3, words[0] == "git", words[1] == "version" else { return nil }
    let numbers = words[2].split(separator: ".").prefix(2).map { Int($0) }
    guard numbers.count == 2, let major = numbers[0], let minor = numbers[1] else { return nil }
    self.init(major: major, minor: minor)
  }

  package static func < (a: GitVersion, b: GitVersion) -> Bool {
    (a.major, a.minor) < (b.major, b.minor)
  }

  package var description: String { "\(major).\(minor)" }
}
