internal import ArgumentParser
internal import BoxStoreTool

/// `boxjoint store remove`: removes objects.
struct StoreRemoveCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Remove objects.",
    discussion: """
      Select the objects by ids, --where or --all. Their entries in relations to many and in indexes \
      are removed too, and the delete rules of the store hold: they may remove other objects, make \
      relations null, or forbid the removal. A relation to one without a rule keeps the id of a \
      removed object. All is done in one transaction, or nothing. For --where and --all, remove \
      asks on a terminal; elsewhere pass --yes and --expect, or --confirm with the code that \
      --dry-run prints: docs/agents.md. A damaged object can be removed by its id.

      Examples:
        boxjoint store remove data Person 3 4
        boxjoint store remove data Person --where 'name == nil' --dry-run

      Exit status:
        0   the objects were removed, or would be
        2   an object does not exist, a delete rule forbids the removal, you did not
            confirm, something else would be lost than you confirmed, or the store
            cannot be opened now
        64  wrong usage, a name that does not exist, or no terminal to ask for
            confirmation
        65  not a store, or a damaged one
        74  something cannot be read or written
        78  the catalogue of converters is wrong or does not fit the model, or your
            setting safety.confirm is wrong
      """)

  @OptionGroup var place: EntityArguments

  @Argument(help: ArgumentHelp("The ids of the objects.", valueName: "id"))
  var ids: [String] = []

  @OptionGroup var selected: SelectionArguments
  @OptionGroup var agreed: ConsentArguments
  @OptionGroup var edit: EditArguments
  @OptionGroup var shown: ValueFormatOptions

  private func selection() throws -> ObjectSelection {
    try selected.selection(ids.map(objectID))
  }

  func validate() throws { _ = try selection() }

  func run(in session: StoreSession?) throws {
    var request = RemoveRequest(place.store, place.entity, try selection())
    request.options = try edit.options(shown, in: session, agreed, about: place.store)
    try edit.run(in: session, agreed) { try request.run(in: .console) }
  }
}
