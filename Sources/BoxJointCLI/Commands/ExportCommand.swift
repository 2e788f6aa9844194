internal import ArgumentParser
internal import BoxDump
internal import BoxReport
internal import BoxStoreTool
internal import BoxTerminal

/// `boxjoint export`: writes what is in a store as JSON, as tables or as a database.
struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Export the data of a store as JSON, CSV or SQLite.",
    discussion: """
      The dump is one state of the store, even if other programs write during the export. It \
      contains the model, so it can be imported into an empty store, or into one with an older or \
      newer model. docs/dumps.md describes the three shapes. CSV and TSV are tables for other \
      programs: a file for each entity in a directory, or one entity in a file. SQLite is a database \
      file for viewers and SQL: a table for each entity and each relation to many.

      Examples:
        boxjoint export --store data/ --output people.ndjson.zst
        boxjoint export --store data/ --shape directory --output people/
        boxjoint export --store data/ --format csv --entities Person \\
          --output people.csv
        boxjoint export --store data/ --format sqlite --output people.db
        boxjoint export --store data/ --entities Person \\
          --where 'age >= 30 && name startsWith "A"' --limit 10
        boxjoint export --store data/ --output support.ndjson \\
          --redact Person.email=hash --redact Person.name=mask

      A condition uses ==, !=, <, <=, >, >=, between … and …, in (…), contains, startsWith, \
      endsWith and == nil. Combine conditions with &&, || and !. Put strings in quotes, and write \
      dates as they are (2024-02-29T12:00:00Z). To ignore case, write ignoringCase after a \
      comparison of strings. Null is neither equal nor unequal to a value.

      The store is verified, as `boxjoint store verify` does, and damage is an error. \
      --salvage skips damaged pages, objects and entries of relations, writes the others, and reports \
      what is missing.

      Exit status:
        0   exported
        1   exported, but damaged data was skipped
        2   the store cannot be opened now, or the directory is not empty
        64  wrong usage, an option names something that does not exist, or --output
            is inside the directory of the store
        65  not a store, a damaged store, or a value that cannot be written
        74  something cannot be read or written
        78  the catalogue of converters is wrong, or does not fit the model
      """)

  @Option(help: ArgumentHelp("The directory of the store.", valueName: "dir"), transform: namedPath)
  var store: String

  @Option(
    name: .customLong("output"),
    help: ArgumentHelp(
      "The file or directory to write, or - for standard output, the default. A file whose name "
        + "ends in .gz or .zst is compressed.", valueName: "path"), transform: namedPath)
  var outputPath: String?

  private var output: String? {
    outputPath.flatMap { DescriptorPath.isStandardOutput($0) ? nil : $0 }
  }

  @Option(help: "The format of the data.")
  var format: ExportFormat = .json

  @Option(help: "The layout of the dump; tables are a file for each entity in a directory.")
  var shape = WordChoice(DumpShape.lines)

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The character between the fields of a table, or 'tab'.", valueName: "character"))
  var delimiter: DelimiterChoice?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The field for null in a table; empty by default.", valueName: "text"))
  var null: String?

  @Option(help: "How to write vectors of floats to a database.")
  var vectors: WordChoice<VectorForm>?

  @Option(
    help: ArgumentHelp(
      "Comma-separated programs for which --shape directory writes the types of the values beside "
        + "the lines: duckdb, spark.", valueName: "programs"))
  var schema: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "With --shape directory, cut each entity and each relation into files of at most this many lines.",
      valueName: "n"))
  var rowsPerFile: Int?

  /// The form of tables; nil for a dump.
  private var table: TableForm? {
    guard var table = format.table else { return nil }
    if let delimiter { table.delimiter = delimiter.character }
    if let null { table.null = null }
    return table
  }

  @Option(
    help: ArgumentHelp("Comma-separated entities to export; defaults to all.", valueName: "names"))
  var entities: [String] = []

  @Option(
    help: ArgumentHelp(
      "Comma-separated properties and relations to export, as Entity.property; defaults to all. A "
        + "name that is not a plain word goes in backquotes.", valueName: "names"))
  var fields: [String] = []

  @Option(
    name: .customLong("where"),
    help: ArgumentHelp(
      "Export only the objects of an entity that meet this condition.", valueName: "condition"))
  var conditions: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Export at most this many objects of each entity.", valueName: "n"))
  var limit: Int?

  @Option(
    help: ArgumentHelp(
      "Replace the values of a property: null, mask or hash. Repeatable.",
      valueName: "entity.property=way"))
  var redact: [String] = []

  @Flag(help: "Skip damaged data, and write the rest.")
  var salvage = false

  @OptionGroup var shown: ValueFormatOptions

  @Option(help: "How to write bytes: in base64, or as hexadecimal digits after \\x.")
  var bytes = WordChoice(BytesForm.base64)

  @Option(
    help:
      "Compress the file, or each file of a directory; by default according to its name.")
  var compress: CompressionChoice?

  @OptionGroup var trust: StoreTrust

  @Option(help: "How to show progress on standard error.")
  var progress: ProgressChoice = .auto

  func validate() throws {
    _ = try conditions.onlyCondition()
    if format == .sqlite { try validateDatabase() } else { try validateFiles() }
    if !entities.isEmpty && split(entities).isEmpty {
      throw ValidationError("--entities needs at least one entity.")
    }
    if !fields.isEmpty && split(fields).isEmpty {
      throw ValidationError("--fields needs at least one property.")
    }
    if let limit, limit < 0 { throw ValidationError("--limit must be at least 0.") }
  }

  /// Refuses what a database does not have.
  private func validateDatabase() throws {
    guard let output else {
      throw ValidationError(
        "--format sqlite needs --output: a database cannot be written to a pipe; name a file.")
    }
    if delimiter != nil || null != nil {
      throw ValidationError("--delimiter and --null need --format csv or tsv.")
    }
    if shape.word != .lines || !schema.isEmpty || rowsPerFile != nil || compress != nil
      || shown.integers.word != .number || shown.dates.word != .number || bytes.word != .base64
    {
      throw ValidationError(
        "--shape, --schema, --rows-per-file, --compress, --integers, --dates and --bytes do not apply to --format "
          + "sqlite.")
    }
    if let problem = ExportEnding.databaseProblem(of: output) {
      throw ValidationError("--output \(output): \(problem.message).")
    }
  }

  /// Refuses what dumps and tables do not have.
  private func validateFiles() throws {
    if vectors != nil { throw ValidationError("--vectors needs --format sqlite.") }
    if table == nil, delimiter != nil || null != nil {
      throw ValidationError("--delimiter and --null need --format csv or tsv.")
    }
    if table != nil {
      if shape.word == .document { throw ValidationError("--shape document needs JSON.") }
    }
    if !schema.isEmpty, shape.word != .directory || table != nil {
      throw ValidationError("--schema needs --shape directory with JSON.")
    }
    if let rowsPerFile {
      if shape.word != .directory || table != nil {
        throw ValidationError("--rows-per-file needs --shape directory with JSON.")
      }
      if rowsPerFile < 1 { throw ValidationError("--rows-per-file must be at least 1.") }
    }
    for word in schemaWords where SchemaReader(rawValue: word) == nil {
      throw ValidationError("--schema \(word): write duckdb, spark or both.")
    }
    if shape.word == .directory && output == nil {
      throw ValidationError("--shape directory needs --output.")
    }
    if let output, let problem = ExportEnding.problem(of: output, shape.word, table) {
      let shape = problem.shape.map { ", or pass --shape \($0.rawValue)" } ?? ""
      let table = self.shape.word == .document ? nil : problem.table
      let format =
        table.map { ", or pass --format \($0.ending)" }
        ?? (problem.isDatabase && self.shape.word == .lines ? ", or pass --format sqlite" : "")
      throw ValidationError("--output \(output): \(problem.message)\(shape)\(format).")
    }
    if shape.word == .directory, compress == nil, let output,
      Compression(endingOf: output) != .none
    {
      throw ValidationError(
        "--shape directory makes a directory; --compress compresses each file in it.")
    }
    if let compress, let output, shape.word != .directory,
      ![.none, compress.compression].contains(Compression(endingOf: output))
    {
      throw ValidationError("--compress \(compress.rawValue) and the name of the file disagree.")
    }
  }

  func run() throws {
    var request = ExportRequest(store, to: output)
    request.stream = StandardOutputDestination()
    request.options = try options()
    request.catalogue = shown.catalogue
    request.access = trust.access
    let standardOutput = try ChangeOutput(isChange: ![nil, "-"].contains(output))
    let report = try request.run(in: Workspace(observer: Progress(progress)))
    try standardOutput.report("exported") { () throws(CommandFailure) in
      if let text = report.text { try StandardOutput.write(text) }
    }
    let complaints = report.complaints
    for complaint in complaints { StandardError.writeLine(complaint) }
    try endCommand(ifFindings: !complaints.isEmpty)
  }

  private func options() throws -> ExportOptions {
    var options = ExportOptions()
    options.shape = shape.word
    options.table = table
    options.schemas = SchemaReader.allCases.filter { schemaWords.contains($0.rawValue) }
    if format == .sqlite { options.database = vectors?.word ?? .blob }
    options.entities = entities.isEmpty ? nil : split(entities)
    options.fields = fields.isEmpty ? nil : split(fields)
    options.condition = conditions.first
    options.limit = limit
    options.salvages = salvage
    options.integers = shown.integers.word
    options.dates = shown.dates.word
    options.bytes = bytes.word
    options.rowsPerFile = rowsPerFile
    options.redactions = try redact.map(redaction)
    let isOneFile = format != .sqlite && shape.word != .directory
    options.compression =
      compress?.compression ?? (isOneFile ? Compression(endingOf: output ?? "") : .none)
    return options
  }

  private var schemaWords: [String] {
    schema.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }.map(String.init)
  }

  private func split(_ lists: [String]) -> [String] { lists.flatMap(listedNames) }

  private func redaction(_ text: String) throws -> DumpHeader.RedactedProperty {
    guard let sign = text.lastIndex(of: "="),
      let redaction = Redaction(rawValue: String(text[text.index(after: sign)...]))
    else {
      throw CommandFailure(
        .usage, "--redact \(text): write Entity.property=null, =mask or =hash")
    }
    return .init(String(text[..<sign]), redaction)
  }
}

/// The format of an export: the value of `--format`.
enum ExportFormat: String, CaseIterable, ExpressibleByArgument {
  case json, csv, tsv, sqlite

  /// The form of tables; nil for a dump and for a database.
  var table: TableForm? {
    switch self {
    case .json, .sqlite: nil
    case .csv: .csv
    case .tsv: .tsv
    }
  }
}

/// The compression of a dump: the value of `--compress`.
enum CompressionChoice: String, CaseIterable, ExpressibleByArgument {
  case gz, zst

  var compression: Compression { self == .gz ? .gzip : .zstd }
}
