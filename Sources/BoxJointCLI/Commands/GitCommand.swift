internal import ArgumentParser
internal import BoxJSON
internal import BoxReport

/// `boxjoint git`: puts the tool into git and takes it out.
struct GitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "git",
    abstract: "Lets git merge and show model files with this tool.",
    discussion: """
      Examples:
        boxjoint git install           for this repository, nothing to commit
        boxjoint git install --shared  for the whole team, by .gitattributes
        boxjoint git install --global  for all repositories of this user
        boxjoint git install --mergetool
                                       for 'git mergetool --tool=boxjoint' too
        boxjoint git status            what is active for which file, what is wrong
        boxjoint git uninstall         takes all of it out again
      """,
    subcommands: [GitInstallCommand.self, GitUninstallCommand.self, GitStatusCommand.self])
}

/// The options that choose the files of git to configure.
struct IntegrationScopeArguments: ParsableArguments {
  @Flag(help: "In the configuration of the user, for all repositories.")
  var global = false

  @Flag(help: "The patterns in .gitattributes, which is committed.")
  var shared = false

  var scope: IntegrationScope { global ? .global : shared ? .shared : .local }

  func validate() throws {
    if global && shared {
      throw ValidationError("--global and --shared exclude each other.")
    }
  }
}

/// `boxjoint git install`.
struct GitInstallCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "install",
    abstract: "Installs the merge driver and the readable diff.",
    discussion: """
      Sets merge.boxjoint and diff.boxjoint in git's configuration and writes a block of patterns \
      to the attributes. Running it again changes nothing, or brings it up to date. Where the \
      program is missing later, git merges and shows the files as text. With --mergetool it also sets \
      mergetool.boxjoint, and leaves merge.tool alone: git runs that for files of every kind.

      Example:
        boxjoint git install --shared

      Exit status: 0 installed; 2 this is no repository; 74 git cannot be run, or a file cannot be \
      written; 78 wrong configuration.
      """)

  @OptionGroup var place: IntegrationScopeArguments
  @OptionGroup var arguments: ConfigurationArguments

  @Flag(help: "Also set up 'git mergetool --tool=boxjoint', which asks about each conflict.")
  var mergetool = false

  @Option(
    help: ArgumentHelp(
      """
      The program that git is to run, by default 'boxjoint' where the PATH leads to this program, \
      and else the path of this program.
      """, valueName: "name-or-path"))
  var program: String?

  func run() async throws {
    guard let program = program ?? RunningProgram.command(), !program.isEmpty else {
      throw CommandFailure(
        .impossible, "the path of this program is unknown; name it with --program")
    }
    let configuration = try await EffectiveConfiguration.load(arguments.options())
    let report = try await GitIntegration(git: GitClient()).install(
      place.scope, program: program, patterns: configuration.filePatterns, mergeTool: mergetool)
    try report.write(otherwise: "everything is installed already")
  }
}

/// `boxjoint git uninstall`.
struct GitUninstallCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "uninstall",
    abstract: "Takes out what install put in.",
    discussion: """
      Removes the keys and the block of patterns, and files that install made if nothing else is \
      in them.

      Example:
        boxjoint git uninstall --global

      Exit status: 0 nothing of it is left; 2 this is no repository; 74 git cannot be run, or a file \
      cannot be written.
      """)

  @OptionGroup var place: IntegrationScopeArguments

  func run() async throws {
    let report = try await GitIntegration(git: GitClient()).uninstall(place.scope)
    try report.write(otherwise: "nothing was installed")
  }
}

/// `boxjoint git status`.
struct GitStatusCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Says what is active for which file, and what is wrong.",
    discussion: """
      With --global or --shared only what install does with the same option is looked at; --global \
      needs no repository.

      Examples:
        boxjoint git status --format json
        boxjoint git status --global

      Exit status: 0 all is well; 1 something is wrong, or nothing is installed; 2 this is no \
      repository; 78 wrong configuration.
      """)

  @OptionGroup var place: IntegrationScopeArguments
  @OptionGroup var arguments: ConfigurationArguments

  @Option(help: "How to print.")
  var format: TextOrJSON = .text

  func run() async throws {
    let git = GitClient()
    let configuration = try await EffectiveConfiguration.load(arguments.options())
    let status = try await IntegrationInspector(git: git, patterns: configuration.filePatterns)
      .inspect(place.global || place.shared ? place.scope : nil)
    let report = IntegrationStatusReport(status: status)
    try StandardOutput.write(format == .json ? report.json.displayText : report.text)
    if !status.problems.isEmpty { throw ExitStatus.findings.exitCode }
  }
}

extension GitIntegration.Report {
  /// Prints what was done, or that nothing was to do.
  fileprivate func write(otherwise nothing: String) throws(CommandFailure) {
    let lines = (changes.isEmpty ? [nothing] : changes) + notes.map { "note: " + $0 }
    try StandardOutput.write(lines.map { $0.escapedForDisplay + "\n" }.joined())
  }
}
