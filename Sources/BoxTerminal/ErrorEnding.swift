package import ArgumentParser
package import BoxWorkspace

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Ends the program by the error of a command: its message on standard error, or the help that was asked for on
/// standard output.
///
/// A failure by a closed pipe ends it by the signal, without a message.
///
/// - Parameters:
///   - error: The error.
///   - root: The command of the program.
///   - lines: Makes the lines for people of a failure.
package func endProgram(
  by error: any Error, of root: any ParsableCommand.Type, lines: (CommandFailure) -> [String]
) -> Never {
  if let failure = error as? CommandFailure {
    endProgram(by: failure, lines)
  }
  let (text, code) = (root.fullMessage(for: error).withBrokenUsage, root.exitCode(for: error))
  if !text.isEmpty {
    if code.isSuccess {
      do throws(CommandFailure) {
        try StandardOutput.write(text + "\n")
      } catch {
        endProgram(by: error, lines)
      }
    } else {
      StandardError.writeLines(text)
    }
  }
  exit(code.rawValue)
}

private func endProgram(by failure: CommandFailure, _ lines: (CommandFailure) -> [String]) -> Never
{
  if failure.isBrokenPipe { StandardOutput.endByBrokenPipe() }
  for line in lines(failure) { StandardError.writeLine(line) }
  exit(ExitStatus(failure.kind).rawValue)
}
