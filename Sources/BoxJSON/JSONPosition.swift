/// A place in a JSON text, as an editor shows it.
public struct JSONPosition: Hashable, Sendable, Comparable {
  /// The line, counted from 1.
  ///
  /// Lines end with LF, CRLF or a lone CR.
  public var line: Int
  /// The column in Unicode scalars, counted from 1.
  public var column: Int

  /// Creates the place at a line and a column, both counted from 1.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// Whether a place comes before another one in the same text.
  public static func < (a: JSONPosition, b: JSONPosition) -> Bool {
    (a.line, a.column) < (b.line, b.column)
  }
}
