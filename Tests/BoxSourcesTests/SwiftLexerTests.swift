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
    #expect(texts("`two words` 🎉 ≠ a…b") == ["`two words`", "🎉", "≠", "a", "…", "b"])
    #expect(texts("#if os(Linux)\n#endif") == ["#if", "os", "(", "Linux", ")", "#endif"])
  }

  @Test(arguments: [
    "1", "1_000", "0xF_f", "0b1_0", "0o17", "1.5", "1e5", "1.5E-3", "0x1p3", "0x1.8p-3", "1e+10",
  ])
  func numbersAreOneToken(_ number: String) {
    #expect(texts("a = \(number)\nb") == ["a", "=", number, "b"])
    #expect(
      texts("a.0.1 + \(number)...\(number)") == [
        "a", ".", "0", ".", "1", "+", number, ".", ".", ".", number,
      ])
  }

  /// The rules of SE-0354 for a bare slash.
  @Test(arguments: [
    ("a = /b\"{/", ["a", "=", "/b\"{/"]), ("f(/a(b)/, 1)", ["f", "(", "/a(b)/", ",", "1", ")"]),
    ("a / b / c", ["a", "/", "b", "/", "c"]), ("a/b/c", ["a", "/", "b", "/", "c"]),
    ("f(/)", ["f", "(", "/", ")"]), ("x = / 1 /", ["x", "=", "/", "1", "/"]),
    ("func /(a: A)", ["func", "/", "(", "a", ":", "A", ")"]),
    ("try? /a}/", ["try", "?", "/a}/"]), ("a\n/b\"/", ["a", "/b\"/"]),
  ])
  func expressionsAreToldFromDivisions(_ text: String, _ expected: [String]) {
    #expect(texts(text) == expected)
  }

  @Test(arguments: [
    #""plain""#, #""with \" quote""#, #""a \(b + "c \(d(1)) }") {""#, ##"#"raw \ " \#(x) "#"##,
    "\"\"\"\n  several { \"lines\" \\\"\"\"\n  \"\"\"", "#\"\"\"\n \"\"\" }\n\"\"\"#",
    ###"##"two "# marks"##"###, "#/reg \\/ \" ex/#", #""""#, ##"#"""#"##, ##"#""""#"##,
    #""\(a("\(b)", /"/)) { ""#, "\"\\(f(\n1))\"", #""\(a /* ) " */)""#,
  ])
  func stringsAreOneToken(_ literal: String) {
    #expect(texts("a \(literal) b") == ["a", literal, "b"])
  }

  @Test func commentsAreLeftOut() {
    #expect(texts("a // b { \" \nc") == ["a", "c"])
    #expect(texts("a /* b /* c */ } */ d") == ["a", "d"])
    #expect(texts("a // b\r\nc\rd") == ["a", "c", "d"])
  }

  @Test(arguments: [
    "// objectbox: index", "//objectbox:index", "/// ObjectBox:  index   =  \"value\"",
    "/* objectbox: index */", "/** objectbox: index\n */",
  ])
  func annotationsAreFound(_ comment: String) {
    let found = source("let b\n\(comment)\nvar a")
    #expect(
      found.comments.map { String(decoding: found.bytes[$0.range], as: UTF8.self) } == [comment])
    #expect(found.comments.map(\.next) == [2])
    #expect(found.comments.map(\.isTrailing) == [false])
    #expect(source("let b \(comment)\n").comments.map(\.isTrailing) == [true])
    // Another word before the colon.
    #expect(source(comment, prefix: "box").comments.isEmpty)
  }

  @Test func startsOfLinesAreKnown() {
    let tokens = source("a b\n  c /* \n */ d").tokens
    #expect(tokens.map(\.startsLine) == [true, false, true, true])
  }

  @Test(arguments: [
    ("a \"open\nb", 2), ("a /* /* */", 2), ("\"\"\"\n\"", 0), ("#\"\n\"#", 0), ("a `b", 2),
    ("a\n#/b\n", 2),
    ("a { (", 4), ("a { ) }", 4), ("]", 0), ("#if A\n{\n#else\n}\n#endif", 8), ("#endif", 0),
    ("#if A\n", 0), ("\"\\(\"", 0), ("{\n#if A\n}", 8),
  ])
  func theFirstMistakeHasItsPlace(_ text: String, _ offset: Int) {
    #expect(source(text).mistake?.offset == offset)
  }

  @Test func bracketsHaveTheirPartners() throws {
    let found = source("a(b[c]) { #if x\n #elseif y\n #endif\n }")
    #expect(found.mistake == nil)
    func partner(_ text: String) -> String? {
      let token = found.tokens.first { found.text(of: $0) == text }
      return token.map { found.text(of: found.tokens[Int($0.partner)]) }
    }
    #expect(
      ["(", "[", "{", "#if", "#elseif"].map(partner) == [")", "]", "}", "#elseif", "#endif"])
  }

  /// Whatever the bytes are, the lexer ends.
  @Test func unfinishedTextIsRead() {
    for text in [
      "\"", "\"\"\"", "#", "##\"", "`", "/*", "\"\\(", "\"\\", "#/", "\\", "\u{1}", "/", "0x", "1e",
      "é",
    ] {
      for end in ["", "\n", "\r", "\0", "\u{FEFF}"] { _ = texts(text + end) }
    }
  }
}
