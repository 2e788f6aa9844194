internal import BoxJSON

/// Numbers as JSON has them; there has to be room for ``BlockWriter/numberRoom`` bytes.
extension BlockWriter {
  /// The number of bytes that the longest number needs, with quotes.
  static let numberRoom = 32

  /// The digits of 0 to 99, two each.
  private static let pairs: StaticString = """
    0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243444546474849\
    5051525354555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899
    """

  /// Writes an integer in decimal.
  @inline(__always)
  mutating func put(integer value: UInt64) {
    var rest = value
    let count = Self.digitCount(value)
    let pairs = unsafe Self.pairs.utf8Start
    var place = unsafe next + count
    while rest >= 100 {
      let (quotient, remainder) = rest.quotientAndRemainder(dividingBy: 100)
      unsafe place -= 2
      unsafe place[0] = pairs[2 * Int(remainder)]
      unsafe place[1] = pairs[2 * Int(remainder) + 1]
      rest = quotient
    }
    if rest >= 10 {
      unsafe place[-2] = pairs[2 * Int(rest)]
      unsafe place[-1] = pairs[2 * Int(rest) + 1]
    } else {
      unsafe place[-1] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest)
    }
    advance(count)
  }

  /// Writes an integer in decimal.
  @inline(__always)
  mutating func put(integer value: Int64) {
    if value < 0 { put(UInt8(ascii: "-")) }
    put(integer: value.magnitude)
  }

  @inline(__always)
  private static func digitCount(_ value: UInt64) -> Int {
    var count = 1
    var limit = value
    while limit >= 10_000 {
      limit /= 10_000
      count += 4
    }
    return limit >= 1000 ? count + 3 : limit >= 100 ? count + 2 : limit >= 10 ? count + 1 : count
  }

  /// Writes the shortest digits that read back as the same bits; what is not a number as a string.
  @inline(__always)
  mutating func put(double value: Double) {
    if putShort(value) { return }
    if value.isFinite {
      put(digits: value.description)
    } else if value.isNaN {
      put(nan: value.bitPattern, usual: Double.nan.bitPattern)
    } else {
      put(infinity: value.sign)
    }
  }

  /// Writes the shortest digits that read back as the same 32 bits; what is not a number as a
  /// string.
  @inline(__always)
  mutating func put(float value: Float) {
    if value.isFinite {
      put(digits: value.description)
    } else if value.isNaN {
      put(nan: value.bitPattern, usual: Float.nan.bitPattern)
    } else {
      put(infinity: value.sign)
    }
  }

  @inline(__always)
  private mutating func put(digits: String) {
    var digits = digits
    digits.withUTF8 { unsafe put($0) }
  }

  private mutating func put(infinity sign: FloatingPointSign) {
    put(sign == .minus ? #""-Infinity""# : #""Infinity""#)
  }

  /// Writes what is not a number: with its bits, unless they are the usual ones.
  @inline(never)
  private mutating func put<Bits: FixedWidthInteger>(nan bits: Bits, usual: Bits) {
    put(#""NaN"#)
    if bits != usual {
      put(UInt8(ascii: ":"))
      for shift in stride(from: Bits.bitWidth - 4, through: 0, by: -4) {
        put(hexadecimal: UInt8(truncatingIfNeeded: bits >> shift) & 15)
      }
    }
    put(UInt8(ascii: "\""))
  }

  /// Writes a number with a few digits after the point, as people usually enter them.
  ///
  /// If an integer of at most 15 digits divided by a power of ten gives the number, its digits are
  /// the shortest ones: the division is rounded correctly, and no two decimals of 15 digits give
  /// one number.
  @inline(__always)
  private mutating func putShort(_ value: Double) -> Bool {
    let magnitude = value.magnitude
    guard magnitude < 1e10, magnitude >= 1e-3 || value.bitPattern == 0 else { return false }
    let thousandths = (magnitude * 10_000).rounded()
    guard thousandths / 10_000 == magnitude else { return false }
    if value < 0 { put(UInt8(ascii: "-")) }
    let (whole, fraction) = UInt64(thousandths).quotientAndRemainder(dividingBy: 10_000)
    put(integer: whole)
    put(UInt8(ascii: "."))
    var digits = fraction
    var power: UInt64 = 1000
    repeat {
      put(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digits / power))
      digits %= power
      power /= 10
    } while digits > 0
    return true
  }
}
