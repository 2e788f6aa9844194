internal import ArgumentParser
internal import BoxModel
internal import BoxModelTool
internal import BoxReport
internal import BoxTerminal

/// The formats of commands that print either for people or for programs.
enum TextOrJSON: String, CaseIterable, ExpressibleByArgument {
  case text, json
}

/// The options for the origin of the configuration.
struct ConfigurationArguments: ParsableArguments {
  @Option(
    name: .customLong("config"),
    help: ArgumentHelp(
      "The configuration file, or REF:PATH; defaults to the nearest .boxjoint.yml.",
      valueName: "path"), transform: namedPath)
  var configurationPath: String?

  /// The options, together with the values of the command's own options for settings.
  func options(
    _ values: [SettingKey: [String]] = [:]
  ) -> EffectiveConfiguration.Options {
    EffectiveConfiguration.Options(configurationPath: configurationPath, values: values)
  }
}

extension Report {
  /// The report of a command with `--max-findings`, which says so where it leaves findings out.
  var withLimitOption: Report {
    var report = self
    report.limitOption = "--max-findings"
    return report
  }
}

/// The names and paths of a list such as `--select` has, each as it is written; empty ones are left out.
func listedNames(_ list: String) -> [String] {
  NamePath.parts(of: list, at: ",").filter { !$0.isEmpty }
}
