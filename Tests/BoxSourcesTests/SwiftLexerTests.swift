import Testing

@testable import BoxSources

/// The lexer tells code from the rest: the cases are those of the chapter on lexical structure of the Swift book.
struct SwiftLexerTests {
  private func texts(_ source: String) -> [String] {
    SwiftLexer.tokens(of: Array(source.utf8), prefix: "objectbox").map(\.text)
  }

  @Test func wordsAndSigns() {
    #expect(
      texts("var größe: [Int]? = -0x1F // end") == [
        "var", "größe", ":", "[", "Int", "]", "?", "=", "-", "0x1F",
      ])
    #expect(texts("`class` $0 a_b") == ["`class`", "$0", "a_b"])
    #expect(texts("#if os(Linux)\n#endif") == ["#if", "os", "(", "Linux", ")", "#endif"])
  }

  @Test(arguments: [
    #""plain""#, #""with \" quote""#, #""a \(b + "c \(d(1)) }") {""#, ##"#"raw \ " \#(x) "#"##,
    "\"\"\"\n  several { \"lines\" \\\"\"\"\n  \"\"\"", "#\"\"\"\n \"\"\" }\n\"\"\"#",
    ###"##"two "# marks"##"###, "#/reg \\/ \" ex/#", #""""#,
  ])
  func stringsAreOneToken(_ literal: String) {
    #expect(texts("a \(literal) b") == ["a", literal, "b"])
  }

  @Test func commentsAreLeftOut() {
    #expect(texts("a // b { \" \nc") == ["a", "c"])
    #expect(texts("a /* b /* c */ } */ d") == ["a", "d"])
    #expect(texts("a /* not closed { ") == ["a"])
    #expect(texts("a // b\r\nc\rd") == ["a", "c", "d"])
  }

  @Test(arguments: [
    ("// objectbox: index", "objectbox: index"), ("//objectbox:index", "objectbox:index"),
    ("/// ObjectBox:  index   =  \"value\"", "ObjectBox: index = \"value\""),
    ("/* objectbox: index */", "objectbox: index */"),
  ])
  func annotationsAreTokens(_ comment: String, _ text: String) {
    let tokens = SwiftLexer.tokens(of: Array("\(comment)\nvar a".utf8), prefix: "objectbox")
    #expect(tokens.map(\.text) == [text, "var", "a"])
    #expect(tokens.first?.kind == .annotation)
    // Another word before the colon.
    #expect(SwiftLexer.tokens(of: Array("\(comment)\n".utf8), prefix: "box").isEmpty)
  }

  @Test func startsOfLinesAreKnown() {
    let tokens = SwiftLexer.tokens(of: Array("a b\n  c /* \n */ d".utf8), prefix: "objectbox")
    #expect(tokens.map(\.startsLine) == [true, false, true, false])
  }

  /// Whatever the bytes are, the reader ends, and reads on behind what is not closed.
  @Test func unfinishedTextIsRead() {
    #expect(texts("a \"open\nb") == ["a", "\"open", "b"])
    for text in ["\"", "\"\"\"", "#", "##\"", "`", "/*", "\"\\(", "\"\\", "#/", "\\"] {
      _ = texts(text)
    }
  }
}
