internal import ArgumentParser
internal import BoxTerminal

/// The store and the entity of a command about objects.
struct EntityArguments: ParsableArguments {
  @Argument(
    help: ArgumentHelp("The directory of the store.", valueName: "dir"), completion: .directory,
    transform: namedPath)
  var store: String

  @Argument(help: ArgumentHelp("The entity of the objects.", valueName: "entity"))
  var entity: String
}
