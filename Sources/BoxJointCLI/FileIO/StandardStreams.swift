#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Standard output: data, and nothing else.
enum StandardOutput {
  /// Writes all bytes.
  ///
  /// Where the reader has gone away, as in `boxjoint show … | head`, the process ends quietly in
  /// the way that the shell expects, by the signal for it.
  ///
  /// - Throws: ``CommandFailure`` with status 74 if the bytes cannot be written, as to a full disk.
  static func write(_ bytes: [UInt8]) throws(CommandFailure) {
    try bytes.withUnsafeBufferPointer { (buffer) throws(CommandFailure) in
      try write(UnsafeRawBufferPointer(buffer))
    }
  }

  /// Writes all bytes, as the other does.
  ///
  /// - Throws: ``CommandFailure`` with status 74 if the bytes cannot be written.
  static func write(_ bytes: UnsafeRawBufferPointer) throws(CommandFailure) {
    do {
      try writeAll(bytes, to: STDOUT_FILENO)
    } catch {
      if error.code == EPIPE { endByBrokenPipe() }
      throw CommandFailure(
        .inputOutput, "cannot be written: \(error.reason)", path: "standard output")
    }
  }

  /// Writes a text as UTF-8.
  ///
  /// - Throws: ``CommandFailure`` with status 74 if it cannot be written.
  static func write(_ text: String) throws(CommandFailure) {
    try write(Array(text.utf8))
  }

  private static func endByBrokenPipe() -> Never {
    signal(SIGPIPE, SIG_DFL)
    raise(SIGPIPE)
    exit(128 + SIGPIPE)
  }
}

/// Standard error: messages for people.
enum StandardError {
  /// Writes a line; a message that nobody can receive is no reason to fail.
  static func writeLine(_ line: String) { write(line + "\n") }

  /// Writes a text; a message that nobody can receive is no reason to fail.
  static func write(_ text: String) { try? writeAll(Array(text.utf8), to: STDERR_FILENO) }
}

/// What the process does about signals.
enum Signals {
  /// Turns the signals of a reader that went away and of a file that is too large into the errors
  /// EPIPE and EFBIG, so that files are left whole and messages are printed.
  ///
  /// Programs that the tool starts have the usual signals again.
  static func prepare() {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
  }
}
