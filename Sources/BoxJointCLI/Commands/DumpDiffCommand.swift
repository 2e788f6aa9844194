internal import ArgumentParser
internal import BoxReport
internal import BoxStoreTool
internal import BoxTerminal

/// `boxjoint dump diff`: compares dumps and stores.
struct DumpDiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Compare two dumps or stores.",
    discussion: """
      Objects are matched by entity and id. Entities and properties are matched by UID, so a new \
      name is not a difference. Name a store as store:DIR; a directory without store: is a dump.

      Examples:
        boxjoint dump diff monday.ndjson.zst tuesday.ndjson.zst
        boxjoint dump diff backup.ndjson store:data/ --format json

      Exit status:
        0   no differences
        1   differences
        2   the two cannot be compared
        64  wrong usage
        65  one of them is not a dump or store
        74  one of them cannot be read
      """)

  @Argument(
    help: ArgumentHelp("The older version: a dump or store:DIR.", valueName: "a"),
    transform: namedPath)
  var a: String

  @Argument(
    help: ArgumentHelp("The newer version: a dump or store:DIR.", valueName: "b"),
    transform: namedPath)
  var b: String

  @OptionGroup var decompression: DecompressionArguments
  @OptionGroup var trust: StoreTrust

  @Option(help: "The output format.")
  var format: TextOrJSON = .text

  @Option(help: "Print at most this many differences; all of them are counted.")
  var limit = 1000

  func validate() throws {
    if [a, b].contains(where: DescriptorPath.isStream) {
      throw ValidationError("A dump is read twice, so a pipe cannot be compared; name a file.")
    }
    if limit < 0 { throw ValidationError("--limit must be at least 0.") }
  }

  func run() throws {
    var request = DumpComparison(from: a, to: b)
    request.limits = decompression.limits
    request.limit = limit
    request.access = trust.access
    let report = try request.run(Progress(.auto))
    try StandardOutput.write(format == .text ? report.text : report.json.displayText)
    try endCommand(ifFindings: !report.isSame)
  }
}
