internal import ArgumentParser
internal import BoxModelTool
internal import BoxReport
internal import BoxTerminal

/// `boxjoint converters check`: says what is wrong with a catalogue.
struct ConvertersCheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check a catalogue of converters for problems.",
    discussion: """
      The catalogue is checked by itself, and against a model if you name one. If there is a lock \
      (such as converters.lock next to converters.yml, or --lock), it is checked against the lock too. In \
      place of the path of the model, pass REF:PATH to read from git, or - for standard input.

      A change can edit a catalogue together with its lock. In CI, use --against to name the \
      revision whose lock and catalogue count. The lock is the one next to the catalogue of that \
      revision; names that it lacks have the meaning that the catalogue of that revision gives \
      them. What the revision added since the branch began is not missed. The catalogue is checked \
      at its path in that revision and, if the change moved it, at its new path. With --catalogue or --config, only the named catalogue is checked. A property that \
      is renamed is found by its UID in the named model, or in the only model of the repository.

      Examples:
        boxjoint converters check objectbox-model.json
        boxjoint converters check --format github --strict model.json
        boxjoint converters check --catalogue enums.yml --lock enums.lock

      Exit status:
        0   no errors
        1   errors; with --strict also warnings
        64  wrong usage, including an output that is also an input
        65  the catalogue, the lock or the model is invalid
        74  a file cannot be read or written
        78  .boxjoint.yml is wrong
      """)

  @Argument(
    help: ArgumentHelp("The model file to check against.", valueName: "model"), transform: namedPath
  )
  var model: String?

  @OptionGroup var catalogue: CatalogueArguments

  @Option(
    help: ArgumentHelp(
      "The lock; defaults to the catalogue's name with the ending .lock.", valueName: "path"),
    transform: namedPath)
  var lock: String?

  @Option(
    help: ArgumentHelp("Compare with the lock of this revision, if it has one.", valueName: "ref"))
  var against: String?

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

  func run() async throws {
    var request = ConverterCheckRequest(model, catalogue: catalogue.choice)
    request.lock = lock
    request.against = against
    request.counting = strict ? .warning : .error
    request.outputs = output.map(\.path)
    let check = try await request.run(in: .console)
    let limit = findingLimit.maxFindings
    let report = check.report.withLimitOption
    for destination in output { try destination.write(report, limit: limit) }
    let style = TextStyle(
      color: Terminal.usesColor(color, on: .output), width: Terminal.width(of: .output))
    try StandardOutput.write(
      report.render(format.word, style: style, limit: limit),
      isCommands: format.word == .github)
    try check.outcome.endCommand()
  }
}
