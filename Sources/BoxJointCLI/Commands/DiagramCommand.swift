internal import ArgumentParser
internal import BoxMigration
internal import BoxModel
internal import BoxReport

/// `boxjoint diagram`: draws entities and relations.
struct DiagramCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diagram",
    abstract: "Draws the entities and relations of a model, or of two with their differences.",
    discussion: """
      In place of a path, REF:PATH reads from git, - from standard input, and store:DIR the model of a \
      store; a revision alone means the one model file of the repository. With two files, what \
      was added, removed and changed is coloured and marked with +, - and ~.

      Examples:
        boxjoint diagram objectbox-model.json --format svg > model.svg
        boxjoint diagram main:model.json model.json --format mermaid
        boxjoint diagram model.json --format graphviz | dot -Tpdf -o model.pdf

      Exit status: 0 drawn; 65 a file is no model; 74 a file could not be read.
      """)

  /// The languages of drawings.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case mermaid, graphviz, svg
  }

  @Argument(help: ArgumentHelp("The model, or the old one and the new one.", valueName: "file"))
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
    var versions: [NamedVersion] = []
    for file in files { versions.append(try await NamedVersion(file)) }
    let models = try await NamedVersion.read(versions).map { try PlanSource.side($0).model }
    let diagram =
      models.count == 2
      ? SchemaDiagram(from: models[0], to: models[1]) : SchemaDiagram(models[0])
    let text =
      switch format {
      case .mermaid: diagram.mermaid()
      case .graphviz: diagram.graphviz()
      case .svg: diagram.svg()
      }
    try StandardOutput.write(text)
  }
}
