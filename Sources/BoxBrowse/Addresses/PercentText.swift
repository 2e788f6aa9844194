/// Texts as parts of an address.
///
/// A name is a whole segment of a path. Browsers take the segments `.` and `..` away, also in percent encoding,
/// so that a name of dots begins with `~`; so does an empty name, and one that has a `~` there itself.
enum PercentText {
  /// The segment of a path for a name.
  ///
  /// - Complexity: O(*n*) in the length of the name.
  static func segment(_ name: String) -> String {
    if name == "-" { return "%2D" }
    let isMarked = name.hasPrefix("~") || name.utf8.allSatisfy { $0 == UInt8(ascii: ".") }
    return (isMarked ? "~" : "") + encoded(name, keeping: "_-")
  }

  /// The name of a segment; nil for a segment that is not one of UTF-8.
  ///
  /// - Complexity: O(*n*) in the length of the segment.
  static func name(_ segment: some StringProtocol) -> String? {
    decoded(segment.utf8.dropFirst(segment.utf8.first == UInt8(ascii: "~") ? 1 : 0), plus: false)
  }

  /// A text as the value of a parameter, with `+` for a blank.
  static func value(_ text: String) -> String { encoded(text, keeping: "_-.~*, ") }

  /// The text of the name or the value of a parameter, as forms send it; nil if it is not UTF-8.
  static func text(_ value: some StringProtocol) -> String? { decoded(value.utf8, plus: true) }

  private static func encoded(_ text: String, keeping kept: StaticString) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: bytes.append(byte)
      case _ where kept.contains(byte): bytes.append(byte == 0x20 ? UInt8(ascii: "+") : byte)
      default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func decoded(_ text: some Sequence<UInt8>, plus: Bool) -> String? {
    var bytes: [UInt8] = []
    var iterator = text.makeIterator()
    while let byte = iterator.next() {
      switch byte {
      case UInt8(ascii: "%"):
        guard let high = iterator.next().flatMap(digit), let low = iterator.next().flatMap(digit)
        else { return nil }
        bytes.append(high << 4 | low)
      case UInt8(ascii: "+") where plus: bytes.append(0x20)
      default: bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x41 + 10
    case 0x61...0x66: byte - 0x61 + 10
    default: nil
    }
  }
}

extension StaticString {
  fileprivate func contains(_ byte: UInt8) -> Bool { withUTF8Buffer { $0.contains(byte) } }
}

/// Bytes in the letters, digits, `-` and `_` of base64url, without padding.
enum Base64URL {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  static func text(_ bytes: [UInt8]) -> String {
    var letters: [UInt8] = []
    var (pending, bits) = (0, 0)
    for byte in bytes {
      pending = pending << 8 | Int(byte)
      bits += 8
      while bits >= 6 {
        bits -= 6
        letters.append(alphabet[pending >> bits & 63])
      }
      pending &= 1 << bits - 1
    }
    if bits > 0 { letters.append(alphabet[pending << (6 - bits) & 63]) }
    return String(decoding: letters, as: UTF8.self)
  }

  /// The bytes of a text; nil for another text than ``text(_:)`` writes.
  static func bytes(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    var (pending, bits) = (0, 0)
    for letter in text.utf8 {
      guard let digit = alphabet.firstIndex(of: letter) else { return nil }
      pending = pending << 6 | digit
      bits += 6
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: pending >> bits))
      }
      pending &= 1 << bits - 1
    }
    return bits < 6 && pending == 0 ? bytes : nil
  }
}
