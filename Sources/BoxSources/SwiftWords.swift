/// Words that have a meaning in the grammar of Swift.
enum SwiftWords {
  /// The words that begin a declaration of a type, an extension of one, or another name for one.
  static let type: Set<String> = [
    "class", "struct", "enum", "actor", "protocol", "extension", "typealias",
  ]

  /// The bytes of these words, by their number.
  static let typesByLength: [[[UInt8]]] = (0...9).map { length in
    type.map { Array($0.utf8) }.filter { $0.count == length }
  }

  /// The words before a declaration, except attributes.
  static let modifiers: Set<String> = [
    "public", "private", "fileprivate", "internal", "package", "open", "static", "class", "final",
    "override", "required", "convenience", "lazy", "weak", "unowned", "mutating", "nonmutating",
    "dynamic", "optional", "indirect", "prefix", "postfix", "infix", "nonisolated", "isolated",
    "distributed", "async", "consuming", "borrowing", "sending", "__consuming", "__setter_access",
    "_const", "_local", "reasync",
  ]

  /// The words that are not names, unless they are in backticks, after a period, or labels.
  static let keywords: Set<String> = [
    "associatedtype", "class", "deinit", "enum", "extension", "fileprivate", "func", "import",
    "init", "inout", "internal", "let", "operator", "precedencegroup", "private", "protocol",
    "public", "rethrows", "static", "struct", "subscript", "typealias", "var", "break", "case",
    "catch", "continue", "default", "defer", "do", "else", "fallthrough", "for", "guard", "if",
    "in",
    "repeat", "return", "throw", "switch", "where", "while", "as", "is", "throws", "try", "true",
    "false", "nil", "self", "Self", "super", "Any",
  ]

  /// The keywords that are an expression, or begin one.
  static let expressions: Set<String> = [
    "true", "false", "nil", "self", "Self", "super", "Any", "init",
  ]

  /// Whether an expression may end with a word.
  static func endsExpression(_ word: String) -> Bool {
    !keywords.contains(word) || (expressions.contains(word) && word != "init")
  }

  /// The words of accessors of a property.
  static let accessors: Set<String> = [
    "get", "set", "willSet", "didSet", "_read", "_modify", "read", "modify", "unsafeAddress",
    "unsafeMutableAddress", "addressWithOwner", "addressWithNativeOwner",
    "mutableAddressWithOwner", "mutableAddressWithNativeOwner", "init", "borrow", "mutate",
  ]

  /// The words of a statement that has a body.
  static let statementsWithBody: Set<String> = [
    "if", "guard", "while", "for", "switch", "repeat", "do", "defer", "else", "catch",
  ]
}
