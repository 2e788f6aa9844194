internal import Subprocess

/// What a run of git left.
struct GitOutput: Hashable, Sendable {
  /// The exit status; 128 and the number of the signal where a signal ended git.
  var status: Int32
  var standardOutput: [UInt8]
  var standardError: [UInt8]

  /// Standard output without the line endings at its end.
  var text: String {
    var bytes = standardOutput[...]
    while let last = bytes.last, last == 0x0A || last == 0x0D { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The first line that git printed as an error, without git's `fatal:` or `error:`.
  ///
  /// If git printed a command that makes it trust a repository of another user, the command
  /// follows.
  var complaint: String {
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
struct GitClient: Hashable, Sendable {
  /// The directory that git runs in, and its environment.
  let location: RepositoryLocation

  /// A client for the repository of the working directory.
  init() { location = .working }

  /// A client for the repository that a directory is in.
  init(in folder: String) { location = .containing(folder) }

  /// Whether there is a git on the path.
  func isInstalled() async -> Bool {
    (try? await Executable.name("git").resolveExecutablePath(in: .inherit)) != nil
  }

  /// Runs git and waits for it.
  ///
  /// An exit status other than 0 is a value, not an error. Without `input`, standard input is
  /// empty; `writes` says that the command is meant to change the repository.
  ///
  /// - Throws: ``CommandFailure`` with status 74 if git is missing or cannot be run.
  func run(
    _ arguments: [String], input: [UInt8]? = nil, writes: Bool = false
  ) async throws(CommandFailure) -> GitOutput {
    do {
      // By its bare name, the package would try git in each folder of the PATH by a new process.
      let git = try await Executable.name("git").resolveExecutablePath(in: .inherit)
      let command = HardenedCommand(arguments, in: location, writes: writes)
      let configuration = Configuration(
        executable: .path(git), arguments: Arguments(command.arguments),
        environment: .inherit.updating(
          Dictionary(
            uniqueKeysWithValues: command.environment.map {
              (Environment.Key(stringLiteral: $0), $1)
            })))
      if let input {
        let result = try await Subprocess.run(
          configuration, input: .inputWriter, output: .bytes(limit: .max),
          error: .bytes(limit: .max)
        ) { execution in
          // Where git ends before it has read all of it, its status says why. The package would take
          // the broken pipe for an error, and end this process on the way out.
          let writer = execution.standardInputWriter
          _ = try? await writer.write(input)
          try await writer.finish()
        }
        return GitOutput(
          status: exitStatus(result.terminationStatus), standardOutput: result.standardOutput,
          standardError: result.standardError)
      }
      let result = try await Subprocess.run(
        configuration, input: .none, output: .bytes(limit: .max), error: .bytes(limit: .max))
      return GitOutput(
        status: exitStatus(result.terminationStatus), standardOutput: result.standardOutput,
        standardError: result.standardError)
    } catch {
      throw failure(error)
    }
  }

  /// Runs git, and throws for every exit status other than 0.
  ///
  /// - Throws: ``CommandFailure`` with the given status and git's own words, or with status 74 if
  ///   git cannot be run.
  func require(
    _ arguments: [String], input: [UInt8]? = nil, writes: Bool = false,
    otherwise status: ExitStatus = .inputOutput
  ) async throws(CommandFailure) -> GitOutput {
    let output = try await run(arguments, input: input, writes: writes)
    guard output.status == 0 else {
      throw failure(of: arguments.first ?? "", output, status)
    }
    return output
  }

  /// The failure of a command of git, in git's own words.
  func failure(
    of command: String, _ output: GitOutput, _ status: ExitStatus = .inputOutput
  ) -> CommandFailure {
    CommandFailure(status, "git \(command): \(output.complaint)")
  }

  private func exitStatus(_ status: TerminationStatus) -> Int32 {
    switch status {
    case .exited(let code): code
    case .signaled(let signal): 128 + signal
    }
  }

  private func failure(_ error: any Error) -> CommandFailure {
    if let error = error as? SubprocessError, error.code == .executableNotFound {
      return CommandFailure(.inputOutput, "git is needed for this, and is not on the PATH")
    }
    return CommandFailure(.inputOutput, "git cannot be run: \(error)")
  }
}
