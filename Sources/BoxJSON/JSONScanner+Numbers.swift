extension JSONScanner {
  /// Scans a number from its sign or first digit to the position after its last digit.
  @inline(__always)
  mutating func scanNumber() throws(JSONError) -> JSONTapeEntry.Flags {
    let start = index
    if unsafe base[index] == .minus { index += 1 }
    guard index < count else { throw try unexpected(.invalidNumber, "Expected a digit") }
    let first = index
    guard unsafe base[index].isDigit else { throw try noDigitAfterMinus(at: start) }
    skipDigits()
    if unsafe base[first] == .zero, index - first > 1 {
      throw error(.leadingZero, at: first, "A number must not start with an extra zero")
    }
    if index < count, unsafe base[index] == .period || base[index] | 0x20 == UInt8(ascii: "e") {
      try scanFractionAndExponent()
      return []
    }
    // Eighteen digits fit in any case.
    if index - first > 18, try isLarge(from: start) { return [] }
    return .integer
  }

  @inline(__always)
  private mutating func skipDigits() {
    while index < count, unsafe base[index].isDigit { index += 1 }
  }

  private mutating func scanFractionAndExponent() throws(JSONError) {
    if unsafe base[index] == .period {
      index += 1
      try scanDigits(behind: "the decimal point")
    }
    guard index < count, unsafe base[index] | 0x20 == UInt8(ascii: "e") else { return }
    index += 1
    if index < count, unsafe base[index] == .plus || base[index] == .minus { index += 1 }
    try scanDigits(behind: "the exponent")
  }

  private mutating func scanDigits(behind place: String) throws(JSONError) {
    guard index < count, unsafe base[index].isDigit else {
      throw try unexpected(.invalidNumber, "Expected a digit after \(place)")
    }
    skipDigits()
  }

  /// Whether an integer does not fit into 64 bits, where that is not an error.
  private func isLarge(from start: Int) throws(JSONError) -> Bool {
    let isNegative = unsafe base[start] == .minus
    let limit: UInt64 = isNegative ? UInt64(Int64.min.magnitude) : .max
    var magnitude: UInt64 = 0
    for offset in (isNegative ? start + 1 : start)..<index {
      let (product, overflows) = magnitude.multipliedReportingOverflow(by: 10)
      let (sum, carries) = unsafe product.addingReportingOverflow(UInt64(base[offset] - .zero))
      if overflows || carries || sum > limit {
        if options.allowsLargeIntegers { return true }
        throw error(
          .integerOutOfRange, at: start,
          "The integer is out of range: below -9223372036854775808 or above 18446744073709551615")
      }
      magnitude = sum
    }
    return false
  }
}
