/// Bytes as text in the alphabet of RFC 4648, with padding.
public enum Base64 {
  /// The characters by their values.
  package static var alphabet: StaticString {
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
  }

  /// The value of a character; nil for one that is not in the alphabet.
  @inlinable package static func value(of character: UInt8) -> UInt32? {
    switch character {
    case 0x41...0x5A: UInt32(character - 0x41)
    case 0x61...0x7A: UInt32(character - 0x61 + 26)
    case 0x30...0x39: UInt32(character - 0x30 + 52)
    case 0x2B: 62
    case 0x2F: 63
    default: nil
    }
  }

  /// The text of bytes.
  ///
  /// - Complexity: O(*n*) in the number of bytes.
  public static func text(_ bytes: [UInt8]) -> String {
    let (pad, alphabet) = (UInt8(ascii: "="), Self.alphabet.utf8Start)
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    var start = 0
    while start < bytes.count {
      let count = min(3, bytes.count - start)
      var group = UInt32(bytes[start]) << 16
      if count > 1 { group |= UInt32(bytes[start + 1]) << 8 }
      if count > 2 { group |= UInt32(bytes[start + 2]) }
      text.append(alphabet[Int(group >> 18)])
      text.append(alphabet[Int(group >> 12 & 63)])
      text.append(count > 1 ? alphabet[Int(group >> 6 & 63)] : pad)
      text.append(count > 2 ? alphabet[Int(group & 63)] : pad)
      start += 3
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The bytes of a text; nil unless it is exactly what ``text(_:)`` makes of them.
  ///
  /// - Complexity: O(*n*) in the length of the text.
  public static func bytes(_ text: String) -> [UInt8]? {
    let text = Array(text.utf8)
    guard text.count % 4 == 0 else { return nil }
    let padding = text.suffix(2).count { $0 == UInt8(ascii: "=") }
    if padding == 2, text[text.count - 2] != UInt8(ascii: "=") { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3)
    var group: UInt32 = 0
    for (index, character) in text.dropLast(padding).enumerated() {
      guard let value = value(of: character) else { return nil }
      group = group << 6 | value
      if index % 4 == 3 {
        bytes.append(UInt8(truncatingIfNeeded: group >> 16))
        bytes.append(UInt8(truncatingIfNeeded: group >> 8))
        bytes.append(UInt8(truncatingIfNeeded: group))
        group = 0
      }
    }
    // The unused bits of the last character must be zero, so that no two texts have the same bytes.
    switch padding {
    case 1:
      guard group & 3 == 0 else { return nil }
      bytes.append(UInt8(truncatingIfNeeded: group >> 10))
      bytes.append(UInt8(truncatingIfNeeded: group >> 2))
    case 2:
      guard group & 15 == 0 else { return nil }
      bytes.append(UInt8(truncatingIfNeeded: group >> 4))
    default: break
    }
    return bytes
  }
}
