internal import BoxModel

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
    case .isNotNull(let name): "\(name) != nil"
    case .compare(let name, let comparison, let literal, let ignoringCase):
      "\(name) \(comparison.rawValue) \(literal)" + Self.suffix(ignoringCase)
    case .between(let name, let low, let high, let ignoringCase):
      "\(name) between \(low) and \(high)" + Self.suffix(ignoringCase)
    case .isOneOf(let name, let literals, let ignoringCase):
      "\(name) in (" + literals.map(\.description).joined(separator: ", ") + ")"
        + Self.suffix(ignoringCase)
    case .match(let name, let match, let literal, let ignoringCase):
      "\(name) \(match.rawValue) \(literal)" + Self.suffix(ignoringCase)
    case .element(let name, let comparison, let literal, let ignoringCase):
      "any(\(name)) \(comparison.rawValue) \(literal)" + Self.suffix(ignoringCase)
    case .elementMatch(let name, let match, let literal, let ignoringCase):
      "any(\(name)) \(match.rawValue) \(literal)" + Self.suffix(ignoringCase)
    case .link(let link, let part): "any(\(link), \(part))"
    case .nearest(let name, let vector, let maximum):
      "nearest(\(name), [\(vector.map(Self.element).joined(separator: ", "))], \(maximum))"
    case .and, .or, .not: ""
    }
  }

  /// A number as it was, with the digits of a Float and the words for what is not finite.
  private static func element(_ value: Float) -> String {
    value.isFinite ? "\(value)" : Literal.number(Double(value)).description
  }

  private static func suffix(_ ignoringCase: Bool) -> String {
    ignoringCase ? " ignoringCase" : ""
  }
}

extension Condition.PropertyName: CustomStringConvertible {
  /// The names with periods between them, in backquotes where one is not a plain word.
  public var description: String {
    (path + [property]).map(NamePath.quoted).joined(separator: ".")
  }
}

extension Condition.Link: CustomStringConvertible {
  /// The relation, with its entity if it is followed backwards.
  public var description: String {
    switch self {
    case .forward(let relation): NamePath.quoted(relation)
    case .backward(let entity, let relation):
      NamePath.quoted(entity) + "." + NamePath.quoted(relation)
    }
  }
}

extension Condition {
  /// The names of a path such as ``.data.`odd name` ``, each after a period, and whether the last one is `*`;
  /// nil for any other text.
  ///
  /// - Complexity: O(*n*) in the length of the text.
  package static func path(_ text: String) -> (names: [String], endsInStar: Bool)? {
    var names: [String] = []
    var lexer = ConditionLexer(text)
    while let token = try? lexer.next() {
      switch token {
      case .end: return names.isEmpty ? nil : (names, false)
      case .sign("."): break
      default: return nil
      }
      if lexer.rest == "*" { return (names, true) }
      switch try? lexer.next() {
      case .word(let name), .name(let name): names.append(name)
      default: return nil
      }
    }
    return nil
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
      // From 2^53 on, the shortest text that a double is read from is another integer.
      if value.rounded() == value, (0x1p53...0x1p64).contains(abs(value)) {
        return "\(Int128(value)).0"
      }
      return "\(value)"
    case .digits(let text): return text
    case .string(let text):
      return "\""
        + text.replacing(["\\": "\\\\", "\"": "\\\"", "\n": "\\n", "\r": "\\r", "\t": "\\t"]) + "\""
    case .date(let seconds, let nanoseconds):
      let digits = nanoseconds == 0 ? 0 : nanoseconds % 1_000_000 == 0 ? 3 : 9
      let moment = ISO8601.Moment(seconds: seconds, nanoseconds: nanoseconds)
      return ISO8601.text(moment, digits: digits) ?? "\(seconds)"
    case .bytes(let bytes):
      return "x'\(Hexadecimal.text(bytes))'"
    case .name(let name): return NamePath.quoted(name)
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
