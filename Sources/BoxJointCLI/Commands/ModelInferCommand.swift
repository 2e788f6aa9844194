internal import ArgumentParser
internal import BoxDump
internal import BoxJSON
internal import BoxModel
internal import BoxReport
internal import BoxStoreTool
internal import BoxTerminal

/// `boxjoint model infer`: finds a model that fits JSON.
struct ModelInferCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "infer",
    abstract: "Infer a model from JSON or CSV that was not made for one.",
    discussion: """
      Every value of every object counts. Each file is an entity, named after the file; --entity \
      makes all of them one entity. Values that no type has are stored as their JSON text, for which \
      a catalogue of converters is written next to the model. docs/inferring.md has the rules.

      Without --output, nothing is written. In options, a name with a period, a comma or an equals \
      sign stands in backquotes.

      Examples:
        boxjoint model infer films.json
        boxjoint model infer films.json --output model.json
        boxjoint model infer orders.csv --delimiter ';' --output model.json
        boxjoint model infer films.json --link cast=Person.name --output model.json
        boxjoint model infer 2010s.json 2020s.json --entity Film --unique href

      Exit status:
        0   a model was found
        2   the values do not allow what an option asks for, or the input is a dump
        64  an option names a member that no object has, or a file to write exists
        65  an input is invalid, or has no objects
        74  something cannot be read or written
      """)

  @Argument(
    help: ArgumentHelp(
      "Files of objects, as lines, as an array or as CSV; - for standard input.", valueName: "file"),
    transform: namedPath)
  var paths: [String]

  @OptionGroup var form: InputFormArguments

  @Option(
    help: ArgumentHelp("The new file for the model.", valueName: "file"), transform: namedPath)
  var output: String?

  @Option(
    help: ArgumentHelp(
      "The new file for the catalogue, if one is needed; defaults to converters.yml in the "
        + "directory of the model.", valueName: "file"), transform: namedPath)
  var converters: String?

  @Option(help: ArgumentHelp("The entity of the objects of all files.", valueName: "name"))
  var entity: String?

  @Option(
    help: ArgumentHelp(
      "The member that is the id; defaults to 'id', if its values can be ids.",
      valueName: "member"))
  var id: String?

  @Option(
    help: ArgumentHelp("Make this member unique; can be repeated.", valueName: "member"))
  var unique: [String] = []

  @Option(
    help: ArgumentHelp("Add an index for this member; can be repeated.", valueName: "member"))
  var index: [String] = []

  @Option(
    help: ArgumentHelp(
      "Make a relation of this member, whose texts or integers are values of a unique property of "
        + "other objects; can be repeated.", valueName: "member=entity.property"))
  var link: [LinkChoice] = []

  @Option(
    help: ArgumentHelp(
      "How to store nested objects: as JSON text, as properties such as name_common, or as entities with "
        + "relations to them."))
  var nested = WordChoice(InferenceOptions.Nesting.json)

  @OptionGroup var types: MemberTypeArguments

  @Option(help: ArgumentHelp("The maximum size of an element, in MiB.", valueName: "n"))
  var maxElement = 64

  @OptionGroup var decompression: DecompressionArguments

  @Option(help: "The output format.")
  var format: TextOrJSON = .text

  @Option(help: "How to show progress on standard error.")
  var progress: ProgressChoice = .auto

  func validate() throws {
    if !(1...1024).contains(maxElement) {
      throw ValidationError("--max-element must be from 1 to 1024.")
    }
    if paths.filter({ $0 == "-" }).count > 1 {
      throw ValidationError("Standard input can be read once.")
    }
    if converters != nil && output == nil { throw ValidationError("--converters needs --output.") }
  }

  func run() throws {
    var request = InferenceRequest(paths)
    request.output = output
    request.catalogue = converters
    request.options.form = form.form
    request.options.entity = entity.map { NamePath.name($0) }
    request.options.id = id.map { NamePath.name($0) }
    request.options.unique = unique.map { NamePath.name($0) }
    request.options.indexed = index.map { NamePath.name($0) }
    request.options.links = link.map(\.link)
    request.options.nesting = nested.word
    types.apply(to: &request.options)
    request.options.maximumElement = maxElement << 20
    request.options.decompression = decompression.limits
    let standardOutput = try ChangeOutput(isChange: output != nil)
    let report = try request.run(in: Workspace(observer: Progress(progress)))
    try standardOutput.report("the model is written") { () throws(CommandFailure) in
      try StandardOutput.write(format == .text ? report.text : report.json.displayText)
    }
  }
}

/// The types of members that an inference does not choose.
struct MemberTypeArguments: ParsableArguments {
  @Option(
    name: .customLong("type"),
    help: ArgumentHelp(
      "Give this member a type, whatever its values; can be repeated.", valueName: "member=type"))
  var chosen: [MemberTypeChoice] = []

  @Option(
    help: ArgumentHelp(
      "Whether columns of delimited text get types by their fields, or are texts all."))
  var types = ColumnTypes.inferred

  /// Whether any option is given.
  var isGiven: Bool { !chosen.isEmpty || types != .inferred }

  func apply(to options: inout InferenceOptions) {
    for choice in chosen { options.types[ExactText(choice.member)] = choice.type }
    options.takesTexts = types == .text
  }
}

/// The value of `--types`.
enum ColumnTypes: String, ExpressibleByArgument, CaseIterable {
  case inferred, text
}

/// A member and its type: the value of `--type`.
struct MemberTypeChoice: ExpressibleByArgument {
  let member: String
  let type: PropertyType

  init?(argument: String) {
    guard let equals = argument.lastIndex(of: "="), equals > argument.startIndex,
      let type = PropertyType(named: String(argument[argument.index(after: equals)...])),
      type != .relation
    else { return nil }
    member = NamePath.name(String(argument[..<equals]))
    self.type = type
  }
}

/// A member and the unique property that its values refer to: the value of `--link`.
struct LinkChoice: ExpressibleByArgument {
  let link: InferenceOptions.Link

  init?(argument: String) {
    let sides = NamePath.parts(of: argument, at: "=", maxSplits: 1)
    guard sides.count == 2, !sides[0].isEmpty else { return nil }
    let target = NamePath(reading: sides[1]).names
    guard (1...2).contains(target.count), target.allSatisfy({ !$0.isEmpty }) else { return nil }
    link = InferenceOptions.Link(
      NamePath.name(sides[0]), to: target[0], key: target.count == 2 ? target[1] : "name")
  }
}
