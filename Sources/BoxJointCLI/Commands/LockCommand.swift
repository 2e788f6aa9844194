internal import ArgumentParser
internal import BoxMigration
internal import BoxModelTool
internal import BoxReport
internal import BoxTerminal

/// `boxjoint lock`: keeps released versions from being edited.
struct LockCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lock",
    abstract: "Detect edits to released versions of a model.",
    discussion: """
      Without a subcommand, 'boxjoint lock' runs 'boxjoint lock write'.

      Examples:
        boxjoint lock schemas/v1.json schemas/v2.json
        boxjoint lock v1.0:objectbox-model.json
        boxjoint lock check
      """,
    subcommands: [LockWriteCommand.self, LockCheckCommand.self],
    defaultSubcommand: LockWriteCommand.self)
}

/// `boxjoint lock write`: takes the fingerprints of versions.
struct LockWriteCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "write",
    abstract: "Write a fingerprint of each entity of released versions.",
    discussion: """
      The fingerprints go to .boxjoint-lock.json at the top of the repository; commit that file. \
      Outside of a repository, the file is in the working directory. Paths in the file start from \
      its directory. If a version is already locked and differs, it is refused without --replace.

      Examples:
        boxjoint lock write schemas/v1.json schemas/v2.json
        boxjoint lock write v1.0:objectbox-model.json

      Exit status:
        0   the lock was written
        1   a locked version differs
        64  wrong usage
        65  a file is not a model, or the lock is damaged
        74  something cannot be read or written
      """)

  @Argument(
    help: ArgumentHelp("The versions to lock: files, or REF:PATH.", valueName: "file"),
    transform: namedPath)
  var files: [String]

  @Option(
    help: ArgumentHelp("The lock file; defaults to .boxjoint-lock.json.", valueName: "path"),
    transform: namedPath)
  var lock: String?

  @Flag(help: "Replace the fingerprints of versions that are already locked.")
  var replace = false

  @Option(help: "The output format.")
  var format: TextOrJSON = .text

  func validate() throws {
    if files.contains("-") {
      throw ValidationError("Standard input has no name to be locked under; name a file.")
    }
  }

  func run() async throws {
    let output = try ChangeOutput()
    let (report, count) = try await LockRequest(lock: lock).write(
      files, replaces: replace, in: .console)
    for complaint in report.complaints { StandardError.writeLine(complaint) }
    try output.report("the lock is written") { () throws(CommandFailure) in
      switch format {
      case .json: try StandardOutput.write(report.json.displayText)
      case .text:
        if !report.hasRefusals {
          let versions = counted(count, "version is", "versions are")
          try StandardOutput.write("\(report.lock.escapedForDisplay): \(versions) locked\n")
        }
      }
    }
    try endCommand(ifFindings: report.hasRefusals)
  }
}

/// `boxjoint lock check`: says whether a locked version was edited.
struct LockCheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check whether a released version was edited.",
    discussion: """
      Reads every version of .boxjoint-lock.json, at the top of the repository or in the working \
      directory. Each is compared with its fingerprints. Versions that cannot be read are listed, \
      and the others are still compared.

      A change can edit a version together with its lock. In CI, use --against to compare with the \
      fingerprints of the base. Then these are errors too: a version that the change removes from \
      the lock, other fingerprints, and a lock without versions.

      Examples:
        boxjoint lock check
        boxjoint lock check --against refs/remotes/origin/main

      Exit status:
        0   no version was edited
        1   a version was edited, or the lock of the base was
        64  wrong usage
        65  a file is not a model, or the lock is damaged
        74  something cannot be read
      """)

  @Option(help: ArgumentHelp("Compare with the lock of this revision.", valueName: "ref"))
  var against: String?

  @Option(
    help: ArgumentHelp("The lock file; defaults to .boxjoint-lock.json.", valueName: "path"),
    transform: namedPath)
  var lock: String?

  @Option(help: "The output format.")
  var format: TextOrJSON = .text

  func run() async throws {
    let (report, failure) = try await LockRequest(lock: lock).check(against: against, in: .console)
    for complaint in report.complaints { StandardError.writeLine(complaint) }
    try StandardOutput.write(format == .text ? report.text : report.json.displayText)
    // A version that could not be read may be edited too.
    if let failure { throw ExitStatus(failure.kind).exitCode }
    try endCommand(ifFindings: report.hasEdits)
  }
}
