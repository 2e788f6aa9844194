import Testing

@testable import BoxModelTool

struct AttributesBlockTests {
  private let block = AttributesBlock(patterns: FilePattern.standard)

  private static let files: [[UInt8]?] =
    [nil]
    + [
      "", "\n", "*.json text\n", "*.json text", "a\r\nb\r\n", "a\r\nb",
      "# >>> other\nx\n# <<< other\n",
      "*.png binary\n\n\n", "\u{FC}\n", "# >>> boxjoint-else\n", "# <<< boxjoint\n", "a\n\n# c",
    ].map { Array($0.utf8) }

  /// The laws: putting in twice is putting in once, and taking out gives the file as it was.
  @Test(arguments: files)
  func installingIsIdempotentAndReversible(file: [UInt8]?) {
    let installed = block.installed(in: file)
    #expect(AttributesBlock.isInstalled(in: installed))
    #expect(block.isCurrent(in: installed))
    #expect(block.installed(in: installed) == installed)
    #expect(AttributesBlock.removed(from: installed) == file)
    #expect(installed.starts(with: file ?? []))
  }

  /// A pattern matches in a directory what its relative one matches in the directory's own file.
  @Test func patternsOfDirectories() throws {
    let names = ["model.json", "a/model.json", "b/c/model.json", "x.json"]
    for text in ["model.json", "**/a/*.json", "/sub/model.json", "sub/a/*.json", "other/*.json"] {
      let pattern = try #require(FilePattern(text))
      let relative = [pattern.relative(to: "sub")].compactMap(\.self)
      let below = [pattern].matching(names.map { "sub/" + $0 })
      #expect(relative.matching(names) == below.map { String($0.dropFirst(4)) }, "\(text)")
      #expect(pattern.relative(to: "") == pattern)
    }
  }

  @Test(arguments: files)
  func anotherListTakesThePlaceOfTheFirst(file: [UInt8]?) throws {
    let other = AttributesBlock(patterns: [try #require(FilePattern("x y.json"))])
    let first = block.installed(in: file)
    #expect(!other.isCurrent(in: first))
    #expect(other.installed(in: first) == other.installed(in: file))
  }

  @Test func linesAroundStayAndKeepTheirEndings() {
    let installed = block.installed(in: Array("a text\r\nb text\r\n".utf8))
    #expect(!String(decoding: installed, as: UTF8.self).replacingCRLF.contains("\n"))
    let added = installed + Array("c text\r\n".utf8)
    #expect(block.installed(in: added) == added)
    #expect(AttributesBlock.removed(from: added) == Array("a text\r\nb text\r\nc text\r\n".utf8))
  }

  @Test func whatWasWrittenBelowKeepsItsLine() {
    let installed = block.installed(in: Array("a text".utf8))
    let added = installed + Array("b text\n".utf8)
    #expect(AttributesBlock.removed(from: added) == Array("a text\nb text\n".utf8))
  }

  @Test func aFileWithOtherLinesIsNotRemoved() {
    let added = block.installed(in: nil) + Array("b text\n".utf8)
    #expect(AttributesBlock.removed(from: added) == Array("b text\n".utf8))
  }

  @Test func withoutClosingMarkOnlyOurLinesGo() {
    let text = "# >>> boxjoint\nmodel.json merge=boxjoint diff=boxjoint\nb text\n"
    #expect(AttributesBlock.removed(from: Array(text.utf8)) == Array("b text\n".utf8))
  }

  @Test func patternsAreQuotedWhereTheyMustBe() throws {
    for (pattern, line) in [
      ("a.json", "a.json"), ("a b.json", #""a b.json""#), ("#a", ##""#a""##),
    ] {
      #expect(try #require(FilePattern(pattern)).attributePattern == line)
    }
  }

  /// Whatever file the line comes to, no shell sees more than text in it.
  @Test func patternsHaveNoCharactersOfAShell() {
    for character in #""'`$;&|<>(){}\"# {
      #expect(FilePattern("a\(character)b") == nil, "\(character)")
    }
    for value: UInt32 in [0, 7, 10, 13, 27, 0x7F, 0x85, 0x9B, 0x2028, 0x202E] {
      #expect(FilePattern("a\(Unicode.Scalar(value).map(String.init) ?? "")b") == nil, "\(value)")
    }
    for pattern in ["My App/**/model-?.json", "C#/[a-z]*.json", "größe/@x+y=z,~.json", "a%20b"] {
      #expect(FilePattern(pattern)?.text == pattern)
    }
  }
}

extension String {
  fileprivate var replacingCRLF: String {
    String(String.UnicodeScalarView(unicodeScalars.filter { $0 != "\r" })) == self
      ? self : split(separator: "\r\n", omittingEmptySubsequences: false).joined(separator: " ")
  }

  /// The limits of docs/security.md: git tries every place for each star.
  @Test func longPatternsAreRefused() {
    let longest = String(repeating: "a", count: 1024)
    #expect(FilePattern(longest) != nil)
    #expect(FilePattern.problem(of: longest + "a") == "a file pattern has at most 1024 bytes")
    // Bytes, and not characters.
    let wide = String(repeating: "\u{E9}", count: 512)
    #expect(FilePattern(wide) != nil)
    #expect(FilePattern(wide + "a") == nil)
    let stars = String(repeating: "*/", count: 7) + "*.json"
    #expect(FilePattern(stars) != nil)
    #expect(FilePattern.problem(of: "*" + stars) == "a file pattern has at most 8 stars")
  }
}
