import TestSupport
import Testing

@testable import BoxDump

@Suite struct CompressionTests {
  private func compressed(_ bytes: [UInt8], _ compression: Compression) throws -> [UInt8] {
    var result: [UInt8] = []
    let compressor = try Compressor(compression)
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, start + 100_000)
      try bytes[start..<end].withUnsafeBytes { piece in
        try compressor.compress(piece) { result.append(contentsOf: $0) }
      }
      start = end
    }
    try compressor.finish { result.append(contentsOf: $0) }
    return result
  }

  private func sample(_ random: inout SplitMix64) -> [UInt8] {
    (0..<random.below(400_000)).map { _ in
      random.oneIn(3) ? UInt8(truncatingIfNeeded: random.next()) : UInt8(ascii: "a")
    }
  }

  @Test(arguments: Compression.allCases)
  func comesBack(_ compression: Compression) throws {
    var random = TestSeed.next()
    for bytes in [[], [1], sample(&random), sample(&random)] {
      let small = try compressed(bytes, compression)
      #expect(try small.decompressed(compression) == bytes)
      if compression != .none { #expect(Compression(startingWith: small) == compression) }
    }
  }

  @Test(arguments: [Compression.gzip, .zstd])
  func severalStreamsAreOne(_ compression: Compression) throws {
    let both =
      try compressed(Array("one".utf8), compression) + compressed(Array("two".utf8), compression)
    #expect(try both.decompressed(compression) == Array("onetwo".utf8))
  }

  @Test(arguments: [Compression.gzip, .zstd])
  func damageIsAnError(_ compression: Compression) throws {
    var random = TestSeed.next()
    let bytes = sample(&random) + [1, 2, 3]
    let small = try compressed(bytes, compression)
    for length in [0, 1, small.count / 2, small.count - 1] {
      #expect(throws: DumpError.self) { try Array(small[..<length]).decompressed(compression) }
    }
    for _ in 0..<50 {
      var changed = small
      changed[random.below(changed.count)] ^= 1 << UInt8(random.below(8))
      // A few bits of the header of gzip mean nothing.
      if let result = try? changed.decompressed(compression) { #expect(result == bytes) }
    }
  }

  /// Ten million zeros come in pieces, and the first of them can be the last that is asked for.
  @Test(arguments: [Compression.gzip, .zstd])
  func bombsAreGivenInPieces(_ compression: Compression) throws {
    let bomb = try compressed([UInt8](repeating: 0, count: 10_000_000), compression)
    #expect(bomb.count < 20_000)
    struct Enough: Error {}
    var given = 0
    let decompressor = try Decompressor(compression)
    #expect(throws: Enough.self) {
      try bomb.withUnsafeBytes { bytes in
        try decompressor.decompress(bytes) { piece in
          given += piece.count
          if given > 1_000_000 { throw Enough() }
        }
      }
    }
    #expect(given <= 1_000_000 + transformBlockSize)
  }

  @Test func endings() {
    #expect(Compression(endingOf: "a.ndjson.gz") == .gzip)
    #expect(Compression(endingOf: "a.zst") == .zstd)
    #expect(Compression(endingOf: "gz") == .none)
    #expect(Compression(startingWith: Array("{\"@".utf8)) == .none)
  }
}
