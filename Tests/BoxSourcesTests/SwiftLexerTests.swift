import Testing

@testable import BoxSources

/// The lexer tells code from the rest: the cases are those of the chapter on lexical structure of the Swift book.
struct SwiftLexerTests {
  private func source(_ text: String, prefix: String = "objectbox") -> SourceTokens {
    SourceTokens(of: Array(text.utf8), prefix: prefix)
  }

  private func texts(_ text: String) -> [String] {
    let source = source(text)
    return source.tokens.map { source.text(of: $0) }
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
    #expect(texts("\(comment)\nvar a") == [text, "var", "a"])
    #expect(source("\(comment)\nvar a").tokens.first?.kind == .annotation)
    // Another word before the colon.
    #expect(source("\(comment)\n", prefix: "box").tokens.isEmpty)
  }

  @Test func startsOfLinesAreKnown() {
    let tokens = source("a b\n  c /* \n */ d").tokens
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
