internal import ArgumentParser
internal import BoxReport
internal import BoxStorage
internal import BoxStoreTool
internal import BoxTerminal

/// `boxjoint store compact`: rewrites a store without free pages.
struct StoreCompactCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compact",
    abstract: "Rewrite a store without its free pages.",
    discussion: """
      No other program may have the store open, and \(StoreFiles.dataName) must not be a symbolic link. The new \
      file is written next to the old one, synced and renamed, so the store is complete at every \
      moment. --purge permanently removes entities, properties and relations that the model of the \
      store lacks. Without it they are kept, and come back with their UIDs. On a terminal, --purge \
      asks; elsewhere pass --yes and --expect, or --confirm with the code that --dry-run prints.

      Examples:
        boxjoint store compact data/
        boxjoint store compact data/ --purge

      Exit status:
        0   compacted
        2   the store is open in a program, \(StoreFiles.dataName) is a symbolic link, you did
            not confirm, something else would be lost than you confirmed, or with
            --purge the store has changes for data sync that were not sent
        64  wrong usage
        65  not a store, or a damaged one
        74  the store does not exist, or cannot be read or written
        78  your setting safety.confirm is wrong
      """)

  @Argument(
    help: ArgumentHelp("The directory of the store.", valueName: "dir"), transform: namedPath)
  var directory: String

  @Flag(help: "Permanently remove the data that the model of the store lacks.")
  var purge = false

  @Flag(help: "With --purge, also lose changes for data sync that were not sent.")
  var discardUnsent = false

  @Flag(help: "With --purge, show what would be removed, and change nothing.")
  var dryRun = false

  @OptionGroup var agreed: PurgeConsentArguments

  @Option(help: "The output format.")
  var format: TextOrJSON = .text

  @OptionGroup var trust: StoreTrust

  @Option(help: "How to show progress on standard error.")
  var progress: ProgressChoice = .auto

  func validate() throws {
    for (option, isGiven) in [
      ("--dry-run", dryRun), ("--discard-unsent", discardUnsent), ("--yes", agreed.yes),
      ("--confirm", agreed.confirm != nil),
    ] where isGiven && !purge {
      throw ValidationError("\(option) needs --purge: nothing else is lost.")
    }
  }

  func run() throws {
    var compaction = StoreCompaction(of: directory)
    compaction.purges = purge
    compaction.discardsUnsent = discardUnsent
    if dryRun {
      let loss = try compaction.loss(trust.access, Progress(progress))
      let text = loss.isEmpty ? "dry run: nothing would be lost\n" : loss.advice(saves: false)
      return try StandardOutput.write(
        format == .json ? compaction.json(nil, loss).displayText : text)
    }
    if purge { compaction.consent = try agreed.consent() }
    compaction.ask = Confirmation.about("remove what the model of \(directory) lacks", directory)
    let output = try ChangeOutput()
    let report = try compaction.run(trust.access, Progress(progress))
    try output.report("compacted") { () throws(CommandFailure) in
      try StandardOutput.write(
        format == .json ? compaction.json(report, report.loss).displayText : report.text)
    }
    if report.unconfirmed > 0 {
      StandardError.writeLine(ConsentArguments.warning(isAssumed: agreed.yes))
    }
  }
}
