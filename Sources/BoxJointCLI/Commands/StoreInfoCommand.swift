internal import ArgumentParser
internal import BoxDump
internal import BoxReport
internal import BoxStoreTool
internal import BoxTerminal

/// `boxjoint store info`: prints the sizes of a store.
struct StoreInfoCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "List the contents of a store, with sizes.",
    discussion: """
      Other programs may read and write at the same time. A long-running reader prevents the reuse \
      of old pages; info names the oldest one. The relations of the store are checked with sums, \
      and damage is reported after the sizes. 'store verify' checks everything.

      With an entity, info shows its properties with their types and indexes, its relations, and \
      its first objects.

      Examples:
        boxjoint store info data/
        boxjoint store info data/ Person
        boxjoint store info data/ --format json | jq '.entities[] | {name, objects}'

      Exit status:
        0   the contents were printed
        2   the store cannot be opened now
        64  wrong usage, or an entity that does not exist
        65  not a store, or a damaged one
        74  the store does not exist, or cannot be read
        78  the catalogue of converters is wrong, or does not fit the model
      """)

  @Argument(
    help: ArgumentHelp("The directory of the store.", valueName: "dir"), transform: namedPath)
  var directory: String

  @Argument(help: ArgumentHelp("The entity to describe.", valueName: "entity"))
  var entity: String?

  @OptionGroup var shown: ValueFormatOptions
  @OptionGroup var trust: StoreTrust

  @Option(help: "The output format.")
  var format: TextOrJSON = .text

  @Option(help: "How to show progress on standard error.")
  var progress: ProgressChoice = .auto

  func run(in session: StoreSession?) throws {
    if let entity { return try describe(entity, session) }
    let (information, damage) = try StoreInformation.read(
      directory, trust.access(in: session), Progress(progress))
    try StandardOutput.write(format == .text ? information.text : information.json.displayText)
    if let damage { throw damage }
  }

  private func describe(_ entity: String, _ session: StoreSession?) throws {
    var values = ValueForm()
    (values.integers, values.dates) = (shown.integers.word, shown.dates.word)
    let information = try EntityInformation(
      directory, entity, values, shown.catalogue, trust.access(in: session),
      in: Workspace(observer: Progress(progress)))
    try StandardOutput.write(format == .text ? information.text : information.json.displayText)
  }
}
