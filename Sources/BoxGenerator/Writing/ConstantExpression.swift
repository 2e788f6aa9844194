internal import BoxRecovery

/// The expressions that bindings have for values of properties that are not optional.
enum ConstantExpression {
  /// The code after the result of a converter.
  private static let conversion = ".map { PropertyConstant($0) } ?? .zero"
  /// The words that an opening bracket may follow: calls that make a value of literals, or a converter.
  private static let callees: Set<String> = [
    "PropertyConstant", "convert", "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8",
    "UInt16", "UInt32", "UInt64", "Float", "Double", "Bool", "String",
  ]

  /// Whether a text has the form of one, so that it runs no code that bindings would not run.
  ///
  /// That is literals, members and their types, in a call of `PropertyConstant` or of a converter.
  ///
  /// - Complexity: O(*n*).
  static func isOne(_ text: String) -> Bool {
    var text = Substring(text)
    let isConverted = text.hasSuffix(conversion)
    if isConverted { text = text.dropLast(conversion.count) }
    guard text.hasPrefix(isConverted ? "(" : "PropertyConstant(") else { return false }
    return EmbeddedModel.isPlain(Array(text.utf8), calling: callees)
  }
}
