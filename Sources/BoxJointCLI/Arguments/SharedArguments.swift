internal import ArgumentParser
internal import BoxReport
internal import BoxTool

/// The formats of commands that print either for people or for programs.
enum TextOrJSON: String, CaseIterable, ExpressibleByArgument {
  case text, json
}

/// The option for the number of listed findings.
struct FindingLimitArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "List at most this many findings of a file, the most severe, and count the rest. "
        + "Default: 300 in text, github and markdown; 25000 in json, sarif and junit.",
      valueName: "number"))
  var maxFindings: Int?

  func validate() throws {
    if let maxFindings, maxFindings < 1 {
      throw ValidationError("--max-findings must be at least 1.")
    }
  }

  /// The number of findings of a file that are needed for some formats.
  func limit(for formats: [ReportFormat]) -> Int {
    maxFindings ?? formats.map(\.findingLimit).max() ?? 0
  }
}

/// The options for the origin of the configuration.
struct ConfigurationArguments: ParsableArguments {
  @Option(
    name: .customLong("config"),
    help: ArgumentHelp(
      "The configuration file, or REF:PATH; defaults to the nearest .boxjoint.yml.",
      valueName: "path"))
  var configurationPath: String?

  /// The options, together with the values of the command's own options for settings.
  func options(
    _ values: [SettingKey: [String]] = [:]
  ) -> EffectiveConfiguration.Options {
    EffectiveConfiguration.Options(configurationPath: configurationPath, values: values)
  }
}
