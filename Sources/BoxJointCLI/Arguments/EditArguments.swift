internal import ArgumentParser
internal import BoxDump
internal import BoxReport
internal import BoxStoreTool
internal import BoxTerminal

/// The options of commands that change objects.
struct EditArguments: ParsableArguments {
  @Flag(help: "Show what would be done, and keep nothing.")
  var dryRun = false

  @Option(help: "The output format.")
  var format: TextOrJSON = .text

  @OptionGroup var trust: StoreTrust

  /// The commands about which a terminal is asked.
  enum Asking {
    /// Those that are refused where nobody can be asked.
    case always
    /// Those that continue with a warning where nobody can be asked.
    case onTerminal
  }

  /// The options of a request.
  ///
  /// - Parameters:
  ///   - shown: The form of values.
  ///   - session: The session in which the command runs; nil for a command of its own.
  ///   - consent: The options about consent; nil for a command that loses nothing.
  ///   - asking: Whether the command needs an answer or an option.
  ///   - store: The directory of the store, for the message of a refusal.
  /// - Returns: The options.
  /// - Throws: ``CommandFailure`` as ``ConsentArguments/consent()``.
  func options(
    _ shown: ValueFormatOptions? = nil, in session: StoreSession? = nil,
    _ consent: ConsentArguments? = nil, _ asking: Asking = .always, about store: String = ""
  ) throws(CommandFailure) -> EditOptions {
    var options = EditOptions()
    options.isDryRun = dryRun
    options.access = trust.access(in: session)
    options.catalogue = shown?.catalogue
    if let consent {
      options.consent = try consent.consent()
      let ask: (EditProposal) throws -> Void = { try Confirmation.ask($0, about: store) }
      options.ask = Confirmation.isPossible ? ask : nil
      options.confirm = consent.yes ? nil : asking == .always ? ask : options.ask
    }
    if let shown {
      (options.values.integers, options.values.dates) = (shown.integers.word, shown.dates.word)
    }
    return options
  }

  /// Makes a change and prints its report.
  ///
  /// - Parameters:
  ///   - isChange: Whether something is changed, unless it is a dry run.
  ///   - session: The session in which the command runs; nil for a command of its own.
  ///   - consent: The options about consent; nil for a command that loses nothing.
  ///   - change: Called once, if the report can be printed as far as is known.
  /// - Returns: The report.
  /// - Throws: ``CommandFailure`` with status 74 if the report cannot be printed, and the error of
  ///   `change`.
  @discardableResult
  func run<Report: ChangeReport>(
    isChange: Bool = true, in session: StoreSession? = nil, _ consent: ConsentArguments? = nil,
    _ change: () throws -> Report
  ) throws -> Report {
    let output = try ChangeOutput(isChange: isChange && !dryRun)
    let report = try change()
    let isStored = !(session?.isInTransaction ?? false)
    try output.report(isStored ? report.storedText : report.pendingText) {
      () throws(CommandFailure) in
      try StandardOutput.write(
        format == .json
          ? report.json.displayText : report.text + (dryRun ? report.loss?.advice() ?? "" : ""))
    }
    consent?.report(report.loss, unconfirmed: report.unconfirmed, isDryRun: dryRun)
    return report
  }
}

/// The options that select the objects of a command.
struct SelectionArguments: ParsableArguments {
  @Option(
    name: .customLong("where"),
    help: ArgumentHelp("Select the objects that meet this condition.", valueName: "condition"))
  var conditions: [String] = []

  @Flag(help: "Select all objects of the entity.")
  var all = false

  /// The selection, with the ids among the arguments.
  ///
  /// - Throws: `ValidationError` without a selection, and for several.
  func selection(_ ids: [UInt64]) throws -> ObjectSelection {
    switch (ids.isEmpty, try conditions.onlyCondition(), all) {
    case (false, nil, false): return .ids(ids)
    case (true, let condition?, false): return .condition(condition)
    case (true, nil, true): return .all
    case (true, nil, false):
      throw ValidationError("Pass the ids of the objects, --where or --all.")
    default: throw ValidationError("Pass ids, --where or --all, and one of them alone.")
    }
  }
}

/// The id of an object on the command line.
///
/// To be called when a command is validated: only then the parser adds the usage of the command.
///
/// - Throws: `ValidationError` for any other word.
func objectID(_ word: String) throws -> UInt64 {
  guard word.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let id = UInt64(word), id > 0 else {
    throw ValidationError("'\(word)' is not an id; ids are integers from 1 on.")
  }
  return id
}

extension [String] {
  /// The condition of the option `--where`, if any.
  ///
  /// A second one would replace the first, and select what that excludes.
  ///
  /// - Throws: `ValidationError` if there are several.
  func onlyCondition() throws -> String? {
    if count > 1 {
      throw ValidationError(
        "'--where' is given \(count) times; write one condition, such as '(a == 1) && (b > 2)'.")
    }
    return first
  }
}
