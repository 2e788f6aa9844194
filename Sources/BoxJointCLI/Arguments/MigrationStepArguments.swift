internal import ArgumentParser
internal import BoxTerminal

/// The steps of a migration between the model of a store and the last one.
struct MigrationStepArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp("An intermediate model file. Repeatable.", valueName: "file"),
    transform: namedPath)
  var via: [String] = []

  @Option(
    help: ArgumentHelp("A file with mappings, as YAML or JSON.", valueName: "file"),
    transform: namedPath)
  var mapping: String?
}
