internal import ArgumentParser
internal import BoxDump
internal import BoxStoreTool
internal import BoxTerminal

/// `boxjoint store put`: adds and replaces objects.
struct StorePutCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "put",
    abstract: "Add objects, or change them as a whole.",
    discussion: """
      Values are written as in a dump. The ids of the objects are printed, one in each line. All \
      objects are put in one transaction, or none: every problem is listed first. The name of a \
      relation to many is a list of ids, which become exactly the targets of the object. \
      'boxjoint import' loads many objects. --mode replace asks on a terminal before it overwrites \
      objects; elsewhere pass --yes and --expect, or --confirm with the code that --dry-run prints.

      Examples:
        boxjoint store put data Person '{"name": "Ann", "age": 41}'
        boxjoint store put data Person --mode update '{"id": 1, "age": 42}'
        boxjoint store put data Person - < people.ndjson

      Exit status:
        0   the objects were put, or would be
        2   an object exists or does not, a value is not unique, a relation leads to
            an object that does not exist, you did not confirm, something else would
            be lost than you confirmed, or the store cannot be opened now
        64  wrong usage, or an entity that does not exist
        65  JSON that is malformed or does not fit, not a store, or a damaged one
        74  something cannot be read or written
        78  the catalogue of converters is wrong or does not fit the model, or your
            setting safety.confirm is wrong
      """)

  @OptionGroup var place: EntityArguments

  @Argument(
    help: ArgumentHelp(
      "An object or an array of objects; - for standard input, also with an object in each line.",
      valueName: "json"))
  var objects: [String]

  @Option(help: "What to do with objects that exist, as for 'boxjoint import'.")
  var mode = WordChoice(ImportMode.insert)

  @OptionGroup var agreed: ConsentArguments
  @OptionGroup var edit: EditArguments
  @OptionGroup var shown: ValueFormatOptions

  func validate() throws {
    if objects.count(where: { $0 == "-" }) > 1 {
      throw ValidationError("Standard input can be read once: pass - once.")
    }
  }

  func run(in session: StoreSession?) throws {
    var request = PutRequest(place.store, place.entity, objects)
    request.mode = mode.word
    request.options = try edit.options(shown, in: session, agreed, .onTerminal, about: place.store)
    try edit.run(in: session, agreed) { try request.run(in: .console) }
  }
}
