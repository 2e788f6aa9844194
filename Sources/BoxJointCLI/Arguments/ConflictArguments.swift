internal import ArgumentParser
internal import BoxMerge
internal import BoxModelTool
internal import BoxTerminal

/// The option that says how conflicts are resolved one by one.
struct ConflictChoiceArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      A JSON file with a side for each conflict: {"schemaVersion": 1, "decisions": \
      {"<id of the conflict>": "ours"}}.
      """, valueName: "file"), transform: namedPath)
  var decisions: String?

  /// Reads the decisions; empty if no file is named.
  ///
  /// - Throws: ``CommandFailure`` with status 74 if the file cannot be read, and 65 if it is not
  ///   valid.
  func read() throws(CommandFailure) -> [String: Resolution] {
    guard let decisions else { return [:] }
    return try DecisionsFile.read(decisions)
  }
}
