internal import ArgumentParser

/// A word on the command line that names no command.
enum UnknownCommand {
  /// The failure for a command line that names no command; nil if it names one, or begins with an
  /// option. `help` in front of it is passed over.
  ///
  /// Where a command has a default, as `plan` has, the word may be a file: it is none if it is nearly the
  /// name of a subcommand and no such file exists.
  ///
  /// - Parameters:
  ///   - root: The program.
  ///   - arguments: What follows the name of the program.
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
      let nearest = suggestion(for: word, among: shown)
      if command.configuration.defaultSubcommand != nil && !asksForHelp {
        if nearest == nil || ((try? fileAttributes(at: word)) ?? nil) != nil { return nil }
      }
      let prefix = path.joined(separator: " ")
      let guess = nearest.map { "did you mean '\(prefix) \($0)'?" }
      let list = "'\(prefix) --help' lists the commands"
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
