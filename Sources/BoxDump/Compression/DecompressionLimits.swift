/// The limits of the size that a compressed file may decompress to.
///
/// A few kilobytes can stand for gigabytes. Dumps are JSON with ids, names and digits, which become 5
/// to 60 times as small; the ratio leaves room for the most repetitive.
public struct DecompressionLimits: Hashable, Sendable {
  /// Decompressed bytes for each compressed byte that was read; nil for no limit.
  public var ratio: Int?
  /// Decompressed bytes of a file; nil for no limit.
  public var size: Int?

  /// The ratio by default.
  public static let defaultRatio = 1000
  /// Decompressed bytes of a file to which ``ratio`` does not apply: 64 MiB, as what costs little needs
  /// no limit, and a small file may have any ratio.
  public static let allowance = 64 << 20

  /// Creates limits, by default those of a dump from anywhere.
  public init(ratio: Int? = DecompressionLimits.defaultRatio, size: Int? = nil) {
    self.ratio = ratio
    self.size = size
  }

  /// Throws where more was decompressed than may be.
  ///
  /// - Throws: ``DumpError`` of kind `limit`.
  func check(_ decompressed: Int, of compressed: Int) throws(DumpError) {
    if let size, decompressed > size {
      throw DumpError(
        "the compressed data stands for more than \(size) bytes, the most that is decompressed",
        kind: .limit)
    }
    guard let ratio, decompressed > Self.allowance else { return }
    let (most, overflows) = compressed.multipliedReportingOverflow(by: ratio)
    if !overflows && decompressed > most {
      throw DumpError(
        "the compressed data stands for more than \(ratio) times its size", kind: .limit)
    }
  }
}
