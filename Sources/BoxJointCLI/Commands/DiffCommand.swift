internal import ArgumentParser
internal import BoxModel
internal import BoxModelTool
internal import BoxReport
internal import BoxTerminal

/// `boxjoint diff`: says what is different between two versions of a model.
struct DiffCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Compare two versions of a model, element by element.",
    discussion: """
      Elements are matched by UID: one with a new name, id or position is still the same element. \
      For each change, diff shows what it means for stored data. The versions, unknown keys, last \
      ids and retired UIDs of the model are compared too.

      In place of a path, pass REF:PATH to read from git, - for standard input, or store:DIR for \
      the model of a store. A revision alone means the file that is named as the other argument, \
      or the only model file of the repository. With one file, diff compares the version in HEAD \
      with it. With one revision, diff compares it with the file on disk.

      Examples:
        boxjoint diff objectbox-model.json
        boxjoint diff HEAD~1
        boxjoint diff main feature
        boxjoint diff store:data/ objectbox-model.json
        boxjoint diff v1.0:app/model.json main:app/model.json --format markdown
        boxjoint diff old.json new.json

      Exit status:
        0   no differences
        1   differences
        2   the store cannot be opened now
        64  wrong usage
        65  a file is not a model, or only a part of it is readable
        74  a file cannot be read
      """)

  /// The formats of the command.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, json, markdown
  }

  @Argument(
    help: ArgumentHelp("The old version, or the only file or revision.", valueName: "old"),
    transform: namedPath)
  var first: String

  @Argument(help: ArgumentHelp("The new version.", valueName: "new"), transform: namedPath)
  var second: String?

  @Option(
    help: ArgumentHelp(
      "The rules about removals of the new version; defaults to NAME.rules.json beside the model file NAME.json.",
      valueName: "file"), transform: namedPath)
  var rules: String?

  @Option(help: "The output format.")
  var format: Format = .text

  func validate() throws {
    if first == "-" && (second == "-" || second == nil) {
      throw ValidationError("Standard input can be one of the two versions, not both.")
    }
    if rules == "-" && (first == "-" || second == "-") {
      throw ValidationError("Standard input can be read only once.")
    }
  }

  func run() async throws {
    let comparison = try await ModelComparison(
      first, second, rules: RulesChoice(rules), in: .console)
    let text =
      switch format {
      case .text: comparison.text
      case .json: comparison.json.displayText
      case .markdown: comparison.markdown
      }
    try StandardOutput.write(text)
    try endCommand(ifFindings: !comparison.isEmpty)
  }
}
