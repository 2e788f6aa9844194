internal import ArgumentParser
internal import BoxModel
internal import BoxModelTool
internal import BoxReport
internal import BoxTerminal

/// `boxjoint show`: prints a model as a table.
struct ShowCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show a model as tables.",
    discussion: """
      In place of a path, pass REF:PATH to read from git, - for standard input, or store:DIR for \
      the model of a store. A revision alone means the only model file of the repository. \
      --textconv is for git diff: columns do not move if one element changes. With it, a file that \
      is not a model is printed as it is.

      Examples:
        boxjoint show objectbox-model.json
        boxjoint show HEAD~3
        boxjoint show HEAD~3:app/objectbox-models/default.json
        boxjoint show store:data/
        boxjoint show --format mermaid model.json > model.mmd

      Exit status:
        0   the model was printed
        2   the store cannot be opened now
        64  wrong usage
        65  the file is not a model, or only a part of it is readable
        74  the file cannot be read
      """)

  /// The formats of the command.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, json, markdown, mermaid
  }

  @Argument(help: ArgumentHelp("The model file to show.", valueName: "file"), transform: namedPath)
  var file: String

  @Option(help: "The output format; mermaid is a diagram of the entities.")
  var format: Format = .text

  @Option(
    help: ArgumentHelp(
      "The rules about removals; defaults to NAME.rules.json beside the model file NAME.json.",
      valueName: "file"), transform: namedPath)
  var rules: String?

  @Flag(help: "List every retired UID.")
  var all = false

  @Flag(help: "Print the text that git diff compares.")
  var textconv = false

  func validate() throws {
    if textconv && rules != nil {
      throw ValidationError("--textconv and --rules exclude each other.")
    }
    if file == "-" && rules == "-" {
      throw ValidationError("Standard input can be read only once.")
    }
    if textconv && format != .text {
      throw ValidationError("--textconv prints text.")
    }
  }

  func run() async throws {
    if textconv { return try StandardOutput.write(ModelView.comparedText(of: file)) }
    let view = try await ModelView(file, rules: RulesChoice(rules), in: .console)
    let text =
      switch format {
      case .text: view.text(all ? .complete : .aligned)
      case .json: view.json.displayText
      case .markdown: view.markdown
      case .mermaid: view.model.mermaid()
      }
    try StandardOutput.write(text)
    if let failure = view.partialReading { throw failure }
  }
}
