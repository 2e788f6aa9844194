import TestSupport
import Testing

@testable import BoxSources

/// Sources from a stranger: the time of reading them grows with their size, whatever they repeat.
struct ReaderGrowthTests {
  private static let pieces = [
    "{", "(", "[", "{}", "#if A\n", "#if A\n#endif\n", "#endif\n", "\"", "\"\\(", "\"\"\"\n", "#\"",
    "##\"\"\"",
    "/*", "/", " /a", "//\n", "// objectbox: entity\n", "/* objectbox: id */ ", "`", "`a` ", "a ",
    "a\n", "a.b",
    "a < ", "a<", "a>", "a ? ", "a ? b : ", "!", "-", ". ", "x.0.1", "1.", "@A ", "@A<B>(1) ",
    "@A(", "any ",
    "try ", "\\", "var a\n", "var a, ", "var a = b\n", "let a: [", "func f()\n", "func f() {}\n",
    "class ",
    "class A {}\n", "class A { ", "class A: B, ", "class A<", "case a, ", "enum E { case a }\n",
    "extension A.",
    "open(a)\n", "private(set) ", "lazy ", "-> ", "A & ", "é", "🎉", "\0", "\r\n", "\u{FEFF}",
    "where a == b, ",
  ]

  /// The surroundings of a piece: nothing, a type, a body, and an initial value.
  private static let surroundings = [
    ("", ""), ("class A: Entity {\n", "\n}\n"), ("func f() {\n", "\n}\n"), ("var a = f(\n", ")\n"),
    ("let a: A<", ">\n"),
  ]

  @Test(.growth, arguments: pieces)
  func growthOfRepeatedPieces(_ piece: String) throws {
    for (start, end) in Self.surroundings {
      let power = try growth(of: 2000) { size in
        let bytes = Array((start + String(repeating: piece, count: size) + end).utf8)
        return {
          let read = SourceDeclarations(of: bytes, prefix: "objectbox")
          #expect(read.mistake != nil || read.outlines.count <= size + 2)
        }
      }
      #expect(power < 1.75, "\(start)\(piece)")
    }
  }

  /// A source of fifty megabytes, and one with a hundred thousand braces inside of each other.
  @Test func largeSources() {
    let function = "func f() { print(\"a \\(b) {\", [1, 2]) }\n"
    let large = Array(String(repeating: function, count: 50_000_000 / function.utf8.count).utf8)
    let read = SourceDeclarations(of: large, prefix: "objectbox")
    #expect(read.mistake == nil)
    #expect(read.declarations.count == 50_000_000 / function.utf8.count)
    let deep = String(repeating: "{", count: 100_000) + String(repeating: "}", count: 100_000)
    let nested = SourceDeclarations(of: Array("func f() \(deep)".utf8), prefix: "objectbox")
    #expect(nested.mistake?.offset == "func f() ".utf8.count + 200)
  }

  @Test func marksAtTheStartAndLineEnds() {
    let source = "class A: Entity {\n  // objectbox: id\n  var a: Id = 0\n}\n"
    let outlines = SourceDeclarations(of: Array(source.utf8), prefix: "objectbox").outlines
    #expect(outlines.first?.properties == ["objectbox: id var a : Id = 0"])
    for other in [
      "\u{FEFF}" + source, "#!/usr/bin/env swift\n" + source, source.replacing("\n", with: "\r\n"),
      source.replacing("\n", with: "\r"), source.replacing(" ", with: "\t"),
      source.replacing("class", with: "\0class\0"),
    ] {
      let found = SourceDeclarations(of: Array(other.utf8), prefix: "objectbox")
      #expect(found.mistake == nil)
      #expect(found.outlines == outlines)
    }
  }
}
