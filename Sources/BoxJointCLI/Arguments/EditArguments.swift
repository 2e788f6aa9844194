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

  /// The options of a request.
  ///
  /// - Parameters:
  ///   - shown: The form of values.
  ///   - session: The session in which the command runs; nil for a command of its own.
  ///   - confirm: Called before objects are changed that were not named by their ids.
  /// - Returns: The options.
  func options(
    _ shown: ValueFormatOptions? = nil, in session: StoreSession? = nil,
    confirm: ((EditProposal) throws -> Void)? = nil
  ) -> EditOptions {
    var options = EditOptions()
    options.isDryRun = dryRun
    options.access = trust.access(in: session)
    options.catalogue = shown?.catalogue
    options.confirm = confirm
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
  ///   - change: Called once, if the report can be printed as far as is known.
  /// - Returns: The report.
  /// - Throws: ``CommandFailure`` with status 74 if the report cannot be printed, and the error of
  ///   `change`.
  @discardableResult
  func run<Report: ChangeReport>(
    isChange: Bool = true, in session: StoreSession? = nil, _ change: () throws -> Report
  ) throws -> Report {
    let output = try ChangeOutput(isChange: isChange && !dryRun)
    let report = try change()
    let isStored = !(session?.isInTransaction ?? false)
    try output.report(isStored ? report.storedText : report.pendingText) {
      () throws(CommandFailure) in
      try StandardOutput.write(format == .json ? report.json.displayText : report.text)
    }
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

  @Flag(help: "Do not ask for confirmation.")
  var yes = false

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

  /// The question before objects are changed that were not named by their ids; nil if nobody is asked.
  func confirmation(about store: String) -> ((EditProposal) throws -> Void)? {
    yes ? nil : { try Confirmation.ask($0, about: store) }
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
