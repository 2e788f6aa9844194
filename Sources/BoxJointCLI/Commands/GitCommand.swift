internal import ArgumentParser
internal import BoxJSON
internal import BoxModelTool
internal import BoxReport
internal import BoxTerminal

/// `boxjoint git`: puts the tool into git and takes it out.
struct GitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "git",
    abstract: "Let git merge and show model files with BoxJoint.",
    discussion: """
      Examples:
        boxjoint git install           for this repository; changes no committed file
        boxjoint git install --shared  for the whole team, with .gitattributes
        boxjoint git install --global  for all repositories of this user
        boxjoint git install --mergetool
                                       also for 'git mergetool --tool=boxjoint'
        boxjoint git status            show what is active, and what is wrong
        boxjoint git uninstall         remove what install wrote
      """,
    subcommands: [
      GitInstallCommand.self, GitUninstallCommand.self, GitStatusCommand.self, GitHookCommand.self,
    ])
}

/// The options that choose the files of git to configure.
struct IntegrationScopeArguments: ParsableArguments {
  @Flag(help: "Use the configuration of the user, for all repositories.")
  var global = false

  @Flag(help: "Use the committed .gitattributes for the patterns.")
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
    abstract: "Install the merge driver, the readable diff and the hooks.",
    discussion: """
      Sets merge.boxjoint and diff.boxjoint in git's configuration, and writes a block of patterns \
      to the attributes. If you run it again, it updates what is out of date. If the program is \
      missing later, git merges and shows the files as text. --mergetool also sets \
      mergetool.boxjoint. It does not change merge.tool, since git runs that tool for files of \
      every kind.

      The hooks post-merge, post-commit and pre-push check the model after a merge and a revert, \
      and before a push, since git often takes a file without the driver. On a terminal, install \
      asks whether to install them. Hooks of other tools continue to work. --no-hooks also removes \
      hooks that were installed. With --global, none are installed.

      Examples:
        boxjoint git install --shared
        boxjoint git install --no-hooks

      Exit status:
        0   installed
        2   there is no repository
        64  wrong usage
        74  git cannot be run, or a file cannot be written
        78  wrong configuration
      """)

  @OptionGroup var place: IntegrationScopeArguments
  @OptionGroup var arguments: ConfigurationArguments

  @Flag(help: "Also set up 'git mergetool --tool=boxjoint', which asks about each conflict.")
  var mergetool = false

  @Flag(
    inversion: .prefixedNo,
    help: "Check the model after merges and reverts, and before a push. (default: ask, or yes)")
  var hooks: Bool?

  @Option(
    help: ArgumentHelp(
      """
      The program that git runs; defaults to 'boxjoint' if the PATH finds this program, and to the \
      path of this program otherwise.
      """, valueName: "name-or-path"), transform: namedPath)
  var program: String?

  func validate() throws {
    if place.global && hooks == true {
      throw ValidationError("--global and --hooks exclude each other: hooks are of one repository.")
    }
  }

  func run() async throws {
    guard let program = program ?? RunningProgram.command(), !program.isEmpty else {
      throw CommandFailure(
        .impossible, "the path of this program is unknown; name it with --program")
    }
    let configuration = try await EffectiveConfiguration.load(arguments.options(), in: .console)
    let output = try ChangeOutput()
    let integration = GitIntegration(git: GitClient())
    var report = try await integration.install(
      place.scope, program: program, patterns: configuration.filePatterns, mergeTool: mergetool,
      hooks: try await hooksToInstall(integration))
    if place.global {
      report.notes.append(
        "hooks are of one repository, and none were installed; 'boxjoint git install --hooks' in a "
          + "repository installs them")
    }
    try output.report("installed") { () throws(CommandFailure) in
      try report.write(otherwise: "everything is installed already")
    }
  }

  /// Whether the hooks are installed, or removed; nil if they stay as they are.
  private func hooksToInstall(
    _ integration: GitIntegration
  ) async throws(CommandFailure) -> Bool? {
    if place.global { return nil }
    if let hooks { return hooks }
    guard Terminal.isTerminal(.input), Terminal.isTerminal(.output) else { return true }
    guard try await integration.lacksHooks() else { return true }
    let question =
      "Install hooks that check the model after merges and reverts, and before a push"
    return Confirmation.isYes(question) ? true : nil
  }
}

/// `boxjoint git uninstall`.
struct GitUninstallCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "uninstall",
    abstract: "Remove what install wrote.",
    discussion: """
      Removes the keys and the block of patterns. Also removes files that install created, if they \
      contain nothing else.

      Example:
        boxjoint git uninstall --global

      Exit status:
        0   nothing that install wrote is left
        2   there is no repository
        64  wrong usage
        74  git cannot be run, or a file cannot be written
      """)

  @OptionGroup var place: IntegrationScopeArguments

  func run() async throws {
    let output = try ChangeOutput()
    let report = try await GitIntegration(git: GitClient()).uninstall(place.scope)
    try output.report("uninstalled") { () throws(CommandFailure) in
      try report.write(otherwise: "nothing was installed")
    }
  }
}

/// `boxjoint git status`.
struct GitStatusCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show what is active for which file, and what is wrong.",
    discussion: """
      With --global or --shared, status checks only what install writes with the same option. \
      --global does not need a repository.

      Examples:
        boxjoint git status --format json
        boxjoint git status --global

      Exit status:
        0   no problems found
        1   something is wrong, or nothing is installed
        2   there is no repository
        64  wrong usage
        74  git cannot be run, or a file cannot be read
        78  wrong configuration
      """)

  @OptionGroup var place: IntegrationScopeArguments
  @OptionGroup var arguments: ConfigurationArguments

  @Option(help: "The output format.")
  var format: TextOrJSON = .text

  func run() async throws {
    let git = GitClient()
    let configuration = try await EffectiveConfiguration.load(arguments.options(), in: .console)
    var status = try await IntegrationInspector(git: git, patterns: configuration.filePatterns)
      .inspect(place.global || place.shared ? place.scope : nil)
    if !place.global {
      status.published = try await PublishedReferences.resolve(configuration[.published], git: git)
    }
    let report = IntegrationStatusReport(status: status)
    try StandardOutput.write(format == .json ? report.json.displayText : report.text)
    try endCommand(ifFindings: !status.problems.isEmpty)
  }
}

extension GitIntegration.Report {
  /// Prints what was done, or that nothing was to do.
  fileprivate func write(otherwise nothing: String) throws(CommandFailure) {
    let lines = (changes.isEmpty ? [nothing] : changes) + notes.map { "note: " + $0 }
    try StandardOutput.write(lines.map { $0.escapedForDisplay + "\n" }.joined())
  }
}
