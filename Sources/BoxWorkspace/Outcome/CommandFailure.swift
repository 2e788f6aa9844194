package import BoxJSON
package import BoxModel
internal import BoxReport

/// The reason why a request is not carried out, as the one line that the user sees.
package struct CommandFailure: Error, Hashable, Sendable {
  /// The kind of the reason.
  package var kind: FailureKind
  /// One sentence without a trailing period.
  package var message: String
  /// The file that it is about, as the user named it.
  package var path: String?
  /// The place in the file.
  package var position: JSONPosition?
  /// The text that the place is in, where it is not a file.
  package var quoted: String?
  /// The remedy, if it is an option of the caller.
  package var anyRemedy: AnyRemedy?
  /// Whether the reader of a pipe has closed it, as `head` does.
  package var isBrokenPipe = false

  /// Creates a failure.
  package init(
    _ kind: FailureKind, _ message: String, path: String? = nil, position: JSONPosition? = nil
  ) {
    self.kind = kind
    self.message = message
    self.path = path
    self.position = position
  }

  /// The failure for a text that is not a model, with the remedy.
  ///
  /// - Parameters:
  ///   - error: The error of the parser.
  ///   - path: The name of the text.
  ///   - bytes: The text.
  ///   - isArgument: Whether the name is an argument by which a command reads the text.
  package init(_ error: ModelError, path: String, _ bytes: [UInt8], isArgument: Bool = true) {
    let advice = error.advice(for: isArgument ? path : nil, bytes).map { "; \($0)" } ?? ""
    self.init(.badInput, error.message + advice, path: path, position: error.position)
  }

  /// The line of the quoted text and a caret under the place; nil where nothing is quoted.
  ///
  /// Control characters are escaped, and a long line is cut around the place.
  package var excerpt: [String]? {
    guard let quoted, let position else { return nil }
    let excerpt = SourceExcerpt(
      SourceLine(at: position, in: Array(quoted.utf8)),
      columns: position.column..<position.column + 1, width: 100)
    return ["  " + excerpt.line, "  " + excerpt.marker]
  }

  /// The line for standard error, without a line ending.
  ///
  /// Whatever a file or a path holds, it stays one line: control characters are escaped.
  package var line: String { line(of: "boxjoint") }

  /// The line of another program, likewise.
  package func line(of program: String) -> String {
    var text = program + ": "
    if let path {
      text += path
      if let position { text += ":\(position.line):\(position.column)" }
      text += ": "
    }
    return (text + message).escapedForDisplay
  }
}
