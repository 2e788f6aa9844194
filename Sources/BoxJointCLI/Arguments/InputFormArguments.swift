internal import ArgumentParser
internal import BoxDump
internal import BoxModel
internal import BoxTerminal

/// The options for the form of files that are not a dump.
struct InputFormArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The format of the files; by default their first character and their names decide."))
  var inputFormat = WordChoice(InputForm.Format.auto)

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The character between the fields of CSV, or 'tab'; by default the first records decide between , ; | and tab.",
      valueName: "character"))
  var delimiter: DelimiterChoice?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The text of a field without quotes that is null; defaults to the empty field.",
      valueName: "text"))
  var null: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Comma-separated names of the columns of CSV without a header, or with --header skip in its place; an empty name skips a column, and one with a comma is put in backquotes.",
      valueName: "names"))
  var columns: String?

  @Option(
    help: ArgumentHelp(
      "What the first record of CSV is: 'first' has the names of the columns, 'none' is an object, 'skip' leaves it out."
    ))
  var header: WordChoice<InputForm.Header>?

  @Option(help: ArgumentHelp("The number of lines of CSV before its first record.", valueName: "n"))
  var skipLines: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Where a document of JSON has the records: '.results' for an array in a member, '.*' for the values of an object.",
      valueName: "path"))
  var records: RecordPathChoice?

  @Option(help: "How to read quotes in CSV.")
  var quotes = WordChoice(InputForm.Quotes.rfc4180)

  func validate() throws {
    if let columns, !columns.contains(where: { $0 != "," }) {
      throw ValidationError("--columns needs at least one name.")
    }
    if columns != nil, header?.word == .first {
      throw ValidationError(
        "--header first takes the names of the file, and --columns gives others; use --header skip with it."
      )
    }
    if records != nil, form.format == .csv || form.format == .tsv || form.mentionsTables {
      throw ValidationError("--records applies to JSON only.")
    }
    if let skipLines, skipLines < 0 {
      throw ValidationError("--skip-lines needs a number of lines.")
    }
    if form.format == .json,
      delimiter != nil || null != nil || columns != nil || header != nil || skipLines != nil
    {
      throw ValidationError(
        "--delimiter, --null, --columns, --header and --skip-lines do not apply to JSON.")
    }
  }

  /// The form of the files.
  var form: InputForm {
    var form = InputForm()
    form.format = inputFormat.word
    form.delimiter = delimiter?.character
    form.null = null
    form.columns = columns.map { names in
      NamePath.parts(of: names, at: ",").map { NamePath.name($0) }
    }
    form.header = header?.word
    form.skippedLines = skipLines ?? 0
    form.quotes = quotes.word
    form.records = records?.path
    return form
  }
}

extension InputForm {
  /// Whether an option is given that only delimited text has.
  fileprivate var mentionsTables: Bool {
    delimiter != nil || null != nil || columns != nil || header != nil || skippedLines > 0
      || quotes != .rfc4180
  }
}

/// The place of the records in a document: the value of `--records`.
struct RecordPathChoice: Hashable, ExpressibleByArgument, Sendable {
  var path: RecordPath

  init?(argument: String) {
    guard let path = RecordPath(argument) else { return nil }
    self.path = path
  }
}

/// The character between fields: the value of `--delimiter`.
struct DelimiterChoice: Hashable, ExpressibleByArgument, Sendable {
  var character: Unicode.Scalar

  init?(argument: String) {
    if argument == "tab" || argument == "\\t" {
      character = "\t"
      return
    }
    let scalars = argument.unicodeScalars
    guard scalars.count == 1, let first = scalars.first, InputForm.isDelimiter(first) else {
      return nil
    }
    character = first
  }
}
