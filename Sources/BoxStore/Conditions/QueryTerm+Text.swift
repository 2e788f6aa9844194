internal import BoxEngine

extension QueryTerm: CustomStringConvertible {
  /// The condition with the ids of its properties; only the model of a store knows their names.
  var description: String {
    switch self {
    case .and(let parts) where parts.isEmpty: "true"
    case .or(let parts) where parts.isEmpty: "false"
    case .and(let parts): parts.map(\.nested).joined(separator: " && ")
    case .or(let parts): parts.map(\.nested).joined(separator: " || ")
    case .not(let part): "!(\(part))"
    case .test(let test): "\(test)"
    case .parsed(let parsed): "\(parsed.condition)"
    case .link(let link, let part): "any(\(link.other.entityName), \(part))"
    }
  }

  private var nested: String {
    switch self {
    case .and(let parts) where parts.count > 1, .or(let parts) where parts.count > 1: "(\(self))"
    default: description
    }
  }
}

extension PropertyTest: CustomStringConvertible {
  /// The test, after its alias.
  var description: String { (alias.map { "\"\($0)\" .= " } ?? "") + text }

  private var text: String {
    let name = "property(\(property))"
    switch kind {
    case .isNil: return "\(name) == nil"
    case .isNotNil: return "\(name) != nil"
    case .compare(let comparison, let value, let ignoringCase):
      return "\(name) \(comparison.rawValue) \(value)" + Self.suffix(ignoringCase)
    case .between(let low, let high): return "\(name) between \(low) and \(high)"
    case .near(let nearness): return "\(name) between \(nearness.low) and \(nearness.high)"
    case .inRange(let range, let isNegated):
      let operators = (isNegated ? "∉" : "∈", range.isHalfOpen ? "..<" : "...")
      return "\(name) \(operators.0) \(range.low)\(operators.1)\(range.high)"
    case .isOneOf(let values, let ignoringCase):
      return "\(name) ∈ \(values)" + Self.suffix(ignoringCase)
    case .isNoneOf(let values): return "\(name) ∉ \(values)"
    case .match(let match, let value, let ignoringCase):
      return "\(name) \(match.rawValue) \(value)" + Self.suffix(ignoringCase)
    case .element(let comparison, let value, let ignoringCase):
      return "any(\(name)) \(comparison.rawValue) \(value)" + Self.suffix(ignoringCase)
    case .nearest(let vector, let maximum): return "nearest(\(name), \(vector), \(maximum))"
    }
  }

  private static func suffix(_ ignoringCase: Bool) -> String {
    ignoringCase ? " ignoringCase" : ""
  }
}

extension QueryValue: CustomStringConvertible {
  /// The literal of a condition.
  var description: String { "\(literal(isNanoseconds: false))" }
}

extension ConditionTree: CustomStringConvertible {
  /// The term, or that it is too deep for one.
  var description: String {
    (try? term())?.description ?? "more than \(QueryTerm.maximumDepth) levels"
  }
}

extension QueryCondition: CustomDebugStringConvertible {
  /// The condition with the ids of its properties; a ``Query`` shows their names.
  public var debugDescription: String { "QueryCondition<\(E.self)>(\(tree))" }
}

extension QueryBuilder: CustomDebugStringConvertible {
  /// The query; or its condition with the ids of the properties, and the error with which
  /// ``build()`` fails.
  public var debugDescription: String {
    do {
      return "QueryBuilder of \(try build().debugDescription)"
    } catch {
      return "QueryBuilder<\(E.self)>(\(tree), which cannot be built: \(error))"
    }
  }
}
