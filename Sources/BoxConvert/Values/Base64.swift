/// Bytes as text in the alphabet of RFC 4648, with padding.
public enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// The value of each character of the alphabet, 64 for all others.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 64, count: 256)
    for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
    return values
  }()

  /// The text of bytes.
  ///
  /// - Complexity: O(*n*) in the number of bytes.
  public static func text(_ bytes: [UInt8]) -> String {
    let pad = UInt8(ascii: "=")
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
      let value = values[Int(character)]
      guard value < 64 else { return nil }
      group = group << 6 | UInt32(value)
      if index % 4 == 3 {
        bytes.append(UInt8(truncatingIfNeeded: group >> 16))
        bytes.append(UInt8(truncatingIfNeeded: group >> 8))
        bytes.append(UInt8(truncatingIfNeeded: group))
        group = 0
      }
    }
    // What is left over of the last characters has to be zero, so that each text has its own bytes.
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
