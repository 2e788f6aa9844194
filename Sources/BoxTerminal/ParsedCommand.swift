package import ArgumentParser
internal import BoxSystem
internal import BoxWorkspace

/// Runs a command that arguments named, which may be `async` or one of the parser's own, such as that of
/// `--help`.
///
/// - Throws: The error of the command; ``CommandFailure`` with status 74 if the working directory was
///   removed, from which every path is looked up, unless help was asked for.
package func runParsed(_ command: sending any ParsableCommand) async throws {
  let isHelp = String(reflecting: type(of: command)).hasPrefix("ArgumentParser.")
  if !isHelp, canonicalPath(".") == nil {
    throw CommandFailure(
      .inputOutput, "the working directory does not exist; change to one that does")
  }
  var command = command
  if var asynchronous = command as? any AsyncParsableCommand {
    try await asynchronous.run()
  } else {
    try command.run()
  }
}
