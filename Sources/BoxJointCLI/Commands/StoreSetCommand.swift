internal import ArgumentParser
internal import BoxStoreTool

/// `boxjoint store set`: sets properties of objects.
struct StoreSetCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Set properties of objects.",
    discussion: """
      Select the objects by ids, --where or --all. A value after = is written as in a condition: \
      30, true, 'text', 2024-02-29, null, or the name of an enum's value. A value after := is JSON, \
      as in a dump. All objects are changed in one transaction, or none. For --where and --all, set \
      asks on a terminal; elsewhere pass --yes and --expect, or --confirm with the code that \
      --dry-run prints: docs/agents.md.

      Examples:
        boxjoint store set data Person 1 age=42 "name='Ann'"
        boxjoint store set data Person 1 'tags:=["friend"]' mail=null
        boxjoint store set data Person --where 'age > 64' role=retired --dry-run

      Exit status:
        0   the values were set, or would be
        2   an object does not exist, a value is not unique, you did not confirm,
            something else would be lost than you confirmed, or the store cannot be
            opened now
        64  wrong usage, a name that does not exist, a value that does not fit, or
            no terminal to ask for confirmation
        65  not a store, or a damaged one
        74  something cannot be read or written
        78  the catalogue of converters is wrong or does not fit the model, or your
            setting safety.confirm is wrong
      """)

  @OptionGroup var place: EntityArguments

  @Argument(
    help: ArgumentHelp(
      "Ids of objects, and new values as name=value or name:=json.", valueName: "id|name=value"))
  var words: [String]

  @OptionGroup var selected: SelectionArguments
  @OptionGroup var agreed: ConsentArguments
  @OptionGroup var edit: EditArguments
  @OptionGroup var shown: ValueFormatOptions

  private var assignments: [String] { words.filter { $0.contains("=") } }

  private func selection() throws -> ObjectSelection {
    try selected.selection(words.filter { !$0.contains("=") }.map(objectID))
  }

  func validate() throws {
    if assignments.isEmpty { throw ValidationError("Pass a new value, as name=value.") }
    _ = try selection()
  }

  func run(in session: StoreSession?) throws {
    var request = SetRequest(place.store, place.entity, try selection(), assignments)
    request.options = try edit.options(shown, in: session, agreed, about: place.store)
    try edit.run(in: session, agreed) { try request.run(in: .console) }
  }
}
