internal import BoxDump
internal import BoxTool

/// The rows of a query on standard output, in whole lines.
final class ResultDestination: DumpOutput {
  func open(_ name: String) throws -> any DumpStream { Stream() }

  private final class Stream: DumpStream {
    func write(_ bytes: UnsafeRawBufferPointer) throws {
      if Terminal.isTerminal(.output) {
        try StandardOutput.write(String(decoding: bytes, as: UTF8.self))
      } else {
        try StandardOutput.writeModel(Array(bytes))
      }
    }

    func finish() throws {}
  }
}
