internal import ArgumentParser
internal import BoxModelTool
internal import BoxReport
internal import BoxTerminal

/// `boxjoint model`: makes and edits model files.
struct ModelCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "model",
    abstract: "Create and edit model files, or infer one from JSON.",
    discussion: """
      Edits follow the rules of the code generators: new elements get the next id and a fresh UID, \
      and removed ones are retired. Everything else in the file stays as it is, byte for byte.

      Examples:
        boxjoint model infer films.json --output model.json
        boxjoint model new model.json Film Person
        boxjoint model add-property model.json Film.year long --indexed
        boxjoint model add-relation model.json Film.cast Person --many
        boxjoint model rename model.json Film.year released
        boxjoint model remove model.json Film.released --dry-run
      """,
    subcommands: [
      ModelInferCommand.self, ModelNewCommand.self, ModelAddEntityCommand.self,
      ModelAddPropertyCommand.self, ModelAddRelationCommand.self, ModelRenameCommand.self,
      ModelRemoveCommand.self, ModelSetFlagsCommand.self, ModelSetTypeCommand.self,
    ])
}

/// The options of the commands that edit a model file.
struct ModelEditArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp("Write the edited model to this file instead.", valueName: "file"),
    transform: namedPath)
  var output: String?

  @Flag(help: "Print the differences, and write nothing.")
  var dryRun = false

  @Option(help: "The output format.")
  var format: TextOrJSON = .text

  func run(_ file: String, _ edits: [ModelEditRequest.Edit], isNew: Bool = false) throws {
    if file == "-" && output == nil && !dryRun {
      throw CommandFailure(.usage, "standard input cannot be edited in place; pass --output")
    }
    var request = ModelEditRequest(file, edits)
    request.output = output
    request.isDryRun = dryRun
    request.isNew = isNew
    try request.run(printing: format)
  }
}

extension ModelEditRequest {
  /// Edits a file and prints what was changed.
  func run(printing format: TextOrJSON) throws {
    let output = try ChangeOutput(isChange: !isDryRun)
    let report = try run()
    try output.report("the model is written") { () throws(CommandFailure) in
      try StandardOutput.write(format == .text ? report.text : report.json.displayText)
    }
  }
}

/// The exit statuses of the commands that edit a model file.
enum ModelEditHelp {
  static let statuses = """
    Exit status:
      0   the file was written, or nothing had to change
      2   the rules do not allow the edit
      64  a name, a type or a flag does not exist
      65  the file is not a model, or only a part of it is readable
      74  a file cannot be read or written
    """
}
