public import BoxJSON

/// An error in a condition, with its place.
public struct ConditionError: Error, Hashable, Sendable {
  /// One sentence without a trailing period.
  public var message: String
  /// The line and the column in the text; nil for a condition that was not parsed from text.
  public var position: JSONPosition?

  /// Creates an error.
  public init(_ message: String, position: JSONPosition? = nil) {
    self.message = message
    self.position = position
  }
}

extension ConditionError: CustomStringConvertible {
  /// The place and the message.
  public var description: String {
    position.map { "\($0.line):\($0.column): \(message)" } ?? message
  }
}
