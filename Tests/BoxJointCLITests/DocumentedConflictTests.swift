import TestSupport
import Testing

@testable import BoxModelTool

/// `docs/conflict.md`, which shows what `scripts/demo` prints.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"))
struct DocumentedConflictTests {
  private static let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

  /// The commands of a text with what they print, without the names of commits.
  private static func examples(_ text: Substring) -> [String] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    var examples: [String] = []
    for line in lines {
      if line.hasPrefix("$ ") {
        examples.append(String(line))
      } else if !examples.isEmpty {
        examples[examples.count - 1] += "\n" + line
      }
    }
    return examples.map { example in
      let end = example.firstRange(of: "\n==")?.lowerBound ?? example.endIndex
      return example[..<end].replacing(/commit [0-9a-f]+/, with: "commit")
        .replacing(/\[exit status 1\]/, with: "").trimmed
    }
  }

  @Test func thePageShowsTheDemo() async throws {
    let page = String(
      decoding: try SourceFile.read(Self.root + "/docs/conflict.md").bytes, as: UTF8.self)
    let run = try await ProcessRun.of(
      "bash", [Self.root + "/scripts/demo", "--program", Tool.path ?? ""])
    #expect(run.status == 0, "\(run.messages)")
    let played = Set(Self.examples(run.text[...]))
    let blocks = page.split(separator: "```", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 1 }
    let shown = blocks.flatMap { Self.examples($0.element) }
    #expect(shown.count >= 5)
    for example in shown { #expect(played.contains(example), "\(example)") }
  }
}

extension StringProtocol {
  /// The text without blanks and line breaks at its end.
  fileprivate var trimmed: String {
    String(self[..<(lastIndex { !$0.isWhitespace }.map(index(after:)) ?? startIndex)])
  }
}
