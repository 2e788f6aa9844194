extension String {
  /// The text between quotes of SQL.
  ///
  /// By scalars: with a mark that combines with it, a quote is no longer a character of its own.
  package func quotedForSQL(_ quote: Unicode.Scalar) -> String {
    var text = String.UnicodeScalarView()
    text.append(quote)
    for scalar in unicodeScalars {
      if scalar == quote { text.append(quote) }
      text.append(scalar)
    }
    text.append(quote)
    return String(text)
  }

  /// The text with the letters A to Z in lower case, as SQL compares names.
  package var asciiLowercased: String {
    String(decoding: utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  }
}
