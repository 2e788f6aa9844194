/// Writes JSON into a buffer of bytes.
///
/// It writes values and leaves commas, brackets and layout to its user.
package struct JSONTextWriter: Sendable {
  /// The bytes written so far.
  package private(set) var bytes: [UInt8] = []
  /// The style of escapes in strings.
  package var escaping: JSONEscaping

  /// Creates a writer with an empty buffer.
  package init(escaping: JSONEscaping = .standard, capacity: Int = 0) {
    self.escaping = escaping
    bytes.reserveCapacity(capacity)
  }

  /// Writes bytes as they are.
  package mutating func append(raw: some Sequence<UInt8>) {
    bytes.append(contentsOf: raw)
  }

  /// Writes a text as it is.
  package mutating func append(raw: String) {
    bytes.append(contentsOf: raw.utf8)
  }

  /// Writes a byte as it is.
  package mutating func append(byte: UInt8) {
    bytes.append(byte)
  }

  /// Writes line feed and indentation.
  package mutating func appendLine(indentedBy spaces: Int) {
    bytes.append(.lineFeed)
    bytes.append(contentsOf: repeatElement(.space, count: max(spaces, 0)))
  }

  /// Writes a string with quotes and escapes.
  ///
  /// - Complexity: O(*n*) in the length of the string.
  package mutating func append(string: String) {
    bytes.append(.quote)
    var string = string
    string.withUTF8 { unsafe appendEscaped($0) }
    bytes.append(.quote)
  }

  /// Writes an integer in decimal.
  package mutating func append(integer: some FixedWidthInteger) {
    bytes.append(contentsOf: String(integer).utf8)
  }

  /// Writes the shortest number that reads back as the same value, always as a fraction or with an
  /// exponent; the sign of zero is kept.
  ///
  /// JSON has no NaN and no infinity: these become the strings `"NaN"`, `"Infinity"` and
  /// `"-Infinity"`.
  package mutating func append(double: Double) {
    if double.isFinite {
      append(raw: double.description)
    } else if double.isNaN {
      append(raw: #""NaN""#)
    } else {
      append(raw: double < 0 ? #""-Infinity""# : #""Infinity""#)
    }
  }

  /// Writes `true` or `false`.
  package mutating func append(bool: Bool) {
    append(raw: bool ? "true" : "false")
  }

  private mutating func appendEscaped(_ text: UnsafeBufferPointer<UInt8>) {
    var written = 0
    var index = 0
    while index < text.count {
      let length = unsafe escapedLength(at: index, of: text)
      guard length > 0 else {
        index += 1
        continue
      }
      unsafe bytes.append(contentsOf: text[written..<index])
      unsafe appendEscape(of: text[index..<index + length])
      index += length
      written = index
    }
    unsafe bytes.append(contentsOf: text[written...])
  }

  /// The number of bytes at an index that one escape replaces, 0 for a byte that stays.
  private func escapedLength(at index: Int, of text: UnsafeBufferPointer<UInt8>) -> Int {
    switch unsafe text[index] {
    case .quote, .backslash, .lineFeed, .carriageReturn:
      return 1
    case 0..<0x20:
      return escaping == .minimal ? 0 : 1
    case UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "&"):
      return escaping == .html ? 1 : 0
    case 0x7F:
      return escaping == .ascii ? 1 : 0
    case 0x80... where escaping == .ascii:
      // A Swift string is well-formed, so the first byte gives the length.
      return unsafe text[index] < 0xE0 ? 2 : text[index] < 0xF0 ? 3 : 4
    case 0xE2 where escaping == .html || escaping == .standardAndLineSeparators:
      // U+2028 and U+2029 are E2 80 A8 and E2 80 A9.
      return unsafe text[index + 1] == 0x80 && text[index + 2] | 1 == 0xA9 ? 3 : 0
    default:
      return 0
    }
  }

  private mutating func appendEscape(of scalar: Slice<UnsafeBufferPointer<UInt8>>) {
    if let letter = unsafe scalar.first.flatMap(JSONEscape.letter(of:)) {
      bytes.append(.backslash)
      bytes.append(letter)
      return
    }
    for unit in unsafe String(decoding: scalar, as: UTF8.self).utf16 {
      append(raw: #"\u"#)
      append(raw: unit.hexadecimal(digits: 4))
    }
  }
}
