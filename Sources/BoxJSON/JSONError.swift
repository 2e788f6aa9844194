/// A JSON text that cannot be taken, and where.
public struct JSONError: Error, Hashable, Sendable {
  /// What is wrong, as a value that stays the same when the wording changes.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    case empty
    case conflictMarkers
    case byteOrderMark
    case invalidUTF8
    case unexpectedCharacter
    case unexpectedEnd
    case trailingText
    case duplicateKey
    case leadingZero
    case invalidNumber
    case notANumber
    case integerOutOfRange
    case invalidEscape
    case loneSurrogate
    case controlCharacter
    case nestingTooDeep
    case tooLarge
  }

  public var code: Code
  /// One sentence without a trailing period.
  public var message: String
  /// The place of the offending byte.
  public var position: JSONPosition
  /// The offset of the offending byte in the text.
  public var offset: Int

  public init(code: Code, message: String, position: JSONPosition, offset: Int) {
    self.code = code
    self.message = message
    self.position = position
    self.offset = offset
  }
}
