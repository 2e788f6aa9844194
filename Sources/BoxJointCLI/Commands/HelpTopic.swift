internal import ArgumentParser

/// The command that `boxjoint help …` is asked about.
enum HelpTopic {
  /// Requires that what is asked about is a command, which ArgumentParser passes over.
  ///
  /// - Parameters:
  ///   - arguments: The arguments of the program.
  ///   - root: The command that they begin at.
  /// - Throws: ``CommandFailure`` with status 64.
  static func requireCommand(
    _ arguments: [String], of root: any ParsableCommand.Type
  ) throws(CommandFailure) {
    guard arguments.first == "help" else { return }
    var command = root
    var path: [String] = []
    for name in arguments.dropFirst() where !name.hasPrefix("-") && name != "help" {
      let known = command.configuration.subcommands
      guard let next = known.first(where: { $0.configuration.commandName == name }) else {
        let place = (["boxjoint", "help"] + path).joined(separator: " ")
        throw CommandFailure(
          .usage,
          "there is no command '\((path + [name]).joined(separator: " "))'; "
            + "'\(place)' lists those that there are")
      }
      command = next
      path.append(name)
    }
  }
}
