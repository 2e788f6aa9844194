internal import BoxConvert
internal import BoxJSON
internal import BoxModel

/// Strings and bytes of any length as JSON has them.
extension BlockWriter {
  /// Bytes that are looked at before room is asked for again: each may become six.
  private static let pieceSize = 16_384

  /// Writes a string in quotes.
  ///
  /// - Returns: Whether it is UTF-8; if not, what was written is of no use.
  mutating func append(string utf8: UnsafeBufferPointer<UInt8>) -> Bool {
    reserve(2)
    put(UInt8(ascii: "\""))
    var isASCII = true
    var start = 0
    while start < utf8.count {
      let count = min(utf8.count - start, Self.pieceSize)
      reserve(6 * count + 16)
      if let base = utf8.baseAddress { isASCII = unsafe putEscaped(base + start, count) && isASCII }
      start += count
    }
    reserve(2)
    put(UInt8(ascii: "\""))
    return unsafe isASCII || String(validating: utf8, as: UTF8.self) != nil
  }

  /// Writes a string in quotes.
  mutating func append(string: String) {
    var string = string
    _ = string.withUTF8 { unsafe append(string: $0) }
  }

  /// Whether all bytes are ASCII.
  @inline(__always)
  private mutating func putEscaped(_ text: UnsafePointer<UInt8>, _ count: Int) -> Bool {
    let raw = unsafe UnsafeRawPointer(text)
    let (ones, highBits): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x8080_8080_8080_8080)
    var seen: UInt64 = 0
    var index = 0
    while index + 8 <= count {
      let word = unsafe raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      seen |= word
      // Eight bytes at once; a high bit in the result marks a byte that needs an escape (or the one after it,
      // which only costs another test).
      let quotes = word ^ 0x2222_2222_2222_2222
      let backslashes = word ^ 0x5C5C_5C5C_5C5C_5C5C
      let marked =
        ((word &- 0x2020_2020_2020_2020) & ~word) | ((quotes &- ones) & ~quotes)
        | ((backslashes &- ones) & ~backslashes)
      if marked & highBits == 0 {
        unsafe UnsafeMutableRawPointer(next).storeBytes(of: word, as: UInt64.self)
        advance(8)
      } else {
        for offset in index..<index + 8 { unsafe putEscaped(text[offset]) }
      }
      index += 8
    }
    while index < count {
      unsafe seen |= UInt64(text[index])
      unsafe putEscaped(text[index])
      index += 1
    }
    return seen & highBits == 0
  }

  @inline(__always)
  private mutating func putEscaped(_ byte: UInt8) {
    if byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\") {
      put(byte)
      return
    }
    put(UInt8(ascii: "\\"))
    if let letter = JSONEscape.letter(of: byte) {
      put(letter)
    } else {
      put("u00")
      put(hexadecimal: byte >> 4)
      put(hexadecimal: byte & 15)
    }
  }

  /// Writes one hexadecimal digit.
  @inline(__always)
  mutating func put(hexadecimal digit: UInt8) {
    put(digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10))
  }

  /// Writes bytes in base64 (RFC 4648, with padding), in quotes.
  mutating func append(base64 bytes: UnsafeRawBufferPointer) {
    let digits = unsafe Base64.alphabet.utf8Start
    reserve(2)
    put(UInt8(ascii: "\""))
    var index = 0
    while index < bytes.count {
      let stop = min(bytes.count, index + 3 * Self.pieceSize)
      reserve(4 * Self.pieceSize + 4)
      while index < stop {
        let count = min(3, stop - index)
        var group = unsafe UInt32(bytes[index]) << 16
        if count > 1 { unsafe group |= UInt32(bytes[index + 1]) << 8 }
        if count > 2 { unsafe group |= UInt32(bytes[index + 2]) }
        unsafe put(digits[Int(group >> 18)])
        unsafe put(digits[Int(group >> 12 & 63)])
        unsafe put(count > 1 ? digits[Int(group >> 6 & 63)] : UInt8(ascii: "="))
        unsafe put(count > 2 ? digits[Int(group & 63)] : UInt8(ascii: "="))
        index += count
      }
    }
    reserve(2)
    put(UInt8(ascii: "\""))
  }

  /// Writes bytes as hexadecimal digits, in quotes.
  mutating func append(hex bytes: UnsafeRawBufferPointer) {
    reserve(2)
    put(UInt8(ascii: "\""))
    // The backslash is escaped.
    unsafe append(hexDigits: bytes, "\\\\x")
    reserve(2)
    put(UInt8(ascii: "\""))
  }

  /// Writes a mark, and bytes as hexadecimal digits.
  mutating func append(hexDigits bytes: UnsafeRawBufferPointer, _ mark: StaticString) {
    reserve(Self.numberRoom)
    put(mark)
    var index = 0
    while index < bytes.count {
      let stop = min(bytes.count, index + Self.pieceSize)
      reserve(2 * Self.pieceSize)
      while index < stop {
        unsafe put(hexadecimal: bytes[index] >> 4)
        unsafe put(hexadecimal: bytes[index] & 15)
        index += 1
      }
    }
  }

  /// Writes a date as ISO 8601.
  ///
  /// - Returns: False if it has no year from 1 to 9999; nothing is written then.
  mutating func append(text value: Int64, _ form: DateTextForm) -> Bool {
    let seconds = value.floorDivided(by: form.perSecond)
    var rest = value % form.perSecond
    if rest < 0 { rest += form.perSecond }
    let moment = ISO8601.Moment(
      seconds: seconds, nanoseconds: rest * (1_000_000_000 / form.perSecond))
    guard ISO8601.seconds.contains(seconds),
      let text = ISO8601.text(moment, digits: form.digits, offset: form.zone.offset(at: seconds))
    else { return false }
    append(string: text)
    return true
  }
}
