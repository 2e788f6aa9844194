/// A condition on objects, as data.
///
/// A condition refers to properties by name and does not depend on a model. ``BoundCondition`` is a
/// condition that was checked against an entity and can be evaluated.
///
/// There are only two truth values. A comparison with a property that is null is false, including
/// `!=`; only ``isNull(_:)`` is true of it. ``not(_:)`` negates the result, whatever the reason for
/// it. NaN equals NaN and no other number, and is neither less nor greater than any; -0.0 equals
/// 0.0. Strings are compared by their UTF-8 bytes, or, ignoring case, by the bytes of their
/// ``CaseFolding``.
public indirect enum Condition: Hashable, Sendable {
  /// All of the conditions hold; true without any.
  case and([Condition])
  /// At least one of the conditions holds; false without any.
  case or([Condition])
  /// The condition does not hold.
  case not(Condition)
  /// The property has no value.
  case isNull(PropertyName)
  /// The value compares so with another one.
  case compare(PropertyName, Comparison, Literal, ignoringCase: Bool = false)
  /// The value is not less than the first and not greater than the second.
  case between(PropertyName, Literal, Literal)
  /// The value equals one of several.
  case isOneOf(PropertyName, [Literal], ignoringCase: Bool = false)
  /// The string has a part, or the vector an element.
  case match(PropertyName, Match, Literal, ignoringCase: Bool = false)

  /// The operator of a comparison of two values.
  public enum Comparison: String, Hashable, Sendable, CaseIterable {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
  }

  /// The place of a part in a string.
  public enum Match: String, Hashable, Sendable, CaseIterable {
    /// Anywhere; for a vector, an element that equals the literal.
    case contains
    case startsWith
    case endsWith
  }

  /// A property, with or without its entity.
  public struct PropertyName: Hashable, Sendable {
    /// The entity; nil for the one that the condition is bound to.
    public var entity: String?
    /// The property.
    public var property: String

    /// Creates a name.
    public init(_ property: String, of entity: String? = nil) {
      self.entity = entity
      self.property = property
    }
  }

  /// A value to compare with.
  public enum Literal: Hashable, Sendable {
    case bool(Bool)
    case integer(Int64)
    /// An integer above `Int64.max`.
    case unsigned(UInt64)
    case number(Double)
    case string(String)
    /// Seconds since 1970, and nanoseconds from 0 to 999,999,999 above them.
    case date(seconds: Int64, nanoseconds: Int64)
  }
}

extension Condition {
  /// The names of properties in it, in the order in which they stand.
  ///
  /// - Complexity: O(*n*) in the size of the condition.
  public var names: [PropertyName] {
    switch self {
    case .and(let parts), .or(let parts): parts.flatMap(\.names)
    case .not(let part): part.names
    case .isNull(let name), .compare(let name, _, _, _), .between(let name, _, _),
      .isOneOf(let name, _, _), .match(let name, _, _, _):
      [name]
    }
  }
}
