extension String {
  /// A literal of Swift that has the text.
  package var swiftLiteral: String {
    if !contains(where: { $0 == "\"" || $0 == "\\" || $0.isNewline }),
      unicodeScalars.allSatisfy({ $0.value >= 32 })
    {
      return "\"\(self)\""
    }
    let escaped = unicodeScalars.map { scalar in
      scalar == "\"" || scalar == "\\" || scalar.value < 32
        || scalar.properties.isWhitespace
          && scalar != " "
        ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
    }
    return "\"\(escaped.joined())\""
  }

  /// Whether the text is a word that needs backticks as a name in lower case.
  package var isSwiftKeyword: Bool { swiftKeywords.contains(self) }
}

private let swiftKeywords: Set<String> = [
  "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer",
  "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for",
  "func", "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil",
  "operator", "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return",
  "self", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try",
  "typealias", "var", "where", "while",
]
