public import BoxJSON

/// Why a mapping cannot lead from one model to another, and where it says so.
public struct MappingProblem: Hashable, Sendable, CustomStringConvertible {
  /// One sentence without a trailing period.
  public var message: String
  /// The place; nil where the mapping comes from no file.
  public var position: JSONPosition?

  init(_ message: String, at position: JSONPosition?) {
    self.message = message
    self.position = position
  }

  /// The message, behind its place where there is one.
  public var description: String {
    position.map { "line \($0.line), column \($0.column): \(message)" } ?? message
  }
}
