/// The values of literals.
enum CodeLiteral {
  /// The value of an integer with the separators, suffixes and bases of all languages; nil for another
  /// number, and for one of more than 64 bits.
  static func integer(_ text: ArraySlice<UInt8>) -> UInt64? {
    var digits = text.filter { $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: "'") }[...]
    var radix: UInt64 = 10
    if digits.count > 2, digits.first == UInt8(ascii: "0"),
      digits[digits.startIndex + 1] | 0x20 == UInt8(ascii: "x")
    {
      radix = 16
      digits = digits.dropFirst(2)
    }
    let suffix = digits.reversed().prefix {
      $0 | 0x20 == UInt8(ascii: "l") || $0 | 0x20 == UInt8(ascii: "u")
    }
    digits = digits.dropLast(suffix.count)
    if suffix.count > 3 || digits.isEmpty { return nil }
    // A decimal number that begins with 0 is octal in most languages.
    if radix == 10, digits.count > 1, digits.first == UInt8(ascii: "0") { return nil }
    var value: UInt64 = 0
    for byte in digits {
      guard let digit = digitValue(byte), digit < radix else { return nil }
      let (product, overflows) = value.multipliedReportingOverflow(by: radix)
      let (sum, exceeds) = product.addingReportingOverflow(digit)
      if overflows || exceeds { return nil }
      value = sum
    }
    return value
  }

  /// The value of a string of one line; nil if an escape is not understood.
  ///
  /// - Parameters:
  ///   - text: The text between the quotes.
  ///   - rawness: The `rawness` of the token.
  ///   - language: The language of the code.
  /// - Returns: The value.
  static func string(
    _ text: ArraySlice<UInt8>, rawness: UInt8, _ language: CodeLanguage
  ) -> String? {
    guard text.contains(UInt8(ascii: "\\")) else { return String(validating: text, as: UTF8.self) }
    if rawness > 0 {
      // In Swift the hashes could make an escape; no generator writes one.
      return language == .swift ? nil : String(validating: text, as: UTF8.self)
    }
    var result: [UInt8] = []
    var rest = text
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\") else {
        result.append(byte)
        continue
      }
      guard let escape = rest.popFirst() else { return nil }
      if let plain = plainEscapes[escape] {
        result.append(plain)
      } else if let scalar = unicodeEscape(escape, &rest) {
        result += Array(String(Character(scalar)).utf8)
      } else {
        return nil
      }
    }
    return String(validating: result, as: UTF8.self)
  }

  private static let plainEscapes: [UInt8: UInt8] = [
    UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09,
    UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0C, UInt8(ascii: "v"): 0x0B,
    UInt8(ascii: "\\"): UInt8(ascii: "\\"), UInt8(ascii: "\""): UInt8(ascii: "\""),
    UInt8(ascii: "'"): UInt8(ascii: "'"), UInt8(ascii: "$"): UInt8(ascii: "$"),
  ]

  /// The scalar of `u0041`, `u{41}`, `x41` or `U00000041`, after the backslash.
  private static func unicodeEscape(
    _ escape: UInt8, _ rest: inout ArraySlice<UInt8>
  ) -> Unicode.Scalar? {
    var count: Int
    switch escape {
    case UInt8(ascii: "x"): count = 2
    case UInt8(ascii: "u"): count = 4
    case UInt8(ascii: "U"): count = 8
    default: return nil
    }
    var digits: [UInt8]
    if rest.first == UInt8(ascii: "{") {
      guard let end = rest.prefix(10).firstIndex(of: UInt8(ascii: "}")) else { return nil }
      digits = Array(rest[rest.startIndex + 1..<end])
      rest = rest[(end + 1)...]
      count = digits.count
    } else {
      digits = Array(rest.prefix(count))
      rest = rest.dropFirst(count)
    }
    guard digits.count == count, !digits.isEmpty else { return nil }
    var value: UInt32 = 0
    for byte in digits {
      guard let digit = digitValue(byte) else { return nil }
      value = value &* 16 &+ UInt32(digit)
    }
    return Unicode.Scalar(value)
  }

  private static func digitValue(_ byte: UInt8) -> UInt64? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a")) + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(byte - UInt8(ascii: "A")) + 10
    default: nil
    }
  }
}
