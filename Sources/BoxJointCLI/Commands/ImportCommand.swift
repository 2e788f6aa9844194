internal import ArgumentParser
internal import BoxDump
internal import BoxJSON
internal import BoxModel
internal import BoxReport
internal import BoxStoreTool
internal import BoxTerminal

/// `boxjoint import`: loads JSON into a store.
struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Load a dump, or other JSON and CSV, into a store.",
    discussion: """
      Without a model, --infer finds one that fits all values, and writes it to a file. The entity \
      is named after the input, or by --entity.

      A dump may have any shape, compressed or not. Its elements are matched by UID and then by \
      name, so it also fits an older or newer model. Other files are JSON objects in any layout, or \
      CSV and TSV; they need --entity, unless they name the entity. Several files, patterns and \
      directories of parts are one import.

      A store with objects is verified first, and a damaged one is refused; --trust skips the \
      verification. If an element stops the import, committed batches stay, and --resume continues \
      after them. docs/importing.md has the details.

      --mode replace asks on a terminal before it overwrites objects; elsewhere pass --yes and \
      --expect, or --confirm with the code that --dry-run prints. With one of these options, or \
      with --save, the import is one transaction.

      Examples:
        boxjoint import --infer --store films films.json
        boxjoint import --store data/ people.ndjson.zst
        boxjoint import --store data/ --model model.json --entity Order orders.json
        boxjoint import --store data/ --entity Order 'orders-*.csv' --delimiter ';'
        boxjoint import --store data/ --relation Person.friends friends/
        boxjoint import --store data/ --mode upsert --match Person.email new.ndjson
        boxjoint import --store data/ --on-error skip --rejects bad.ndjson new.ndjson

      Exit status:
        0   imported
        1   imported, except for rejected elements
        2   the input is valid but cannot be imported in this way, another import is
            running, or something else would be lost than you confirmed
        64  wrong usage
        65  an element or the input is invalid, or the store is damaged
        74  something cannot be read or written
        78  the catalogue of converters is wrong or does not fit the model, or your
            setting safety.confirm is wrong
      """)

  @Option(
    help: ArgumentHelp(
      "The directory of the store; created if it does not exist.", valueName: "dir"),
    transform: namedPath)
  var store: String

  @Argument(
    help: ArgumentHelp(
      "The files, patterns and directories to load; - alone for standard input.", valueName: "path"),
    transform: namedPath)
  var paths: [String]

  @OptionGroup var form: InputFormArguments

  @Option(
    help: ArgumentHelp(
      "With --mode upsert or update, what an empty field of CSV is: 'null' sets null, 'keep' leaves the value of "
        + "the object."))
  var empty = WordChoice(EmptyFields.null)

  @Flag(help: "Import the parts of a directory that lacks the file _SUCCESS.")
  var partial = false

  @Option(
    help: ArgumentHelp(
      "The model to open or create the store with; with --infer, the new file for the model.",
      valueName: "file"), transform: namedPath)
  var model: String?

  @OptionGroup var rules: RulesArguments

  @Flag(help: "Create the store with a model that is inferred from the input.")
  var infer = false

  @Option(
    help: ArgumentHelp(
      "With --infer, how to store nested objects: as JSON text, as properties such as name_common, or "
        + "as entities with relations to them; defaults to json."))
  var nested: WordChoice<InferenceOptions.Nesting>?

  @OptionGroup var types: MemberTypeArguments

  @Option(
    help: ArgumentHelp(
      "The entity of the objects, for input that is not a dump.", valueName: "name"))
  var entity: String?

  @Option(
    help: ArgumentHelp(
      "The relation to many whose entries are the elements, each with source and target or targets, for JSON that is "
        + "not a dump.", valueName: "entity.relation"))
  var relation: String?

  @Option(
    help: ArgumentHelp(
      "The catalogue of converters and mappings for input that is not a dump; defaults to the one "
        + "in .boxjoint.yml, or converters.yml. With --infer, the new file for the catalogue.",
      valueName: "file"), transform: namedPath)
  var converters: String?

  @Flag(help: "Read input that is not a dump without a catalogue, with its values as they are.")
  var raw = false

  @OptionGroup var configuration: ConfigurationArguments

  @Option(help: "How to handle objects that already exist.")
  var mode = WordChoice(ImportMode.insert)

  @Option(
    help: ArgumentHelp(
      "Find existing objects by id or by an indexed property.",
      valueName: "id|entity.property"))
  var match = "id"

  @Option(help: "Keep the ids of the input, or assign new ones.")
  var ids = WordChoice(ImportIDs.keep)

  @Option(help: "How to handle relations to missing objects.")
  var dangling = WordChoice(DanglingPolicy.keep)

  @Option(help: "How to handle members that are not properties.")
  var unknown = WordChoice(UnknownMemberPolicy.fail)

  @Option(help: "How to handle elements that cannot be imported.")
  var onError: ErrorChoice = .stop

  @Option(
    help: ArgumentHelp(
      "Write skipped elements to this new file, so that you can correct and import them.",
      valueName: "file"), transform: namedPath)
  var rejects: String?

  @Option(help: ArgumentHelp("Skip at most this many elements, then stop.", valueName: "n"))
  var maxErrors: Int?

  @Option(
    help: ArgumentHelp(
      "Elements per transaction, or 'all' for one transaction.", valueName: "n|all"))
  var batch: BatchChoice = .elements(10_000)

  @Option(help: ArgumentHelp("The maximum size of an element, in MiB.", valueName: "n"))
  var maxElement = 64

  @OptionGroup var decompression: DecompressionArguments

  @Flag(help: "Validate the whole input without changing the store.")
  var dryRun = false

  @Flag(help: "Continue an interrupted import.")
  var resume = false

  @Flag(help: "Discard an interrupted import.")
  var restart = false

  @OptionGroup var agreed: ConsentArguments
  @OptionGroup var trust: StoreTrust

  @Option(help: "The output format.")
  var format: TextOrJSON = .text

  @Option(help: "How to show progress on standard error.")
  var progress: ProgressChoice = .auto

  func validate() throws {
    if raw && converters != nil {
      throw ValidationError("--raw and --converters exclude each other.")
    }
    if nested != nil && !infer { throw ValidationError("--nested needs --infer.") }
    if types.isGiven && !infer { throw ValidationError("--type and --types need --infer.") }
    if empty.word == .keep, mode.word != .upsert, mode.word != .update {
      throw ValidationError("--empty keep needs --mode upsert or update.")
    }
    if rules.rules != nil && model == nil { throw ValidationError("--rules needs --model.") }
    if infer && (raw || resume) {
      throw ValidationError("--infer and \(raw ? "--raw" : "--resume") exclude each other.")
    }
    if relation != nil, entity != nil || infer {
      throw ValidationError(
        "--relation and \(entity != nil ? "--entity" : "--infer") exclude each other.")
    }
    if relation != nil, mode.word != .insert || ids.word != .keep || match != "id" {
      throw ValidationError(
        "--relation adds entries between objects that exist, so --mode, --ids and --match do not apply."
      )
    }
    if resume && restart { throw ValidationError("--resume and --restart exclude each other.") }
    if onError == .stop && (rejects != nil || maxErrors != nil) {
      throw ValidationError("--rejects and --max-errors need --on-error skip.")
    }
    if let maxErrors, maxErrors < 0 { throw ValidationError("--max-errors must be at least 0.") }
    if !(1...1024).contains(maxElement) {
      throw ValidationError("--max-element must be from 1 to 1024.")
    }
  }

  private var options: ImportOptions {
    var options = ImportOptions()
    options.mode = mode.word
    options.match = match == "id" ? nil : match
    options.ids = ids.word
    options.dangling = dangling.word
    options.unknown = unknown.word
    options.entity = entity.map { NamePath.name($0) }
    options.relation = relation
    options.batch = dryRun ? nil : batch.count
    options.maximumErrors = onError == .skip ? maxErrors ?? .max : nil
    options.isDryRun = dryRun
    options.resumes = resume
    options.restarts = restart
    options.maximumElement = maxElement << 20
    options.verifiesStore = !trust.trust
    options.decompression = decompression.limits
    return options
  }

  func run() throws {
    var request = ImportRequest(into: store)
    request.paths = paths
    request.form = form.form
    request.form.keepsNull = empty.word == .keep
    request.allowsPartialDirectories = partial
    request.model = model
    request.rules = rules.choice
    request.options = options
    request.infersModel = infer
    if let nested { request.inference.nesting = nested.word }
    types.apply(to: &request.inference)
    request.catalogue =
      raw
      ? nil
      : CatalogueChoice(converters, configurationPath: configuration.configurationPath)
    request.rejects = rejects
    request.access = trust.access
    request.consent = try agreed.consent()
    request.ask = Confirmation.about("overwrite objects of \(store)", store)
    let output = try ChangeOutput(isChange: !dryRun)
    var inference: InferenceReport?
    var loss: Loss?
    let summary = try request.run(
      in: Workspace(observer: Progress(progress)), check: requireOptionsForInput,
      inferred: { report in
        inference = report
        guard format == .text else { return }
        try output.announce { () throws(CommandFailure) in
          try StandardOutput.write(report.text + "\n")
        }
      },
      lost: { loss = $0 },
      report: { issue in
        var failure = CommandFailure(issue).advised
        failure.message = "rejected: " + failure.message
        StandardError.writeLine(failure.line)
      })
    try output.report("imported") { () throws(CommandFailure) in
      switch format {
      case .text:
        let advice = dryRun ? loss?.advice() ?? "" : ""
        try StandardOutput.write(ImportReport(summary: summary).text + advice)
      case .json:
        try StandardOutput.write(
          summary.json(inferred: inference?.json, loss: loss?.json).text() + "\n")
      }
    }
    let isBlind = request.isBlind && (agreed.yes || request.ask == nil)
    let changed =
      summary.entities.reduce(0) { $0 + $1.updated } + (summary.hasRemovedObjects ? 1 : 0)
    agreed.report(loss, unconfirmed: isBlind ? changed : nil, isDryRun: dryRun)
    try endCommand(ifFindings: summary.rejected > 0)
  }

  /// Refuses options that have no meaning for a dump, which says itself what its objects are and how
  /// their values were written.
  private func requireOptionsForInput(isDump: Bool) throws(CommandFailure) {
    if !isDump { return }
    let given = [
      ("--entity", entity != nil), ("--relation", relation != nil),
      ("--converters", converters != nil), ("--raw", raw),
    ]
    for (option, isGiven) in given where isGiven {
      throw CommandFailure(
        .usage, "\(option) applies only to input that is not a dump", path: paths.first)
    }
  }
}

/// The meaning of an empty field of delimited text: the value of `--empty`.
enum EmptyFields: String, CaseIterable, Sendable {
  case null, keep
}

/// The handling of an element that cannot be imported: the value of `--on-error`.
enum ErrorChoice: String, CaseIterable, ExpressibleByArgument {
  case stop, skip
}

/// The number of elements of a transaction: the value of `--batch`.
enum BatchChoice: Hashable, ExpressibleByArgument {
  case elements(Int)
  case all

  init?(argument: String) {
    if argument == "all" {
      self = .all
    } else if let count = Int(argument), count > 0 {
      self = .elements(count)
    } else {
      return nil
    }
  }

  var defaultValueDescription: String { count.map { "\($0)" } ?? "all" }

  var count: Int? {
    switch self {
    case .elements(let count): count
    case .all: nil
    }
  }
}
