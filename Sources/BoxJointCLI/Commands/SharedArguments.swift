internal import ArgumentParser

/// The formats of commands that print either for people or for programs.
enum TextOrJSON: String, CaseIterable, ExpressibleByArgument {
  case text, json
}

/// The options that say where the configuration comes from.
struct ConfigurationArguments: ParsableArguments {
  @Option(
    name: .customLong("config"),
    help: ArgumentHelp(
      "The configuration file, or REF:PATH, in place of the nearest .boxjoint.yml.",
      valueName: "path"))
  var configurationPath: String?

  /// Whether the configuration is in a file, and not in a revision.
  var isFile: Bool {
    let named = configurationPath ?? environmentValue("BOXJOINT_CONFIG")
    if case .revision? = named.map(SourceReference.init) { return false }
    return true
  }

  /// The options, together with the values of the command's own options for settings.
  func options(
    _ values: [SettingKey: [String]] = [:]
  ) -> EffectiveConfiguration.Options {
    EffectiveConfiguration.Options(configurationPath: configurationPath, values: values)
  }
}
