import TestSupport
import Testing

@testable import BoxModelTool
@testable import BoxWorkspace

/// File patterns match what git's pathspecs do, in a time that the stars do not raise.
struct FileMatcherTests {
  private func matches(_ pattern: String, _ path: String) throws -> Bool {
    FileMatcher(try #require(FilePattern(pattern), "\(pattern)")).matches(path)
  }

  @Test(
    arguments: [
      ("model.json", ["model.json", "a/b/model.json"], ["xmodel.json", "a/model"]),
      ("/model.json", ["model.json"], ["a/model.json"]),
      ("a/*.json", ["a/b.json", "a/.json"], ["a/b/c.json", "b/a/b.json"]),
      ("a/**/b", ["a/b", "a/x/b", "a/x/y/b"], ["ab", "a/xb", "b"]),
      ("**/m/*.json", ["m/a.json", "x/m/a.json"], ["xm/a.json", "m/a/b.json"]),
      ("a/**", ["a/b", "a/b/c"], ["b/a", "ab"]), ("a**b", ["ab", "axb", "x/ab"], ["a/b"]),
      ("m?del", ["model", "x/m-del"], ["m/del", "mdel"]),
      ("[a-c]x[!0-9]", ["ax_", "d/cxy"], ["dx_", "ax1", "ax/"]),
      ("[]a]", ["]", "a"], ["b", "[]a"]), ("[[:digit:]-]", ["7", "-"], ["a", ":"]),
      // Sets without an end and unknown classes match only as they are written.
      ("[a", ["**/[a"], ["a", "[a"]), ("x[[:no:]]", [], ["x:", "xn"]),
      // A directory that is named stands for what is in it.
      ("a/b", ["a/b", "a/b/c/d"], ["a/bc", "x/a/b"]), ("./a", [], ["a"]),
      ("\u{E9}*", ["\u{E9}t\u{E9}.json"], ["e.json"]),
    ] as [(String, [String], [String])])
  func thePatternsOfTheDocumentation(_ pattern: String, _ good: [String], _ bad: [String]) throws {
    for path in good { #expect(try matches(pattern, path), "\(pattern) \(path)") }
    for path in bad { #expect(try !matches(pattern, path), "\(pattern) \(path)") }
  }

  /// Git is the other implementation.
  @Test func gitAgrees() async throws {
    var random = TestSeed.next()
    let repository = try await TemporaryRepository()
    let blob = try await repository.git("hash-object", "-w", "-t", "blob", "/dev/null")
    var paths: Set<String> = []
    while paths.count < 400 {
      // Only files end with c, so that none has the name of a directory.
      var path = ""
      for _ in 0..<random.below(4) {
        path += (0...random.below(2)).map { _ in random.pick(["a", "b"]) }.joined() + "/"
      }
      let name = (0..<random.below(5)).map { _ in random.pick(["a", "b", "-"]) }.joined()
      paths.insert(path + name + "c")
    }
    let entries = paths.map { "100644 \(blob)\t\($0)\n" }.joined()
    let update = try await repository.tryGit(
      ["update-index", "--add", "--index-info"], input: Array(entries.utf8))
    #expect(update.status == 0, "\(update.messages)")
    let words = ["a", "b", "c", "*", "*", "**", "/", "/", "?", "**/", "[ab]", "[!a]", "[b-", "-c]"]
    var compared = 0
    while compared < 200 {
      let text = (0...random.below(7)).map { _ in random.pick(words) }.joined()
      guard let pattern = FilePattern(text), !text.hasPrefix("/") else { continue }
      compared += 1
      let spec = ":(top,glob)" + (text.contains("/") ? text : "**/" + text)
      let listed = try await repository.tryGit(["ls-files", "-z", "--", spec])
      #expect(listed.status == 0, "\(text) \(listed.messages)")
      let expected = Set(listed.text.split(separator: "\0").map(String.init))
      #expect(Set([pattern].matching(Array(paths))) == expected, "\(text)")
    }
  }

  /// Every way to match the pattern is tried in one pass.
  @Test(.timeLimit(.minutes(15))) func starsDoNotMultiply() throws {
    let short = "**a*a*a*a*ab"
    // Both of 1,016 bytes and eight stars.
    let sets = String(repeating: "a*", count: 8) + String(repeating: "[ab]", count: 250)
    let late = String(repeating: "a*", count: 7) + String(repeating: "a", count: 1000) + "x*"
    #expect(try !matches(short, String(repeating: "a", count: 200) + "cb"))
    #expect(try matches(sets, String(repeating: "ab", count: 1000)))
    #expect(try !matches(sets, String(repeating: "b", count: 2000)))
    #expect(try !matches(late, String(repeating: "a", count: 2000)))
  }

  /// The settings of a repository do not stop the program.
  @Test(
    .enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"),
    .timeLimit(.minutes(15)))
  func aRepositoryWithSuchAPatternIsSearched() async throws {
    let repository = try await TemporaryRepository()
    let name = String(repeating: "a", count: 200)
    try await repository.commit([
      ".boxjoint.yml": "files: ['**a*a*a*a*a*a*b', model.json]\n", "\(name)c": "",
      "model.json": SmallModel.base.text,
    ])
    let run = try await repository.tool("check")
    #expect(run.status == 0, "\(run.messages)")
  }
}
