internal import ArgumentParser
internal import BoxReport
internal import BoxStoreTool
internal import BoxTerminal

/// `boxjoint store orphans`: lists links to objects that do not exist, and objects without an owner.
struct StoreOrphansCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "orphans",
    abstract: "List links that lead nowhere, and objects without an owner.",
    discussion: """
      A relation to one leads nowhere if its target was removed and no delete rule has changed it. \
      An object has no owner if a delete rule would remove it with another object, and none is \
      related to it. Both are listed with their number and the first ids; nothing is changed.

      Examples:
        boxjoint store orphans data
        boxjoint store orphans data --format json

      Exit status:
        0   there are none
        1   some were found
        2   the store cannot be opened now
        64  wrong usage
        65  not a store, or a damaged one
        74  something cannot be read or written
      """)

  @Argument(
    help: ArgumentHelp("The directory of the store.", valueName: "dir"), completion: .directory,
    transform: namedPath)
  var store: String

  @Option(help: "The output format.")
  var format: TextOrJSON = .text

  @OptionGroup var trust: StoreTrust

  func run() throws {
    let report = try OrphansReport(store, trust.access(in: nil), in: .console)
    try StandardOutput.write(format == .json ? report.json.displayText : report.text)
    try endCommand(ifFindings: report.hasOrphans)
  }
}
