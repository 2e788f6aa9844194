internal import BoxDump

/// The lines of a result on their way to a stream, to which whole lines are passed on.
final class ResultOutput {
  private let stream: any DumpStream
  private var bytes: [UInt8] = []

  /// The number of bytes that are passed on at once, or a few more.
  private static let blockSize = 1 << 16

  init(_ stream: any DumpStream) {
    self.stream = stream
    bytes.reserveCapacity(2 * Self.blockSize)
  }

  /// Appends a part of a line.
  func append(_ text: String) { bytes += text.utf8 }

  /// Appends a part of a line.
  func append(_ part: some Sequence<UInt8>) { bytes += part }

  /// Ends a line.
  ///
  /// - Throws: The error of the stream.
  func endLine(_ ending: StaticString = "\n") throws {
    bytes += UnsafeBufferPointer(start: ending.utf8Start, count: ending.utf8CodeUnitCount)
    if bytes.count >= Self.blockSize { try flush() }
  }

  /// Passes everything on, and closes the stream.
  ///
  /// - Throws: The error of the stream.
  func finish() throws {
    try flush()
    try stream.finish()
  }

  /// Passes everything on that was appended.
  ///
  /// - Throws: The error of the stream.
  func flush() throws {
    try bytes.withUnsafeBytes(stream.write)
    bytes.removeAll(keepingCapacity: true)
  }
}
