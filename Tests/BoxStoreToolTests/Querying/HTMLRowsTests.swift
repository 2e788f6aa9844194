import BoxEngine
import BoxJSON
import BoxModel
import BoxStorage
import TestSupport
import Testing
import ToolTestSupport

@testable import BoxStoreTool

/// Pages of rows: another parser finds the values in them, and nothing else.
@Suite(.enabled("needs python3", { try await ProcessRun.of("python3", ["-V"]).status == 0 }))
struct HTMLRowsTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  /// Texts with everything that markup, terminals or readers could take for something else.
  private static let parts =
    [
      "", " ", "  ", "a", "é", "日", "\u{1F600}", "·", "\\n", "\\u{7}", "null", "\"\"", "[]", "[ ]",
      "<", ">",
      "&", "&lt;", "&#0;", "\"", "'", "<script>alert(1)</script>", "</bdi></td>", "<!--", "-->",
      "]]>", "<b",
      "javascript:alert(1)", "\u{0}", "\u{7}", "\u{1B}[1m", "\r\n", "\n", "\t", "\u{7F}\u{9B}",
      "\u{85}", "\u{A0}",
      "\u{AD}", "\u{200B}", "\u{200D}", "\u{202E}", "\u{2028}", "\u{2066}", "\u{FEFF}", "\u{FFFE}",
      "\u{FFFF}",
      "\u{E0041}", "\u{FE0F}", "👩\u{200D}🚀", "\u{1FFFF}", "x\u{301}", "</style>", "</title>",
    ]

  private static func text(_ random: inout SplitMix64) -> String {
    (0..<random.below(5)).map { _ in random.pick(parts) }.joined()
  }

  /// A reader of pages in Python: the titles and rows as JSON, with each value as it was before it was written.
  ///
  /// It fails for a page that is not well-formed, or has anything that loads, runs or links.
  private static let reader = #"""
    import json, re, sys, xml.dom.minidom
    from html.parser import HTMLParser
    raw = sys.stdin.buffer.read()
    xml.dom.minidom.parseString(raw)
    text = raw.decode()
    allowed = {"html", "head", "meta", "title", "style", "body", "header", "h1", "p", "span", "code", "bdi", "br",
      "main", "table", "thead", "tbody", "tr", "th", "td", "footer"}
    names = {"lang", "charset", "name", "content", "http-equiv", "class", "scope", "tabindex", "aria-label"}
    class Page(HTMLParser):
        def __init__(self):
            super().__init__(convert_charrefs=True)
            self.stack, self.cell, self.rows, self.row, self.heads, self.kind = [], None, [], None, [], ""
            self.title = self.footer = ""
            self.parts = []
        def handle_starttag(self, tag, attrs):
            assert tag in allowed, tag
            assert all(k in names for k, _ in attrs), attrs
            if tag == "br": return
            if tag == "meta": return
            self.stack.append((tag, dict(attrs).get("class", "")))
            if tag == "tr": self.row = []
            if tag in ("th", "td", "h1", "code"): self.cell = ["value", ""]
        def handle_startendtag(self, tag, attrs): self.handle_starttag(tag, attrs)
        def handle_endtag(self, tag):
            opened, _ = self.stack.pop()
            assert opened == tag, (opened, tag)
            if tag in ("th", "td"): self.row.append(self.cell); self.cell = None
            elif tag in ("h1", "code"): self.parts.append(self.cell); self.cell = None
            if tag == "tr": self.rows.append(self.row)
        def handle_comment(self, data): raise AssertionError(data)
        def handle_pi(self, data): raise AssertionError(data)
        def handle_data(self, data):
            assert not re.search("[\\x00-\\x09\\x0b-\\x1f\\x7f-\\x9f\\u2028-\\u202e\\u2066-\\u2069]", data), repr(data)
            if not self.stack: assert not data.strip(), data; return
            tag, kind = self.stack[-1]
            if tag == "title": self.title += data
            if tag == "footer": self.footer += data
            if self.cell is None: return
            if kind == "nil": self.cell[0] = "nil"
            if kind == "esc":
                known = {"·": " ", "\\n": "\n", "\\t": "\t", "\\r": "\r"}
                data = known[data] if data in known else chr(int(re.fullmatch(r"\\u\{([0-9a-f]+)\}", data)[1], 16))
            self.cell[1] += data
    page = Page(); page.feed(text); page.close()
    assert not page.stack, page.stack
    json.dump({"title": page.title, "footer": page.footer, "parts": page.parts, "heads": page.rows[0],
      "rows": page.rows[1:]}, sys.stdout)
    """#

  private static func read(_ page: String) async throws -> JSONValue {
    let run = try await ProcessRun.of("python3", ["-c", reader], input: Array(page.utf8))
    try #require(run.status == 0, "\(run.messages)\n\(page)")
    let document = try JSONDocument(parsing: Array(run.text.utf8))
    return document.value(of: document.root)
  }

  private func make(
    _ name: String, entity: String, _ fields: [String], _ rows: Int, _ random: inout SplitMix64
  ) throws -> [[Value]] {
    var properties = fields.enumerated().map { TestModel.Property($1, UID(1012 + $0), .string) }
    properties.append(.init("list", 1100, .stringVector))
    properties.append(.init("number", 1101, .long))
    let model = TestModel(.init(name: entity, uid: 1001, fields: properties))
    let store = try ObjectStore.open(.directory(directory.path(of: name)), model: model.document())
    defer { store.close() }
    let schema = try store.entity(named: entity)
    var written: [[Value]] = []
    try store.write { transaction in
      for _ in 0..<rows {
        var object = DynamicObject(schema)
        var values: [Value] = fields.map { _ in
          random.oneIn(6) ? .null : .string(Self.text(&random))
        }
        values.append(.strings((0..<random.below(3)).map { _ in Self.text(&random) }))
        values.append(.integer(Int64(bitPattern: random.next())))
        for (field, value) in zip(properties, values) { object[field.name] = value }
        try transaction.put(object)
        written.append(values)
      }
    }
    return written
  }

  /// The law: the text of the page is the value.
  @Test func theTextOfThePageIsTheValue() async throws {
    var random = TestSeed.next()
    var cells = 0
    for round in 0..<TestSeed.count("BOXJOINT_SOAK_HTML_PAGES", default: 12) {
      let entity = "E" + Self.text(&random)
      var names: Set<ExactText> = []
      let fields = (0..<3).map { "f\($0)" + Self.text(&random) }.filter {
        names.insert(ExactText($0)).inserted
      }
      let rows = try make("store-\(round)", entity: entity, fields, 40, &random)
      let run = try await directory.query(NamePath.quoted(entity), of: "store-\(round)") {
        $0.format = .html
      }
      #expect(run.outcome == .success, "\(run.messages)")
      let page = try await Self.read(run.text)
      #expect(page["parts"] == [["value", .string(entity)]])
      #expect(
        page["heads"]
          == .array((["id"] + fields + ["list", "number"]).map { ["value", .string($0)] }))
      guard case .array(let found)? = page["rows"] else { throw TestFailure("no rows") }
      #expect(found.count == rows.count)
      for (position, (row, values)) in zip(found, rows).enumerated() {
        guard case .array(let shown) = row else { throw TestFailure("\(row)") }
        #expect(shown.count == values.count + 1)
        #expect(shown.first == ["value", .string("\(position + 1)")])
        for (cell, value) in zip(shown.dropFirst(), values) {
          try Self.compare(cell, value)
          cells += 1
        }
      }
    }
    #expect(cells > 1000)
  }

  private static func compare(_ cell: JSONValue, _ value: Value) throws {
    switch value {
    case .null: #expect(cell == ["nil", "null"])
    case .string(""): #expect(cell == ["nil", "\"\""])
    case .string(let text): #expect(cell.isIdentical(to: ["value", .string(text)]), "\(cell)")
    case .strings([]): #expect(cell == ["nil", "[ ]"])
    case .strings(let texts):
      guard case .array(let parts) = cell, case .string(let json)? = parts.last else {
        throw TestFailure("\(cell)")
      }
      let document = try JSONDocument(parsing: Array(json.utf8))
      let list = JSONValue.array(texts.map { .string($0) })
      #expect(document.value(of: document.root).isIdentical(to: list), "\(json)")
    case .integer(let number): #expect(cell == ["value", .string("\(number)")])
    default: throw TestFailure("\(value)")
    }
  }

  private func page(_ change: (inout QueryRequest) -> Void) async throws -> JSONValue {
    let run = try await directory.query("Note") {
      $0.format = .html
      change(&$0)
    }
    #expect(run.outcome == .success, "\(run.messages)")
    return try await Self.read(run.text)
  }

  @Test func thePageSaysWhatWasAsked() async throws {
    var random = TestSeed.next()
    _ = try make("data", entity: "Note", ["text"], 3, &random)
    let asked = try await page {
      $0.condition = #"text != "</code><script>" || id > 0"#
      $0.order = [QueryOrder("number", descending: true)]
      $0.select("id")
    }
    #expect(
      asked["parts"] == [
        ["value", "Note"], ["value", #"text != "</code><script>" || id > 0"#],
        ["value", "number desc"],
      ])
    #expect(asked["footer"] == "3 rows")
    #expect(try await page { $0.condition = "id > 9" }["footer"] == "no rows")
    let groups = try await page { $0.rows = .groups(by: "id", [.count]) }
    #expect(groups["heads"] == [["value", "id"], ["value", "count"]])
    let number = try await page { $0.rows = .summary([.count]) }
    #expect(number["rows"] == [[["value", "3"]]])
  }

  /// Without a limit a page ends, and says what it leaves out.
  @Test func aPageHasAMaximumOfRows() async throws {
    var random = TestSeed.next()
    _ = try make("data", entity: "Note", ["text"], HTMLRows.defaultMaximum + 7, &random)
    func text(_ change: @escaping (inout QueryRequest) -> Void) async throws -> String {
      try await directory.query("Note") {
        $0.format = .html
        $0.select("id")
        change(&$0)
      }.text
    }
    #expect(
      try await text { _ in }.contains("<footer>10,000 rows; 7 more are not on this page</footer>"))
    #expect(try await text { $0.offset = 7 }.contains("<footer>10,000 rows</footer>"))
    #expect(try await text { $0.limit = 10_003 }.contains("<footer>10,003 rows</footer>"))
  }

  /// A page is for a file, and still does nothing to a terminal.
  @Test func theMarkupIsOfTheSourcesAlone() {
    let hostile = "\"><script>\u{202E}\u{0}' onload=x"
    let attribute: HTMLText = "<p title=\"\(hostile)\"></p>"
    #expect(
      String(decoding: attribute.utf8, as: UTF8.self)
        == #"<p title="&quot;&gt;&lt;script&gt;\u202e\u0000' onload=x"></p>"#)
    var whole: HTMLText = "<ul>"
    whole.append("<li>\(value: hostile)</li>")
    let nested: HTMLText = "\(whole)</ul>"
    #expect(
      String(decoding: nested.utf8, as: UTF8.self)
        == #"<ul><li><bdi>&quot;&gt;&lt;script&gt;<span class="esc">\u{202e}</span>"#
        + #"<span class="esc">\u{0}</span>' onload=x</bdi></li></ul>"#)
  }
}
