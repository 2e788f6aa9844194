internal import CZstd

private let noMemory = DumpError("zstd cannot be started: no memory", kind: .inputOutput)

@safe final class ZstdCompressor: ByteTransform {
  private let context: OpaquePointer
  private let buffer = UnsafeMutableRawPointer.allocate(
    byteCount: transformBlockSize, alignment: 8)

  init() throws {
    guard let context = unsafe ZSTD_createCCtx() else {
      unsafe buffer.deallocate()
      throw noMemory
    }
    unsafe self.context = context
    unsafe ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1)
  }

  deinit {
    unsafe ZSTD_freeCCtx(context)
    unsafe buffer.deallocate()
  }

  func process(
    _ bytes: UnsafeRawBufferPointer, _ output: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    var input = unsafe ZSTD_inBuffer(src: bytes.baseAddress, size: bytes.count, pos: 0)
    while unsafe input.pos < input.size { _ = try unsafe run(&input, ZSTD_e_continue, output) }
  }

  func finish(_ output: (UnsafeRawBufferPointer) throws -> Void) throws {
    var input = unsafe ZSTD_inBuffer(src: nil, size: 0, pos: 0)
    while try unsafe run(&input, ZSTD_e_end, output) > 0 {}
  }

  private func run(
    _ input: inout ZSTD_inBuffer, _ directive: ZSTD_EndDirective,
    _ output: (UnsafeRawBufferPointer) throws -> Void
  ) throws -> Int {
    var room = unsafe ZSTD_outBuffer(dst: buffer, size: transformBlockSize, pos: 0)
    let left = unsafe ZSTD_compressStream2(context, &room, &input, directive)
    if ZSTD_isError(left) != 0 {
      throw DumpError(
        unsafe "zstd failed: \(String(cString: ZSTD_getErrorName(left)))", kind: .inputOutput)
    }
    if unsafe room.pos > 0 {
      try unsafe output(UnsafeRawBufferPointer(start: buffer, count: room.pos))
    }
    return left
  }
}

@safe final class ZstdDecompressor: ByteTransform {
  private let context: OpaquePointer
  private let buffer = UnsafeMutableRawPointer.allocate(
    byteCount: transformBlockSize, alignment: 8)
  /// Whether the last frame is whole.
  private var isAtEnd = false

  /// Frames may ask for this much memory: 64 MiB, so that a hostile one gets no more.
  private static let maximumWindow: Int32 = 26

  init() throws {
    guard let context = unsafe ZSTD_createDCtx() else {
      unsafe buffer.deallocate()
      throw noMemory
    }
    unsafe self.context = context
    unsafe ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, Self.maximumWindow)
  }

  deinit {
    unsafe ZSTD_freeDCtx(context)
    unsafe buffer.deallocate()
  }

  func process(
    _ bytes: UnsafeRawBufferPointer, _ output: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    var input = unsafe ZSTD_inBuffer(src: bytes.baseAddress, size: bytes.count, pos: 0)
    var isFull = false
    while unsafe input.pos < input.size || isFull {
      var room = unsafe ZSTD_outBuffer(dst: buffer, size: transformBlockSize, pos: 0)
      let before = unsafe input.pos
      let left = unsafe ZSTD_decompressStream(context, &room, &input)
      if ZSTD_isError(left) != 0 {
        let reason = unsafe String(cString: ZSTD_getErrorName(left))
        throw DumpError("the zstd data is damaged, or needs more than 64 MiB: \(reason)")
      }
      if unsafe room.pos > 0 || input.pos > before { isAtEnd = left == 0 }
      if unsafe room.pos > 0 {
        try unsafe output(UnsafeRawBufferPointer(start: buffer, count: room.pos))
      }
      isFull = unsafe room.pos == transformBlockSize
    }
  }

  func finish(_ output: (UnsafeRawBufferPointer) throws -> Void) throws {
    if !isAtEnd { throw DumpError("the zstd data is cut off", kind: .cutOff) }
  }
}
