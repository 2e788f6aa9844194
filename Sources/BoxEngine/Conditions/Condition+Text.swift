internal import BoxConvert

extension Condition: CustomStringConvertible {
  /// The condition as ``ConditionParser`` reads it; what it reads is this condition again.
  public var description: String { text(inside: .or) }

  /// The precedence of the operators, the lowest first.
  private enum Level: Int {
    case or, and, not
  }

  private func text(inside outer: Level) -> String {
    let (text, level): (String, Level)
    switch self {
    case .or(let parts) where parts.count > 1:
      (text, level) = (parts.map { $0.text(inside: .and) }.joined(separator: " || "), .or)
    case .and(let parts) where parts.count > 1:
      (text, level) = (parts.map { $0.text(inside: .not) }.joined(separator: " && "), .and)
    case .or(let parts), .and(let parts):
      return parts.first?.text(inside: outer) ?? "(\(isEmptyAnd))"
    case .not(.isNull(let name)): return "\(name) != nil"
    case .not(let part): return "!(\(part.text(inside: .or)))"
    default: return comparisonText
    }
    return level.rawValue < outer.rawValue ? "(\(text))" : text
  }

  /// Nothing to fulfil is `true`.
  private var isEmptyAnd: Bool {
    if case .and = self { true } else { false }
  }

  private var comparisonText: String {
    switch self {
    case .isNull(let name): "\(name) == nil"
    case .compare(let name, let comparison, let literal, let ignoringCase):
      "\(name) \(comparison.rawValue) \(literal)" + Self.suffix(ignoringCase)
    case .between(let name, let low, let high): "\(name) between \(low) and \(high)"
    case .isOneOf(let name, let literals, let ignoringCase):
      "\(name) in (" + literals.map(\.description).joined(separator: ", ") + ")"
        + Self.suffix(ignoringCase)
    case .match(let name, let match, let literal, let ignoringCase):
      "\(name) \(match.rawValue) \(literal)" + Self.suffix(ignoringCase)
    case .and, .or, .not: ""
    }
  }

  private static func suffix(_ ignoringCase: Bool) -> String {
    ignoringCase ? " ignoringCase" : ""
  }
}

extension Condition.PropertyName: CustomStringConvertible {
  /// The name, with the entity if there is one, in backquotes where it is not a plain word.
  public var description: String {
    entity.map { Self.quoted($0) + "." + Self.quoted(property) } ?? Self.quoted(property)
  }

  private static func quoted(_ name: String) -> String {
    ConditionLexer.isPlainWord(name)
      ? name : "`" + name.replacing(["\\": "\\\\", "`": "\\`"]) + "`"
  }
}

extension Condition.Literal: CustomStringConvertible {
  /// The literal as ``ConditionParser`` reads it.
  public var description: String {
    switch self {
    case .bool(let value): return "\(value)"
    case .integer(let value): return "\(value)"
    case .unsigned(let value): return "\(value)"
    case .number(let value):
      if value.isNaN { return "NaN" }
      if value.isInfinite { return value < 0 ? "-Infinity" : "Infinity" }
      return "\(value)"
    case .string(let text):
      return "\""
        + text.replacing(["\\": "\\\\", "\"": "\\\"", "\n": "\\n", "\r": "\\r", "\t": "\\t"]) + "\""
    case .date(let seconds, let nanoseconds):
      let digits = nanoseconds == 0 ? 0 : nanoseconds % 1_000_000 == 0 ? 3 : 9
      let moment = ISO8601.Moment(seconds: seconds, nanoseconds: nanoseconds)
      return ISO8601.text(moment, digits: digits) ?? "\(seconds)"
    }
  }
}

extension String {
  fileprivate func replacing(_ escapes: [Unicode.Scalar: String]) -> String {
    var result = ""
    for scalar in unicodeScalars {
      if let escape = escapes[scalar] {
        result += escape
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
