internal import ArgumentParser
internal import BoxEngine
internal import BoxStoreTool
internal import BoxTerminal

/// `boxjoint store duplicates`: lists objects with one value of a property, and removes all of them but one.
struct StoreDuplicatesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "duplicates",
    abstract: "List objects with one value of a property, and remove all but one of each.",
    discussion: """
      Values are compared as a unique index compares them: strings byte by byte, and null never \
      equals null. So after --remove the store opens with a model in which the property is unique. \
      Without --remove nothing is changed. With it, all objects go in one transaction, or none; \
      duplicates asks on a terminal; elsewhere pass --yes and --expect, or --confirm with the code \
      that --dry-run prints.

      --repoint moves the links of the objects that go to the object that stays: relations to one \
      that refer to them, and the entries of relations to many in both directions. Without it, a \
      relation to one keeps the id of a removed object, and entries of relations to many are removed.

      Examples:
        boxjoint store duplicates data Person.email
        boxjoint store duplicates data Person.email --repoint --remove --dry-run
        boxjoint store duplicates data Person.email --keep first \\
          --order-by 'updated desc' --repoint --remove

      Exit status:
        0   no two objects have one value, or objects were removed or would be
        1   without --remove: some objects have one value
        2   you did not confirm, something else would be lost than you confirmed,
            moved links would make other values equal, or the store cannot be opened
            now
        64  wrong usage, a name that does not exist, a property that cannot be
            unique, or no terminal to ask for confirmation
        65  not a store, or a damaged one
        74  something cannot be read or written
        78  the catalogue of converters is wrong or does not fit the model, or your
            setting safety.confirm is wrong
      """)

  @Argument(
    help: ArgumentHelp("The directory of the store.", valueName: "dir"), completion: .directory,
    transform: namedPath)
  var store: String

  @Argument(
    help: ArgumentHelp("The property, as Entity.property.", valueName: "entity.property"))
  var property: String

  @Option(
    help: ArgumentHelp(
      "The object that stays: the one with the lowest id, with the highest id, or the first by "
        + "--order-by.", valueName: "keep"))
  var keep = WordChoice(DuplicatesRequest.Keep.oldest)

  @Option(
    help: ArgumentHelp(
      "The order for --keep first, as 'updated desc, title'; by id where it leaves that open.",
      valueName: "order"))
  var orderBy: String?

  @Flag(
    inversion: .prefixedNo,
    help: "Whether objects may have zero in common; defaults to the model of the store.")
  var skipZero: Bool?

  @Flag(help: "Move the links of the objects that go to the object that stays.")
  var repoint = false

  @Flag(help: "Remove the objects that go.")
  var remove = false

  @OptionGroup var agreed: ConsentArguments

  @Option(help: "Print at most this many values.")
  var limit = 100

  @OptionGroup var edit: EditArguments
  @OptionGroup var shown: ValueFormatOptions

  func validate() throws {
    if limit < 1 { throw ValidationError("--limit must be at least 1.") }
    if keep.word == .first && orderBy == nil {
      throw ValidationError("--keep first needs --order-by; --keep oldest is the order of the ids.")
    }
    if keep.word != .first && orderBy != nil {
      throw ValidationError("--order-by needs --keep first.")
    }
    for (option, isGiven) in [
      ("--yes", agreed.yes), ("--dry-run", edit.dryRun), ("--confirm", agreed.confirm != nil),
      ("--save", agreed.save != nil),
    ] where isGiven && !remove {
      throw ValidationError("\(option) needs --remove: nothing else is changed.")
    }
  }

  func run() throws {
    var request = DuplicatesRequest(store, property)
    request.keep = keep.word
    request.order = try orderBy.map { try [QueryOrder](order: $0) } ?? []
    request.skipsZero = skipZero
    request.repoints = repoint
    request.removes = remove
    request.limit = limit
    request.options = try edit.options(shown, remove ? agreed : nil, about: store)
    let report = try edit.run(isChange: remove, agreed) { try request.run(in: .console) }
    try endCommand(ifFindings: !remove && report.values > 0)
  }
}
