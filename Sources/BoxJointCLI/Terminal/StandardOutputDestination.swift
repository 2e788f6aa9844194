internal import BoxDump
internal import BoxReport
internal import BoxTerminal
internal import BoxWorkspace
internal import Synchronization

/// A dump on standard output.
final class StandardOutputDestination: DumpOutput {
  func open(_ name: String) throws -> any DumpStream { Stream() }

  private final class Stream: DumpStream {
    /// On a terminal the dump has escapes for what a terminal would obey; it is the same dump.
    private let escaper = Mutex(Terminal.isTerminal(.output) ? ControlEscaper() : nil)

    func write(_ bytes: UnsafeRawBufferPointer) throws {
      let escaped = escaper.withLock { $0?.escaped(bytes) }
      if let escaped { try StandardOutput.write(escaped) } else { try StandardOutput.write(bytes) }
    }

    func finish() throws { try StandardOutput.write(escaper.withLock { $0?.rest() } ?? []) }
  }
}
