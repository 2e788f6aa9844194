import TestSupport

/// Generates texts and edits of them, line by line.
struct TextGenerator {
  var random: SplitMix64
  private var serial = 0

  init(_ random: SplitMix64) { self.random = random }

  /// A line that no other line is equal to.
  mutating func freshLine() -> String {
    serial += 1
    return "      \"id\": \"\(serial):\(random.below(1 << 40))\","
  }

  /// Lines like those of a model file: some occur once, many are only brackets.
  mutating func lines(_ count: Int) -> [String] {
    (0..<count).map { _ in random.oneIn(2) ? freshLine() : random.pick(["    {", "    },", "  ]"]) }
  }

  /// A copy with some lines removed, added, moved or repeated.
  mutating func edited(_ lines: [String], edits: Int) -> [String] {
    var result = lines
    for _ in 0..<edits {
      let place = random.below(result.count + 1)
      switch random.below(4) {
      case 0 where place < result.count: result.remove(at: place)
      case 1 where place < result.count: result[place] = freshLine()
      case 2 where place < result.count: result.insert(result[place], at: place)
      default: result.insert(contentsOf: self.lines(1 + random.below(4)), at: place)
      }
    }
    return result
  }

  /// The bytes of lines, with one line ending; the last line may have none.
  func bytes(_ lines: [String], newline: String = "\n", endsInNewline: Bool = true) -> [UInt8] {
    var text = lines.joined(separator: newline)
    if endsInNewline, !lines.isEmpty { text += newline }
    return Array(text.utf8)
  }
}

/// The text with a newline at its end, as git writes it into a section of a conflict.
func endingInNewline(_ text: [UInt8]) -> [UInt8] {
  guard let last = text.last, last != UInt8(ascii: "\n") else { return text }
  return text + [UInt8(ascii: "\n")]
}

/// The output of `git merge-file -p`, and its exit status.
func gitMergeFile(
  ours: [UInt8], base: [UInt8], theirs: [UInt8], _ options: [String],
  in directory: TemporaryDirectory
) async throws -> ProcessRun {
  try directory.write(ours, to: "ours")
  try directory.write(base, to: "base")
  try directory.write(theirs, to: "theirs")
  return try await ProcessRun.of(
    "git", ["merge-file", "-p"] + options + ["ours", "base", "theirs"], in: directory.path)
}
