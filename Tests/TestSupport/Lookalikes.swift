/// Names that look alike and have different bytes, so that `==` of `String` takes them for equal.
public enum Lookalikes {
  /// Spellings that differ also in lower case.
  private static let parts: [(String, String)] = [
    ("\u{E9}", "e\u{301}"), ("\u{C9}", "E\u{301}"), ("\u{1E69}", "s\u{323}\u{307}"),
    ("s\u{323}\u{307}", "s\u{307}\u{323}"), ("\u{D55C}", "\u{1112}\u{1161}\u{11AB}"),
    ("\u{AC00}", "\u{1100}\u{1161}"), ("\u{958}", "\u{915}\u{93C}"),
    ("\u{30AC}", "\u{30AB}\u{3099}"),
  ]
  /// Those that are one name in lower case.
  private static let folding: [(String, String)] = [
    ("K", "\u{212A}"), ("\u{C5}", "\u{212B}"), ("\u{3A9}", "\u{2126}"),
  ]

  /// A pair of names.
  ///
  /// - Parameters:
  ///   - random: The source of the choice.
  ///   - folds: Whether the names may be equal in lower case.
  /// - Returns: Two names.
  public static func pair(
    _ random: inout SplitMix64, folds: Bool = false
  ) -> (first: String, second: String) {
    var pair = ("", "")
    // Marks without a letter, in two orders; a quote or a period in front would be one character with them.
    if random.oneIn(4) { pair = ("\u{323}\u{301}", "\u{301}\u{323}") }
    func add(_ part: (String, String)) {
      pair.0 += part.0
      pair.1 += part.1
    }
    for _ in 0..<random.below(4) {
      let letter = random.pick(["a", "b", "X", "_", "\u{301}", "\u{FC}"])
      add((letter, letter))
    }
    add(random.pick(folds ? parts + folding : parts))
    for _ in 0..<random.below(3) {
      let letter = random.pick(["c", "D", "7"])
      add((letter, letter))
    }
    return random.oneIn(2) ? pair : (pair.1, pair.0)
  }
}
