import TestSupport
import Testing

@testable import BoxSources

struct BindingHeadTests {
  /// Paths of any characters come back, on lines that no path can end.
  @Test func isReadAsItWasWritten() {
    var random = TestSeed.next()
    let letters = Array("ab/.. \"\\\n\r\t-ü'$#")
    func path() -> String { String((0...random.below(12)).map { _ in random.pick(letters) }) }
    for _ in 0..<2000 {
      var head = BindingHead(
        sources: String(random.next(), radix: 16), model: [1, UInt8(random.below(256))],
        modelPath: path(), roots: (0..<random.below(4)).map { _ in path() },
        excluded: (0..<random.below(3)).map { _ in path() },
        prefix: random.pick(["objectbox", "box"]))
      #expect(head.lines.allSatisfy { !$0.contains(where: \.isNewline) })
      let text = ([SwiftFile.generatedMark + "."] + head.lines + ["import BoxStore", ""])
        .joined(separator: "\n")
      let bytes = Array(text.utf8)
      #expect(BindingHead(parsing: bytes) == head)
      // The seal is that of the file without it.
      let seal = BindingSeal(bytes, [nil, [1]], settings: ["a"], entities: random.below(100))
      head.seal = seal
      let sealed = seal.added(to: bytes)
      #expect(BindingHead(parsing: sealed) == head && seal.removed(from: sealed) == bytes)
      #expect(BindingSeal(bytes, [[], [1]], settings: ["a"], entities: seal.entities) != seal)
      #expect(BindingSeal(bytes, [nil, [1]], settings: ["b"], entities: seal.entities) != seal)
      #expect(
        BindingSeal(bytes + [10], [nil, [1]], settings: ["a"], entities: seal.entities) != seal)
    }
  }

  @Test(arguments: [
    "", "// Fingerprint: 4 a b", "// Inputs: --model-json \"a\"",
    "// Fingerprint: 2 a b\n// Inputs: --model-json \"a\"",
    "// Fingerprint: 4 a\n// Inputs: --model-json \"a\"",
    "// Fingerprint: 4 a b\n// Inputs: --model-json \"a", "// Fingerprint: 4 a b\n// Inputs: ",
  ])
  func anotherFormIsNone(_ text: String) { #expect(BindingHead(parsing: Array(text.utf8)) == nil) }

  @Test(arguments: [
    ("model.json", "Sources/App/generated", "../../../model.json"),
    ("Sources/App", "Sources/App/generated", ".."), (".", "generated", ".."),
    ("a/b", "a/b", "."), ("../x", "y", "../../x"), ("/w/m.json", "a", "../m.json"),
  ])
  func pathsAreRelative(_ path: String, _ directory: String, _ expected: String) {
    #expect(PathArithmetic.path(path, from: directory, here: "/w") == expected)
  }

  @Test(arguments: [
    ("a/b", "../c", "a/c"), (".", "x", "x"), ("a", "..", "."), ("a", "../..", ".."),
    ("/a", "../../b", "/b"), ("a", "/b", "/b"), ("../a", "../b", "../b"), ("a", ".", "a"),
  ])
  func pathsAreJoined(_ directory: String, _ path: String, _ expected: String) {
    #expect(PathArithmetic.join(directory, path) == expected)
  }
}
