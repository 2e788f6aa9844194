internal import BoxDump
internal import BoxStoreTool
internal import BoxTerminal

/// The rows of a query on standard output, in whole lines.
final class ResultDestination: DumpOutput {
  func open(_ name: String) throws -> any DumpStream { Stream() }

  private final class Stream: DumpStream {
    func write(_ bytes: UnsafeRawBufferPointer) throws {
      if Terminal.isTerminal(.output) {
        try StandardOutput.write(String(decoding: bytes, as: UTF8.self))
      } else {
        try StandardOutput.write(bytes, isData: true)
      }
    }

    func finish() throws {}
  }
}

extension QueryScreen {
  /// The terminal that standard output is shown on; nil for another stream.
  static var console: QueryScreen? {
    Terminal.isTerminal(.output) ? QueryScreen(width: Terminal.width(of: .output) ?? 80) : nil
  }
}
