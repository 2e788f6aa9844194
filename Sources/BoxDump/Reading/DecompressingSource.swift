/// The decompressed bytes of another source; uncompressed bytes pass through as they are.
///
/// The first bytes determine the compression, whatever the name of the file says.
final class DecompressingSource: ByteSource {
  private let source: any ByteSource
  private let limits: DecompressionLimits
  private var decompressor: Decompressor?
  private var isPlain = false
  private var isAtEnd = false
  /// The bytes read from the source.
  private var input: [UInt8] = []
  private var consumed = 0
  /// The decompressed bytes; those from `given` on were not passed on yet.
  private var output: [UInt8] = []
  private var given = 0

  /// The number of compressed bytes that are decompressed at once: at any ratio of compression,
  /// they decompress to 32 MiB at most or so.
  private static let piece = 1 << 10
  private static let block = 1 << 16

  init(_ source: any ByteSource, limits: DecompressionLimits) {
    self.source = source
    self.limits = limits
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(DumpError) -> Int {
    if !isPlain && decompressor == nil { try begin() }
    if isPlain && given == output.count { return try unsafe source.read(into: buffer) }
    while given == output.count {
      output.removeAll(keepingCapacity: output.capacity <= 1 << 22)
      given = 0
      if isAtEnd { return 0 }
      try decompressMore()
    }
    let count = min(buffer.count, output.count - given)
    unsafe output.withUnsafeBytes { bytes in
      unsafe buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[given..<given + count]))
    }
    given += count
    return count
  }

  private func begin() throws(DumpError) {
    var isOver = false
    while input.count < 4 && !isOver { isOver = try !readInput() }
    let compression = Compression(startingWith: input)
    if compression == .none {
      isPlain = true
      output = input
      input = []
    } else {
      decompressor = try dumpErrors { try Decompressor(compression, limits: limits) }
    }
  }

  /// Reads more bytes after the unread ones; false at the end.
  private func readInput() throws(DumpError) -> Bool {
    input.removeFirst(consumed)
    consumed = 0
    var block = [UInt8](repeating: 0, count: Self.block)
    let count = try dumpErrors {
      try unsafe block.withUnsafeMutableBytes { try unsafe source.read(into: $0) }
    }
    input += block[..<count]
    return count > 0
  }

  private func decompressMore() throws(DumpError) {
    guard let decompressor else { return }
    if consumed == input.count, try !readInput() {
      isAtEnd = true
      try dumpErrors { try unsafe decompressor.finish { unsafe output.append(contentsOf: $0) } }
      return
    }
    let end = min(input.count, consumed + Self.piece)
    let piece = Array(input[consumed..<end])
    consumed = end
    try dumpErrors {
      try unsafe piece.withUnsafeBytes { bytes in
        try unsafe decompressor.decompress(bytes) { unsafe output.append(contentsOf: $0) }
      }
    }
  }
}

/// Runs a function that throws only errors of dumps.
func dumpErrors<R>(_ body: () throws -> R) throws(DumpError) -> R {
  do {
    return try body()
  } catch let error as DumpError {
    throw error
  } catch {
    throw DumpError("\(error)", kind: .inputOutput)
  }
}
