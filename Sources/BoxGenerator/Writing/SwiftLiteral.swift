extension String {
  /// A literal of Swift that has the text.
  var swiftLiteral: String {
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
}
