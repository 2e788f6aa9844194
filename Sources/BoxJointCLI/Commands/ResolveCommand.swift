internal import ArgumentParser
internal import BoxMerge
internal import BoxReport

/// `boxjoint resolve`: resolves the conflicted model files of a repository.
struct ResolveCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "resolve",
    abstract: "Resolves conflicted model files.",
    discussion: """
      Without FILE, finds the conflicted model files of the repository. The versions come from \
      git's index, or else from conflict markers of any style in the file. On a terminal, asks \
      about each conflict that is left: o takes ours, t theirs, oo and tt so for all that follow, b \
      shows the base, s skips, u takes the last answer back, ? explains. Elsewhere --take or \
      --decisions answer.

      What is resolved is checked and staged. What is open stays between markers, and the \
      conflicted file is kept as FILE.orig until the result is staged.

      Examples:
        boxjoint resolve
        boxjoint resolve --take theirs objectbox-model.json
        boxjoint resolve --dry-run --format json
        boxjoint resolve --decisions decisions.json

      Exit status: 0 nothing is open; 1 something is; 2 a side was generated anew, or no file is \
      named and this is no repository; 65 a version is no model; 74 something could not be read or \
      written; 78 wrong configuration. With several files, the gravest.
      """)

  @Argument(help: ArgumentHelp("The files; all conflicted model files if none.", valueName: "file"))
  var files: [String] = []

  @Option(
    name: [.long, .customLong("favor")], help: "The side that wins every conflict.")
  var take: SideArgument?

  @OptionGroup var choices: ConflictChoiceArguments

  @Flag(help: "Match a side that was generated anew by name and type onto the UIDs from before.")
  var rematch = false

  @Flag(name: [.customShort("n"), .long], help: "Write nothing; only say what would be.")
  var dryRun = false

  @Flag(help: "Leave the result unstaged.")
  var noStage = false

  @Option(help: "The form of the report.")
  var format: TextOrJSON = .text

  @OptionGroup var arguments: ConfigurationArguments

  func run() async throws {
    let git = GitClient()
    let repository = try await git.repository()
    let configuration = try await EffectiveConfiguration.load(
      arguments.options(), git: repository == nil ? nil : git)
    let found = try await ConflictedFiles(
      git: git, topLevel: repository?.topLevel, patterns: configuration.filePatterns
    ).find(named: files)
    let decided = try choices.read()
    let asks =
      take == nil && choices.decisions == nil && !dryRun && format == .text
      && Terminal.isTerminal(.input) && Terminal.isTerminal(.error)
    let resolver = ConflictResolver(
      options: ConflictResolver.Options(
        favor: take?.side, choices: decided, rematches: rematch, isDryRun: dryRun,
        stages: !noStage, asks: asks),
      configuration: configuration, repository: repository, git: git)
    var report = ResolveReport(files: [], isDryRun: dryRun)
    for file in found {
      let resolved = await resolver.resolve(file)
      report.files.append(resolved)
      if let failure = resolved.failure { StandardError.writeLine(failure.line) }
      if resolved.isQuit { break }
    }
    noteUnused(decided, report)
    try StandardOutput.write(format == .json ? report.json : report.text)
    if report.status != .success { throw report.status.exitCode }
  }

  /// Reports the decisions that do not name a conflict, if every file was merged.
  private func noteUnused(_ decided: [String: Resolution], _ report: ResolveReport) {
    let known = report.files.compactMap(\.conflictIDs)
    if known.isEmpty || known.count < report.files.count { return }
    for id in decided.keys.sorted() where !known.contains(where: { $0.contains(id) }) {
      StandardError.writeLine(
        "boxjoint: note: the decision about '\(id)' names no conflict".escapedForDisplay)
    }
  }
}
