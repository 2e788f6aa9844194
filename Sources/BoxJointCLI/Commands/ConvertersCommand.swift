internal import ArgumentParser
internal import BoxModelTool
internal import BoxTerminal

/// `boxjoint converters`: looks after the catalogue of enums and custom types.
struct ConvertersCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "converters",
    abstract: "Check and lock the catalogue of enums and custom types; scan stores with it.",
    discussion: """
      A catalogue binds properties to converters. It is the file converters.yml, or the key \
      'converters' of .boxjoint.yml; docs/converters.md describes it.

      Examples:
        boxjoint converters check model.json   check the catalogue
        boxjoint converters lock               record what raw values mean
        boxjoint converters scan --store data  count the values in a store
      """,
    subcommands: [
      ConvertersCheckCommand.self, ConvertersLockCommand.self, ConvertersScanCommand.self,
    ])
}

/// The options that say where the catalogue is.
struct CatalogueArguments: ParsableArguments {
  @Option(
    name: [.long, .customLong("converters")],
    help: ArgumentHelp(
      "The catalogue; defaults to the one in .boxjoint.yml, or converters.yml.", valueName: "path"),
    transform: namedPath)
  var catalogue: String?

  @OptionGroup var configuration: ConfigurationArguments

  /// The catalogue as the functions of the tool take it.
  var choice: CatalogueChoice {
    CatalogueChoice(catalogue, configurationPath: configuration.configurationPath)
  }
}
