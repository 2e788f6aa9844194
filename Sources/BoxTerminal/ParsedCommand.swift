package import ArgumentParser

/// Runs a command that arguments named, which may be `async` or one of the parser's own, such as that of
/// `--help`.
///
/// - Throws: The error of the command.
package func runParsed(_ command: sending any ParsableCommand) async throws {
  var command = command
  if var asynchronous = command as? any AsyncParsableCommand {
    try await asynchronous.run()
  } else {
    try command.run()
  }
}
