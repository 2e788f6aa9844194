/// The escapes of JSON for the control characters that JSON allows in a text as they are: DEL and
/// those from U+0080 to U+009F, which terminals obey.
///
/// The others, below U+0020, JSON always escapes. The bytes may come in pieces that end anywhere.
package struct ControlEscaper {
  /// Whether the last byte was the first of two of a control character, maybe.
  private var isHolding = false
  private static let lead: UInt8 = 0xC2

  package init() {}

  /// The bytes with escapes, but for a last byte that waits for the next one.
  ///
  /// - Complexity: O(*n*) in the number of bytes.
  package mutating func escaped(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + 8)
    for byte in bytes {
      if isHolding {
        isHolding = false
        if (0x80...0x9F).contains(byte) {
          append(UInt32(byte), to: &result)
          continue
        }
        result.append(Self.lead)
      }
      switch byte {
      case Self.lead: isHolding = true
      case 0x7F: append(0x7F, to: &result)
      default: result.append(byte)
      }
    }
    return result
  }

  private func append(_ value: UInt32, to result: inout [UInt8]) {
    if let scalar = Unicode.Scalar(value) { result += scalar.displayEscape.utf8 }
  }

  /// The byte that waits, at the end of all.
  package mutating func rest() -> [UInt8] {
    defer { isHolding = false }
    return isHolding ? [Self.lead] : []
  }
}
