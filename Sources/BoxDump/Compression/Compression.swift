/// The compression of the bytes of a dump.
public enum Compression: String, Hashable, Sendable, CaseIterable {
  /// No compression.
  case none
  /// gzip, RFC 1952.
  case gzip = "gz"
  /// Zstandard, RFC 8878.
  case zstd = "zst"

  /// The compression that the extension of a file name indicates.
  public init(endingOf name: String) {
    self =
      if name.hasSuffix(".gz") { .gzip } else if name.hasSuffix(".zst") { .zstd } else { .none }
  }

  /// The compression that the first bytes of a file indicate; four bytes are enough.
  public init(startingWith bytes: some Sequence<UInt8>) {
    let start = Array(bytes.prefix(4))
    self =
      if start.starts(with: [0x1F, 0x8B]) {
        .gzip
      } else if start == [0x28, 0xB5, 0x2F, 0xFD] {
        .zstd
      } else {
        .none
      }
  }

  /// The ending of the names of such files, with its period; empty for none.
  public var ending: String { self == .none ? "" : "." + rawValue }
}

/// Turns a stream of bytes into another one, block by block, in bounded memory.
protocol ByteTransform: AnyObject {
  /// Processes bytes, and passes on the output that is ready.
  func process(
    _ bytes: UnsafeRawBufferPointer, _ output: (UnsafeRawBufferPointer) throws -> Void
  ) throws

  /// Gives on the rest.
  func finish(_ output: (UnsafeRawBufferPointer) throws -> Void) throws
}

/// The bytes that a transform hands on at a time.
let transformBlockSize = 1 << 17

/// The transform that changes nothing.
private final class Identity: ByteTransform {
  func process(
    _ bytes: UnsafeRawBufferPointer, _ output: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    if unsafe !bytes.isEmpty { try unsafe output(bytes) }
  }

  func finish(_ output: (UnsafeRawBufferPointer) throws -> Void) throws {}
}

/// Compresses a stream of bytes.
///
/// It belongs to one thread at a time. Equal bytes give an equal result: no time and no name is in
/// it.
public final class Compressor {
  private let transform: any ByteTransform

  /// Creates a compressor.
  ///
  /// - Throws: ``DumpError`` if there is no memory.
  public init(_ compression: Compression) throws {
    transform =
      switch compression {
      case .none: Identity()
      case .gzip: try GzipCompressor()
      case .zstd: try ZstdCompressor()
      }
  }

  /// Compresses bytes.
  ///
  /// - Parameters:
  ///   - bytes: The next bytes of the stream.
  ///   - output: Called with compressed bytes, which are valid during the call.
  /// - Throws: The error of `output`.
  public func compress(
    _ bytes: UnsafeRawBufferPointer, _ output: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    try unsafe transform.process(bytes, output)
  }

  /// Ends the stream.
  ///
  /// - Throws: The error of `output`.
  public func finish(_ output: (UnsafeRawBufferPointer) throws -> Void) throws {
    try unsafe transform.finish(output)
  }
}

/// Decompresses a stream of bytes.
///
/// A block is passed on in pieces of at most 128 KiB, however far it decompresses, so that the
/// caller can stop. Memory does not grow with the decompressed size. One thread at a time may use
/// an instance.
public final class Decompressor {
  private let transform: any ByteTransform
  /// Nil for bytes that are not compressed.
  private let limits: DecompressionLimits?
  private var consumed = 0
  private var given = 0

  /// Creates a decompressor.
  ///
  /// - Parameters:
  ///   - compression: The compression of the stream.
  ///   - limits: The limits of the decompressed size.
  /// - Throws: ``DumpError`` if there is no memory.
  public init(
    _ compression: Compression, limits: DecompressionLimits = DecompressionLimits()
  ) throws {
    self.limits = compression == .none ? nil : limits
    transform =
      switch compression {
      case .none: Identity()
      case .gzip: try GzipDecompressor()
      case .zstd: try ZstdDecompressor()
      }
  }

  /// Decompresses bytes; several compressed streams in a row count as one.
  ///
  /// - Parameters:
  ///   - bytes: The next compressed bytes.
  ///   - output: Called with decompressed bytes, which are valid during the call.
  /// - Throws: ``DumpError`` if the bytes are damaged or decompress beyond the limits, and the
  ///   error of `output`.
  public func decompress(
    _ bytes: UnsafeRawBufferPointer, _ output: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    consumed += bytes.count
    try unsafe transform.process(bytes) { try unsafe emit($0, output) }
  }

  private func emit(
    _ piece: UnsafeRawBufferPointer, _ output: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    given += piece.count
    try limits?.check(given, of: consumed)
    try unsafe output(piece)
  }

  /// Ends the stream.
  ///
  /// - Throws: ``DumpError`` if it is cut off, and the error of `output`.
  public func finish(_ output: (UnsafeRawBufferPointer) throws -> Void) throws {
    try unsafe transform.finish { try unsafe emit($0, output) }
  }
}
