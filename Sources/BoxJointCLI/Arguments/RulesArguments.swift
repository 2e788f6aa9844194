internal import ArgumentParser
internal import BoxModelTool
internal import BoxTerminal

/// The options for the rules about removals that a store takes over.
struct RulesArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The rules about removals; defaults to NAME.rules.json beside the model file NAME.json.",
      valueName: "file"), transform: namedPath)
  var rules: String?

  @Flag(help: "Take the rules about removals of the store away.")
  var noRules = false

  var choice: RulesChoice { RulesChoice(rules, isNone: noRules) }

  func validate() throws {
    if rules != nil && noRules {
      throw ValidationError("--rules and --no-rules exclude each other.")
    }
  }
}
