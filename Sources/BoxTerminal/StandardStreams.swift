internal import BoxReport
internal import BoxSystem
package import BoxWorkspace

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The log that standard output and standard error go to.
package enum PrintedText {
  /// Whether the log of a CI job looks for commands in what is printed.
  package static let isReadByRunner = ["GITHUB_ACTIONS", "TF_BUILD", "TEAMCITY_VERSION"]
    .contains { environmentValue($0) != nil }

  /// A text in the form in which it is printed, whatever names and paths are in it.
  ///
  /// No control characters reach a terminal but line feeds, tabs and colours, and nothing is a command
  /// to the log of a CI job.
  package static func escaped(_ text: String) -> String {
    isReadByRunner ? text.escapedLines.escapedForRunner : text.escapedLines
  }
}

/// Standard output: data, and nothing else.
package enum StandardOutput {
  /// Writes all bytes, as they are: a dump, or workflow commands.
  ///
  /// The text of a model and the rows of a query are no commands: what the log of a CI job would take for one is
  /// written as escapes of JSON, so that JSON means what it meant. A file gets the bytes.
  ///
  /// If the reader closed the pipe, as in `boxjoint show … | head`, the failure says so, and the program
  /// ends without a message by SIGPIPE, as a shell expects.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - isData: Whether they are the text of a model or rows.
  /// - Throws: ``CommandFailure`` with status 74 if the bytes cannot be written, as to a full disk.
  package static func write(
    _ bytes: UnsafeRawBufferPointer, isData: Bool = false
  ) throws(CommandFailure) {
    if isData && PrintedText.isReadByRunner && !isFile {
      return try write(Array(bytes).escapedForRunner)
    }
    do {
      try writeAll(bytes, to: STDOUT_FILENO)
    } catch {
      throw CommandFailure(standardOutput: error)
    }
  }

  /// The same for bytes in an array.
  package static func write(_ bytes: [UInt8], isData: Bool = false) throws(CommandFailure) {
    try bytes.withUnsafeBufferPointer { (buffer) throws(CommandFailure) in
      try write(UnsafeRawBufferPointer(buffer), isData: isData)
    }
  }

  /// Whether what is written goes to a file, and so to no log.
  private static var isFile: Bool {
    var attributes = stat()
    return fstat(STDOUT_FILENO, &attributes) == 0 && attributes.isRegularFile
  }

  /// Writes a text for people or programs as UTF-8, escaped as ``PrintedText/escaped(_:)`` says.
  ///
  /// - Throws: ``CommandFailure`` with status 74 if it cannot be written.
  package static func write(_ text: String) throws(CommandFailure) {
    try write(Array(PrintedText.escaped(text).utf8))
  }

  /// Writes a report; the workflow commands of the form `github` are escaped by their printer.
  ///
  /// - Throws: ``CommandFailure`` with status 74 if it cannot be written.
  package static func write(_ report: String, isCommands: Bool) throws(CommandFailure) {
    if isCommands { try write(Array(report.utf8)) } else { try write(report) }
  }

  /// Whether the output may still have a reader: false once the reader of a pipe has closed it.
  package static var hasReader: Bool {
    var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
    return unsafe poll(&output, 1, 0) <= 0 || output.revents & Int16(POLLERR | POLLNVAL) == 0
  }

  /// Ends the process by SIGPIPE, as a shell expects of a program whose output nobody reads on.
  package static func endByBrokenPipe() -> Never {
    signal(SIGPIPE, SIG_DFL)
    raise(SIGPIPE)
    exit(128 + SIGPIPE)
  }
}

/// Standard error: messages for people.
///
/// An error of writing to it is ignored.
package enum StandardError {
  /// Writes a line, which stays one line whatever names are in it.
  package static func writeLine(_ line: String) { write(line.escapedForDisplay + "\n") }

  /// Writes lines without any control characters: the arguments that they quote may have colours.
  package static func writeLines(_ text: String) {
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      writeLine(String(line))
    }
  }

  /// Writes a text, escaped as ``PrintedText/escaped(_:)`` says.
  package static func write(_ text: String) { writeControl(PrintedText.escaped(text)) }

  /// Writes control characters, such as those that move the cursor, unescaped.
  package static func writeControl(_ text: String) {
    try? writeAll(Array(text.utf8), to: STDERR_FILENO)
  }
}

extension StandardError {
  /// Writes a text that ends with a line feed.
  package static func writeText(_ text: String) {
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      writeLine(String(line))
    }
  }
}
