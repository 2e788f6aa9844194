/// Text between two quotes of one kind, with the escapes `\n`, `\r`, `\t`, `\u{e9}`, and a backslash before
/// a backslash or a quote of any kind.
package enum QuotedText {
  /// The reason why a text cannot be read, with its place.
  package enum Problem: Error, Hashable {
    case noClosingQuote
    case unknownEscape(at: Int)
    case wrongNumber(at: Int)
  }

  /// Reads the text between a quote and the next one of its kind.
  ///
  /// - Parameters:
  ///   - scalars: What the text is in.
  ///   - index: The position of the quote; after the call, the position after the closing quote.
  /// - Returns: The text.
  /// - Throws: ``Problem``; then the place stays.
  /// - Complexity: O(*n*) in the length of the text.
  package static func read(
    _ scalars: [Unicode.Scalar], at index: inout Int
  ) throws(Problem) -> String {
    let quote = scalars[index]
    var place = index + 1
    var text = ""
    while place < scalars.count {
      let scalar = scalars[place]
      if scalar == quote {
        index = place + 1
        return text
      }
      if scalar == "\\" {
        text.unicodeScalars.append(try escape(scalars, at: &place))
      } else {
        text.unicodeScalars.append(scalar)
        place += 1
      }
    }
    throw .noClosingQuote
  }

  private static func escape(
    _ scalars: [Unicode.Scalar], at place: inout Int
  ) throws(Problem) -> Unicode.Scalar {
    let start = place
    place += 2
    switch start + 1 < scalars.count ? scalars[start + 1] : nil {
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case let letter? where "\\\"'`".unicodeScalars.contains(letter): return letter
    case "u":
      guard place < scalars.count, scalars[place] == "{" else { throw .wrongNumber(at: start) }
      let digits = scalars[(place + 1)...].prefix { $0.properties.isASCIIHexDigit }
      place = digits.endIndex
      guard place < scalars.count, scalars[place] == "}",
        let value = UInt32(String(String.UnicodeScalarView(digits)), radix: 16),
        let scalar = Unicode.Scalar(value)
      else { throw .wrongNumber(at: start) }
      place += 1
      return scalar
    default: throw .unknownEscape(at: start)
    }
  }
}
