package import BoxJSON
package import BoxModel
internal import BoxReport

/// The reason why a command ends early, as the one line that the user sees.
package struct CommandFailure: Error, Hashable, Sendable {
  /// The exit status of the tool.
  package var status: ExitStatus
  /// One sentence without a trailing period.
  package var message: String
  /// The file that it is about, as the user named it.
  package var path: String?
  /// The place in the file.
  package var position: JSONPosition?
  /// Whether the reader of a pipe has closed it, as `head` does.
  package var isBrokenPipe = false

  package init(
    _ status: ExitStatus, _ message: String, path: String? = nil, position: JSONPosition? = nil
  ) {
    self.status = status
    self.message = message
    self.path = path
    self.position = position
  }

  /// The failure for a file that is not a model, with the remedy.
  package init(_ error: ModelError, path: String) {
    self.init(
      .badInput, "\(error.message); \(error.advice)", path: path, position: error.position)
  }

  /// The line for standard error, without a line ending.
  ///
  /// Whatever a file or a path holds, it stays one line: control characters are escaped.
  package var line: String {
    var text = "boxjoint: "
    if let path {
      text += path
      if let position { text += ":\(position.line):\(position.column)" }
      text += ": "
    }
    return (text + message).escapedForDisplay
  }
}
