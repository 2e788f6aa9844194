internal import BoxDump
internal import BoxTool

/// A dump on standard output.
final class StandardOutputDestination: DumpOutput {
  func open(_ name: String) throws -> any DumpStream { Stream() }

  private final class Stream: DumpStream {
    func write(_ bytes: UnsafeRawBufferPointer) throws { try StandardOutput.write(bytes) }
    func finish() throws {}
  }
}
