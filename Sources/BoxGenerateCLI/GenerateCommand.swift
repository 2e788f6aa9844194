internal import ArgumentParser
internal import BoxGenerateTool
internal import BoxGenerator
internal import BoxReport
internal import BoxTerminal
internal import BoxWorkspace

/// `boxjoint-generate`: annotated Swift types in, model file and bindings out.
struct GenerateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "boxjoint-generate",
    abstract: "Write the model file and the bindings of annotated Swift types.",
    discussion: """
      Reads the Swift files of a target, and writes model-TARGET.json, which has the UIDs of all \
      entities and properties, and EntityInfo-TARGET.generated.swift, with which the types can be \
      put into boxes. Commit both. Files that would not change are not written. A model \
      file that git does not track is kept with the ending .bak when it is replaced.

      In a package, the target is the one directory of Sources, or the one that --target names. \
      Elsewhere the working directory is the target. Where the sources have enums that are \
      stored, converters-TARGET.yml has the names of their cases, for queries and exports of the \
      command line, and converters-TARGET.lock what their raw values mean, so that none gets \
      another meaning. Where relations have rules about removals, model-TARGET.rules.json has them.

      With --keep-version the model of a release is kept in Versions/TARGET, and in \
      Versions-TARGET.generated.swift beside the bindings, so that later releases can migrate its \
      stores. Run it once for each release.

      Examples:
        boxjoint-generate
        boxjoint-generate --target Library --visibility public
        boxjoint-generate --sources App --sources Shared --model-json model.json
        boxjoint-generate --keep-version 1.2
        boxjoint-generate --check --format github
        boxjoint-generate --watch

      Exit status:
        0   success
        1   the sources or the model file have an error, or --check found a difference
        2   the run would lose what another target has, or a version is kept with another model
        64  wrong usage
        65  .boxjoint-approvals.json or the list of kept versions cannot be read
        74  a file cannot be read or written
      """,
    version: ToolInfo.currentVersion)

  @Option(help: ArgumentHelp("The target, a directory of Sources.", valueName: "name"))
  var target: String?

  @Option(
    help: ArgumentHelp(
      "A directory or file of sources; defaults to the directory of the target. Repeatable.",
      valueName: "path"), transform: namedPath)
  var sources: [String] = []

  @Option(
    help: ArgumentHelp(
      "A directory or file that is left out. Repeatable.", valueName: "path"), transform: namedPath)
  var excludeSources: [String] = []

  @Option(
    help: ArgumentHelp(
      "The file with the bindings; defaults to generated/EntityInfo-TARGET.generated.swift in "
        + "the first directory of sources.", valueName: "path"), transform: namedPath)
  var output: String?

  @Option(
    help: ArgumentHelp("The model file; defaults to model-TARGET.json.", valueName: "path"),
    transform: namedPath)
  var modelJson: String?

  @Option(
    name: .customLong("converters"),
    help: ArgumentHelp(
      "The catalogue of the stored enums; defaults to converters-TARGET.yml beside the model file.",
      valueName: "path"), transform: namedPath)
  var catalogue: String?

  @Option(help: "The access level of what is generated.")
  var visibility = WordChoice(Visibility.internal)

  @Option(
    help: ArgumentHelp("The word before the colon of an annotation.", valueName: "word"))
  var annotationPrefix = "objectbox"

  @Option(
    name: [.customLong("module"), .customLong("xcode-module")],
    help: ArgumentHelp(
      "The name of the Swift module; defaults to the target.", valueName: "name"))
  var module: String?

  @Flag(
    name: [.customLong("deterministic-uids"), .customLong("debug-parsetree")],
    help: "Give UIDs in a sequence that is always the same, for tests.")
  var deterministicUIDs = false

  @Flag(help: "Remove entities from the model file even if most of them are removed.")
  var allowRemovals = false

  @Flag(help: "Begin a new model file even if a commit has it, or the target had another name.")
  var newModel = false

  @Option(
    help: ArgumentHelp(
      "Keep the model under the name of a version, for Store.open(history:).", valueName: "name"))
  var keepVersion: String?

  @Flag(help: "Accept enums whose changes give stored values another meaning.")
  var allowRenumbering = false

  @Flag(help: "Write nothing; print what would change, and exit with 1 if anything would.")
  var check = false

  @Flag(help: "Generate again with each change of the sources, until interrupted.")
  var watch = false

  @Option(help: "The output format of errors and warnings.")
  var format = WordChoice(ReportFormat.text)

  @Option(
    name: .customLong("report"),
    help: ArgumentHelp(
      "Also write errors and warnings to a file, such as sarif=generate.sarif. Repeatable.",
      valueName: "format=path"))
  var reports: [OutputDestination<ReportFormat>] = []

  @Option(help: "When to use colours.")
  var color: ColorChoice = .auto

  @Flag(name: .shortAndLong, help: "Print only errors, warnings and what is retired.")
  var quiet = false

  @Flag(name: .shortAndLong, help: "Print the files that are read, too.")
  var verbose = false

  @Flag(help: "Accepted for scripts that have it; there are no statistics.")
  var noStatistics = false

  @Flag(help: "Print the licences of the program and of what is linked into it.")
  var licenses = false

  @OptionGroup var explanation: ExplainArguments

  func validate() throws {
    if annotationPrefix.isEmpty || !annotationPrefix.allSatisfy({ $0.isLetter || $0.isNumber }) {
      throw ValidationError("--annotation-prefix is a word of letters and digits.")
    }
    if quiet && verbose { throw ValidationError("--quiet and --verbose exclude each other.") }
    if keepVersion != nil, watch {
      throw ValidationError("--keep-version and --watch exclude each other.")
    }
    if check && watch { throw ValidationError("--check and --watch exclude each other.") }
    if reports.contains(where: { $0.path == "-" }) {
      throw ValidationError("--format prints to standard output; --report writes to files.")
    }
  }

  func run() async throws {
    if licenses { return try StandardOutput.write(LicenceNotices.ofThisProgram()) }
    let rules = RuleCatalogue([GeneratorRule.section])
    if let text = try explanation.text(from: rules, otherwise: "boxjoint check") {
      return try StandardOutput.write(text)
    }
    let layout = try TargetLayout(
      target: target, sources: sources, excluded: excludeSources, output: output,
      model: modelJson, catalogue: catalogue)
    var run = GenerationRun(layout, module: module ?? layout.target)
    run.visibility = visibility.word
    run.annotationPrefix = annotationPrefix
    run.usesSequence = deterministicUIDs
    run.allowsRemovals = allowRemovals
    run.allowsRenumbering = allowRenumbering
    run.keptVersion = keepVersion
    if !newModel { try await run.readHistory() }
    if watch { try await SourceWatch(layout.roots).run { try await self.carryOut(run) } }
    if try await carryOut(run) { throw ExitStatus.findings.exitCode }
  }

  /// Generates once.
  ///
  /// - Returns: Whether there is an error or, with `--check`, a difference.
  @discardableResult private func carryOut(
    _ run: GenerationRun
  ) async throws(CommandFailure) -> Bool {
    let output = try ChangeOutput(isChange: !check)
    if !check { try requireWritable(reports.map(\.path)) }
    let result = check ? try await run.check() : try await run.write()
    try output.report("generated") { () throws(CommandFailure) in try print(result) }
    return result.hasErrors || check && !result.changes.isEmpty
  }

  private func print(_ result: GenerationResult) throws(CommandFailure) {
    let report = Report(
      findings: result.findings, checkedPaths: result.paths,
      tool: ToolInfo(name: "boxjoint-generate", version: ToolInfo.currentVersion))
    for destination in reports { try destination.write(report) }
    if format.word != .text {
      return try StandardOutput.write(
        report.render(format.word), isCommands: format.word == .github)
    }
    let style = TextStyle(color: Terminal.usesColor(color), width: Terminal.width())
    var text = result.findings.isEmpty ? "" : report.render(.text, style: style)
    if verbose { text += result.paths.map { "read \($0)\n" }.joined() }
    if check {
      text += result.changes.map { $0.difference() }.joined()
    }
    if !result.hasErrors { text += result.changesOfElements(isCheck: check) }
    if !quiet { text += result.summary(isCheck: check) }
    try StandardOutput.write(text)
  }
}
