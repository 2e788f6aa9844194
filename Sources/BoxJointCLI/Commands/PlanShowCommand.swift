internal import ArgumentParser
internal import BoxMigration
internal import BoxModel
internal import BoxReport

/// `boxjoint plan show`: prints the plan of a change of model.
struct PlanShowCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Says what a new model means for the databases of an old one.",
    discussion: """
      OLD and NEW are files, REF:PATH for one in git, - for standard input, or store:DIR for the model \
      of a store; the data of an old store is counted, and the relations of a store are checked. A \
      directory in a work tree is opened as a store with store: in front of it only, and a branch called \
      store is refs/heads/store:PATH. With --against, OLD is the same path in a revision; \
      with --merge-base too, it is that of the commit where HEAD left the revision, so that what \
      others did there since is no part of the change. Without a file, the one model file of the \
      repository is meant.

      Each step has a class. Those that --fail-on names stop the change, unless somebody approved \
      them: approvals are read from .boxjoint-approvals.json of the revision of OLD (with --merge-base, of \
      the one that --against names), and never from the change itself; so are the settings of \
      .boxjoint.yml, unless --config names a file.

      Examples:
        boxjoint plan show old.json new.json
        boxjoint plan show --against HEAD --output sarif=plan.sarif
        boxjoint plan show --against refs/remotes/origin/main --merge-base
        boxjoint plan show --all-tags 'v*' --format markdown
        boxjoint plan show store:data/ objectbox-model.json

      Exit status: 0 nothing stops it; 1 a step does; 2 no file is named, and this is no repository; \
      64 wrong usage; 65 a file is no model, or a store is damaged; 74 something could not be read; 78 wrong configuration.
      """)

  @Argument(
    help: ArgumentHelp("The old and the new version, or the new one only.", valueName: "file"))
  var files: [String] = []

  @Option(help: ArgumentHelp("The revision that has the old version.", valueName: "ref"))
  var against: String?

  @Flag(
    help: "With --against: plan from where HEAD left the revision, as git diff --merge-base does.")
  var mergeBase = false

  @Flag(help: "Do nothing where there is no model, neither here nor in the old version.")
  var ifModel = false

  @Option(
    defaultAsFlag: "*",
    help: ArgumentHelp(
      "Plan from every tag that matches, and back, as a matrix.", valueName: "pattern"))
  var allTags: String?

  @Option(
    help: ArgumentHelp(
      "The classes that stop a change, with commas between; none for none.", valueName: "classes"))
  var failOn: String?

  @Option(
    help: ArgumentHelp(
      "The revision to read approvals from, where it is not that of OLD.", valueName: "ref"))
  var approvals: String?

  @Option(help: "The databases: boxjoint, objectbox or both.")
  var target: TargetChoice = .both

  @Option(help: "How to print.")
  var format = WordChoice(PlanFormat.text)

  @Option(
    help: ArgumentHelp(
      "Also write the plan to a file, such as html=plan.html. Repeatable.",
      valueName: "format=path"))
  var output: [OutputDestination<PlanFormat>] = []

  @Flag(help: "Give what was probably renamed its old UID in the new file, and plan again.")
  var fix = false

  @Flag(help: "Explain every step, not only those that stop the change.")
  var details = false

  @Option(help: "When to use colours.")
  var color: ColorChoice = .auto

  @OptionGroup var trust: StoreTrust

  @OptionGroup var configuration: ConfigurationArguments

  func validate() throws {
    if let problem = PlanRequest.problem(ofFiles: files, against: against ?? allTags) {
      throw ValidationError(problem)
    }
    if against != nil && allTags != nil {
      throw ValidationError("--against and --all-tags do not go together.")
    }
    if output.contains(where: { $0.path == "-" }) {
      throw ValidationError("--format prints to standard output; --output writes to files.")
    }
    if ifModel && files.count > 1 {
      throw ValidationError("--if-model is for one file, or that of the repository.")
    }
    if mergeBase && against == nil { throw ValidationError("--merge-base needs --against.") }
    if allTags != nil && fix { throw ValidationError("--fix plans one change, not a matrix.") }
    if allTags != nil && (![.text, .json, .markdown].contains(format.word) || !output.isEmpty) {
      throw ValidationError("--all-tags prints text, json or markdown.")
    }
    // An empty list may be a variable of CI that is not set, and must not open the gate.
    for name in failOn?.split(separator: ",", omittingEmptySubsequences: false) ?? [] {
      if name.allSatisfy(\.isWhitespace) {
        throw ValidationError("--fail-on names no class; say none to stop nothing.")
      }
      if let problem = PlanSettings.problem(ofClass: String(name)) {
        throw ValidationError(problem)
      }
    }
  }

  func run() async throws {
    let git = GitClient()
    var options: [SettingKey: [String]] = [:]
    if let failOn { options[.planFailOn] = failOn.split(separator: ",").map(String.init) }
    let needsGit = against != nil || allTags != nil || files.count < 2
    // With two files no process has to be started.
    let base = try await PlanRequest.base(of: files, against: against)
    let settings = try await EffectiveConfiguration.load(
      configuration.options(options), git: needsGit ? git : nil, base: base)
    if let allTags { return try await planMatrix(allTags, settings) }
    let planned = PlanRequest.Options(
      targets: target.targets, trust: trust, approvals: approvals)
    var request: PlanRequest
    if files.count == 2 {
      try requireOutputs(
        output.map(\.path), notAmong: files + [configuration.configurationPath].compactMap { $0 })
      request = try await PlanRequest(from: files[0], to: files[1], base: base, planned)
    } else {
      let version = try await NewVersion.find(
        files, settings, isRequired: !ifModel, base: base)
      guard let version else { return }
      try requireOutputs(
        output.map(\.path),
        notAmong: [version.path] + [configuration.configurationPath].compactMap { $0 })
      request = try await PlanRequest(
        to: version, base: base, usesMergeBase: mergeBase, planned)
    }
    var policy = PlanSettings.policy(settings)
    policy.approvals = request.approvals
    policy.modelPaths = request.modelPaths
    if fix { try request.applyFixes() }
    var review = PlanReview(request.plan, policy)
    review.findings = settings.changes.map(\.finding)
    try write(review)
    if review.isBlocked { throw ExitStatus.findings.exitCode }
  }

  private func write(_ review: PlanReview) throws(CommandFailure) {
    let tool = ToolInfo(version: BoxJointCommand.version)
    for destination in output {
      try destination.write(review.render(destination.format, tool: tool))
    }
    let style = TextStyle(color: Terminal.usesColor(color), width: Terminal.width())
    try StandardOutput.write(
      review.render(format.word, tool: tool, style: style, isDetailed: details),
      isCommands: format.word == .github)
  }

  private func planMatrix(
    _ pattern: String, _ settings: EffectiveConfiguration
  ) async throws {
    // Without a pattern, what follows is the file; a change cannot add one by the name of a pattern.
    let isFile =
      files.isEmpty && pattern.hasSuffix(".json")
      && ((try? fileAttributes(at: pattern)) ?? nil) != nil
    let version = try await NewVersion.find(
      isFile ? [pattern] : files, settings, isRequired: !ifModel)
    guard let version else { return }
    if case .gone(let path) = version {
      throw CommandFailure(.findings, "the model is gone; it is one in HEAD", path: path)
    }
    let tags = TagMatrix(pattern: isFile ? "*" : pattern, file: version.path)
    let matrix = try await tags.matrix(for: target.targets)
    switch format.word {
    case .json: try StandardOutput.write(matrix.json.displayText)
    case .markdown: try StandardOutput.write(matrix.markdown())
    default: try StandardOutput.write(matrix.text())
    }
    if matrix.isBlocked(by: PlanSettings.classes(settings[.planFailOn].texts)) {
      throw ExitStatus.findings.exitCode
    }
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
