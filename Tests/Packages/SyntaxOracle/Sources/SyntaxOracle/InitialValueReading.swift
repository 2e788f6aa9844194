import SwiftSyntax

extension InitialValue {
  init(_ expression: ExprSyntax) {
    if let call = expression.as(FunctionCallExprSyntax.self) {
      self = Self.call(call)
    } else if let member = expression.as(MemberAccessExprSyntax.self) {
      self = .member(member.base?.trimmedDescription ?? "", member.declName.trimmedDescription)
    } else if let text = Self.text(of: expression) {
      self = .constant(text)
    } else {
      self = .computed
    }
  }

  private static func call(_ call: FunctionCallExprSyntax) -> InitialValue {
    guard call.trailingClosure == nil, let type = TypeShape(of: ExprSyntax(call)),
      SwiftValueType(spelling: type.spelling) != nil
    else { return .computed }
    let arguments = Array(call.arguments)
    if arguments.isEmpty { return type.spelling == "Date" ? .computed : .empty }
    // `Int32(5)`
    guard arguments.count == 1, arguments[0].label == nil, type.spelling != "Date",
      let text = text(of: arguments[0].expression)
    else { return .computed }
    return .constant("\(type.spelling)(\(text))")
  }

  /// The text of a constant; nil for anything else.
  private static func text(of expression: ExprSyntax) -> String? {
    if let string = expression.as(StringLiteralExprSyntax.self) {
      return string.representedLiteralValue.map { $0.swiftLiteral }
    }
    if expression.is(BooleanLiteralExprSyntax.self) || expression.is(IntegerLiteralExprSyntax.self)
      || expression.is(FloatLiteralExprSyntax.self)
    {
      return expression.trimmedDescription
    }
    if let prefixed = expression.as(PrefixOperatorExprSyntax.self),
      ["-", "+"].contains(prefixed.operator.text),
      prefixed.expression.is(IntegerLiteralExprSyntax.self)
        || prefixed.expression.is(FloatLiteralExprSyntax.self)
    {
      return prefixed.trimmedDescription
    }
    if let array = expression.as(ArrayExprSyntax.self) {
      let elements = array.elements.map { text(of: $0.expression) }
      if elements.contains(nil) { return nil }
      return "[\(elements.compactMap(\.self).joined(separator: ", "))]"
    }
    return nil
  }
}
