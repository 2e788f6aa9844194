package import ArgumentParser
internal import BoxSystem
package import BoxWorkspace

/// Refuses to run a command in a directory that was removed, from which every path is looked up; help is still given.
///
/// - Throws: ``CommandFailure`` with status 74.
package func requireWorkingDirectory(for command: any ParsableCommand) throws(CommandFailure) {
  let isHelp = String(reflecting: type(of: command)).hasPrefix("ArgumentParser.")
  if !isHelp, canonicalPath(".") == nil {
    throw CommandFailure(
      .inputOutput, "the working directory does not exist; change to one that does")
  }
}
