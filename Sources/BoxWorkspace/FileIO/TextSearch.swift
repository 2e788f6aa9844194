// Texts in texts, compared byte by byte.
//
// The functions of this kind that Swift has are part of its regular expressions. One call of them links
// 1.7 MB into the program.

extension StringProtocol {
  /// The first place at which the text has a part; nil if the part is empty or missing.
  ///
  /// - Complexity: O(*n* · *m*) in the lengths of both.
  package func firstPlace(of part: String) -> Range<Index>? {
    guard let first = part.utf8.first else { return nil }
    var rest = utf8[...]
    while let start = rest.firstIndex(of: first) {
      if rest[start...].starts(with: part.utf8) {
        return start..<utf8.index(start, offsetBy: part.utf8.count)
      }
      rest = utf8[utf8.index(after: start)...]
    }
    return nil
  }

  /// Whether the text has a part that is not empty.
  ///
  /// - Complexity: O(*n* · *m*) in the lengths of both.
  package func hasPart(_ part: String) -> Bool { firstPlace(of: part) != nil }

  /// The text with every occurrence of a part replaced, from its start.
  ///
  /// - Complexity: O(*n* · *m*) in the lengths of both.
  package func replacing(part: String, by other: some StringProtocol) -> String {
    var result = ""
    var rest = self[startIndex...]
    while let place = rest.firstPlace(of: part) {
      result += rest[..<place.lowerBound]
      result += other
      rest = rest[place.upperBound...]
    }
    return result + rest
  }
}
