import BoxJSON
import TestSupport
import Testing

/// The content of a document, and the ways to read it.
struct JSONDocumentTests {
  private func parse(
    _ text: String, options: JSONDocument.Options = .init()
  ) throws -> JSONDocument {
    try JSONDocument(parsing: Array(text.utf8), options: options)
  }

  @Test func keepsOrderRangesAndText() throws {
    let text = #"{"b": [1, {"x": "é\n"}], "a": -0, "": null}"#
    let document = try parse(text)
    let members = document.members(of: document.root)
    #expect(members.map { document.key($0.key) } == ["b", "a", ""])
    #expect(members.map { document.text(of: $0.value) } == [#"[1, {"x": "é\n"}]"#, "-0", "null"])
    #expect(members.map { document.kind(of: $0.value) } == [.array, .number, .null])
    #expect(document.range(of: document.root) == 0..<text.utf8.count)
    let elements = document.elements(of: members[0].value)
    #expect(elements.map { document.text(of: $0) } == ["1", #"{"x": "é\n"}"#])
    #expect(document.bytes == Array(text.utf8))
  }

  @Test(arguments: [
    "0", "-0", "-0.0", "1e5", "1E+05", "0.10", "9223372036854775808", "18446744073709551615",
    "-9223372036854775808", "1e999", "123456789012345678901234567890.0",
  ])
  func keepsTheDigitsOfNumbers(text: String) throws {
    let document = try parse("[\(text)]")
    let number = try #require(document.elements(of: document.root).first)
    #expect(document.text(of: number) == text)
    #expect(document.isInteger(number) == !text.contains { ".eE".contains($0) })
  }

  @Test func findsMembersByKey() throws {
    let document = try parse(#"{"a": 1, "\u0061b": 2, "é": 3, "e\u0301": 4, "": 5}"#)
    func text(_ key: String) -> String? {
      document.value(forKey: key, in: document.root).map { document.text(of: $0) }
    }
    #expect(text("a") == "1")
    #expect(text("ab") == "2")
    // Equal for Swift, two keys for JSON.
    #expect(text("\u{E9}") == "3")
    #expect(text("e\u{301}") == "4")
    #expect(text("") == "5")
    #expect(text("b") == nil)
    let key = document.members(of: document.root)[1].key
    #expect(document.key(key, equals: "ab"))
    #expect(!document.key(key, equals: "a"))
  }

  @Test func aValueThatIsNotAContainerHasNoElements() throws {
    let document = try parse(#"["a"]"#)
    #expect(document.members(of: document.root).isEmpty)
    #expect(document.value(forKey: "a", in: document.root) == nil)
    let string = document.elements(of: document.root)[0]
    #expect(document.elements(of: string).isEmpty)
    #expect(document.key(document.root) == "")
  }

  @Test func walksMembersInThreeWays() throws {
    let document = try parse(#"{"a": {"x": [1, 2]}, "b": [{}, []], "c": 3}"#)
    var keys: [String] = []
    document.forEachMember(of: document.root) { key, _ in keys.append(document.key(key)) }
    #expect(keys == ["a", "b", "c"])
    #expect(document.memberNodes(of: document.root).map { document.key($0.key) } == keys)
    #expect(document.members(of: document.root).map { document.key($0.key) } == keys)
  }

  @Test func takesRawTabsOnlyIfTold() throws {
    var options = JSONDocument.Options()
    options.allowsRawTabs = true
    let document = try parse("{\"a\tb\": \"\t\",\t\"c\": 1}", options: options)
    #expect(document.rawTabs == [3, 9])
    #expect(document.key(document.members(of: document.root)[0].key) == "a\tb")
  }

  @Test func nestsExactlyToTheLimit() throws {
    var options = JSONDocument.Options()
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    for limit in [0, 1, 3, 128, 100_000] {
      options.maximumDepth = limit
      _ = try parse(limit == 0 ? "1" : nested(limit), options: options)
      let error = #expect(throws: JSONError.self) { try parse(nested(limit + 1), options: options) }
      #expect(error?.code == .nestingTooDeep)
      #expect(error?.offset == limit)
    }
  }

  @Test(arguments: [2, 12, 13, 14, 100, 100_000])
  func findsOneRepeatedKeyAmongMany(count: Int) throws {
    func object(_ keys: [String]) -> String {
      "{" + keys.map { "\"\($0)\":{\"k\":[1]}" }.joined(separator: ",") + "}"
    }
    var random = TestSeed.next()
    var keys = (0..<count).map { "key\($0)" }
    _ = try parse(object(keys))
    let place = 1 + random.below(count - 1)
    keys[place] = keys[random.below(place)].replacing("k", with: random.oneIn(2) ? "k" : "\\u006b")
    let error = #expect(throws: JSONError.self) { try parse(object(keys)) }
    #expect(error?.code == .duplicateKey)
    #expect(error?.offset == object(Array(keys[..<place])).utf8.count)
  }

  @Test func knowsLinesOfEveryEnding() throws {
    let document = try parse("[\n\"é😀x\", 1,\r\n2\r,3\n\n]\n")
    let text = document.bytes
    func position(_ line: Int, _ column: Int) -> JSONPosition { .init(line: line, column: column) }
    #expect(document.position(at: 0) == position(1, 1))
    #expect(document.position(at: 2) == position(2, 1))
    let nodes = document.elements(of: document.root)
    let places = nodes.map { document.position(at: document.range(of: $0).lowerBound) }
    #expect(places == [position(2, 1), position(2, 8), position(3, 1), position(4, 2)])
    #expect(document.position(at: text.count) == position(7, 1))
    #expect(document.position(at: 1_000) == position(7, 1))
    #expect(document.position(at: -1) == position(1, 1))
    let lines = (1...document.lineCount).map {
      String(decoding: text[document.range(ofLine: $0)], as: UTF8.self)
    }
    #expect(lines == ["[", "\"é😀x\", 1,", "2", ",3", "", "]", ""])
    #expect(document.sourceLine(at: 4).text == "\"é😀x\", 1,")
    #expect(document.range(ofLine: 0).isEmpty)
    #expect(document.range(ofLine: 99).isEmpty)
  }

  @Test func thePositionsOfAllOffsetsAgreeWithASlowCount() throws {
    var generator = JSONTextGenerator(random: TestSeed.next())
    for _ in 0..<200 {
      let text = generator.document()
      guard let document = try? JSONDocument(parsing: text) else { continue }
      var expected = JSONPosition(line: 1, column: 1)
      var offset = 0
      for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
        for _ in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
          try #require(document.position(at: offset) == expected)
          offset += 1
        }
        let next = offset < text.count ? text[offset] : 0
        if scalar == "\n" || scalar == "\r" && next != 0x0A {
          expected = JSONPosition(line: expected.line + 1, column: 1)
        } else {
          expected.column += 1
        }
      }
      #expect(document.position(at: offset) == expected)
    }
  }
}
