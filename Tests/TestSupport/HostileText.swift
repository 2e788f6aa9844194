/// Damage to text and to compressed bytes, aimed at those who read them.
public enum HostileText {
  /// Text that means something to a reader, to a terminal, a shell, git or a file system.
  private static let words: [String] = [
    "0", "-1", "1e999", "-0.0", "9223372036854775807", "18446744073709551616", "NaN", "null",
    "true",
    "\"\"", "[]", "{}", "\"../outside/file\"", "../outside/file", "/dev/stdin", "store:S", "-",
    "--",
    "\\u0000", "\\ud800", "\u{1B}[31m", "\u{202E}", "\r", "\n", "\0", "\n::stop-commands::t\n",
    "$(touch outside)", "&a [*a]", "!!binary", "<<<<<<<", ":", ",", "\"", "{", "}", "[", "]", "#",
  ]

  /// A copy of some bytes with one to eight changes.
  ///
  /// - Parameters:
  ///   - bytes: The bytes to damage.
  ///   - others: Texts of the same kind, parts of which are put in.
  ///   - random: The generator.
  /// - Returns: The copy.
  public static func damaged(
    _ bytes: [UInt8], with others: [[UInt8]] = [], _ random: inout SplitMix64
  ) -> [UInt8] {
    var copy = bytes
    for _ in 0..<random.pick([1, 1, 1, 2, 8]) { damage(&copy, others, &random) }
    return copy
  }

  private static func damage(
    _ bytes: inout [UInt8], _ others: [[UInt8]], _ random: inout SplitMix64
  ) {
    let place = random.below(bytes.count + 1)
    let part = place..<min(bytes.count, place + random.pick([1, 1, 8, 100, 5000]))
    switch random.below(16) {
    case 0: if !part.isEmpty { bytes[place] ^= 1 << UInt8(random.below(8)) }
    case 1: if !part.isEmpty { bytes[place] = UInt8(random.below(256)) }
    case 2: bytes.removeSubrange(part)
    case 3: bytes.insert(contentsOf: bytes[part], at: random.below(bytes.count + 1))
    case 4: bytes.removeSubrange(place...)
    case 5:
      let other = others.isEmpty ? bytes : random.pick(others)
      if other.isEmpty { return }
      let start = random.below(other.count)
      let end = min(other.count, start + 1 + random.below(2000))
      bytes.replaceSubrange(part, with: other[start..<end])
    case 6: replaceNumber(&bytes, from: place, &random)
    case 7: nest(&bytes, at: place, &random)
    case 8...10: replaceString(&bytes, from: place, &random)
    case 11: replaceNumber(&bytes, from: place, &random)
    case 12...13: moveLine(&bytes, at: place, &random)
    default: bytes.replaceSubrange(place..<place, with: Array(random.pick(words).utf8))
    }
  }

  /// Puts a word in the place of the next number.
  private static func replaceNumber(
    _ bytes: inout [UInt8], from place: Int, _ random: inout SplitMix64
  ) {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    guard let start = bytes[place...].firstIndex(where: digits.contains) else { return }
    let end = bytes[start...].firstIndex { !digits.contains($0) } ?? bytes.count
    let word = random.oneIn(2) ? "\(random.next() >> UInt64(random.below(64)))" : random.pick(words)
    bytes.replaceSubrange(start..<end, with: Array(word.utf8))
  }

  /// Contents of a string of JSON or YAML, in the form of both.
  private static let contents: [String] = [
    "", "a", "id", "Person", "0:0", "1:1", "1:1000", "18446744073709551616:1", "../outside/file",
    "/etc/passwd", #"\u001b[31m"#, #"\n::error::x"#, #"\u0000"#, #"\ud83d\ude00"#, "\u{212B}",
    "##[group]",
    "-", "--version", "HEAD:x", "store:S", "$(touch outside)",
    String(repeating: "n", count: 70_000),
  ]

  /// Puts another text between the next two quotes.
  private static func replaceString(
    _ bytes: inout [UInt8], from place: Int, _ random: inout SplitMix64
  ) {
    let quote = UInt8(ascii: "\"")
    guard let start = bytes[place...].firstIndex(of: quote),
      let end = bytes[(start + 1)...].firstIndex(of: quote)
    else { return }
    bytes.replaceSubrange(start + 1..<end, with: Array(random.pick(contents).utf8))
  }

  /// Removes a line, and puts it somewhere else or twice in its place.
  private static func moveLine(_ bytes: inout [UInt8], at place: Int, _ random: inout SplitMix64) {
    let newline = UInt8(ascii: "\n")
    let start = bytes[..<place].lastIndex(of: newline).map { $0 + 1 } ?? 0
    let end = bytes[place...].firstIndex(of: newline).map { $0 + 1 } ?? bytes.count
    let line = Array(bytes[start..<end])
    if random.oneIn(2) { bytes.removeSubrange(start..<end) }
    if random.oneIn(3) { return }
    let other = bytes[..<random.below(bytes.count + 1)].lastIndex(of: newline).map { $0 + 1 } ?? 0
    bytes.insert(contentsOf: line, at: random.oneIn(2) ? min(start, bytes.count) : other)
  }

  /// Many brackets, or one very long string or line.
  private static func nest(_ bytes: inout [UInt8], at place: Int, _ random: inout SplitMix64) {
    let count = random.pick([10, 1000, 100_000])
    let part = random.pick(["[", "{\"a\":", "- ", "x", " ", "\"", "&a ", "\\u0041", "(", "\t"])
    let text = Array(String(repeating: part, count: count).utf8)
    bytes.insert(contentsOf: text, at: place)
  }
}
