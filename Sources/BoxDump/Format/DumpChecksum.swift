internal import BoxEngine
internal import BoxJSON

/// The running CRC-32C of a dump.
public struct DumpChecksum: Hashable, Sendable {
  /// The check of all bytes so far.
  public private(set) var value: UInt32 = 0

  /// Creates the checksum of nothing.
  public init() {}

  /// Takes bytes in.
  ///
  /// - Complexity: O(*n*).
  public mutating func update(_ bytes: UnsafeRawBufferPointer) {
    value = unsafe Checksum.crc32c(bytes, after: value)
  }

  /// Takes bytes in.
  ///
  /// - Complexity: O(*n*).
  public mutating func update(_ bytes: some Sequence<UInt8>) {
    let isDone: Void? = bytes.withContiguousStorageIfAvailable {
      unsafe update(UnsafeRawBufferPointer($0))
    }
    if isDone == nil { unsafe Array(bytes).withUnsafeBytes { unsafe update($0) } }
  }

  /// The check as eight hexadecimal digits.
  public var text: String { Self.text(value) }

  /// A check as eight hexadecimal digits.
  public static func text(_ value: UInt32) -> String { value.hexadecimal(digits: 8) }

  /// The check of eight hexadecimal digits; nil for any other text.
  public static func value(_ text: String) -> UInt32? {
    let isPlain = text.utf8.count == 8 && text.utf8.allSatisfy { $0 != UInt8(ascii: "+") }
    return isPlain ? UInt32(text, radix: 16) : nil
  }
}
