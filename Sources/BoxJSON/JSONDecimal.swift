/// The exact value of a JSON number: digits times a power of ten.
///
/// A double rounds: `9007199254740993.0` becomes 9007199254740992 there, and `0.9999999999999999999`
/// becomes 1. Whether a number is an integer, and which one, is therefore read from its text.
package struct JSONDecimal: Hashable, Sendable {
  /// Whether there is a minus sign, also in front of zero.
  package let isNegative: Bool
  /// The values of the digits, without zeros at either end; empty for zero.
  private let digits: [UInt8]
  /// The power of ten that the digits, read as one integer, are multiplied by; 0 for zero.
  private let exponent: Int

  /// Reads a number in the grammar of RFC 8259, section 6; nil for any other text.
  ///
  /// - Complexity: O(*n*) in the length of the text, whatever its exponent.
  package init?(_ text: some Collection<UInt8>) {
    var rest = text[...]
    isNegative = rest.first == .minus
    if isNegative { rest.removeFirst() }
    guard let whole = Self.takeDigits(&rest), whole.count == 1 || whole.first != 0x30 else {
      return nil
    }
    var digits = Array(whole)
    var exponent = 0
    if rest.first == 0x2E {
      rest.removeFirst()
      guard let fraction = Self.takeDigits(&rest) else { return nil }
      digits += fraction
      exponent = -fraction.count
    }
    if let letter = rest.first, letter | 0x20 == 0x65 {
      rest.removeFirst()
      guard let power = Self.takePower(&rest) else { return nil }
      exponent += power
    }
    guard rest.isEmpty else { return nil }
    while digits.last == 0x30 {
      digits.removeLast()
      exponent += 1
    }
    self.digits = digits.drop { $0 == 0x30 }.map { $0 &- 0x30 }
    self.exponent = self.digits.isEmpty ? 0 : exponent
  }

  /// Reads a number in the grammar of RFC 8259, section 6; nil for any other text.
  ///
  /// - Complexity: O(*n*) in the length of the text, whatever its exponent.
  package init?(_ text: String) { self.init(text.utf8) }

  /// The number times a power of ten.
  ///
  /// - Parameter scale: The power of ten: with 2 the number 12.5 gives 1250.
  /// - Returns: Nil if this is not an integer, or if 128 bits do not hold it.
  /// - Complexity: O(1).
  package func integer(scale: Int = 0) -> Int128? {
    if digits.isEmpty { return 0 }
    let zeros = exponent + scale
    // 2^127 has 39 digits.
    guard zeros >= 0, zeros <= 39, digits.count <= 39 else { return nil }
    var result: Int128 = 0
    for index in 0..<digits.count + zeros {
      let (product, overflows) = result.multipliedReportingOverflow(by: 10)
      let digit = index < digits.count ? Int128(digits[index]) : 0
      // Counted on the negative side, which holds one more.
      let (difference, overflowsToo) = product.subtractingReportingOverflow(digit)
      if overflows || overflowsToo { return nil }
      result = difference
    }
    if isNegative { return result }
    return result == .min ? nil : -result
  }

  /// The largest integer that is not above the number, and whether it is the number.
  ///
  /// - Parameter limit: The magnitude from which on integers do not differ.
  /// - Returns: The integer, at most `limit` and at least its negative.
  /// - Complexity: O(1).
  package func floor(limit: Int128) -> (integer: Int128, isExact: Bool) {
    let count = digits.count + exponent
    if count > 39 { return (isNegative ? -limit : limit, true) }
    var whole: Int128 = 0
    for index in 0..<max(0, count) {
      let digit = index < digits.count ? Int128(digits[index]) : 0
      let (product, overflows) = whole.multipliedReportingOverflow(by: 10)
      let (sum, overflowsToo) = product.addingReportingOverflow(digit)
      if overflows || overflowsToo || sum > limit { return (isNegative ? -limit : limit, true) }
      whole = sum
    }
    let isExact = exponent >= 0
    return (isNegative ? (isExact ? -whole : -whole - 1) : whole, isExact)
  }

  /// Removes the digits that a text begins with; nil without digits.
  private static func takeDigits<Text: Collection<UInt8>>(_ text: inout Text) -> Text.SubSequence?
  where Text.SubSequence == Text {
    let digits = text.prefix { $0 &- 0x30 <= 9 }
    text.removeFirst(digits.count)
    return digits.isEmpty ? nil : digits
  }

  /// Removes the sign and digits of an exponent; nil if there are no digits.
  ///
  /// An exponent beyond any text that fits into memory is cut: no integer has one.
  private static func takePower<Text: Collection<UInt8>>(_ text: inout Text) -> Int?
  where Text.SubSequence == Text {
    let isNegative = text.first == .minus
    if isNegative || text.first == UInt8(ascii: "+") { text.removeFirst() }
    guard let digits = takeDigits(&text) else { return nil }
    let power = digits.reduce(0) { min($0 * 10 + Int($1 &- 0x30), 1 << 56) }
    return isNegative ? -power : power
  }
}
