internal import ArgumentParser
internal import BoxReport
internal import BoxStoreTool
internal import BoxTerminal

/// `boxjoint converters scan`: counts what a store holds for each converted property.
struct ConvertersScanCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scan",
    abstract: "Count the known, unknown and malformed values in a store.",
    discussion: """
      For each converted property, scan counts the values that the converter knows, and shows \
      examples of the others. Other programs may read and write at the same time.

      Examples:
        boxjoint converters scan --store data
        boxjoint converters scan --store data --format json | jq .properties

      Exit status:
        0   every value is known
        1   some values are not known
        2   the store cannot be opened now, or a converter does not fit its property
        64  wrong usage
        65  not a store, or a damaged one
        74  the store cannot be read
        78  the catalogue is wrong
      """)

  @Option(help: ArgumentHelp("The directory of the store.", valueName: "dir"), transform: namedPath)
  var store: String

  @OptionGroup var catalogue: CatalogueArguments

  @Option(help: "Show at most this many different values as examples for each property.")
  var examples = 5

  @Option(help: "The output format.")
  var format: TextOrJSON = .text

  @OptionGroup var trust: StoreTrust

  @Option(help: "How to show progress on standard error.")
  var progress: ProgressChoice = .auto

  func validate() throws {
    if !(0...1000).contains(examples) {
      throw ValidationError("--examples must be a number from 0 to 1000.")
    }
  }

  func run() throws {
    var request = ConverterScanRequest(store, catalogue: catalogue.choice)
    request.examples = examples
    request.access = trust.access
    let report = try request.run(in: Workspace(observer: Progress(progress)))
    try StandardOutput.write(format == .text ? report.text : report.json.displayText)
    try endCommand(ifFindings: report.hasFindings)
  }
}
