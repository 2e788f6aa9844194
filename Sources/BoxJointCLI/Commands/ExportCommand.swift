internal import ArgumentParser
internal import BoxConvert
internal import BoxDump
internal import BoxEngine
internal import BoxModel
internal import BoxReport
internal import BoxStorage

/// `boxjoint export`: writes what is in a store as JSON.
struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Writes what is in a store as JSON.",
    discussion: """
      The dump is one state of the store, whatever is written meanwhile, and carries its model, so \
      that it can be imported into an empty store, or into one of an older or a newer model. \
      docs/dumps.md describes the three shapes.

      Examples:
        boxjoint export --store data/ --output people.ndjson.zst
        boxjoint export --store data/ --shape directory --output people/
        boxjoint export --store data/ --entities Person \\
          --where 'age >= 30 && name startsWith "A"' --limit 10
        boxjoint export --store data/ --output support.ndjson \\
          --redact Person.email=hash --redact Person.name=mask

      A condition is made of ==, !=, <, <=, >, >=, between … and …, in (…), contains, startsWith, \
      endsWith, == nil, and of &&, || and !. Strings stand in quotes, dates as they are \
      (2024-02-29T12:00:00Z), and ignoringCase behind a comparison of strings ignores case. Null is \
      neither equal nor unequal to a value.

      What is written is checked against what the store knows twice, and a store that contradicts itself \
      is an error. --salvage leaves out the objects and the entries of relations that are damaged, writes \
      the others, and says how many were left out.

      Exit status: 0 written; 1 written, and damage was left out; 2 the store cannot be opened now, or the folder is not empty; 64 an \
      option names what is not there, or --output leads into the folder of the store; 65 it is no \
      store, it is damaged, or a value has no form; 74 something cannot be read or written; 78 the catalogue of \
      converters is wrong, or does not fit the model.
      """)

  @Option(help: ArgumentHelp("The folder of the store.", valueName: "dir"))
  var store: String

  @Option(
    name: .customLong("output"),
    help: ArgumentHelp(
      "The file or the folder to write; standard output without it, or for -. A file whose name ends "
        + "in .gz or .zst is compressed.", valueName: "path"))
  var outputPath: String?

  private var output: String? {
    outputPath.flatMap { DescriptorPath.isStandardOutput($0) ? nil : $0 }
  }

  @Option(help: "How the parts are laid out: lines, directory or document.")
  var shape = WordChoice(DumpShape.lines)

  @Option(help: ArgumentHelp("The entities, separated by commas.", valueName: "names"))
  var entities: [String] = []

  @Option(
    help: ArgumentHelp(
      "The properties and relations, as Entity.property, separated by commas.", valueName: "names"))
  var fields: [String] = []

  @Option(
    name: .customLong("where"),
    help: ArgumentHelp("What the objects of an entity have to fulfil.", valueName: "condition"))
  var condition: String?

  @Option(help: ArgumentHelp("How many objects of each entity to write.", valueName: "n"))
  var limit: Int?

  @Option(
    help: ArgumentHelp(
      "What to write instead of a property's values: null, mask or hash.",
      valueName: "entity.property=way"))
  var redact: [String] = []

  @Option(
    help: ArgumentHelp(
      "The catalogue of converters, in place of the one of .boxjoint.yml or converters.yml.",
      valueName: "path"))
  var converters: String?

  @Flag(help: "Write values as they are stored, whatever catalogue there is.")
  var raw = false

  @Flag(help: "Leave out what is damaged, and write the rest.")
  var salvage = false

  @OptionGroup var configuration: ConfigurationArguments

  @Option(help: "How to write integers of 64 bits: number or string.")
  var integers = WordChoice(IntegerForm.number)

  @Option(help: "How to write dates: number or iso.")
  var dates = WordChoice(DateForm.number)

  @Option(
    help:
      "How to compress the file, or each one of a folder: gz or zst; by default as its name says.")
  var compress: CompressionChoice?

  @OptionGroup var trust: StoreTrust

  @Option(help: "How to show progress.")
  var progress: ProgressChoice = .auto

  func validate() throws {
    if shape.word == .directory && output == nil {
      throw ValidationError("--shape directory needs --output.")
    }
    if let output, let problem = ExportEnding.problem(of: output, shape.word) {
      throw ValidationError("--output \(output): \(problem).")
    }
    if !entities.isEmpty && split(entities).isEmpty {
      throw ValidationError("--entities names no entity.")
    }
    if !fields.isEmpty && split(fields).isEmpty {
      throw ValidationError("--fields names no property.")
    }
    if shape.word == .directory, compress == nil, let output,
      Compression(endingOf: output) != .none
    {
      throw ValidationError(
        "--shape directory makes a folder; --compress compresses each file in it.")
    }
    if raw && converters != nil {
      throw ValidationError("--raw and --converters exclude each other.")
    }
    if let limit, limit < 0 { throw ValidationError("--limit is at least 0.") }
    if let compress, let output, shape.word != .directory,
      ![.none, compress.compression].contains(Compression(endingOf: output))
    {
      throw ValidationError("--compress \(compress.rawValue) and the name of the file disagree.")
    }
  }

  func run() throws {
    try requireStoreInWorkTree(store)
    if let output {
      try requireOutside(output, ofStore: store)
      try requireOutputs(
        [output],
        notAmong: [converters, configuration.configurationPath].compactMap { $0 })
    }
    let bar = Progress(progress)
    var folder: FolderDestination?
    do {
      let totals = try onDump(store) {
        defer { bar.finish() }
        let store = try ObjectStore.open(
          .directory(self.store), options: trust.options(isReadOnly: true, bar))
        tellWarnings(store.warnings, of: self.store)
        let exporter = try DumpExporter(store, try exportOptions(store.model))
        for warning in exporter.warnings {
          StandardError.writeLine("boxjoint: warning: \(warning.escapedForDisplay)")
        }
        let destination: any DumpOutput
        switch (output, shape.word) {
        case (let path?, .directory):
          let made = try FolderDestination(path)
          folder = made
          destination = made
        case (let path?, _): destination = FileDestination(path)
        case (nil, _): destination = StandardOutputDestination()
        }
        return try exporter.export(to: destination) {
          bar.update("exporting \($0.name)", $0.done, of: $0.total, unit: "objects")
        }
      }
      if let output {
        try StandardOutput.write(summary(totals) + " to \(output.escapedForDisplay)\n")
      }
      if !totals.leftOut.isEmpty {
        StandardError.writeLine("boxjoint: \(store): \(leftOut(totals))".escapedForDisplay)
        throw ExitStatus.findings.exitCode
      }
    } catch let error as ExitCode {
      throw error
    } catch {
      folder?.remove()
      throw error
    }
  }

  private func exportOptions(_ model: Model) throws -> ExportOptions {
    var options = ExportOptions()
    options.shape = shape.word
    options.entities = entities.isEmpty ? nil : split(entities)
    options.fields = fields.isEmpty ? nil : split(fields)
    options.condition = condition
    options.limit = limit
    options.salvages = salvage
    options.integers = integers.word
    options.dates = dates.word
    options.redactions = try redact.map(redaction)
    if !raw,
      let file = try CatalogueFile.load(
        converters, configuration: configuration.configurationPath),
      !file.catalogue.bindings.isEmpty
    {
      try file.requireFit(for: model, isNamed: converters != nil)
      options.converters = ExportConverters(file.catalogue)
    }
    options.compression =
      compress?.compression
      ?? (shape.word == .directory ? .none : Compression(endingOf: output ?? ""))
    return options
  }

  private func split(_ lists: [String]) -> [String] {
    lists.flatMap { $0.split(separator: ",").map(String.init) }
  }

  private func redaction(_ text: String) throws -> DumpHeader.RedactedProperty {
    guard let sign = text.lastIndex(of: "="),
      let redaction = Redaction(rawValue: String(text[text.index(after: sign)...]))
    else {
      throw CommandFailure(
        .usage, "--redact \(text): write Entity.property=null, =mask or =hash")
    }
    return .init(String(text[..<sign]), redaction)
  }

  private func leftOut(_ totals: DumpTotals) -> String {
    let (objects, entries) = (totals.leftOut.objects, totals.leftOut.entries)
    return "left out as damaged: \(counted(objects, "object")), and "
      + "\(counted(entries, "entry", "entries")) of relations; `boxjoint store verify` names them"
  }

  private func summary(_ totals: DumpTotals) -> String {
    let targets = totals.relations.reduce(0) { $0 + $1.targets }
    let text =
      "exported \(counted(totals.objects, "object")) of "
      + counted(totals.entities.count, "entity", "entities")
    if totals.relations.isEmpty { return text }
    return text + " and \(counted(targets, "entry", "entries")) of "
      + counted(totals.relations.count, "relation")
  }
}

/// The compression of a dump: the value of `--compress`.
enum CompressionChoice: String, CaseIterable, ExpressibleByArgument {
  case gz, zst

  var compression: Compression { self == .gz ? .gzip : .zstd }
}
