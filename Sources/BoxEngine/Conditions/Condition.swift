/// A condition on objects, as data.
///
/// A condition refers to properties by name and does not depend on a model. A ``PreparedQuery`` is made of
/// one: it was checked against an entity, can be evaluated, and finds objects by their indexes.
///
/// There are only two truth values. A comparison with a property that is null is false, including
/// `!=`; only ``isNull(_:)`` is true of it. ``not(_:)`` negates the result, whatever the reason for
/// it. NaN equals NaN and no other number, and is neither less nor greater than any; -0.0 equals
/// 0.0. Strings are compared by their UTF-8 bytes, or, ignoring case, by the bytes of their
/// ``CaseFolding``; bytes are compared one by one, the shorter of two that begin alike first.
public indirect enum Condition: Hashable, Sendable {
  /// All of the conditions hold; true without any.
  case and([Condition])
  /// At least one of the conditions holds; false without any.
  case or([Condition])
  /// The condition does not hold.
  case not(Condition)
  /// The property has no value.
  case isNull(PropertyName)
  /// The property has a value; with a path, the property of some object at its end.
  case isNotNull(PropertyName)
  /// The value satisfies a comparison with a literal.
  case compare(PropertyName, Comparison, Literal, ignoringCase: Bool = false)
  /// The value is not less than the first and not greater than the second.
  case between(PropertyName, Literal, Literal, ignoringCase: Bool = false)
  /// The value equals one of several.
  case isOneOf(PropertyName, [Literal], ignoringCase: Bool = false)
  /// The string or the bytes have a part, or the vector an element.
  case match(PropertyName, Match, Literal, ignoringCase: Bool = false)
  /// Some element of the vector compares so with a value.
  case element(PropertyName, Comparison, Literal, ignoringCase: Bool = false)
  /// Some string of the vector has a part.
  case elementMatch(PropertyName, Match, Literal, ignoringCase: Bool = false)
  /// Some object at the other end of a relation fulfils a condition.
  case link(Link, Condition)
  /// The object is one of those whose vectors are nearest to a given one.
  ///
  /// The distance is Euclidean, and of two objects at the same distance the one with the lower id is
  /// nearer. Objects without a vector, or with one of another length, are never near. At most the
  /// maximum of all objects of the entity are near, whatever else is asked of them.
  case nearest(PropertyName, [Float], maximum: Int)

  /// Every object fulfils it.
  public static let always = Condition.and([])
  /// No object fulfils it.
  public static let never = Condition.or([])

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

  /// A property, directly or at the end of a path of relations.
  public struct PropertyName: Hashable, Sendable {
    /// The names before the property: the entity that the condition is about or nothing, then
    /// relations, each to one or to many.
    ///
    /// The first name is a relation of the entity, or the entity itself. Some object at the end of the
    /// path has to fulfil a condition on the property.
    public var path: [String]
    /// The property.
    public var property: String

    /// Creates the name of a property of an entity.
    ///
    /// - Parameters:
    ///   - property: The property.
    ///   - entity: The entity; nil for the one that the condition is bound to.
    public init(_ property: String, of entity: String? = nil) {
      self.init(property, path: entity.map { [$0] } ?? [])
    }

    /// Creates the name of a property at the end of a path.
    public init(_ property: String, path: [String]) {
      self.path = path
      self.property = property
    }
  }

  /// A relation from the entity of a condition.
  public enum Link: Hashable, Sendable {
    /// A relation of the entity, to one or to many.
    case forward(String)
    /// A relation of another entity to this one, followed backwards.
    case backward(entity: String, relation: String)
  }

  /// A value to compare with.
  public enum Literal: Hashable, Sendable {
    case bool(Bool)
    case integer(Int64)
    /// An integer above `Int64.max`.
    case unsigned(UInt64)
    case number(Double)
    /// A number as JSON writes it, which no `Double` has: the digits decide about integers.
    case digits(String)
    case string(String)
    /// Seconds since 1970, and nanoseconds from 0 to 999,999,999 above them.
    case date(seconds: Int64, nanoseconds: Int64)
    case bytes([UInt8])
    /// A value of a converter by its name, without quotes.
    case name(String)
  }
}

extension Condition {
  /// The names of properties and relations in it, in the order of their text.
  ///
  /// - Complexity: O(*n*) in the size of the condition.
  public var names: [Name] {
    switch self {
    case .and(let parts), .or(let parts): parts.flatMap(\.names)
    case .not(let part): part.names
    case .link(let link, let part): [.link(link)] + part.names
    case .isNull(let name), .isNotNull(let name), .compare(let name, _, _, _),
      .between(let name, _, _, _),
      .isOneOf(let name, _, _), .match(let name, _, _, _), .element(let name, _, _, _),
      .elementMatch(let name, _, _, _), .nearest(let name, _, _):
      [.property(name)]
    }
  }

  /// The names of its own entity, without names of linked entities.
  ///
  /// - Complexity: O(*n*) in the size of the condition.
  package var ownNames: [Name] {
    switch self {
    case .and(let parts), .or(let parts): parts.flatMap(\.ownNames)
    case .not(let part): part.ownNames
    case .link(let link, _): [.link(link)]
    default: names
    }
  }

  /// The number of values that properties are compared with.
  ///
  /// - Complexity: O(*n*) in the size of the condition.
  var valueCount: Int {
    switch self {
    case .and(let parts), .or(let parts): parts.reduce(0) { $0 + $1.valueCount }
    case .not(let part), .link(_, let part): part.valueCount
    case .isNull, .isNotNull, .nearest: 0
    case .compare, .match, .element, .elementMatch: 1
    case .between: 2
    case .isOneOf(_, let literals, _): literals.count
    }
  }

  /// A name in a condition.
  public enum Name: Hashable, Sendable {
    case property(PropertyName)
    case link(Link)

    /// The entity or the relation that it begins with; nil for a property alone, and for a relation of
    /// another entity.
    package var first: String? {
      switch self {
      case .property(let name): name.path.first
      case .link(.forward(let relation)): relation
      case .link(.backward): nil
      }
    }

    /// The property; nil for a relation.
    package var property: String? {
      if case .property(let name) = self { name.property } else { nil }
    }

    /// All names of entities, relations and properties in it.
    package var components: [String] {
      switch self {
      case .property(let name): name.path + [name.property]
      case .link(.forward(let relation)): [relation]
      case .link(.backward(let entity, let relation)): [entity, relation]
      }
    }
  }
}

extension Condition {
  /// A condition on one property, of a property at the end of another path.
  func at(_ path: some Sequence<String>) -> Condition {
    func moved(_ name: PropertyName) -> PropertyName {
      PropertyName(name.property, path: Array(path))
    }
    switch self {
    case .isNull(let name): return .isNull(moved(name))
    case .isNotNull(let name): return .isNotNull(moved(name))
    case .compare(let name, let comparison, let literal, let ignoringCase):
      return .compare(moved(name), comparison, literal, ignoringCase: ignoringCase)
    case .between(let name, let low, let high, let ignoringCase):
      return .between(moved(name), low, high, ignoringCase: ignoringCase)
    case .isOneOf(let name, let literals, let ignoringCase):
      return .isOneOf(moved(name), literals, ignoringCase: ignoringCase)
    case .match(let name, let match, let literal, let ignoringCase):
      return .match(moved(name), match, literal, ignoringCase: ignoringCase)
    case .element(let name, let comparison, let literal, let ignoringCase):
      return .element(moved(name), comparison, literal, ignoringCase: ignoringCase)
    case .elementMatch(let name, let match, let literal, let ignoringCase):
      return .elementMatch(moved(name), match, literal, ignoringCase: ignoringCase)
    case .nearest(let name, let vector, let maximum):
      return .nearest(moved(name), vector, maximum: maximum)
    case .and, .or, .not, .link: return self
    }
  }
}
