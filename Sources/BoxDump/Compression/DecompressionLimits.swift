/// The limits of the decompressed size of a file.
///
/// A few kilobytes can decompress to gigabytes. Dumps are JSON with ids, names and digits, which
/// compress by a factor of 5 to 60; the ratio leaves room for the most repetitive ones.
public struct DecompressionLimits: Hashable, Sendable {
  /// Decompressed bytes allowed for each compressed byte; nil for no limit.
  public var ratio: Int?
  /// Decompressed bytes allowed for a file; nil for no limit.
  public var size: Int?

  /// The default ratio.
  public static let defaultRatio = 1000
  /// Decompressed bytes of a file to which ``ratio`` does not apply: 64 MiB, as so little memory
  /// needs no limit, and a small file may have any ratio.
  public static let allowance = 64 << 20

  /// Creates limits, by default those for a dump of unknown origin.
  public init(ratio: Int? = DecompressionLimits.defaultRatio, size: Int? = nil) {
    self.ratio = ratio
    self.size = size
  }

  /// Throws if more was decompressed than allowed.
  ///
  /// - Throws: ``DumpError`` of kind `limit`.
  func check(_ decompressed: Int, of compressed: Int) throws(DumpError) {
    if let size, decompressed > size {
      throw DumpError(
        "the compressed data expands to more than \(size) bytes, the most that is decompressed",
        kind: .limit)
    }
    guard let ratio, decompressed > Self.allowance else { return }
    let (most, overflows) = compressed.multipliedReportingOverflow(by: ratio)
    if !overflows && decompressed > most {
      throw DumpError(
        "the compressed data expands to more than \(ratio) times its size", kind: .limit)
    }
  }
}
