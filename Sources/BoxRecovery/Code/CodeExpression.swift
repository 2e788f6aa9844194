/// An expression of code, as far as it holds the values of a model.
indirect enum CodeExpression: Hashable, Sendable {
  case number(UInt64)
  /// A number with a fraction, as it is written.
  case decimal(String)
  case text(String)
  /// A name, or calls on one.
  case chain(CodeChain)
  case list([CodeExpression])
  case map([CodeMapEntry])
  /// Values joined by `|`.
  case union([CodeExpression])
  /// Anything that is computed, or not understood.
  case opaque

  /// The number; nil for another expression.
  var number: UInt64? {
    if case .number(let value) = self { value } else { nil }
  }

  /// The string; nil for another expression.
  var text: String? {
    if case .text(let value) = self { value } else { nil }
  }

  /// The chain; nil for another expression.
  var chain: CodeChain? {
    if case .chain(let value) = self { value } else { nil }
  }

  /// The elements of a list; nil for another expression.
  var list: [CodeExpression]? {
    if case .list(let value) = self { value } else { nil }
  }

  /// The last name of a chain without calls, as `Long` of `PropertyType.Long`; nil for another
  /// expression.
  var lastName: String? {
    guard let chain, chain.links.allSatisfy({ $0.arguments == nil }) else { return nil }
    return chain.links.last?.name
  }

  /// Whether it is `null` or `nil`.
  var isNull: Bool { ["null", "nil"].contains(chain?.singleName) }
}

/// An entry of a map literal.
struct CodeMapEntry: Hashable, Sendable {
  var key: CodeExpression
  var value: CodeExpression
}

/// Names that are joined by dots, each of which may be called.
struct CodeChain: Hashable, Sendable {
  var links: [CodeLink]

  /// The name of a chain of one name that is not called.
  var singleName: String? {
    links.count == 1 && links[0].arguments == nil ? links[0].name : nil
  }

  /// The first link.
  var first: CodeLink? { links.first }

  /// The last link.
  var last: CodeLink? { links.last }

  /// The links that are called.
  var calls: [CodeLink] { links.filter { $0.arguments != nil } }
}

/// A name of a chain.
struct CodeLink: Hashable, Sendable {
  var name: String
  /// The last name between `<` and `>` after the name, with its dots.
  var generic: String?
  /// The arguments; nil if it is not called.
  var arguments: [CodeArgument]?
  /// The position of the name among the tokens.
  var token: Int

  /// The value of the argument with a label; nil without one.
  func argument(_ label: String) -> CodeExpression? {
    arguments?.first { $0.label == label }?.value
  }

  /// The values of the arguments without labels.
  var values: [CodeExpression] {
    (arguments ?? []).filter { $0.label == nil }.map(\.value)
  }

  /// The values of all arguments if there are `count` and none has a label; nil otherwise.
  func values(_ count: Int) -> [CodeExpression]? {
    guard let arguments, arguments.count == count, arguments.allSatisfy({ $0.label == nil }) else {
      return nil
    }
    return arguments.map(\.value)
  }
}

/// An argument of a call.
struct CodeArgument: Hashable, Sendable {
  var label: String?
  var value: CodeExpression
}
