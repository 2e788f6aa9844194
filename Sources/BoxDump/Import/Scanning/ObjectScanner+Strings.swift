internal import BoxConvert
internal import BoxJSON
internal import BoxModel

extension ObjectScanner {
  /// Finds the end of the string at the index, without a look at what is in it.
  ///
  /// - Returns: The index of the closing quote, and whether there are escapes.
  @inline(__always)
  private func endOfString() throws(ScanFailure) -> (end: Int, hasEscapes: Bool) {
    var position = index + 1
    let ones: UInt64 = 0x0101_0101_0101_0101
    let highs: UInt64 = 0x8080_8080_8080_8080
    while true {
      // Eight bytes at once, as long as none is a quote, a backslash or a control character.
      let word = base.word(at: position)
      let quotes = word ^ (ones &* 0x22)
      let slashes = word ^ (ones &* 0x5C)
      let found =
        ((quotes &- ones) & ~quotes | (slashes &- ones) & ~slashes
          | (word &- ones &* 0x20) & ~word) & highs
      if found == 0 {
        position += 8
        continue
      }
      position += found.trailingZeroBitCount >> 3
      let byte = base[position]
      if byte == .quote { return (position, false) }
      if byte == .backslash { return (try endOfEscaped(position), true) }
      throw controlCharacter(position)
    }
  }

  @inline(never)
  private func endOfEscaped(_ first: Int) throws(ScanFailure) -> Int {
    var position = first
    while true {
      let byte = base[position]
      if byte == .quote { return position }
      if byte == .backslash {
        if base[position + 1] < 0x20 { throw controlCharacter(position + 1) }
        position += 2
      } else if byte < 0x20 {
        throw controlCharacter(position)
      } else {
        position += 1
      }
    }
  }

  private func controlCharacter(_ position: Int) -> ScanFailure {
    let byte = base[position]
    let isEnd = byte == 0 || byte == 0x0A || byte == 0x0D
    return ScanFailure(
      index: position,
      expected: isEnd
        ? "the string ends without its closing quote"
        : "the control character 0x\(String(byte, radix: 16)) in a string must be escaped",
      isMessage: true)
  }

  /// Reads a string for a field: where it is in the text, if it has no escapes.
  @inline(__always)
  func string(into field: Int) throws(ScanFailure) {
    guard base[index] == .quote else { throw mismatch() }
    let start = index + 1
    let (end, hasEscapes) = try endOfString()
    if hasEscapes {
      let first = side.count
      try unescape(start, end)
      values[field].bits = UInt64(first)
      values[field].count = side.count - first
      values[field].state = .side
    } else {
      values[field].bits = UInt64(start)
      values[field].count = end - start
      values[field].state = .text
    }
    index = end + 1
  }

  /// Reads a string.
  ///
  /// - Throws: ``ScanFailure`` without a string, or if it is not UTF-8.
  func string() throws(ScanFailure) -> String {
    guard base[index] == .quote else { throw mismatch() }
    let start = index + 1
    let (end, hasEscapes) = try endOfString()
    let text: String?
    if hasEscapes {
      let first = side.count
      try unescape(start, end)
      text = unsafe String(validating: side[first..<side.count], as: UTF8.self)
      side.removeAll(from: first)
    } else {
      text = unsafe String(validating: base[start..<end], as: UTF8.self)
    }
    guard let text else { throw notUTF8(start) }
    index = end + 1
    return text
  }

  func notUTF8(_ index: Int) -> ScanFailure {
    ScanFailure(index: index, expected: "the string is not valid UTF-8", isMessage: true)
  }

  /// Writes what a string with escapes stands for beside the text.
  private func unescape(_ start: Int, _ end: Int) throws(ScanFailure) {
    // No escape is shorter than what it stands for.
    side.reserve(end - start)
    var position = start
    while position < end {
      let byte = base[position]
      if byte != .backslash {
        side.append(byte)
        position += 1
        continue
      }
      let scalar: Unicode.Scalar
      switch base[position + 1] {
      case UInt8(ascii: "u"):
        (scalar, position) = try unicodeEscape(position, end)
      case let letter:
        guard let byte = JSONEscape.byte(of: letter) else {
          throw ScanFailure(
            index: position, expected: "there is no such escape in JSON", isMessage: true)
        }
        scalar = Unicode.Scalar(byte)
        position += 2
      }
      for unit in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
        side.append(unit)
      }
    }
  }

  /// The scalar of one or two `\u` escapes, and the index after them.
  private func unicodeEscape(
    _ position: Int, _ end: Int
  ) throws(ScanFailure) -> (Unicode.Scalar, Int) {
    let first = try codeUnit(position, end)
    if let scalar = Unicode.Scalar(first) { return (scalar, position + 6) }
    if first < 0xDC00, position + 12 <= end, base[position + 6] == .backslash,
      base[position + 7] == UInt8(ascii: "u")
    {
      let second = try codeUnit(position + 6, end)
      if let scalar = JSONEscape.scalar(first, second) { return (scalar, position + 12) }
    }
    throw ScanFailure(
      index: position, expected: "the escape is one half of a surrogate pair without the other",
      isMessage: true)
  }

  private func codeUnit(_ position: Int, _ end: Int) throws(ScanFailure) -> UInt32 {
    var unit: UInt32 = 0
    for offset in 2..<6 {
      let byte = position + offset < end ? base[position + offset] : 0
      guard let digit = byte.hexadecimalValue else {
        throw ScanFailure(
          index: position, expected: "four hexadecimal digits must follow \\u", isMessage: true)
      }
      unit = unit << 4 | digit
    }
    return unit
  }

  // MARK: - Other values in quotes

  /// A UTF-16 code unit: a string of one, or a number.
  func character() throws(ScanFailure) -> UInt64 {
    if base[index] != .quote {
      let number = try unsigned()
      if number > 0xFFFF { throw mismatch() }
      return number
    }
    let start = index
    let text = try string()
    var units = text.utf16.makeIterator()
    guard let unit = units.next(), units.next() == nil else {
      index = start
      throw mismatch()
    }
    return UInt64(unit)
  }

  /// A date, as a number, a number in quotes, or ISO 8601.
  func date(perSecond: Int64) throws(ScanFailure) -> Int64 {
    if base[index] != .quote {
      return Int64(bitPattern: try scalar(.int64))
    }
    let start = index
    do throws(ScanFailure) {
      return try quotedInteger()
    } catch {
      index = start
    }
    guard let value = Self.date(try string(), perSecond: perSecond) else {
      index = start
      throw mismatch()
    }
    return value
  }

  /// The number of units since 1970 of a date in ISO 8601; nil for another text, and for a date that
  /// is not a whole number of units.
  static func date(_ text: String, perSecond: Int64) -> Int64? {
    let unit = 1_000_000_000 / perSecond
    guard let moment = ISO8601.moment(text), moment.nanoseconds % unit == 0 else { return nil }
    return Int64(
      exactly: Int128(moment.seconds) * Int128(perSecond) + Int128(moment.nanoseconds / unit))
  }
}
