internal import ArgumentParser
internal import BoxJSON
internal import BoxMigration
internal import BoxReport
internal import BoxStoreTool
internal import BoxTerminal

/// `boxjoint migrate run`: carries out a change of model on a store.
struct MigrateRunCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Apply a change of model to a store.",
    discussion: """
      Starts at the model of the store, and goes through every --via, in order, to --to. A store \
      that has the model of one of them continues from there. No other program may have the store \
      open. The store is verified first, also with --dry-run, and a damaged one is refused.

      A light step is one transaction. A heavy step builds a new file next to the data file, and \
      replaces the data file when the new one is complete. After a crash, the store is as it was \
      before the step or after it.

      A mapping describes what happens to objects. Its 'from' and 'to' are names of model files, \
      without directory and .json. If files have the same name, add as much of the directory as \
      distinguishes them. The model in the store may have any name. A mapping that belongs to no \
      step is an error. A step without a mapping is inferred if no value can be lost.

      --dry-run tries every step: a light one in a transaction that is undone, others on a copy \
      beside the store, which needs about three times the space of its data. Objects that cannot \
      be carried over are listed, up to 100.

      Before it starts, migrate shows a plan, which includes the data that a heavy step or --purge \
      removes permanently. On a terminal it then asks for confirmation, unless you pass --yes. \
      Where data is lost, pass --yes and --expect, or --confirm with the code that --dry-run prints.

      Examples:
        boxjoint migrate run --store data/ --to model.json --dry-run
        boxjoint migrate run --store data/ --via v2.json --to v3.json --mapping m.yml

      Exit status:
        0   migrated, or nothing to do
        2   the store is open in a program or newer than the model, a step needs a
            mapping, a value does not fit, you did not confirm, or something else
            would be lost than you confirmed
        64  wrong usage, or no terminal to ask for confirmation
        65  a model, a mapping or the store is invalid or damaged
        74  something cannot be read or written
        78  your setting safety.confirm is wrong
      """)

  @Option(help: ArgumentHelp("The directory of the store.", valueName: "dir"), transform: namedPath)
  var store: String

  @Option(
    help: ArgumentHelp("The model file to migrate to.", valueName: "file"), transform: namedPath)
  var to: String

  @OptionGroup var steps: MigrationStepArguments

  @OptionGroup var rules: RulesArguments

  @Flag(help: "Show what would be done, try it out, and change nothing.")
  var dryRun = false

  @Flag(help: "Copy the store first, to a directory next to it.")
  var backup = false

  @Flag(help: "Afterwards permanently remove the data that the new model hides.")
  var purge = false

  @OptionGroup var agreed: PurgeConsentArguments

  @Option(help: "The output format.")
  var format: TextOrJSON = .text

  @OptionGroup var trust: StoreTrust

  @Option(help: "How to show progress on standard error.")
  var progress: ProgressChoice = .auto

  func run() async throws {
    var request = MigrationRequest(store, to: to)
    request.intermediate = steps.via
    request.mapping = steps.mapping
    request.rules = rules.choice
    request.freesHiddenData = purge
    request.isDryRun = dryRun
    request.access = trust.access
    let output = try ChangeOutput(isChange: !dryRun)
    let observer = Progress(progress)
    let migration = try await request.prepare(in: Workspace(observer: observer))
    if format == .text {
      try output.announce { () throws(CommandFailure) in
        try StandardOutput.write(migration.text + copying(migration))
      }
    }
    if dryRun {
      let trial = try migration.tryOut(observer)
      var report = migration.report(trial)
      let failure = trial?.failure(store: store)
      // Nobody can agree to what cannot be carried out.
      if failure == nil { report.loss = try migration.findLoss(observer, after: trial) }
      return try write(report, failure)
    }
    if migration.isEmpty { return try write(migration.report()) }
    let consent = try agreed.consent()
    try confirm(migration, consent, observer)
    if backup {
      let copy = try migration.copyStore(observer)
      StandardError.writeLine("the store is copied to \(copy.escapedForDisplay)")
    }
    let report = try migration.carryOut(observer)
    try output.report("migrated") { () throws(CommandFailure) in try write(report) }
    if consent.isAssumed, consent.isBlind, migration.hasLost(report) {
      StandardError.writeLine(ConsentArguments.warning(isAssumed: true))
    }
  }

  /// Writes the report on a dry run, and throws the failure if there is one.
  private func write(_ report: MigrationReport, _ failure: CommandFailure?) throws {
    do {
      try write(report)
    } catch {
      // A reader that has seen enough does not make the migration work.
      guard failure != nil, (error as? CommandFailure)?.isBrokenPipe == true else { throw error }
    }
    if let failure { throw failure }
  }

  private func copying(_ migration: MigrationProposal) -> String {
    if migration.plan == nil { return "" }
    return backup
      ? "the store is copied first, to a directory beside it\n"
      : "the store is not copied first; pass --backup to copy it\n"
  }

  /// Requires the consent of the user to what the migration loses.
  private func confirm(
    _ migration: MigrationProposal, _ consent: Consent, _ observer: Progress
  ) throws {
    let needsLoss = consent.isChecked || consent.isStrict
    if consent.isAssumed && !needsLoss { return }
    let asks = consent.policy != .never && !needsLoss
    // A loss can take long to find, so whether there is a terminal comes first.
    if asks && !Confirmation.isPossible { try Confirmation.ask("migrate \(store)", about: store) }
    guard let loss = try migration.findLoss(observer) else {
      if consent.isChecked { try consent.require(.none) }
      if !consent.isAssumed { try Confirmation.ask("migrate \(store)", about: store) }
      return
    }
    let ask: (Loss) throws -> Void = { loss in
      if Confirmation.isPossible { StandardError.write(loss.text) }
      try Confirmation.ask("migrate \(store)", about: store)
    }
    let given = try consent.agreed(
      asking: consent.isStrict && !Confirmation.isPossible ? nil : ask
    ) { loss }
    try given.require(loss)
  }

  private func write(_ report: MigrationReport) throws(CommandFailure) {
    let advice = dryRun ? report.loss?.advice(saves: false) ?? "" : ""
    try StandardOutput.write(format == .json ? report.json.displayText : report.text + advice)
  }
}
