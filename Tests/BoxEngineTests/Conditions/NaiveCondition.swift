import BoxModel

@testable import BoxEngine

/// The meaning of a condition, written as simply as possible: values one by one, without prepared
/// types and without ranges.
struct NaiveCondition {
  let object: DynamicObject
  var world = NaiveWorld()

  func holds(_ condition: Condition) -> Bool {
    // A name behind relations is a condition on what they lead to.
    if case .property(let name)? = condition.names.first, let first = name.path.first,
      !condition.isCompound
    {
      let rest = condition.at(name.path.dropFirst())
      if first == object.entity.name { return holds(rest) }
      return world.targets(of: object, .forward(first)).contains { on($0).holds(rest) }
    }
    switch condition {
    case .link(let link, let part):
      return world.targets(of: object, link).contains { on($0).holds(part) }
    case .nearest(let name, let vector, let maximum):
      return world.nearest(object.entity, name.property, vector, maximum).contains(object.id)
    case .element(let name, let comparison, let literal, let ignoringCase):
      guard let value = object.value(named: name.property) else { return false }
      let type = object.entity.property(named: name.property)?.modelType.rawValue ?? 0
      return elements(value).contains {
        Self.order($0, literal, ignoringCase, type).fulfils(comparison)
      }
    case .elementMatch(let name, let match, let literal, let ignoringCase):
      guard let value = object.value(named: name.property) else { return false }
      return elements(value).contains { Self.hasPart($0, match, literal, ignoringCase) }
    case .and(let parts): return !parts.contains { !holds($0) }
    case .or(let parts): return parts.contains { holds($0) }
    case .not(let part): return !holds(part)
    case .isNull(let name): return object[name.property] == .null
    case .isNotNull(let name): return object[name.property] != .null
    case .compare(let name, let comparison, let literal, let ignoringCase):
      return order(name, literal, ignoringCase).map { $0.fulfils(comparison) } ?? false
    case .between(let name, let low, let high, let ignoringCase):
      return (order(name, low, ignoringCase)?.fulfils(.greaterOrEqual) ?? false)
        && (order(name, high, ignoringCase)?.fulfils(.lessOrEqual) ?? false)
        && !isNaN(name)
    case .isOneOf(let name, let literals, let ignoringCase):
      return literals.contains { order(name, $0, ignoringCase) == .same }
    case .match(let name, let match, let literal, let ignoringCase):
      return matches(name, match, literal, ignoringCase)
    }
  }

  private func on(_ other: DynamicObject) -> NaiveCondition {
    NaiveCondition(object: other, world: world)
  }

  enum Order {
    case before, same, after
    /// Not the same, and without an order: a NaN and another number.
    case different

    func fulfils(_ comparison: Condition.Comparison) -> Bool {
      switch comparison {
      case .equal: self == .same
      case .notEqual: self != .same
      case .less: self == .before
      case .lessOrEqual: self == .before || self == .same
      case .greater: self == .after
      case .greaterOrEqual: self == .after || self == .same
      }
    }
  }

  private func isNaN(_ name: Condition.PropertyName) -> Bool {
    switch object[name.property] {
    case .float(let value): value.isNaN
    case .double(let value): value.isNaN
    default: false
    }
  }

  private func order(
    _ name: Condition.PropertyName, _ literal: Condition.Literal, _ ignoringCase: Bool
  ) -> Order? {
    guard let value = object.value(named: name.property), value != .null else { return nil }
    let property = object.entity.property(named: name.property)
    return Self.order(value, literal, ignoringCase, property?.modelType.rawValue ?? 0)
  }

  private static func order(
    _ value: Value, _ literal: Condition.Literal, _ ignoringCase: Bool, _ type: Int32
  ) -> Order {
    switch (value, literal) {
    case (.string(let a), .string(let b)):
      let (a, b) = ignoringCase ? (folded(a), folded(b)) : (a, b)
      let (x, y) = (Array(a.utf8), Array(b.utf8))
      return x == y ? .same : x.lexicographicallyPrecedes(y) ? .before : .after
    case (.bytes(let a), .bytes(let b)):
      return a == b ? .same : a.lexicographicallyPrecedes(b) ? .before : .after
    case (.float(let a), _):
      return order(Double(a), Double(Float(number(literal))))
    case (.double(let a), _): return order(a, number(literal))
    default: return exact(value, literal, type)
    }
  }

  /// Lower, upper and then lower case, scalar by scalar.
  static func folded(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      result +=
        scalar == "\u{131}"
        ? String(scalar) : String(scalar).lowercased().uppercased().lowercasedScalars
    }
    return result
  }

  private static func number(_ literal: Condition.Literal) -> Double {
    switch literal {
    case .integer(let value): Double(value)
    case .unsigned(let value): Double(value)
    case .number(let value): value
    default: .nan
    }
  }

  private static func order(_ a: Double, _ b: Double) -> Order {
    if a.isNaN && b.isNaN { return .same }
    return a < b ? .before : a > b ? .after : a == b ? .same : .different
  }

  /// Integers, booleans, characters and dates, all in billionths.
  private static func exact(_ value: Value, _ literal: Condition.Literal, _ type: Int32) -> Order {
    let billion: Int128 = 1_000_000_000
    let left: Int128
    switch value {
    case .bool(let flag): left = flag ? 1 : 0
    case .integer(let integer): left = Int128(integer)
    case .unsigned(let integer): left = Int128(integer)
    default: return .different
    }
    let right: Int128
    switch literal {
    case .bool(let flag): right = flag ? billion : 0
    case .integer(let integer): right = Int128(integer) * billion
    case .unsigned(let integer): right = Int128(integer) * billion
    case .string(let text): right = Int128(text.utf16.first ?? 0) * billion
    case .bytes, .name: return .different
    // Other tests have these.
    case .digits: return .different
    case .number(let number):
      if number.isInfinite || number.magnitude > 1e25 { return number > 0 ? .before : .after }
      right = Int128(number * 1e9)
    case .date(let seconds, let nanoseconds):
      let perSecond: Int128 = type == 12 || type == 32 ? billion : 1000
      // Both in billionths of the property's unit.
      right = Int128(seconds) * perSecond * billion + Int128(nanoseconds) * perSecond
    }
    return left * billion == right ? .same : left * billion < right ? .before : .after
  }

  private func matches(
    _ name: Condition.PropertyName, _ match: Condition.Match, _ literal: Condition.Literal,
    _ ignoringCase: Bool
  ) -> Bool {
    guard let value = object.value(named: name.property) else { return false }
    if case .string = value { return Self.hasPart(value, match, literal, ignoringCase) }
    if case .bytes(let x) = value, case .bytes(let y) = literal {
      return switch match {
      case .startsWith: x.starts(with: y)
      case .endsWith: x.reversed().starts(with: y.reversed())
      case .contains: (0...x.count).contains { x[$0...].starts(with: y) }
      }
    }
    let type = object.entity.property(named: name.property)?.modelType.rawValue ?? 0
    return elements(value).contains { Self.order($0, literal, ignoringCase, type) == .same }
  }

  private static func hasPart(
    _ value: Value, _ match: Condition.Match, _ literal: Condition.Literal, _ ignoringCase: Bool
  ) -> Bool {
    guard case .string(let text) = value, case .string(let part) = literal else { return false }
    let (a, b) = ignoringCase ? (folded(text), folded(part)) : (text, part)
    let (x, y) = (Array(a.utf8), Array(b.utf8))
    return switch match {
    case .startsWith: x.starts(with: y)
    case .endsWith: x.reversed().starts(with: y.reversed())
    case .contains: (0...x.count).contains { x[$0...].starts(with: y) }
    }
  }

  private func elements(_ value: Value) -> [Value] {
    switch value {
    case .bools(let elements): elements.map { .bool($0) }
    case .integers(let elements): elements.map { .integer($0) }
    case .unsignedIntegers(let elements): elements.map { .unsigned($0) }
    case .floats(let elements): elements.map { .float($0) }
    case .doubles(let elements): elements.map { .double($0) }
    case .strings(let elements): elements.map { .string($0) }
    default: []
    }
  }
}

extension String {
  /// Lower case without the rule for a sigma at the end of a word.
  fileprivate var lowercasedScalars: String {
    unicodeScalars.map { String($0).lowercased() }.joined()
  }
}
