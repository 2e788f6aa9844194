/// The escapes of JSON strings.
package enum JSONEscape {
  /// The byte that a backslash and a letter stand for; nil for `u`, and for letters without an escape.
  @inlinable package static func byte(of letter: UInt8) -> UInt8? {
    switch letter {
    case .quote, .backslash, UInt8(ascii: "/"): letter
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "n"): .lineFeed
    case UInt8(ascii: "r"): .carriageReturn
    case UInt8(ascii: "t"): .tab
    default: nil
    }
  }

  /// The letter of the short escape of a byte; nil if writers use none.
  @inlinable package static func letter(of byte: UInt8) -> UInt8? {
    switch byte {
    case .quote, .backslash: byte
    case 0x08: UInt8(ascii: "b")
    case 0x0C: UInt8(ascii: "f")
    case .lineFeed: UInt8(ascii: "n")
    case .carriageReturn: UInt8(ascii: "r")
    case .tab: UInt8(ascii: "t")
    default: nil
    }
  }

  /// The scalar of two `\u` escapes that are a surrogate pair; nil if they are not.
  package static func scalar(_ first: UInt32, _ second: UInt32) -> Unicode.Scalar? {
    guard first & 0xFFFF_FC00 == 0xD800, second & 0xFFFF_FC00 == 0xDC00 else { return nil }
    return Unicode.Scalar(0x1_0000 + ((first & 0x3FF) << 10 | second & 0x3FF))
  }
}
