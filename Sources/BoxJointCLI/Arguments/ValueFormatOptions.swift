internal import ArgumentParser
internal import BoxDump
internal import BoxModelTool
internal import BoxTerminal

/// The options for the form of values in JSON.
struct ValueFormatOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The catalogue of converters; defaults to the one in .boxjoint.yml, or converters.yml.",
      valueName: "path"), transform: namedPath)
  var converters: String?

  @Flag(help: "Write values as they are stored, and use no catalogue.")
  var raw = false

  @OptionGroup var configuration: ConfigurationArguments

  @Option(help: "How to write 64-bit integers.")
  var integers = WordChoice(IntegerForm.number)

  @Option(help: "How to write dates.")
  var dates = WordChoice(DateForm.number)

  func validate() throws {
    if raw && converters != nil {
      throw ValidationError("--raw and --converters exclude each other.")
    }
  }

  /// The catalogue; nil to write values as they are stored.
  var catalogue: CatalogueChoice? {
    raw
      ? nil : CatalogueChoice(converters, configurationPath: configuration.configurationPath)
  }
}
