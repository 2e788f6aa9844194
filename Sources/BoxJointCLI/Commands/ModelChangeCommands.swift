internal import ArgumentParser
internal import BoxModel
internal import BoxModelTool
internal import BoxTerminal

/// `boxjoint model rename`: gives an element another name.
struct ModelRenameCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rename",
    abstract: "Rename an entity, a property or a relation.",
    discussion: """
      The element keeps its id and its UID, and so its data. Relations to a renamed entity follow.

      Examples:
        boxjoint model rename model.json Film Movie
        boxjoint model rename model.json Film.year released

      \(ModelEditHelp.statuses)
      """)

  @Argument(help: ArgumentHelp("The model file.", valueName: "file"), transform: namedPath)
  var file: String

  @Argument(
    help: ArgumentHelp("The entity, property or relation.", valueName: "entity[.member]"))
  var name: String

  @Argument(help: ArgumentHelp("Its new name, without the entity's.", valueName: "name"))
  var newName: String

  @OptionGroup var result: ModelEditArguments

  func run() throws { try result.run(file, [.rename(name, to: NamePath.name(newName))]) }
}

/// `boxjoint model remove`: removes elements and retires them.
struct ModelRemoveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Remove entities, properties and relations.",
    discussion: """
      The UIDs of what is removed are retired, with those of everything in it, so that they are \
      never assigned again. An entity that is the target of a relation is not removed.

      Examples:
        boxjoint model remove model.json Film.year
        boxjoint model remove model.json Film Person --dry-run

      \(ModelEditHelp.statuses)
      """)

  @Argument(help: ArgumentHelp("The model file.", valueName: "file"), transform: namedPath)
  var file: String

  @Argument(
    help: ArgumentHelp(
      "The entities, properties and relations, removed in this order.",
      valueName: "entity[.member]"))
  var names: [String]

  @OptionGroup var result: ModelEditArguments

  func run() throws { try result.run(file, names.map { .remove($0) }) }
}

/// `boxjoint model set-flags`: sets and clears flags.
struct ModelSetFlagsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set-flags",
    abstract: "Set and clear flags of a property or an entity.",
    discussion: """
      An index is added with the flags that need one (INDEXED, INDEX_HASH, INDEX_HASH64, UNIQUE), \
      and retired with the last of them.

      Examples:
        boxjoint model set-flags model.json Film.year --set indexed
        boxjoint model set-flags model.json Person.name --clear unique
        boxjoint model set-flags model.json Film --set sync-enabled

      \(ModelEditHelp.statuses)
      """)

  @Argument(help: ArgumentHelp("The model file.", valueName: "file"), transform: namedPath)
  var file: String

  @Argument(help: ArgumentHelp("The property or the entity.", valueName: "entity[.property]"))
  var name: String

  @Option(help: ArgumentHelp("Set a flag by its name; can be repeated.", valueName: "flag"))
  var set: [String] = []

  @Option(help: ArgumentHelp("Clear a flag by its name; can be repeated.", valueName: "flag"))
  var clear: [String] = []

  @OptionGroup var result: ModelEditArguments

  func validate() throws {
    if set.isEmpty && clear.isEmpty { throw ValidationError("Pass --set or --clear.") }
  }

  func run() throws { try result.run(file, [.setFlags(name, set: set, clear: clear)]) }
}

/// `boxjoint model set-type`: gives a property another type.
struct ModelSetTypeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set-type",
    abstract: "Give a property another type, and convert its values or begin without them.",
    discussion: """
      With --convert the property keeps its UID. Stores that have values of the old type are \
      refused until 'boxjoint migrate', or an app with a history of versions, has converted them; \
      where no conversion follows from the types, that takes a mapping. With --reset it is another \
      property, with a new id and UID: the old one is retired, and its values are not visible in \
      the new one. A sign is a flag: 'boxjoint model set-flags'. 'boxjoint plan' shows the effects \
      before you release the model.

      Examples:
        boxjoint model set-type model.json Film.year string --convert --dry-run

      \(ModelEditHelp.statuses)
      """)

  @Argument(help: ArgumentHelp("The model file.", valueName: "file"), transform: namedPath)
  var file: String

  @Argument(help: ArgumentHelp("The property.", valueName: "entity.property"))
  var name: String

  @Argument(help: ArgumentHelp("The new type of its values."))
  var type: PropertyTypeChoice

  @Flag(help: "Keep the UID, so that stored values are converted.")
  var convert = false

  @Flag(help: "Retire the UID, and begin without values under a new one.")
  var reset = false

  @OptionGroup var result: ModelEditArguments

  func validate() throws {
    if convert != reset { return }
    throw ValidationError(
      convert
        ? "Pass either --convert or --reset."
        : "Pass --convert to keep the UID and convert the values of stores, or --reset to begin"
          + " without them under a new UID.")
  }

  func run() throws { try result.run(file, [.setType(name, type.type, keepsUID: convert)]) }
}
