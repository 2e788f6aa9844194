internal import BoxSources

extension InitialValue {
  /// The value that an expression always has, as far as its text says.
  init(_ expression: SwiftExpression) {
    switch expression {
    case .call(let name, let arguments?): self = Self.call(expression, name, arguments)
    case .member(_, let base, let name): self = .member(base, name)
    default: self = Self.text(of: expression).map { .constant($0) } ?? .computed
    }
  }

  private static func call(
    _ call: SwiftExpression, _ name: SwiftName, _ arguments: [SwiftExpression.Argument]
  ) -> InitialValue {
    guard let type = TypeShape(of: call), SwiftValueType(spelling: type.spelling) != nil else {
      return .computed
    }
    if arguments.isEmpty { return type.spelling == "Date" ? .computed : .empty }
    // `Int32(5)`
    guard arguments.count == 1, arguments[0].label == nil, type.spelling != "Date",
      let text = text(of: arguments[0].value)
    else { return .computed }
    return .constant("\(type.spelling)(\(text))")
  }

  /// The text of a constant; nil for anything else.
  private static func text(of expression: SwiftExpression) -> String? {
    switch expression {
    case .string(let value): return value?.swiftLiteral
    case .boolean(let text), .integer(let text), .float(let text): return text
    case .prefixed(let sign, .integer, let text), .prefixed(let sign, .float, let text):
      return ["-", "+"].contains(sign) ? text : nil
    case .array(let elements):
      let texts = elements.map { text(of: $0) }
      if texts.contains(nil) { return nil }
      return "[\(texts.compactMap(\.self).joined(separator: ", "))]"
    case .prefixed, .member, .call, .other: return nil
    }
  }
}
