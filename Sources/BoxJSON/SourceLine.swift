/// A line of a text, or of a long line the part around a place.
///
/// A line of a minified file can be the whole file. So a line of more than ``maximumLength`` bytes
/// is cut, and a finding takes the same memory in every file.
package struct SourceLine: Hashable, Sendable {
  /// The line or a part of it, without its line ending.
  package var text: String
  /// The column of the first scalar of the text, counted from 1; above 1 where the line is cut.
  package var column: Int
  /// Whether the line continues after the text.
  package var isCutAtEnd: Bool

  /// The length in bytes of the longest line that is kept whole.
  package static let maximumLength = 1024

  /// Creates a line, by default a whole one.
  package init(_ text: String, column: Int = 1, isCutAtEnd: Bool = false) {
    self.text = text
    self.column = column
    self.isCutAtEnd = isCutAtEnd
  }

  /// Finds the line at a place in a text that is not JSON, or that cannot be parsed.
  ///
  /// - Parameters:
  ///   - position: The place; a place after the end of its line means that end.
  ///   - text: The bytes of the text. Bytes that are not UTF-8 are replaced.
  /// - Complexity: O(*n*) in the length of the text; ``SourceText`` is for many places of a text.
  package init(at position: JSONPosition, in text: [UInt8]) {
    self = SourceText(text).line(at: position)
  }
}

extension SourceLine: ExpressibleByStringLiteral {
  /// Creates a whole line.
  package init(stringLiteral value: String) { self.init(value) }
}

/// A text of any kind with the places of its lines.
package struct SourceText: Sendable {
  private let bytes: [UInt8]
  private let lines: LineTable

  /// Finds the lines of a text, well-formed or not.
  ///
  /// - Complexity: O(*n*) in the length of the text.
  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
    lines = unsafe bytes.withUnsafeBufferPointer { unsafe LineTable(of: $0) }
  }

  /// The line at a place, cut as in ``SourceLine``; an empty one if the text has no such line.
  ///
  /// - Complexity: O(log *n*) in the length of the text.
  package func line(at position: JSONPosition) -> SourceLine {
    unsafe bytes.withUnsafeBufferPointer { text in
      unsafe lines.sourceLine(at: lines.offset(of: position, in: text), in: text)
    }
  }
}
