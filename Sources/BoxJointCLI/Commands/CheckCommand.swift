internal import ArgumentParser
internal import BoxReport

/// `boxjoint check`: says what is wrong with model files.
struct CheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Says what is wrong with model files, and mends what has one right way.",
    discussion: """
      Without a file, the model files of the repository are checked: those that git tracks and the \
      setting 'files' matches, as far as they are models. What a sparse checkout leaves out is read \
      from the index. In place of a path, REF:PATH reads from git, - from standard input, and \
      store:DIR the model of a store. With --fix and -, the mended file goes to standard output and \
      the report to standard error. With --against and a revision, the settings are those of the \
      revision, unless --config names a file.

      --against REF compares with the commit where this version left the revision (git merge-base). \
      What was added there since is not in this version: it is not reported, and --fix does not \
      retire it. A file, or REF:PATH, is compared with exactly as it is: what it has more is gone.

      Examples:
        boxjoint check objectbox-model.json
        boxjoint check --fix
        boxjoint check --against refs/remotes/origin/main --format github
        boxjoint check --output sarif=check.sarif --output junit=check.xml

      Exit status: 0 no errors; 1 errors (with --strict also warnings); 2 no file is named, and this \
      is no repository, or a sparse checkout leaves out what --fix would mend; 64 wrong usage, also an \
      output that is an input, or the repository has no such file; 65 a file is no model \
      that can be read; 74 a file could not be read or written; 78 wrong configuration. With several \
      files, the gravest.
      """)

  @Argument(help: ArgumentHelp("The model files.", valueName: "file"))
  var files: [String] = []

  @Flag(help: "Mend what has exactly one right way, then report the rest.")
  var fix = false

  @Option(
    help: ArgumentHelp(
      "Compare with an earlier version: the same path where this one left a revision, or a file.",
      valueName: "ref-or-file"))
  var against: String?

  @Flag(help: "Leave out files that are something else than a model.")
  var ifModel = false

  @Flag(help: "Let warnings count for the exit status.")
  var strict = false

  @Option(help: "How to print.")
  var format = WordChoice(ReportFormat.text)

  @Option(
    help: ArgumentHelp(
      "Also write the report to a file, such as sarif=check.sarif. Repeatable.",
      valueName: "format=path"))
  var output: [OutputDestination<ReportFormat>] = []

  @OptionGroup var findingLimit: FindingLimitArguments

  @Option(help: "When to use colours.")
  var color: ColorChoice = .auto

  @Flag(name: .shortAndLong, help: "Print only what counts for the exit status.")
  var quiet = false

  @OptionGroup var configuration: ConfigurationArguments

  func validate() throws {
    if files.count(where: { $0 == "-" }) > 1 {
      throw ValidationError("Standard input can be read once only.")
    }
    if output.contains(where: { $0.path == "-" }) {
      throw ValidationError("--format prints to standard output; --output writes to files.")
    }
  }

  func run() async throws {
    let git = GitClient()
    let base = try await EarlierVersion.base(against, of: files.first)
    let settings = try await EffectiveConfiguration.load(
      configuration.options(), git: git.isInstalled() ? git : nil, base: base)
    let ignored = try IgnoredRules(settings[.ignoredRules])
    var references = files.map { SourceReference($0) }
    if references.isEmpty {
      references = try await RepositoryModels.references(
        settings.filePatterns, readsIndex: !fix)
    }
    var check = ModelCheck(
      ignored: ignored, fixes: fix,
      leavesOthersOut: ifModel || files.isEmpty, counting: strict ? .warning : .error,
      limit: findingLimit.limit(for: [format.word] + output.map(\.format)))
    if let against {
      check.earlier = try await EarlierVersion(against, of: references)
    }
    try check.requireFixable(references)
    try requireOutputs(
      output.map(\.path),
      notAmong: references.map(\.argument)
        + [against, configuration.configurationPath].compactMap { $0 })
    for reference in references { await check.check(reference) }
    check.add(settings.changes.map(\.finding))
    try write(check)
    if check.status != .success { throw check.status.exitCode }
  }

  /// Prints the report and writes it to the files that were asked for.
  private func write(_ check: ModelCheck) throws(CommandFailure) {
    let stream: StandardStream = check.mended == nil ? .output : .error
    let style = TextStyle(
      color: Terminal.usesColor(color, on: stream), width: Terminal.width(of: stream))
    let report = check.report
    let limit = findingLimit.maxFindings
    for destination in output { try destination.write(report, limit: limit) }
    let shown = quiet ? check.countingReport : report
    // Where nothing could be read, standard error has said why.
    let isFailed = report.summary.files == 0 && check.status != .success
    let isEmpty = format.word == .text && shown.findings.isEmpty && (quiet || isFailed)
    let text = isEmpty ? "" : shown.render(format.word, style: style, limit: limit)
    if let mended = check.mended {
      StandardError.write(text)
      try StandardOutput.writeModel(mended)
    } else {
      try StandardOutput.write(text, isCommands: format.word == .github)
    }
  }
}
