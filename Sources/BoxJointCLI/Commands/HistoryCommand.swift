internal import ArgumentParser
internal import BoxMigration
internal import BoxReport

/// `boxjoint history`: lists the versions of a model in git.
struct HistoryCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "Lists the versions of a model in git, with the class of each step.",
    discussion: """
      The commits that changed the file, the latest first; a file that was renamed is followed. Each \
      is compared with the commit before it, a merge with the branch that it was made on. Tags stand \
      at the version that they have. Without a file, the one model file of the repository is meant. \
      A shallow clone has not all of them, and that is said.

      Examples:
        boxjoint history objectbox-model.json
        boxjoint history --limit 5 --format json | jq '.versions[].class'

      Exit status: 0 listed; 2 this is no repository, or a sparse checkout leaves the model out; 64 the file has no history; 74 git cannot be \
      run.
      """)

  @Argument(help: ArgumentHelp("The model file.", valueName: "file"))
  var file: String?

  @Option(help: ArgumentHelp("List that many versions only.", valueName: "number"))
  var limit: Int?

  @Option(help: "The databases: boxjoint, objectbox or both.")
  var target: TargetChoice = .both

  @Option(help: "How to print.")
  var format: TextOrJSON = .text

  @OptionGroup var configuration: ConfigurationArguments

  func validate() throws {
    if let limit, limit < 1 { throw ValidationError("--limit is a number from 1 on.") }
  }

  func run() async throws {
    let settings = try await EffectiveConfiguration.load(configuration.options())
    guard let path = try await NewVersion.find(file.map { [$0] } ?? [], settings)?.path else {
      return
    }
    let history = try await FileHistory.read(path, limit: limit, targets: target.targets)
    if history.isCutOff {
      StandardError.writeLine(
        ("\(path): note: the clone is shallow, and earlier versions are missing; "
          + "'git fetch --unshallow' brings them").escapedForDisplay)
    }
    try StandardOutput.write(format == .text ? history.text : history.json.displayText)
  }
}
