internal import ArgumentParser
internal import BoxMigration
internal import BoxModelTool
internal import BoxTerminal

/// `boxjoint diagram`: draws entities and relations.
struct DiagramCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diagram",
    abstract: "Draw the entities and relations of a model, or the differences between two models.",
    discussion: """
      In place of a path, pass REF:PATH to read from git, - for standard input, or store:DIR for \
      the model of a store. A revision alone means the only model file of the repository. With two \
      files, added, removed and changed elements are coloured and marked with +, - and ~.

      Examples:
        boxjoint diagram objectbox-model.json --format svg > model.svg
        boxjoint diagram main:model.json model.json --format mermaid
        boxjoint diagram model.json --format graphviz | dot -Tpdf -o model.pdf

      Exit status:
        0   the diagram was printed
        2   the store cannot be opened now
        64  wrong usage
        65  a file is not a model
        74  a file cannot be read
      """)

  /// The languages of drawings.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case mermaid, graphviz, svg
  }

  @Argument(
    help: ArgumentHelp("The model, or the old and the new model.", valueName: "file"),
    transform: namedPath)
  var files: [String]

  @Option(help: "The language of the drawing.")
  var format: Format = .svg

  func validate() throws {
    if files.count > 2 { throw ValidationError("Name one file, or an old and a new one.") }
    if files == ["-", "-"] {
      throw ValidationError("Standard input can be one of the two versions, not both.")
    }
  }

  func run() async throws {
    let diagram = try await SchemaDiagram(reading: files, in: .console)
    let text =
      switch format {
      case .mermaid: diagram.mermaid()
      case .graphviz: diagram.graphviz()
      case .svg: diagram.svg()
      }
    try StandardOutput.write(text)
  }
}
