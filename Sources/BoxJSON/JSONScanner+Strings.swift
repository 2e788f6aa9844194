extension JSONScanner {
  /// Scans a string from its opening quote to the position after its closing quote.
  @inline(__always)
  mutating func scanString() throws(JSONError) -> JSONTapeEntry.Flags {
    index += 1
    skipPlainText()
    if index < count, unsafe base[index] == .quote {
      index += 1
      return []
    }
    return try scanRestOfString()
  }

  /// Skips bytes that stand for themselves, eight at a time; stops within eight bytes of the end.
  @inline(__always)
  private mutating func skipPlainText() {
    let ones: UInt64 = 0x0101_0101_0101_0101
    while index + 8 <= count {
      let text = word(at: index)
      // The high bit of each byte that is a quote, a backslash, a control character or not ASCII.
      // A borrow can set bits above the first such byte, never below it.
      let quotes = text ^ (ones &* UInt64(UInt8.quote))
      let backslashes = text ^ (ones &* UInt64(UInt8.backslash))
      let special =
        ((quotes &- ones) & ~quotes) | ((backslashes &- ones) & ~backslashes)
        | ((text &- ones &* 0x20) & ~text) | text
      let found = special & (ones &* 0x80)
      guard found == 0 else {
        index += found.trailingZeroBitCount >> 3
        return
      }
      index += 8
    }
  }

  private mutating func scanRestOfString() throws(JSONError) -> JSONTapeEntry.Flags {
    var flags: JSONTapeEntry.Flags = []
    while index < count {
      switch unsafe base[index] {
      case .quote:
        index += 1
        return flags
      case .backslash:
        try scanEscape()
        flags.insert(.escapes)
      case .tab where options.allowsRawTabs:
        rawTabs.append(index)
        flags.insert(.rawTabs)
        index += 1
      case 0..<0x20:
        throw controlCharacter()
      case 0x20..<0x80:
        index += 1
        continue
      default:
        try scanScalar()
        continue
      }
      skipPlainText()
    }
    throw endOfText("the closing quote of a string")
  }

  private mutating func scanEscape() throws(JSONError) {
    guard index + 1 < count else { throw endOfText("the rest of an escape") }
    let letter = unsafe base[index + 1]
    if letter == UInt8(ascii: "u") {
      try scanUnicodeEscape()
    } else if JSONEscape.byte(of: letter) != nil {
      index += 2
    } else {
      throw try invalidEscape()
    }
  }

  private mutating func scanUnicodeEscape() throws(JSONError) {
    let start = index
    switch try scanCodeUnit() {
    case 0xD800...0xDBFF:
      guard index < count else { throw endOfText("the second half of a surrogate pair") }
      guard unsafe base[index] == .backslash else { throw loneSurrogate(at: start) }
      guard index + 1 < count else { throw endOfText("the rest of an escape") }
      guard unsafe base[index + 1] == UInt8(ascii: "u") else { throw loneSurrogate(at: start) }
      guard 0xDC00...0xDFFF ~= (try scanCodeUnit()) else { throw loneSurrogate(at: start) }
    case 0xDC00...0xDFFF:
      throw loneSurrogate(at: start)
    default:
      break
    }
  }

  /// Scans `\uXXXX`.
  private mutating func scanCodeUnit() throws(JSONError) -> UInt32 {
    var unit: UInt32 = 0
    for offset in 2..<6 {
      guard index + offset < count else { throw endOfText("four hexadecimal digits") }
      guard let digit = unsafe base[index + offset].hexadecimalValue else {
        throw try invalidEscape()
      }
      unit = unit << 4 | digit
    }
    index += 6
    return unit
  }

  /// Scans one scalar beyond ASCII, by table 3-7 of the Unicode Standard.
  mutating func scanScalar() throws(JSONError) {
    guard let length = scalarLength(at: index) else { throw invalidUTF8() }
    index += length
  }

  /// The length of the well-formed UTF-8 sequence at an offset; nil for malformed bytes.
  @inline(__always)
  func scalarLength(at index: Int) -> Int? {
    func isContinuation(_ offset: Int, _ range: ClosedRange<UInt8> = 0x80...0xBF) -> Bool {
      unsafe index + offset < count && range ~= base[index + offset]
    }
    switch unsafe base[index] {
    case 0x00...0x7F:
      return 1
    case 0xC2...0xDF:
      return isContinuation(1) ? 2 : nil
    case 0xE0:
      return isContinuation(1, 0xA0...0xBF) && isContinuation(2) ? 3 : nil
    case 0xED:
      return isContinuation(1, 0x80...0x9F) && isContinuation(2) ? 3 : nil
    case 0xE1...0xEF:
      return isContinuation(1) && isContinuation(2) ? 3 : nil
    case 0xF0:
      return isContinuation(1, 0x90...0xBF) && isContinuation(2) && isContinuation(3) ? 4 : nil
    case 0xF1...0xF3:
      return isContinuation(1) && isContinuation(2) && isContinuation(3) ? 4 : nil
    case 0xF4:
      return isContinuation(1, 0x80...0x8F) && isContinuation(2) && isContinuation(3) ? 4 : nil
    default:
      return nil
    }
  }
}
