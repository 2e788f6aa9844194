/// A JSON text that cannot be taken, and where.
public struct JSONError: Error, Hashable, Sendable {
  /// The kind of an error, as a value that stays the same when the wording of the message changes.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// Nothing, or nothing but white space.
    case empty
    /// The text does not parse and has lines that git writes around a conflict.
    case conflictMarkers
    /// The text starts with a byte order mark, of UTF-8 or of UTF-16.
    case byteOrderMark
    /// Bytes that are not UTF-8: overlong, truncated, an encoded surrogate, above U+10FFFF.
    case invalidUTF8
    /// Something other than the value, key or separator that the grammar requires here.
    case unexpectedCharacter
    /// The text ends in the middle of a value.
    case unexpectedEnd
    /// Something follows the value of the text.
    case trailingText
    /// An object has the same key twice, compared with escapes resolved.
    case duplicateKey
    /// A number with more than one digit starts with zero.
    case leadingZero
    /// A number that lacks a digit, as in `1.`, `.5`, `1e` or `+1`.
    case invalidNumber
    /// `NaN`, `Infinity` or `-Infinity` in any case.
    case notANumber
    /// An integer below -2^63 or above 2^64 - 1.
    case integerOutOfRange
    /// A backslash followed by a character that JSON does not allow.
    case invalidEscape
    /// A `\u` escape of one half of a surrogate pair without the other one.
    case loneSurrogate
    /// An unescaped control character (U+0000 to U+001F) in a string.
    case controlCharacter
    /// Arrays and objects are nested deeper than the options allow.
    case nestingTooDeep
    /// The text has 2^31 - 1 bytes or more.
    case tooLarge
  }

  /// The kind of the error.
  public var code: Code
  /// One sentence without a trailing period.
  public var message: String
  /// The place of the offending byte.
  public var position: JSONPosition
  /// The offset of the offending byte in the text.
  public var offset: Int

  /// Creates an error from its parts.
  public init(code: Code, message: String, position: JSONPosition, offset: Int) {
    self.code = code
    self.message = message
    self.position = position
    self.offset = offset
  }
}
