internal import ArgumentParser
internal import BoxModelTool
internal import BoxReport
internal import BoxTerminal

/// `boxjoint check`: says what is wrong with model files.
struct CheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check model files for problems; --fix applies unambiguous fixes.",
    discussion: """
      Without a file, check reads the model files of the repository. These are the files that git \
      tracks and that match the setting 'files'; files that are not models are skipped. Files that \
      a sparse checkout leaves out are read from the index.

      In place of a path, pass REF:PATH to read from git, - for standard input, or store:DIR for \
      the model of a store. With --fix and -, the fixed file goes to standard output and the \
      report to standard error.

      --against REF compares with the commit where this version left the revision (git \
      merge-base). Elements that were added there later are not in this version: they are not \
      reported, and --fix does not retire them. A file, or REF:PATH, is compared exactly as it is: \
      elements that only the other version has count as removed. With a revision, the settings are \
      those of the revision, unless --config names a file.

      In a repository, the file is also compared with the commit that it follows, with both \
      commits of a merge, and with the published versions that it comes from. An element that is \
      there under another UID, with the same name and type, would begin without its data (BOX210). \
      --fix gives it its UID back; --fix --approve notes in .boxjoint-approvals.json that it is meant.

      Examples:
        boxjoint check objectbox-model.json
        boxjoint check --fix
        boxjoint check --staged
        boxjoint check --against refs/remotes/origin/main --format github
        boxjoint check --output sarif=check.sarif --output junit=check.xml
        boxjoint check --explain BOX204

      Exit status:
        0   no errors
        1   errors; with --strict also warnings
        2   no file is named and there is no repository, or a sparse checkout
            leaves out a file that --fix would change
        64  wrong usage, including an output that is also an input, or a file
            that the repository does not have
        65  a file is not a readable model
        74  a file cannot be read or written
        78  wrong configuration

      With several files, the most severe status counts.
      """)

  @Argument(
    help: ArgumentHelp(
      "The model files to check; defaults to all of the repository.", valueName: "file"),
    transform: namedPath)
  var files: [String] = []

  @Flag(help: "Apply unambiguous fixes, then report the rest.")
  var fix = false

  @Option(
    help: ArgumentHelp(
      "Compare with an earlier version: a file, or the same path where this version left a "
        + "revision.",
      valueName: "ref-or-file"), transform: namedPath)
  var against: String?

  @Flag(
    help:
      "With --fix: note in .boxjoint-approvals.json that resets (BOX210) and changed types (BOX205) are meant."
  )
  var approve = false

  @Flag(help: "Read the files from git's index, as the next commit will have them.")
  var staged = false

  @Option(
    help: ArgumentHelp(
      "The rules about removals; defaults to NAME.rules.json beside the model file NAME.json.",
      valueName: "file"), transform: namedPath)
  var rules: String?

  @Flag(help: "Skip files that are not models.")
  var ifModel = false

  @Flag(help: "Treat warnings as errors.")
  var strict = false

  @Option(help: "The output format.")
  var format = WordChoice(ReportFormat.text)

  @Option(
    help: ArgumentHelp(
      "Also write the report to a file, such as sarif=check.sarif. Repeatable.",
      valueName: "format=path"))
  var output: [OutputDestination<ReportFormat>] = []

  @OptionGroup var findingLimit: FindingLimitArguments

  @Option(help: "When to use colours.")
  var color: ColorChoice = .auto

  @Flag(name: .shortAndLong, help: "Print only findings that affect the exit status.")
  var quiet = false

  @OptionGroup var configuration: ConfigurationArguments

  @OptionGroup var explanation: ExplainArguments

  func validate() throws {
    if explanation.explain != nil, !files.isEmpty {
      throw ValidationError("--explain takes no file.")
    }
    if rules != nil, files.count != 1 { throw ValidationError("--rules needs one named model.") }
    if (files + [rules]).count(where: { $0 == "-" }) > 1 {
      throw ValidationError("Standard input can be read only once.")
    }
    if approve, !fix { throw ValidationError("--approve needs --fix.") }
    if staged, fix { throw ValidationError("--staged reads the index, which --fix cannot write.") }
    if output.contains(where: { $0.path == "-" }) {
      throw ValidationError("--format prints to standard output; --output writes to files.")
    }
  }

  func run() async throws {
    if let text = try explanation.text(from: .boxjoint, otherwise: "boxjoint-generate") {
      return try StandardOutput.write(text)
    }
    var request = CheckRequest(
      files, limit: findingLimit.limit(for: [format.word] + output.map(\.format)))
    request.against = against
    request.rules = RulesChoice(rules)
    request.fixes = fix
    request.approvesResets = approve
    request.readsIndex = staged
    request.leavesOthersOut = ifModel
    request.counting = strict ? .warning : .error
    request.outputs = output.map(\.path)
    request.configuration = configuration.options()
    let standardOutput = try ChangeOutput(isChange: fix)
    let check = try await request.run(in: .console)
    try standardOutput.report("what can be fixed is fixed") { () throws(CommandFailure) in
      try write(check)
    }
    try check.outcome.endCommand()
  }

  /// Prints the report and writes it to the files that were asked for.
  private func write(_ check: CheckReport) throws(CommandFailure) {
    let stream: StandardStream = check.fixedInput == nil ? .output : .error
    let style = TextStyle(
      color: Terminal.usesColor(color, on: stream), width: Terminal.width(of: stream))
    let report = check.report.withLimitOption
    let limit = findingLimit.maxFindings
    for destination in output { try destination.write(report, limit: limit) }
    let shown = quiet ? check.countingReport.withLimitOption : report
    let isEmpty = format.word == .text && shown.findings.isEmpty && (quiet || check.isFailed)
    let text = isEmpty ? "" : shown.render(format.word, style: style, limit: limit)
    if let fixed = check.fixedInput {
      StandardError.write(text)
      try StandardOutput.write(fixed, isData: true)
    } else {
      try StandardOutput.write(text, isCommands: format.word == .github)
    }
  }
}
