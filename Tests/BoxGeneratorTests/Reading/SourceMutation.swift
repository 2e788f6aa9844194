import TestSupport

/// Changes to a source as an editor or a mistake makes them.
enum SourceMutation {
  /// A source with one change or two.
  static func mutated(_ bytes: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
    var result = bytes
    for _ in 0...random.below(2) { change(&result, &random) }
    return result
  }

  private static let fragments = [
    "{", "}", "(", ")", "[", "]", "<", ">", "\"", "\"\"\"", "#\"", "\"#", "/*", "*/", "//", "/",
    "\n", "\r", "\r\n", ";", ",", ":", "=", "`",
    "\\(", "\\", "#", "@", "&", "?", "!", "->", "...", ".", "-", "_", " ", "\t", "\u{0}",
    "\u{FEFF}", "'", "$", "#if A\n", "#else\n", "#endif\n",
    "#elseif B\n", "\n#if A\n", "\n#endif\n", "class ", "struct ", "enum ", "extension ",
    "protocol ", "actor ", "var ", "let ", "func ", "init",
    "case ", "static ", "private ", "private(set) ", "in ", "where ", "throws ", "async ", "get ",
    "set ", "didSet ", "import ", "typealias ",
    "// objectbox: entity\n", "/* objectbox: index */", "0x", "1e", "🎉", "é", "\u{2028}",
    "<<<<<<< a\n", "if ", "else ", "return ", "default: ",
    "some ", "any ", "as ", "is ", "try ", "await ", "self", "init?", ": Entity", "nil", "macro ",
    "repeat ", "each ", "~", "lazy ", "/a/", "#/",
  ]

  private static func change(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
    let tokens = tokens(of: bytes)
    guard !tokens.isEmpty else {
      bytes += Array(random.pick(fragments).utf8)
      return
    }
    let token = random.pick(tokens)
    switch random.below(12) {
    case 0, 1: bytes.removeSubrange(token)
    case 2, 3: bytes.insert(contentsOf: random.pick(fragments).utf8, at: token.lowerBound)
    case 4: bytes.insert(contentsOf: bytes[token], at: token.upperBound)
    case 5: bytes.replaceSubrange(token, with: bytes[random.pick(tokens)])
    case 6: swap(token, random.pick(tokens), in: &bytes)
    case 7: bytes.replaceSubrange(token, with: random.pick(fragments).utf8)
    case 8: bytes.remove(at: random.below(bytes.count))
    case 9: bytes.insert(contentsOf: random.pick(fragments).utf8, at: random.below(bytes.count + 1))
    case 10: changeSign(&bytes, &random)
    default: changeLine(&bytes, &random)
    }
  }

  /// Words and single signs.
  private static func tokens(of bytes: [UInt8]) -> [Range<Int>] {
    var result: [Range<Int>] = []
    var start = 0
    while start < bytes.count {
      var end = start + 1
      if isWord(bytes[start]) { while end < bytes.count, isWord(bytes[end]) { end += 1 } }
      if bytes[start] != UInt8(ascii: " ") { result.append(start..<end) }
      start = end
    }
    return result
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
      true
    default: false
    }
  }

  private static func swap(_ one: Range<Int>, _ other: Range<Int>, in bytes: inout [UInt8]) {
    let (first, second) = one.lowerBound < other.lowerBound ? (one, other) : (other, one)
    guard first.upperBound <= second.lowerBound else { return }
    let (left, right) = (Array(bytes[first]), Array(bytes[second]))
    bytes.replaceSubrange(second, with: left)
    bytes.replaceSubrange(first, with: right)
  }

  /// Removes or doubles a bracket, a quote or a part of the mark of a comment.
  private static func changeSign(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
    let signs = bytes.indices.filter { "{}()[]<>\"/*#`\\;,:".utf8.contains(bytes[$0]) }
    if signs.isEmpty { return }
    let sign = random.pick(signs)
    if random.oneIn(2) { bytes.remove(at: sign) } else { bytes.insert(bytes[sign], at: sign) }
  }

  /// Removes, doubles or moves a line, joins two of them, or ends a file early.
  private static func changeLine(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
    var lines = bytes.split(separator: 10, omittingEmptySubsequences: false).map(Array.init)
    let line = random.below(lines.count)
    switch random.below(5) {
    case 0: lines.remove(at: line)
    case 1: lines.insert(lines[line], at: line)
    case 2: lines.swapAt(line, random.below(lines.count))
    case 3 where line + 1 < lines.count: lines[line] += lines.remove(at: line + 1)
    default: lines.removeSubrange((line + 1)...)
    }
    bytes = Array(lines.joined(separator: [10]))
  }
}
