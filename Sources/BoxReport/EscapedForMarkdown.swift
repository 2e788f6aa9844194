extension StringProtocol {
  /// The text as Markdown that shows exactly it, on one line, also in a cell of a table.
  ///
  /// Control characters are written out. Characters with a meaning in CommonMark or GitHub's dialect get a
  /// backslash, characters of HTML become entities. Sites look for mentions, addresses and references in the
  /// rendered text, which has lost the backslashes. So an empty comment cuts them in two: a name in a file
  /// calls nobody, links nothing and refers to nothing.
  ///
  /// - Complexity: O(*n*) in the length of the text.
  package var escapedForMarkdown: String {
    var result = ""
    var word = MarkdownWord()
    let scalars = Array(escapedForDisplay.unicodeScalars)
    for (index, scalar) in scalars.enumerated() {
      let next = index + 1 < scalars.count ? scalars[index + 1] : nil
      if word.endsBefore(scalar, in: scalars, at: index) { result += MarkdownWord.cut }
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\\", "`", "|", "*", "_", "[", "]", "~", "#", "!", "$":
        result += "\\"
        result.unicodeScalars.append(scalar)
      default: result.unicodeScalars.append(scalar)
      }
      if word.endsAfter(scalar, before: next) { result += MarkdownWord.cut }
      word.append(scalar)
    }
    return result
  }
}

/// The end of a text that is read from its beginning, as far as sites find addresses and references in it.
private struct MarkdownWord {
  /// Nothing, between two parts of a word.
  static let cut = "<!-- -->"

  /// The letters before the next character.
  private var letters = ""
  private var isAfterWordCharacter = false
  /// Whether the word follows a bracket or an asterisk.
  private var isKind = false
  /// The number of hexadecimal digits in the word since its last cut; nil if it is not a commit.
  private var commitDigits: Int?

  /// Whether `www` ends before a character, or the part of a commit that is short enough.
  mutating func endsBefore(
    _ scalar: Unicode.Scalar, in scalars: [Unicode.Scalar], at index: Int
  ) -> Bool {
    if scalar == ".", letters.lowercased().hasSuffix("www") { return true }
    if !isAfterWordCharacter, scalar.isHexadecimal {
      commitDigits = Self.isCommit(scalars[index...]) ? 0 : nil
    }
    guard let digits = commitDigits, digits == Self.shownDigits, scalar.isHexadecimal else {
      return false
    }
    commitDigits = 0
    return true
  }

  /// Whether something ends after a character: a mark of a mention, or of what a number or a name follows.
  func endsAfter(_ scalar: Unicode.Scalar, before next: Unicode.Scalar?) -> Bool {
    guard let next else { return scalar == "@" }
    switch scalar {
    case "@": return true
    case "#", "!", "$", "&": return next.isDecimal
    case "%", "~": return next.isWord || next == "\""
    // The scheme of an address, and a kind of thing: "https://", "[vulnerability:1]".
    case ":": return next == "/" || isKind
    // The key of a project, as in "GH-1", "CVE-2024-1" and "GHSA-…".
    case "-": return isKey && next.isWord
    default: return false
    }
  }

  /// Whether trackers of issues may number their issues after the letters.
  private var isKey: Bool {
    !letters.isEmpty && letters == letters.uppercased() || letters.lowercased() == "gh"
  }

  mutating func append(_ scalar: Unicode.Scalar) {
    if scalar.isLetter {
      // More letters than in the longest word that matters are not looked at.
      letters = String(letters.suffix(4)) + String(scalar)
    } else {
      letters = ""
    }
    isAfterWordCharacter = scalar.isWord
    isKind = scalar == "[" || scalar == "*" || isKind && scalar.isWord
    if !scalar.isWord { commitDigits = nil }
    if let digits = commitDigits { commitDigits = digits + 1 }
  }

  /// The hexadecimal digits that are too few for a commit.
  private static let shownDigits = 6

  /// Whether a text begins with a word that may be the start of a commit's hash.
  ///
  /// Digits alone are numbers, of which models are full.
  private static func isCommit(_ text: ArraySlice<Unicode.Scalar>) -> Bool {
    let word = text.prefix(41).prefix { $0.isWord }
    return (7...40).contains(word.count) && word.allSatisfy(\.isHexadecimal)
      && !word.allSatisfy(\.isDecimal)
  }
}

extension Unicode.Scalar {
  fileprivate var isDecimal: Bool { ("0"..."9").contains(self) }
  fileprivate var isLetter: Bool { ("a"..."z").contains(self) || ("A"..."Z").contains(self) }
  fileprivate var isWord: Bool { isDecimal || isLetter || self == "_" || value >= 0x80 }
  fileprivate var isHexadecimal: Bool {
    isDecimal || ("a"..."f").contains(self) || ("A"..."F").contains(self)
  }
}
