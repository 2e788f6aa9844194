internal import ArgumentParser
internal import BoxStorage
internal import BoxStoreTool
internal import BoxTerminal

/// `boxjoint store repair`: replaces a damaged store by what can be read of it.
struct StoreRepairCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "repair",
    abstract: "Replace a damaged store by a new one with its undamaged data.",
    discussion: """
      If `boxjoint store verify` would find damage, a new file gets the undamaged objects and \
      links, with new indexes. It keeps the model, the delete rules, the initial values and the \
      last ids. When it is complete and synced, it takes the place of \(StoreFiles.dataName), and the damaged \
      file is kept in the directory \(StoreFiles.damagedName) of the store. Nothing is deleted. No other program may \
      have a damaged store open, and \(StoreFiles.dataName) must not be a symbolic link. The copies take twice \
      the room of the data.

      Examples:
        boxjoint store repair data/ --dry-run
        boxjoint store repair data/

      Exit status:
        0   no damage was found, or nothing was lost
        1   objects, links or last ids were lost, or would be, or an index
            contradicts objects
        2   the store is open in a program, or \(StoreFiles.dataName) is a symbolic link
        64  wrong usage
        65  not a store, or one of which nothing can be read
        74  the store does not exist, or cannot be read or written
      """)

  @Argument(
    help: ArgumentHelp("The directory of the store.", valueName: "dir"), completion: .directory,
    transform: namedPath)
  var directory: String

  @Flag(help: "Show what would be lost, and change nothing.")
  var dryRun = false

  @Option(help: "How to show progress on standard error.")
  var progress: ProgressChoice = .auto

  func run() throws {
    var request = StoreRepairRequest(of: directory)
    request.isDryRun = dryRun
    let output = try ChangeOutput(isChange: !dryRun)
    let report = try request.run(Progress(progress))
    try output.report(report.changeText) { () throws(CommandFailure) in
      try StandardOutput.write(report.text)
    }
    try endCommand(ifFindings: report.hasLoss)
  }
}
