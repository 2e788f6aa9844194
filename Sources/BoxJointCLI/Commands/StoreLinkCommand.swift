internal import ArgumentParser
internal import BoxStoreTool
internal import BoxTerminal

/// `boxjoint store link`: adds entries to a to-many relation.
struct StoreLinkCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "link",
    abstract: "Add entries to a relation to many.",
    discussion: """
      All objects must exist. All entries are added in one transaction, or none. A relation to one \
      is a property, which 'store set' changes.

      Examples:
        boxjoint store link data Person.friends 1 2 3

      Exit status:
        0   the entries exist now, or would
        2   an object does not exist, or the store cannot be opened now
        64  wrong usage, or a relation that does not exist
        65  not a store, or a damaged one
        74  something cannot be read or written
      """)

  @OptionGroup var link: LinkArguments

  func run(in session: StoreSession?) throws { try link.run(in: session) }
}

/// `boxjoint store unlink`: removes entries of a to-many relation.
struct StoreUnlinkCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "unlink",
    abstract: "Remove entries of a relation to many.",
    discussion: """
      The objects stay. An entry whose objects do not exist is removed too, and so is an entry that \
      exists in one direction only, as a damaged store can have it. On a terminal, unlink asks; \
      elsewhere pass --yes, or --confirm with the code that --dry-run prints.

      Examples:
        boxjoint store unlink data Person.friends 1 3

      Exit status:
        0   the entries do not exist any more, or would not
        2   you did not confirm, something else would be lost than you confirmed, or
            the store cannot be opened now
        64  wrong usage, or a relation that does not exist
        65  not a store, or a damaged one
        74  something cannot be read or written
        78  your setting safety.confirm is wrong
      """)

  @OptionGroup var link: LinkArguments
  @OptionGroup var agreed: ConsentArguments

  func run(in session: StoreSession?) throws { try link.run(removing: agreed, in: session) }
}

/// The arguments of commands about entries of a to-many relation.
struct LinkArguments: ParsableArguments {
  @Argument(
    help: ArgumentHelp("The directory of the store.", valueName: "dir"), completion: .directory,
    transform: namedPath)
  var store: String

  @Argument(
    help: ArgumentHelp("The relation, as Entity.relation.", valueName: "entity.relation"))
  var relation: String

  @Argument(help: ArgumentHelp("The id of the object that has the relation.", valueName: "id"))
  var source: String

  @Argument(help: ArgumentHelp("The ids of its targets.", valueName: "target"))
  var targets: [String]

  @OptionGroup var edit: EditArguments

  func validate() throws { _ = try ([source] + targets).map(objectID) }

  /// Adds the entries, or removes them with consent.
  func run(removing agreed: ConsentArguments? = nil, in session: StoreSession?) throws {
    var request = LinkRequest(
      store, relation, from: try objectID(source), to: try targets.map(objectID),
      isRemoval: agreed != nil)
    request.options = try edit.options(in: session, agreed, .onTerminal, about: store)
    try edit.run(in: session, agreed) { try request.run(in: .console) }
  }
}
