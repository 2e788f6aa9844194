/// A token of code: a range of its bytes.
struct CodeToken: Hashable, Sendable {
  enum Kind: UInt8, Sendable {
    /// A name or a keyword.
    case word
    case number
    /// A string with all of its value in the code.
    case text
    /// A string with parts that are computed, or one that is not understood.
    case opaqueText
    /// One byte of punctuation.
    case mark
  }

  var kind: Kind
  /// The number of `#` around a Swift string, 1 for a raw string of another language.
  var rawness: UInt8 = 0
  /// The number of quotes at each end of a string: 1 or 3.
  var quotes: UInt8 = 0
  var start: Int32
  var end: Int32

  var range: Range<Int> { Int(start)..<Int(end) }
}

/// The bytes that have a meaning in code.
enum CodeByte {
  static func isWordStart(_ byte: UInt8) -> Bool {
    isLetter(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$") || byte >= 0x80
  }

  static func isWord(_ byte: UInt8) -> Bool { isWordStart(byte) || isDigit(byte) }

  static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

  static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- UInt8(ascii: "a") < 26 }

  static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte &- 0x09 < 5 }
}
