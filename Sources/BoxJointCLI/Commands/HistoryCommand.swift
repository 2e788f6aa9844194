internal import ArgumentParser
internal import BoxModelTool
internal import BoxReport
internal import BoxTerminal

/// `boxjoint history`: lists the versions of a model in git.
struct HistoryCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "List the versions of a model in git, with the class of each step.",
    discussion: """
      Lists the commits that changed the file, the latest first, and follows renames. Each commit \
      is compared with the one before it, and a merge with the branch that it was made on. Tags \
      are listed next to the version that they contain. Without a file, history uses the only \
      model file of the repository. If the clone is shallow, versions may be missing, and a \
      message says so.

      Examples:
        boxjoint history objectbox-model.json
        boxjoint history --limit 5 --format json | jq '.versions[].class'

      Exit status:
        0   listed
        2   there is no repository, or a sparse checkout leaves out the model
        64  wrong usage, or the file has no history
        74  git cannot be run, or a file cannot be read
        78  wrong configuration
      """)

  @Argument(help: ArgumentHelp("The model file.", valueName: "file"), transform: namedPath)
  var file: String?

  @Option(help: ArgumentHelp("List at most this many versions.", valueName: "number"))
  var limit: Int?

  @Option(help: "The kind of databases to classify the steps for.")
  var target: TargetChoice = .both

  @Option(help: "The output format.")
  var format: TextOrJSON = .text

  @OptionGroup var configuration: ConfigurationArguments

  func validate() throws {
    if let limit, limit < 1 { throw ValidationError("--limit must be at least 1.") }
  }

  func run() async throws {
    var request = HistoryRequest(file)
    request.limit = limit
    request.targets = target.targets
    request.configuration = configuration.options()
    guard let history = try await request.run(in: .console) else { return }
    try StandardOutput.write(format == .text ? history.text : history.json.displayText)
  }
}
