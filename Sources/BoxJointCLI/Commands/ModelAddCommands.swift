internal import ArgumentParser
internal import BoxModel
internal import BoxModelTool
internal import BoxReport
internal import BoxTerminal

/// `boxjoint model new`: creates a model file.
struct ModelNewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new",
    abstract: "Create a model file.",
    discussion: """
      Each entity gets a property 'id'. A file that exists is not overwritten.

      Examples:
        boxjoint model new model.json
        boxjoint model new model.json Film Person

      \(ModelEditHelp.statuses)
      """)

  @Argument(help: ArgumentHelp("The new model file.", valueName: "file"), transform: namedPath)
  var file: String

  @Argument(help: ArgumentHelp("The names of its entities.", valueName: "entity"))
  var entities: [String] = []

  @Flag(help: "Print the differences, and write nothing.")
  var dryRun = false

  @Option(help: "The output format.")
  var format: TextOrJSON = .text

  func run() throws {
    var request = ModelEditRequest(
      file, entities.map { .addEntity(EntityDraft(NamePath.name($0))) })
    request.isNew = true
    request.isDryRun = dryRun
    try request.run(printing: format)
  }
}

/// `boxjoint model add-entity`: adds entities to a model file.
struct ModelAddEntityCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add-entity",
    abstract: "Add entities to a model file.",
    discussion: """
      Each entity gets a property 'id'.

      Examples:
        boxjoint model add-entity model.json Film
        boxjoint model add-entity model.json Film Person --dry-run

      \(ModelEditHelp.statuses)
      """)

  @Argument(help: ArgumentHelp("The model file.", valueName: "file"), transform: namedPath)
  var file: String

  @Argument(help: ArgumentHelp("The names of the entities.", valueName: "entity"))
  var entities: [String]

  @OptionGroup var result: ModelEditArguments

  func run() throws {
    try result.run(file, entities.map { .addEntity(EntityDraft(NamePath.name($0))) })
  }
}

/// The type of a property: the value of `add-property` and `set-type`.
struct PropertyTypeChoice: ExpressibleByArgument {
  let type: PropertyType

  init?(argument: String) {
    guard let type = PropertyType(named: argument), type != .relation else { return nil }
    self.type = type
  }

  static var allValueStrings: [String] {
    (1...32).map { PropertyType(rawValue: $0) }.filter { $0.isKnown && $0 != .relation }
      .map(\.description)
  }
}

/// `boxjoint model add-property`: adds a property to an entity.
struct ModelAddPropertyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add-property",
    abstract: "Add a property to an entity.",
    discussion: """
      An index of strings is one of hashes; --flag indexed adds one by value.

      Examples:
        boxjoint model add-property model.json Film.title string
        boxjoint model add-property model.json Film.year long --indexed
        boxjoint model add-property model.json Person.name string --unique

      \(ModelEditHelp.statuses)
      """)

  @Argument(help: ArgumentHelp("The model file.", valueName: "file"), transform: namedPath)
  var file: String

  @Argument(help: ArgumentHelp("The new property.", valueName: "entity.property"))
  var name: String

  @Argument(help: ArgumentHelp("The type of its values."))
  var type: PropertyTypeChoice

  @Flag(help: "Add an index.")
  var indexed = false

  @Flag(help: "Allow each value in one object only; adds an index.")
  var unique = false

  @Flag(help: "Store integers without a sign.")
  var unsigned = false

  @Flag(help: "Do not allow null.")
  var notNull = false

  @Option(
    name: .customLong("flag"),
    help: ArgumentHelp("Set another flag by its name; can be repeated.", valueName: "name"))
  var flags: [String] = []

  @OptionGroup var result: ModelEditArguments

  func run() throws {
    var set: PropertyFlags = []
    if indexed { set.formUnion(type.type == .string ? .indexHash : .indexed) }
    if unique { set.insert(.unique) }
    if unsigned { set.insert(.unsigned) }
    if notNull { set.insert(.notNull) }
    for name in flags {
      guard let flag = PropertyFlags(named: name) else {
        let nearest = nearestName(to: name, among: PropertyFlags.names.map(\.name))
        throw CommandFailure(
          .usage, "there is no flag '\(name)'" + (nearest.map { "; did you mean '\($0)'?" } ?? ""))
      }
      set.formUnion(flag)
    }
    try result.run(file, [.addProperty(PropertyDraft(name, type.type, set))])
  }
}

/// `boxjoint model add-relation`: adds a relation to an entity.
struct ModelAddRelationCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add-relation",
    abstract: "Add a relation to one or to many objects.",
    discussion: """
      Examples:
        boxjoint model add-relation model.json Film.director Person
        boxjoint model add-relation model.json Film.cast Person --many

      \(ModelEditHelp.statuses)
      """)

  @Argument(help: ArgumentHelp("The model file.", valueName: "file"), transform: namedPath)
  var file: String

  @Argument(help: ArgumentHelp("The new relation.", valueName: "entity.relation"))
  var name: String

  @Argument(help: ArgumentHelp("The entity of its targets.", valueName: "target"))
  var target: String

  @Flag(help: "Refer to many objects rather than to one.")
  var many = false

  @OptionGroup var result: ModelEditArguments

  func run() throws {
    let target = NamePath.name(target)
    try result.run(
      file,
      [
        many
          ? .addRelation(RelationDraft(name, to: target)) : .addProperty(.toOne(name, target))
      ])
  }
}
