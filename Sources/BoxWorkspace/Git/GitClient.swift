internal import BoxReport
internal import BoxSystem

/// The exit status and the output of a run of git.
package typealias GitOutput = ProcessOutput

extension ProcessOutput {
  /// Standard output without the line endings at its end.
  package var text: String {
    var bytes = standardOutput[...]
    while let last = bytes.last, last == 0x0A || last == 0x0D { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The first line that git printed as an error, without git's `fatal:` or `error:`.
  ///
  /// If git printed a command that makes it trust a repository of another user, the command
  /// follows.
  package var complaint: String {
    let text = String(decoding: standardError, as: UTF8.self)
    let lines = text.split(whereSeparator: \.isNewline)
    var first = lines.first.map(String.init) ?? ""
    let remedy = lines.dropFirst().lazy.map { $0.drop(while: \.isWhitespace) }
      .first { $0.hasPrefix("git config --global --add safe.directory") }
    if let remedy { first += "; try '\(remedy)'" }
    for prefix in ["fatal: ", "error: "] where first.hasPrefix(prefix) {
      return String(first.dropFirst(prefix.count))
    }
    return first.isEmpty ? "git ended with status \(status)" : first
  }
}

/// Runs the git that is on the path, in the top directory of a repository.
///
/// The repository is found once, by ``RepositoryLocation``, and every path that git gets starts at its
/// top. The environment of the process is handed on, `GIT_DIR` and `GIT_INDEX_FILE` included, since a
/// merge driver and a hook run under git with these set.
package struct GitClient: Hashable, Sendable {
  /// The directory that git runs in, and its environment.
  package let location: RepositoryLocation

  /// Overrides of environment variables, for git and for the settings; nil removes a variable.
  package let environment: [String: String?]

  /// A client for the repository of the working directory.
  package init() {
    location = .working
    environment = [:]
  }

  /// A client for the repository that a directory is in.
  ///
  /// - Parameters:
  ///   - directory: The directory.
  ///   - environment: Overrides of environment variables; nil removes a variable.
  package init(in directory: String, environment: [String: String?] = [:]) {
    location = .containing(directory, environment: environment)
    self.environment = environment
  }

  /// A client for a repository whose place is known, with the variables of the place.
  package init(at location: RepositoryLocation) {
    self.location = location
    environment = location.environment
  }

  /// The same client with other variables; nil removes one.
  package func adding(_ variables: [String: String?]) -> GitClient {
    var location = location
    location.environment.merge(variables) { $1 }
    return GitClient(location: location, environment: environment.merging(variables) { $1 })
  }

  private init(location: RepositoryLocation, environment: [String: String?]) {
    self.location = location
    self.environment = environment
  }

  /// A client for the repository that another directory is in, with the same variables.
  package func client(in directory: String) -> GitClient {
    GitClient(in: directory, environment: environment)
  }

  /// Whether there is a git on the path.
  package func isInstalled() -> Bool { program() != nil }

  private func program() -> String? {
    RunningProgram.lookUp("git", in: location.variable("PATH") ?? "")
  }

  /// Runs git and waits for it.
  ///
  /// An exit status other than 0 is a value, not an error. Without `input`, standard input is
  /// empty; `writes` says that the command is meant to change the repository.
  ///
  /// `consume` may remove output from its front while git runs.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git is missing or cannot be run.
  package func run(
    _ arguments: [String], input: [UInt8]? = nil, writes: Bool = false,
    consume: (inout [UInt8]) -> Void = { _ in }
  ) async throws(CommandFailure) -> GitOutput {
    guard let git = program() else {
      throw CommandFailure(.inputOutput, "git is not on the PATH; install it, or set PATH")
    }
    let command = HardenedCommand(arguments, in: location, writes: writes)
    let process = ChildProcess(
      program: git, arguments: command.arguments, environment: command.environment,
      patience: patience)
    do {
      return try process.run(input: input, consume: consume)
    } catch {
      switch error {
      case .system(let error):
        throw CommandFailure(.inputOutput, "git cannot be run: \(error.reason)")
      case .silence(let seconds):
        throw CommandFailure(
          .inputOutput,
          "git \(arguments.first ?? "") did not answer within \(counted(seconds, "second")), and was "
            + "ended; set \(Self.patienceVariable) to wait longer")
      }
    }
  }

  private static let patienceVariable = "BOXJOINT_GIT_TIMEOUT"

  /// The maximum time, in seconds, in which git does nothing.
  private var patience: Int {
    let seconds = location.variable(Self.patienceVariable).flatMap { Int($0) } ?? 0
    return (1...1_000_000).contains(seconds) ? seconds : 600
  }

  /// Runs git, and throws for every exit status other than 0.
  ///
  /// - Throws: ``CommandFailure`` with the given status and git's own words, or of the kind
  ///   `inputOutput` if git cannot be run.
  package func require(
    _ arguments: [String], input: [UInt8]? = nil, writes: Bool = false,
    otherwise kind: FailureKind = .inputOutput
  ) async throws(CommandFailure) -> GitOutput {
    let output = try await run(arguments, input: input, writes: writes)
    guard output.status == 0 else {
      throw failure(of: arguments.first ?? "", output, kind)
    }
    return output
  }

  /// The failure of a command of git, in git's own words.
  package func failure(
    of command: String, _ output: GitOutput, _ kind: FailureKind = .inputOutput
  ) -> CommandFailure {
    CommandFailure(kind, "git \(command): \(output.complaint)")
  }
}
