internal import CZlib

/// The stream of zlib at a fixed address, with a buffer for what comes out of it.
@safe private struct ZlibStream {
  let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
  let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: transformBlockSize)

  init() { unsafe stream.initialize(to: z_stream()) }

  func deallocate() {
    unsafe stream.deallocate()
    unsafe buffer.deallocate()
  }

  func setInput(_ bytes: UnsafeRawBufferPointer) {
    // zlib does not write to its input; its type is older than `const`.
    unsafe stream.pointee.next_in = UnsafeMutablePointer(
      mutating: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
    unsafe stream.pointee.avail_in = UInt32(bytes.count)
  }

  func setOutput() {
    unsafe stream.pointee.next_out = buffer
    unsafe stream.pointee.avail_out = UInt32(transformBlockSize)
  }

  var output: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(
      start: buffer, count: transformBlockSize - Int(stream.pointee.avail_out))
  }

  static let size = unsafe Int32(MemoryLayout<z_stream>.size)
  /// The largest window, and a header of gzip instead of zlib's own.
  static let gzipWindow: Int32 = 15 + 16
}

/// zlib counts its input in 32 bits.
private func inPieces(
  _ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws -> Void
) throws {
  var rest = unsafe bytes[...]
  while unsafe !rest.isEmpty {
    let piece = unsafe rest.prefix(1 << 30)
    try unsafe body(UnsafeRawBufferPointer(rebasing: piece))
    unsafe rest = rest.dropFirst(piece.count)
  }
}

final class GzipCompressor: ByteTransform {
  private let zlib = ZlibStream()

  init() throws {
    let status = unsafe deflateInit2_(
      zlib.stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, ZlibStream.gzipWindow, 8,
      Z_DEFAULT_STRATEGY, ZLIB_VERSION, ZlibStream.size)
    if status != Z_OK { throw DumpError("gzip cannot be started: no memory", kind: .inputOutput) }
  }

  deinit {
    unsafe deflateEnd(zlib.stream)
    zlib.deallocate()
  }

  func process(
    _ bytes: UnsafeRawBufferPointer, _ output: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    try unsafe inPieces(bytes) { piece in
      unsafe zlib.setInput(piece)
      try unsafe run(Z_NO_FLUSH, output)
    }
  }

  func finish(_ output: (UnsafeRawBufferPointer) throws -> Void) throws {
    unsafe zlib.setInput(UnsafeRawBufferPointer(start: nil, count: 0))
    try unsafe run(Z_FINISH, output)
  }

  private func run(
    _ flush: Int32, _ output: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    repeat {
      zlib.setOutput()
      unsafe deflate(zlib.stream, flush)
      if unsafe !zlib.output.isEmpty { try unsafe output(zlib.output) }
    } while unsafe zlib.stream.pointee.avail_out == 0
  }
}

final class GzipDecompressor: ByteTransform {
  private let zlib = ZlibStream()
  /// Whether the last member is whole.
  private var isAtEnd = false

  init() throws {
    let status = unsafe inflateInit2_(
      zlib.stream, ZlibStream.gzipWindow, ZLIB_VERSION, ZlibStream.size)
    if status != Z_OK { throw DumpError("gzip cannot be started: no memory", kind: .inputOutput) }
  }

  deinit {
    unsafe inflateEnd(zlib.stream)
    zlib.deallocate()
  }

  func process(
    _ bytes: UnsafeRawBufferPointer, _ output: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    try unsafe inPieces(bytes) { piece in
      unsafe zlib.setInput(piece)
      try unsafe run(output)
    }
  }

  private func run(_ output: (UnsafeRawBufferPointer) throws -> Void) throws {
    repeat {
      if isAtEnd {
        // Another member follows.
        unsafe inflateReset(zlib.stream)
        isAtEnd = false
      }
      zlib.setOutput()
      let status = unsafe inflate(zlib.stream, Z_NO_FLUSH)
      if unsafe !zlib.output.isEmpty { try unsafe output(zlib.output) }
      switch status {
      case Z_OK: continue
      case Z_BUF_ERROR: return
      case Z_STREAM_END: isAtEnd = true
      default: throw DumpError("the gzip data is damaged\(reason)")
      }
    } while unsafe zlib.stream.pointee.avail_in > 0
      || (zlib.stream.pointee.avail_out == 0 && !isAtEnd)
  }

  private var reason: String {
    unsafe zlib.stream.pointee.msg.map { unsafe ": " + String(cString: $0) } ?? ""
  }

  func finish(_ output: (UnsafeRawBufferPointer) throws -> Void) throws {
    if !isAtEnd { throw DumpError("the gzip data is cut off", kind: .cutOff) }
  }
}
