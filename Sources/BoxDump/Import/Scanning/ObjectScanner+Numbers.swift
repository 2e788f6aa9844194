internal import BoxJSON

extension ObjectScanner {
  /// A value of one number, as its bits.
  @inline(__always)
  func scalar(_ form: ImportField.Form) throws(ScanFailure) -> UInt64 {
    switch form {
    case .int64: return UInt64(bitPattern: try integer(.min, .max, allowsText: true))
    case .int32: return UInt64(bitPattern: try integer(-0x8000_0000, 0x7FFF_FFFF))
    case .double: return try double().bitPattern
    case .bool: return try bool()
    default: return try otherScalar(form)
    }
  }

  @inline(never)
  private func otherScalar(_ form: ImportField.Form) throws(ScanFailure) -> UInt64 {
    switch form {
    case .int8: return UInt64(bitPattern: try integer(-128, 127))
    case .uint8: return UInt64(bitPattern: try integer(0, 255))
    case .int16: return UInt64(bitPattern: try integer(-32768, 32767))
    case .uint16: return UInt64(bitPattern: try integer(0, 65535))
    case .uint32: return UInt64(bitPattern: try integer(0, 0xFFFF_FFFF))
    case .uint64: return try unsigned()
    case .id:
      let id = try unsigned()
      if id == 0 || id > UInt64(Int64.max) { throw mismatch() }
      return id
    case .float: return UInt64(try float().bitPattern)
    case .char: return try character()
    case .date: return UInt64(bitPattern: try date(perSecond: 1000))
    case .dateNano: return UInt64(bitPattern: try date(perSecond: 1_000_000_000))
    default: throw mismatch()
    }
  }

  private func bool() throws(ScanFailure) -> UInt64 {
    if base[index] == UInt8(ascii: "t") {
      try word("true")
      return 1
    }
    try word("false")
    return 0
  }

  // MARK: - Integers

  /// The digits at the index, and whether there is a minus before them.
  struct Digits {
    var magnitude: UInt64
    var isNegative: Bool
  }

  /// Reads an integer, which may be written with a fraction of zeros or an exponent.
  @inline(__always)
  private func digits() throws(ScanFailure) -> Digits {
    var position = index
    let isNegative = base[position] == .minus
    if isNegative { position += 1 }
    let first = position
    var magnitude: UInt64 = 0
    while true {
      let digit = base[position] &- 0x30
      if digit > 9 { break }
      magnitude = magnitude &* 10 &+ UInt64(digit)
      position += 1
    }
    let count = position - first
    let next = base[position]
    if count == 0 || count > 19 || next == 0x2E || next | 0x20 == 0x65
      || (base[first] == 0x30 && count > 1)
    {
      return try unusualDigits()
    }
    index = position
    return Digits(magnitude: magnitude, isNegative: isNegative)
  }

  @inline(never)
  private func unusualDigits() throws(ScanFailure) -> Digits {
    let token = try number()
    // The text decides: a double would round 4503599627370497.5 to an integer.
    guard let number = unsafe JSONDecimal(base[token]), let integer = number.integer(),
      let magnitude = UInt64(exactly: integer.magnitude)
    else { throw mismatch() }
    return Digits(magnitude: magnitude, isNegative: number.isNegative)
  }

  @inline(__always)
  private func integer(
    _ minimum: Int64, _ maximum: Int64, allowsText: Bool = false
  ) throws(ScanFailure) -> Int64 {
    if allowsText, base[index] == .quote { return try quotedInteger() }
    return try signed(try digits(), minimum, maximum)
  }

  @inline(__always)
  private func signed(
    _ digits: Digits, _ minimum: Int64, _ maximum: Int64
  ) throws(ScanFailure) -> Int64 {
    if digits.magnitude <= UInt64(Int64.max) {
      let value = Int64(bitPattern: digits.magnitude)
      let signed = digits.isNegative ? -value : value
      if signed >= minimum && signed <= maximum { return signed }
    } else if digits.isNegative, digits.magnitude == UInt64(1) << 63, minimum == .min {
      return .min
    }
    throw mismatch()
  }

  /// An integer of 64 bits in quotes, as it is written for readers that know doubles only.
  @inline(never)
  func quotedInteger() throws(ScanFailure) -> Int64 {
    try signed(try quotedDigits(), .min, .max)
  }

  private func quotedDigits() throws(ScanFailure) -> Digits {
    let start = index
    index += 1
    let value = try plainDigits()
    guard base[index] == .quote else {
      index = start
      throw mismatch()
    }
    index += 1
    return value
  }

  /// An integer of digits only.
  private func plainDigits() throws(ScanFailure) -> Digits {
    let isNegative = base[index] == .minus
    if isNegative { index += 1 }
    let first = index
    while base[index] &- 0x30 <= 9 { index += 1 }
    guard let magnitude = UInt64(digits(of: first..<index)) else { throw mismatch() }
    return Digits(magnitude: magnitude, isNegative: isNegative)
  }

  /// An integer that is not negative, as a number or in quotes.
  func unsigned() throws(ScanFailure) -> UInt64 {
    let value = base[index] == .quote ? try quotedDigits() : try digits()
    if value.isNegative && value.magnitude != 0 { throw mismatch() }
    return value.magnitude
  }

  // MARK: - Numbers with a fraction

  /// The powers of ten that a double holds exactly.
  private static let powers: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
  ]

  /// Passes over a number of RFC 8259, and returns where it is.
  func number() throws(ScanFailure) -> Range<Int> {
    let start = index
    if base[index] == .minus { index += 1 }
    let first = index
    while base[index] &- 0x30 <= 9 { index += 1 }
    if index == first || (base[first] == 0x30 && index - first > 1) {
      index = start
      throw mismatch()
    }
    if base[index] == 0x2E {
      index += 1
      try moreDigits(start)
    }
    if base[index] | 0x20 == 0x65 {
      index += 1
      if base[index] == .minus || base[index] == UInt8(ascii: "+") { index += 1 }
      try moreDigits(start)
    }
    return start..<index
  }

  private func moreDigits(_ start: Int) throws(ScanFailure) {
    let first = index
    while base[index] &- 0x30 <= 9 { index += 1 }
    if index == first {
      index = start
      throw mismatch()
    }
  }

  /// A number as a text, of which Swift makes the nearest value whatever the locale of the process:
  /// for the functions of C a period may be no part of a number.
  private func digits(of number: Range<Int>) -> String {
    unsafe String(decoding: base[number], as: UTF8.self)
  }

  /// The nearest double; infinities and NaN in quotes.
  @inline(__always)
  func double() throws(ScanFailure) -> Double {
    // With few digits one division of two exact numbers rounds once, as it should.
    var position = index
    let isNegative = base[position] == .minus
    if isNegative { position += 1 }
    let first = position
    var mantissa: UInt64 = 0
    while base[position] &- 0x30 <= 9 {
      mantissa = mantissa &* 10 &+ UInt64(base[position] &- 0x30)
      position += 1
    }
    let whole = position - first
    var fraction = 0
    if base[position] == 0x2E {
      position += 1
      let begin = position
      while base[position] &- 0x30 <= 9 {
        mantissa = mantissa &* 10 &+ UInt64(base[position] &- 0x30)
        position += 1
      }
      fraction = position - begin
      if fraction == 0 { throw mismatch() }
    }
    if whole == 0 || whole + fraction > 18 || mantissa > 1 << 53
      || base[position] | 0x20 == 0x65 || (base[first] == 0x30 && whole > 1)
    {
      return try unusualDouble()
    }
    index = position
    let value = Double(mantissa) / Self.powers[fraction]
    return isNegative ? -value : value
  }

  @inline(never)
  private func unusualDouble() throws(ScanFailure) -> Double {
    if base[index] == .quote {
      return try quoted(Double.init(bitPattern:))
    }
    let token = try number()
    guard let value = Double(digits(of: token)), value.isFinite else {
      index = token.lowerBound
      throw mismatch()
    }
    return value
  }

  /// The nearest float: going by way of a double would round twice.
  private func float() throws(ScanFailure) -> Float {
    if base[index] == .quote { return try quoted(Float.init(bitPattern:)) }
    let start = index
    let double = try double()
    // A float lies half way between two others only where the last 29 bits of the double say so:
    // anywhere else rounding twice is rounding once.
    if double == 0 || (Double(Float.leastNormalMagnitude)...1e38).contains(double.magnitude),
      double.bitPattern & 0x1FFF_FFFF != 0x1000_0000
    {
      return Float(double)
    }
    index = start
    let token = try number()
    guard let value = Float(digits(of: token)), value.isFinite else {
      index = token.lowerBound
      throw mismatch()
    }
    return value
  }

  /// An infinity, or what is not a number, with its bits where they are not the usual ones.
  private func quoted<Number: BinaryFloatingPoint, Bits: FixedWidthInteger>(
    _ number: (Bits) -> Number
  ) throws(ScanFailure) -> Number {
    let start = index
    if let value = Self.special(try string(), number) { return value }
    index = start
    throw mismatch()
  }

  /// The number of a text that is not made of digits; nil for any other text.
  static func special<Number: BinaryFloatingPoint, Bits: FixedWidthInteger>(
    _ text: String, _ number: (Bits) -> Number
  ) -> Number? {
    switch text {
    case "NaN": return .nan
    case "Infinity": return .infinity
    case "-Infinity": return -.infinity
    default:
      let digits = text.utf8.dropFirst(4)
      guard text.hasPrefix("NaN:"), digits.count == Bits.bitWidth / 4,
        digits.allSatisfy({ $0.hexadecimalValue != nil }),
        let bits = Bits(text.dropFirst(4), radix: 16)
      else { return nil }
      let value = number(bits)
      return value.isNaN ? value : nil
    }
  }
}
