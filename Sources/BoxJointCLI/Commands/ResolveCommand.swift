internal import ArgumentParser
internal import BoxMerge
internal import BoxModelTool
internal import BoxReport
internal import BoxTerminal

/// `boxjoint resolve`: resolves the conflicted model files of a repository.
struct ResolveCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "resolve",
    abstract: "Resolve conflicted model files.",
    discussion: """
      Without a file, resolve finds the conflicted model files of the repository. The versions \
      come from git's index, or else from conflict markers of any style in the file. On a \
      terminal, resolve asks about each conflict that remains:

        o, t    take ours or theirs
        oo, tt  take ours or theirs for all that follow
        b       show the base
        s       skip the conflict
        u       undo the last answer
        q       leave this file and the following ones as they are
        ?       explain ours and theirs

      Elsewhere pass --take or --decisions. Resolved files are checked and staged. Open conflicts \
      stay between markers. The conflicted file is kept as FILE.orig until the result is staged.

      Examples:
        boxjoint resolve
        boxjoint resolve --take theirs objectbox-model.json
        boxjoint resolve --dry-run --format json
        boxjoint resolve --dry-run --format markdown
        boxjoint resolve --decisions decisions.json

      Exit status:
        0   no conflict is open
        1   a conflict is open
        2   a side was generated from scratch, or no file is named and there
            is no repository
        64  wrong usage
        65  a version is not a model
        74  something cannot be read or written
        78  wrong configuration

      With several files, the most severe status counts.
      """)

  @Argument(
    help: ArgumentHelp(
      "The files to resolve; defaults to all conflicted model files.", valueName: "file"),
    transform: namedPath)
  var files: [String] = []

  @Option(
    name: [.long, .customLong("favor")], help: "The side that wins every conflict.")
  var take: WordChoice<MergeSide>?

  @OptionGroup var choices: ConflictChoiceArguments

  @Flag(help: "Give a side that was generated from scratch its old UIDs, matched by name and type.")
  var rematch = false

  @Flag(name: [.customShort("n"), .long], help: "Show what would be done, and write nothing.")
  var dryRun = false

  @Flag(help: "Do not stage the result.")
  var noStage = false

  @Option(help: "The format of the report.")
  var format: MergeReportFormat = .text

  @OptionGroup var arguments: ConfigurationArguments

  func run() async throws {
    let asks =
      take == nil && choices.decisions == nil && !dryRun && format == .text
      && Terminal.isTerminal(.input) && Terminal.isTerminal(.error)
    var request = ResolveRequest(files)
    request.options = ConflictResolver.Options(
      favor: take?.word, rematches: rematch, isDryRun: dryRun, stages: !noStage)
    request.decisions = choices.decisions
    request.prompt = asks ? .terminal : nil
    request.configuration = arguments.options()
    let output = try ChangeOutput(isChange: !dryRun)
    let report = try await request.run(in: .console)
    try output.report("what can be resolved is resolved") { () throws(CommandFailure) in
      switch format {
      case .text: try StandardOutput.write(report.text)
      case .markdown: try StandardOutput.write(report.markdown)
      case .json: try StandardOutput.write(report.json)
      }
    }
    try report.outcome.endCommand()
  }
}

extension ConflictPrompt {
  /// Asks on standard error, and reads the answers from standard input.
  fileprivate static let terminal = ConflictPrompt(readAnswer: { readLine() }) { text in
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      StandardError.writeLine(String(line))
    }
  }
}
