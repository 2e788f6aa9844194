public import BoxJSON
internal import BoxModel

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

  /// An entity of the new model lacks what a rule is for.
  static func noDestination(
    _ name: String, of entity: Entity, at position: JSONPosition?
  ) -> MappingProblem {
    MappingProblem("'\(entity.name)' has no property '\(name)' to give a value", at: position)
  }

  /// The message, after its place if there is one.
  public var description: String {
    position.map { "line \($0.line), column \($0.column): \(message)" } ?? message
  }
}
