internal import ArgumentParser
internal import BoxReport
internal import BoxSystem
internal import BoxWorkspace

/// A word on the command line that is not the name of a command.
enum UnknownCommand {
  /// The failure for a command line with an unknown command.
  ///
  /// Nil if the command is known, or an option comes first. A leading `help` is skipped.
  ///
  /// If a command has a default subcommand, as `plan` has, the word may be a file. It counts as a
  /// command if it is similar to the name of a subcommand and the file does not exist.
  ///
  /// - Parameters:
  ///   - root: The program.
  ///   - arguments: The arguments after the name of the program.
  /// - Returns: The failure, with status 64.
  static func failure(
    in root: any ParsableCommand.Type, _ arguments: [String]
  ) -> CommandFailure? {
    var command = root
    var path = ["boxjoint"]
    let asksForHelp = arguments.first == "help"
    for word in arguments.dropFirst(asksForHelp ? 1 : 0) {
      let subcommands = command.configuration.subcommands
      if word.hasPrefix("-") || word == "help" { return nil }
      if subcommands.isEmpty && !asksForHelp { return nil }
      if let next = subcommands.first(where: { names(of: $0).contains(word) }) {
        command = next
        path.append(word)
        continue
      }
      let shown = subcommands.filter { $0.configuration.shouldDisplay }.flatMap(names)
      let nearest = nearestName(to: word, among: shown)
      if command.configuration.defaultSubcommand != nil && !asksForHelp {
        if nearest == nil || ((try? fileAttributes(at: word)) ?? nil) != nil { return nil }
      }
      let prefix = path.joined(separator: " ")
      let guess = nearest.map { "did you mean '\(prefix) \($0)'?" }
      let list =
        "'\(prefix) --help' " + (subcommands.isEmpty ? "describes it" : "lists the commands")
      return CommandFailure(
        .usage,
        "there is no command '\(prefix) \(word)'; " + (guess.map { "\($0) \(list)" } ?? list))
    }
    return nil
  }

  private static func names(of command: any ParsableCommand.Type) -> [String] {
    [command.configuration.commandName].compactMap { $0 } + command.configuration.aliases
  }
}
