import TestSupport
import Testing

@testable import BoxDump

/// The limits for the content of compressed data.
struct DecompressionLimitsTests {
  private func compressed(
    _ compression: Compression, _ count: Int, of byte: UInt8 = 0x20
  ) throws -> [UInt8] {
    var result: [UInt8] = []
    let compressor = try Compressor(compression)
    let block = [UInt8](repeating: byte, count: 1 << 20)
    var left = count
    while left > 0 {
      try block.withUnsafeBytes { bytes in
        try compressor.compress(UnsafeRawBufferPointer(rebasing: bytes[..<min(left, bytes.count)]))
        {
          result += $0
        }
      }
      left -= block.count
    }
    try compressor.finish { result += $0 }
    return result
  }

  /// The number of decompressed bytes, and the error that ended the decompression.
  private func decompress(
    _ bytes: [UInt8], _ compression: Compression,
    _ limits: DecompressionLimits = DecompressionLimits()
  ) throws -> (count: Int, error: DumpError?) {
    let decompressor = try Decompressor(compression, limits: limits)
    var count = 0
    do {
      var rest = bytes[...]
      while !rest.isEmpty {
        try Array(rest.prefix(1024)).withUnsafeBytes { piece in
          try decompressor.decompress(piece) { count += $0.count }
        }
        rest = rest.dropFirst(1024)
      }
      try decompressor.finish { count += $0.count }
      return (count, nil)
    } catch let error as DumpError {
      return (count, error)
    }
  }

  @Test(arguments: [Compression.gzip, .zstd])
  func aBombEndsAtTheRatio(_ compression: Compression) throws {
    let size = 80 << 20
    let bomb = try compressed(compression, size)
    #expect(size / bomb.count > 1000)
    let found = try decompress(bomb, compression)
    #expect(found.error?.kind == .limit)
    #expect(
      found.error?.message == "the compressed data expands to more than 1000 times its size")
    #expect(found.count <= 64 << 20)
    let trusted = try decompress(bomb, compression, DecompressionLimits(ratio: nil))
    #expect(trusted.error == nil)
    #expect(trusted.count == size)
    let raised = try decompress(bomb, compression, DecompressionLimits(ratio: 100_000))
    #expect(raised.error == nil)
    #expect(raised.count == size)
  }

  @Test(arguments: [Compression.gzip, .zstd])
  func whatCostsLittleHasNoRatio(_ compression: Compression) throws {
    let found = try decompress(try compressed(compression, 64 << 20), compression)
    #expect(found.error == nil)
    #expect(found.count == 64 << 20)
  }

  @Test(arguments: [Compression.gzip, .zstd])
  func theSizeIsLimitedOnRequest(_ compression: Compression) throws {
    let bytes = try compressed(compression, 5000)
    let exact = try decompress(bytes, compression, DecompressionLimits(size: 5000))
    #expect(exact.error == nil)
    #expect(exact.count == 5000)
    let less = try decompress(bytes, compression, DecompressionLimits(size: 4999))
    #expect(less.error?.kind == .limit)
    #expect(less.count == 0)
  }

  /// A frame of zstd by hand (RFC 8878, 3.1.1): one raw block with an x.
  private func frame(windowLog: UInt8) -> [UInt8] {
    [0x28, 0xB5, 0x2F, 0xFD, 0x00, (windowLog - 10) << 3, 0x09, 0x00, 0x00, 0x78]
  }

  @Test func aFrameGetsAWindowOf64MiBAtMost() throws {
    #expect(try decompress(frame(windowLog: 26), .zstd).error == nil)
    #expect(try decompress(frame(windowLog: 26), .zstd).count == 1)
    for log: UInt8 in [27, 31, 41] {
      let found = try decompress(frame(windowLog: log), .zstd)
      #expect(found.error?.message.contains("needs more than 64 MiB") == true)
    }
    // One segment, whose window is its size: 2⁶⁰ bytes.
    let segment: [UInt8] =
      [0x28, 0xB5, 0x2F, 0xFD, 0xE0, 0, 0, 0, 0, 0, 0, 0, 0x10, 0x09, 0x00, 0x00, 0x78]
    let found = try decompress(segment, .zstd)
    #expect(found.error != nil)
    #expect(found.count == 0)
  }

  /// Many frames are one stream, and each is counted.
  @Test func framesOneAfterTheOtherShareTheLimits() throws {
    let part = try compressed(.zstd, 1 << 20)
    let many = Array([[UInt8]](repeating: part, count: 80).joined())
    #expect(try decompress(many, .zstd).error?.kind == .limit)
    let empty = Array([[UInt8]](repeating: try compressed(.zstd, 0), count: 10_000).joined())
    let found = try decompress(empty, .zstd)
    #expect(found.error == nil)
    #expect(found.count == 0)
    // A file that is compressed twice is not decompressed twice.
    let twice = try nested(try compressed(.zstd, 1 << 20))
    let once = try decompress(twice, .zstd)
    #expect(once.count == part.count)
  }

  private func nested(_ bytes: [UInt8]) throws -> [UInt8] {
    var result: [UInt8] = []
    let compressor = try Compressor(.zstd)
    try bytes.withUnsafeBytes { try compressor.compress($0) { result += $0 } }
    try compressor.finish { result += $0 }
    return result
  }

  /// The manifest of a directory is read as a whole.
  @Test func aManifestHasALength() throws {
    let directory = try TemporaryDirectory()
    try directory.write(try compressed(.zstd, 80 << 20), to: "manifest.json")
    #expect(throws: DumpError.self) {
      try DumpVerifier.verify(directory.path, isDirectory: true)
    }
    do {
      _ = try DumpVerifier.verify(directory.path, isDirectory: true)
    } catch let error as DumpError {
      #expect(error.kind == .limit)
    }
  }
}
