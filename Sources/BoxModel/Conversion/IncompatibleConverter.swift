public import BoxJSON

/// A converter that cannot work on the property that it is bound to.
public struct IncompatibleConverter: Error, Hashable, Sendable {
  /// The part of the binding that does not fit.
  public enum Reason: Hashable, Sendable {
    /// The type of the property.
    case type
    /// The range of the property's values.
    case range
    /// The default value.
    case defaultValue
  }

  /// `Entity.property`.
  public let property: String
  /// The part of the binding that does not fit.
  public let reason: Reason
  /// One sentence without a trailing period.
  public let message: String
  /// The place in the catalogue.
  public let position: JSONPosition?

  /// Creates an error.
  package init(
    property: String, _ reason: Reason, _ message: String, at position: JSONPosition?
  ) {
    self.property = property
    self.reason = reason
    self.message = message
    self.position = position
  }
}

extension IncompatibleConverter: CustomStringConvertible {
  /// The property and what does not fit.
  public var description: String { "\(property): \(message)" }
}
