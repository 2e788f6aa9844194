internal import BoxReport

/// Conditions, orders and columns as a user types them in a shell.
enum TypedText {
  /// A text with the same meaning in which every character can be seen.
  ///
  /// In strings and in names between backquotes, a character that a page writes out is replaced by its number, as
  /// `\u{202e}`. Elsewhere it can only be a blank.
  ///
  /// - Complexity: O(*n*) in the length of the text.
  static func of(_ text: String) -> String {
    if !text.unicodeScalars.contains(where: \.isWrittenOut) { return text }
    var typed = String.UnicodeScalarView()
    var quote: Unicode.Scalar?
    var isEscaped = false
    for scalar in text.unicodeScalars {
      if scalar.isWrittenOut {
        typed += (quote == nil ? " " : "\\u{\(String(scalar.value, radix: 16))}").unicodeScalars
        isEscaped = false
        continue
      }
      typed.append(scalar)
      if isEscaped {
        isEscaped = false
      } else if let open = quote {
        isEscaped = scalar == "\\"
        if scalar == open { quote = nil }
      } else if ["'", "\"", "`"].contains(scalar) {
        quote = scalar
      }
    }
    return String(typed)
  }
}
