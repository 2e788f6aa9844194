internal import ArgumentParser
internal import BoxMigration
internal import BoxModel
internal import BoxModelTool
internal import BoxReport
internal import BoxTerminal

/// `boxjoint plan show`: prints the plan of a change of model.
struct PlanShowCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show what a new model does to the databases of an old one.",
    discussion: """
      OLD and NEW are files, REF:PATH for a file in git, - for standard input, or store:DIR for \
      the model of a store. The data of an old store is counted, and the relations of a store are \
      checked. In a work tree, a directory is opened as a store only with store: in front of it. \
      For a branch that is called store, write refs/heads/store:PATH.

      With --against, OLD is the same path in a revision. With --merge-base too, OLD is the \
      version at the commit where HEAD left the revision. Later changes of others are then not \
      part of the plan. Without a file, plan uses the only model file of the repository.

      Each step has a class. The classes of --fail-on block the change, unless somebody approved \
      the step. Approvals are read from .boxjoint-approvals.json in the revision of OLD, never \
      from the change itself. With --merge-base, they are read from the revision that --against \
      names. The settings of .boxjoint.yml come from the same revision, unless --config names a \
      file.

      Examples:
        boxjoint plan show old.json new.json
        boxjoint plan show --against HEAD --output sarif=plan.sarif
        boxjoint plan show --against refs/remotes/origin/main --merge-base
        boxjoint plan show --all-tags 'v*' --format markdown
        boxjoint plan show store:data/ objectbox-model.json

      Exit status:
        0   no step blocks the change
        1   a step blocks the change
        2   no file is named, and there is no repository
        64  wrong usage
        65  a file is not a model, or a store is damaged
        74  something cannot be read
        78  wrong configuration
      """)

  @Argument(
    help: ArgumentHelp("The old and the new version, or only the new one.", valueName: "file"),
    transform: namedPath)
  var files: [String] = []

  @Option(help: ArgumentHelp("Compare with the version in this revision.", valueName: "ref"))
  var against: String?

  @Flag(
    help:
      "With --against: compare with where HEAD left the revision, as git diff --merge-base does."
  )
  var mergeBase = false

  @Flag(help: "Do nothing if neither version has a model.")
  var ifModel = false

  @Option(
    defaultAsFlag: "*",
    help: ArgumentHelp(
      "Plan from every matching tag and back, as a matrix.", valueName: "pattern"))
  var allTags: String?

  @Option(
    help: ArgumentHelp(
      "Comma-separated classes that block a change, or 'none'.", valueName: "classes"))
  var failOn: String?

  @Option(
    help: ArgumentHelp(
      "The revision to read approvals from; defaults to the revision of OLD.", valueName: "ref"))
  var approvals: String?

  @Option(
    help: ArgumentHelp(
      "The rules about removals of NEW; defaults to NAME.rules.json beside the model file NAME.json.",
      valueName: "file"), transform: namedPath)
  var rules: String?

  @Option(help: "The kind of databases to plan for.")
  var target: TargetChoice = .both

  @Option(help: "The output format.")
  var format = WordChoice(PlanFormat.text)

  @Option(
    help: ArgumentHelp(
      "Also write the plan to a file, such as html=plan.html. Repeatable.",
      valueName: "format=path"))
  var output: [OutputDestination<PlanFormat>] = []

  @Flag(help: "Give probably renamed elements their old UIDs in the new file, and plan again.")
  var fix = false

  @Flag(help: "Explain every step, not only those that block the change.")
  var details = false

  @Option(help: "When to use colours.")
  var color: ColorChoice = .auto

  @OptionGroup var trust: StoreTrust

  @OptionGroup var configuration: ConfigurationArguments

  func validate() throws {
    if let problem = PlannedVersions.problem(
      with: files, against: against ?? allTags, options: "--against or --all-tags")
    {
      throw ValidationError(problem)
    }
    if against != nil && allTags != nil {
      throw ValidationError("--against and --all-tags exclude each other.")
    }
    if output.contains(where: { $0.path == "-" }) {
      throw ValidationError("--format prints to standard output; --output writes to files.")
    }
    if ifModel && files.count > 1 {
      throw ValidationError("--if-model is for one file, or for the only model of the repository.")
    }
    if mergeBase && against == nil { throw ValidationError("--merge-base needs --against.") }
    if allTags != nil && fix { throw ValidationError("--fix plans one change, not a matrix.") }
    if allTags != nil && (![.text, .json, .markdown].contains(format.word) || !output.isEmpty) {
      throw ValidationError("--all-tags prints text, json or markdown.")
    }
    // An empty list may be a variable of CI that is not set, and must not open the gate.
    for name in failOn?.split(separator: ",", omittingEmptySubsequences: false) ?? [] {
      if name.allSatisfy(\.isWhitespace) {
        throw ValidationError("--fail-on needs at least one class; pass 'none' to block nothing.")
      }
      if let problem = PlanSettings.problem(ofClass: String(name)) {
        throw ValidationError(problem)
      }
    }
  }

  func run() async throws {
    var request = ChangeRequest(files, against: against)
    request.usesMergeBase = mergeBase
    request.isOptional = ifModel
    request.failOn = failOn?.split(separator: ",").map(String.init)
    request.approvals = approvals
    request.targets = target.targets
    request.rules = RulesChoice(rules)
    request.fixes = fix
    request.outputs = output.map(\.path)
    request.configurationPath = configuration.configurationPath
    request.access = trust.access
    if let allTags { return try await writeMatrix(allTags, request) }
    let standardOutput = try ChangeOutput(isChange: fix)
    guard let review = try await request.run(in: .console) else { return }
    try standardOutput.report("what can be fixed is fixed") { () throws(CommandFailure) in
      try write(review)
    }
    try endCommand(ifFindings: review.isBlocked)
  }

  private func write(_ review: PlanReview) throws(CommandFailure) {
    let tool = ToolInfo.boxjoint
    for destination in output {
      try destination.write(review.render(destination.format, tool: tool))
    }
    let style = TextStyle(color: Terminal.usesColor(color), width: Terminal.width())
    try StandardOutput.write(
      review.render(format.word, tool: tool, style: style, isDetailed: details),
      isCommands: format.word == .github)
  }

  private func writeMatrix(_ pattern: String, _ request: ChangeRequest) async throws {
    guard let (matrix, isBlocked) = try await request.matrix(tags: pattern, in: .console) else {
      return
    }
    switch format.word {
    case .json: try StandardOutput.write(matrix.json.displayText)
    case .markdown: try StandardOutput.write(matrix.markdown())
    default: try StandardOutput.write(matrix.text())
    }
    try endCommand(ifFindings: isBlocked)
  }
}

/// The databases as values of an option.
enum TargetChoice: String, CaseIterable, ExpressibleByArgument {
  case boxjoint, objectbox, both

  var targets: Set<PlanTarget> {
    switch self {
    case .boxjoint: [.boxjoint]
    case .objectbox: [.objectbox]
    case .both: Set(PlanTarget.allCases)
    }
  }
}
