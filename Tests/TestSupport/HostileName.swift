/// Names that mean something to a grammar, a shell, a terminal or a comparison of texts.
public enum HostileName {
  /// Names of which no two are one, also without regard to case and when composed.
  public static let all: [String] = [
    "first name", "a,b", "x.y", "a`b", "`tick`", "back\\slash", "sl\\", "\"quoted\"", "it's", "a=b",
    "k:v", "k:=v", "desc", "in", "null", "and", "count", "sum(x)", "1st", "2024-01-01", "-dash",
    "--where", "😀", "e\u{301}te\u{301}", "\u{301}mark", "line\nfeed", "tab\tbed", "nul\0byte",
    "bell\u{7}", "\u{202E}right", "(open", "[x]", "{y}", "#hash", "$(id)", "*", "?", "a b desc",
    " lead",
    "trail ", ".", "..", "a.", ".b", ",", "\u{1B}[2J", "x'00'", "日本", "@at", "plain", "plain_2",
    "x`.y", "`a`.`b`", "a, b", "f(`g`)", String(repeating: "long ", count: 60),
  ]

  /// A text of pieces that end, begin and escape names.
  public static func text(_ random: inout SplitMix64) -> String {
    let pieces = [
      "`", "``", "\\", "\\`", "\\u{", "}", "e9", ".", ",", " ", "=", ":", "(", ")", "'", "\"", "a",
      "b c",
      "é", "e\u{301}", "\u{301}", "\0", "\n", "\r\n", "😀", "desc", "null", "-", "1", "\\n", "\\x",
    ]
    return (0..<random.below(12)).map { _ in random.pick(pieces) }.joined()
  }
}
