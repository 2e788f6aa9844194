package import ArgumentParser
package import BoxReport
package import BoxWorkspace

/// The option that explains a rule, in place of a run.
package struct ExplainArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Explain a rule by its id or name, such as BOX204, and exit; 'all' prints all rules as Markdown.",
      valueName: "rule"))
  package var explain: String?

  package init() {}

  /// The text of the rule that is to be explained, or nil if none is.
  ///
  /// - Throws: ``CommandFailure`` of the kind `usage` if the catalogue does not have the rule; it names the nearest
  ///   one, and the command line for the rules of the other program.
  package func text(from catalogue: RuleCatalogue, otherwise command: String) throws(CommandFailure)
    -> String?
  {
    guard let word = explain else { return nil }
    if word == "all" { return catalogue.markdown }
    let entries = catalogue.entries(of: word)
    if !entries.isEmpty {
      let width = Terminal.width() ?? 100
      return entries.map { $0.text(width: width) }.joined(separator: "\n")
    }
    let guess = catalogue.nearest(to: word).map { "did you mean '\($0)'? " } ?? ""
    throw CommandFailure(
      .usage, "there is no rule '\(word)' here; \(guess)Other rules: \(command) --explain RULE")
  }
}
