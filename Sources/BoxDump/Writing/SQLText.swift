internal import BoxJSON

/// Names of tables, columns, indexes or views that SQL tells apart: it ignores the case of A to Z.
package struct SQLNames {
  private var taken: Set<ExactText> = []
  private let reservedPrefix: String?

  /// Creates names next to some that others have already.
  ///
  /// - Parameters:
  ///   - reserved: The names that others have.
  ///   - prefix: The letters that no name may begin with, in lower case; nil for none.
  package init(_ reserved: [String] = [], reservedPrefix prefix: String? = nil) {
    reservedPrefix = prefix
    for name in reserved { taken.insert(Self.key(name)) }
  }

  /// Takes a name that none was given before.
  ///
  /// - Returns: The name; with a number at its end if it is taken, and changed where SQL would not have it.
  package mutating func take(_ wanted: String) -> String {
    // A statement ends at a zero.
    var base = ""
    for scalar in wanted.unicodeScalars {
      base.unicodeScalars.append(scalar == "\0" ? "\u{FFFD}" : scalar)
    }
    if let reservedPrefix, base.asciiLowercased.utf8.starts(with: reservedPrefix.utf8) {
      base = "_" + base
    }
    if base.isEmpty { base = "_" }
    var (name, number) = (base, 2)
    while !taken.insert(Self.key(name)).inserted {
      name = "\(base)_\(number)"
      number += 1
    }
    return name
  }

  private static func key(_ name: String) -> ExactText { ExactText(name.asciiLowercased) }
}

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
