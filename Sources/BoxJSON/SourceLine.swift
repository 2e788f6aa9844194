/// A line of a text, or of a long line the part around a place.
///
/// A line of a minified file can be the whole file. So a line of more than ``maximumLength`` bytes is
/// cut, and what holds a line takes the same memory in every file.
public struct SourceLine: Hashable, Sendable {
  /// The line, or the part of it, without its ending.
  public var text: String
  /// The column of the first scalar of the text, counted from 1; above 1 where the line is cut.
  public var column: Int
  /// Whether the line goes on after the text.
  public var isCutAtEnd: Bool

  /// The length in bytes of the longest line that is kept whole.
  public static let maximumLength = 1024

  /// Creates a line, which is a whole one if nothing else is said.
  public init(_ text: String, column: Int = 1, isCutAtEnd: Bool = false) {
    self.text = text
    self.column = column
    self.isCutAtEnd = isCutAtEnd
  }

  /// Takes the line at a place out of a text that is not JSON, or that could not be read as such.
  ///
  /// - Parameters:
  ///   - position: The place; one behind the end of its line stands for that end.
  ///   - text: The bytes of the text. What is not UTF-8 is replaced.
  /// - Complexity: O(*n*) in the length of the text; ``SourceText`` is for many places of a text.
  public init(at position: JSONPosition, in text: [UInt8]) {
    self = SourceText(text).line(at: position)
  }
}

extension SourceLine: ExpressibleByStringLiteral {
  /// Creates a whole line.
  public init(stringLiteral value: String) { self.init(value) }
}

/// A text of any kind with the places of its lines.
public struct SourceText: Sendable {
  private let bytes: [UInt8]
  private let lines: LineTable

  /// Finds the lines of a text, well-formed or not.
  ///
  /// - Complexity: O(*n*) in the length of the text.
  public init(_ bytes: [UInt8]) {
    self.bytes = bytes
    lines = bytes.withUnsafeBufferPointer { LineTable(of: $0) }
  }

  /// The line at a place, cut as ``SourceLine`` says; an empty one if the text has no such line.
  ///
  /// - Complexity: O(log *n*) in the length of the text.
  public func line(at position: JSONPosition) -> SourceLine {
    bytes.withUnsafeBufferPointer { text in
      lines.sourceLine(at: lines.offset(of: position, in: text), in: text)
    }
  }
}
