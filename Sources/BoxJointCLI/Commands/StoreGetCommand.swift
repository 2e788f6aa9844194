internal import ArgumentParser
internal import BoxDump
internal import BoxStoreTool
internal import BoxTerminal

/// `boxjoint store get`: shows objects by their ids.
struct StoreGetCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "get",
    abstract: "Show objects by their ids.",
    discussion: """
      Each object is shown with all its properties, and with the ids of its relations to many. As \
      ndjson it can be edited and put back with 'store put --mode replace'. 'boxjoint query' finds \
      objects by a condition.

      Examples:
        boxjoint store get data Person 1 2
        boxjoint store get data Person 1 --format ndjson

      Exit status:
        0   the objects were shown
        2   an object does not exist, or the store cannot be opened now
        64  wrong usage, or an entity that does not exist
        65  not a store, a damaged store, or a value that cannot be shown
        74  something cannot be read or written
        78  the catalogue of converters is wrong, or does not fit the model
      """)

  @OptionGroup var place: EntityArguments

  @Argument(help: ArgumentHelp("The ids of the objects.", valueName: "id"))
  var ids: [String]

  @Option(help: "The output format.")
  var format = WordChoice(QueryFormat.text)

  @OptionGroup var shown: ValueFormatOptions
  @OptionGroup var trust: StoreTrust

  func validate() throws { _ = try ids.map(objectID) }

  func run(in session: StoreSession?) throws {
    var request = GetRequest(
      place.store, place.entity, try ids.map(objectID), to: ResultDestination())
    request.format = format.word
    request.screen = .console
    (request.values.integers, request.values.dates) = (shown.integers.word, shown.dates.word)
    request.catalogue = shown.catalogue
    request.access = trust.access(in: session)
    try request.run(in: .console)
  }
}
