public import BoxJSON

/// The reason why a mapping does not fit two models, with its place in the file.
public struct MappingProblem: Hashable, Sendable, CustomStringConvertible {
  /// One sentence without a trailing period.
  public var message: String
  /// The place; nil if the mapping was not read from a file.
  public var position: JSONPosition?

  init(_ message: String, at position: JSONPosition?) {
    self.message = message
    self.position = position
  }

  /// The message, after its place if there is one.
  public var description: String {
    position.map { "line \($0.line), column \($0.column): \(message)" } ?? message
  }
}
