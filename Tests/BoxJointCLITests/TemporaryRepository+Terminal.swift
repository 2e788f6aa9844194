import TestSupport

extension TemporaryRepository {
  /// Runs the tool on a pseudo-terminal, typing some lines.
  func toolOnTerminal(_ arguments: [String], typing lines: String) async throws -> ProcessRun {
    try await onTerminal([Tool.path ?? ""] + arguments, typing: lines)
  }

  /// Runs a program on a pseudo-terminal, typing some lines.
  func onTerminal(_ command: [String], typing lines: String) async throws -> ProcessRun {
    let script = """
      import os, pty, sys
      pid, fd = pty.fork()
      if pid == 0:
        os.execvp(sys.argv[2], sys.argv[2:])
      os.write(fd, sys.argv[1].encode())
      output = b""
      while True:
        try:
          part = os.read(fd, 4096)
        except OSError:
          break
        if not part:
          break
        output += part
      _, status = os.waitpid(pid, 0)
      sys.stdout.buffer.write(output)
      sys.exit(os.waitstatus_to_exitcode(status))
      """
    return try await ProcessRun.of(
      "python3", ["-c", script, lines] + command, in: path, environment: environment)
  }
}
