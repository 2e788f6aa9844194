internal import ArgumentParser
internal import BoxReport
internal import BoxStoreTool
internal import BoxTerminal

/// `boxjoint store verify`: checks all that is in a store.
struct StoreVerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Check every page, record, index entry and relation of a store.",
    discussion: """
      First the pages of the file are read without mapping it, so damage cannot crash the program. \
      Then records, indexes and relations are checked against each other. Other programs may read \
      and write at the same time: each of the two checks sees one committed state.

      Examples:
        boxjoint store verify data/
        boxjoint store verify data/ --format json --progress json

      Exit status:
        0   no problems found
        1   damage was found
        2   the store cannot be opened now
        64  wrong usage
        65  not a store
        74  the store does not exist, or cannot be read
      """)

  @Argument(
    help: ArgumentHelp("The directory of the store.", valueName: "dir"), transform: namedPath)
  var directory: String

  @Option(help: "The output format.")
  var format = WordChoice(ReportFormat.text)

  @Option(help: "Stop after this many findings.")
  var limit = 100

  @Option(help: "How to show progress on standard error.")
  var progress: ProgressChoice = .auto

  @Option(help: "When to use colours.")
  var color: ColorChoice = .auto

  func validate() throws {
    if limit < 1 { throw ValidationError("--limit must be at least 1.") }
  }

  func run() throws {
    let report = try StoreVerification.report(directory, limit: limit, Progress(progress))
    let style = TextStyle(
      color: Terminal.usesColor(color, on: .output), width: Terminal.width(of: .output))
    try StandardOutput.write(
      report.render(format.word, style: style, limit: limit), isCommands: format.word == .github)
    try endCommand(ifFindings: !report.findings.isEmpty)
  }
}
