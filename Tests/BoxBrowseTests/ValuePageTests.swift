import BoxEngine
import BoxJSON
import BoxModel
import BoxStorage
import TestSupport
import Testing

@testable import BoxBrowse

/// Names and values on pages: text, whatever they contain.
struct ValuePageTests {
  private static let parts = [
    "", " ", "  ", "a", "é", "日", "\u{1F600}", "·", "\\n", "null", "\"\"", "[]", "<", ">", "&",
    "&lt;", "\"", "'",
    "<script>alert(1)</script>", "</bdi></td>", "<!--", "-->", "]]>",
    "<img src=x onerror=alert(1)>",
    "javascript:alert(1)", "\u{0}", "\u{7}", "\u{1B}[1m", "\n", "\t", "\u{7F}", "\u{85}",
    "\u{200B}", "\u{202E}",
    "\u{2028}", "\u{2066}", "\u{FEFF}", "\u{FFFE}", "</title>", "</textarea>", "`",
  ]

  private static func text(_ random: inout SplitMix64) -> String {
    (0..<random.below(6)).map { _ in random.pick(parts) }.joined()
  }

  /// The law: the text on the page is the value, in a cell and on the page of the object.
  @Test func theTextOfThePageIsTheValue() throws {
    var random = TestSeed.next()
    for _ in 0..<TestSeed.count("BOXJOINT_SOAK_BROWSED_VALUES", default: 12) {
      let entity = "E" + Self.text(&random)
      var names: Set<ExactText> = []
      let fields = (0..<3).map { "f\($0)" + Self.text(&random) }.filter {
        names.insert(ExactText($0)).inserted
      }
      var properties = fields.enumerated().map {
        TestModel.Property($0.element, UID(1010 + $0.offset), .string)
      }
      properties.append(.init("number", 1100, .long))
      properties.append(.init("list", 1101, .stringVector))
      let pages = try BrowsedStore(
        TestModel(.init(name: entity, uid: 1001, fields: properties)),
        name: Self.text(&random) + "s")
      var written: [[String: Value]] = []
      for _ in 0..<20 {
        var values: [String: Value] = [:]
        for name in fields { values[name] = random.oneIn(6) ? .null : .string(Self.text(&random)) }
        values["number"] = .integer(Int64(bitPattern: random.next()))
        values["list"] = .strings([])
        written.append(values)
      }
      let ids = try pages.put(entity, written)
      let address = { pages.server.address(.page(store: pages.server.stores[0].name, $0)) }
      let table = try Self.page(pages, address(.table(entity: entity)))
      let cells = table.values(in: "td", with: "data-name")
      #expect(cells.count == 20 * (fields.count + 2))
      for (position, values) in written.enumerated() {
        let row = cells[position * (fields.count + 2)..<(position + 1) * (fields.count + 2)]
        for (cell, name) in zip(row, fields) { Self.compare(cell, values[name]) }
        let object = try Self.page(pages, address(.object(entity: entity, id: ids[position])))
        let shown = object.values(in: "dd", with: "data-name")
        #expect(shown.count == fields.count + 3)
        for (value, name) in zip(shown.dropFirst(), fields) { Self.compare(value, values[name]) }
      }
    }
  }

  private static func page(_ pages: BrowsedStore, _ target: String) throws -> PageReader {
    let answer = pages.answer(target: target)
    #expect(answer.status == 200)
    let page = try PageReader(String(decoding: answer.body, as: UTF8.self))
    // Every page asks for nothing but other pages of the same server.
    for address in page.addresses {
      #expect(address.hasPrefix("/\(pages.server.key.text)/") || address == "#main", "\(address)")
    }
    return page
  }

  private static func compare(_ shown: (name: String, text: String, isNil: Bool), _ value: Value?) {
    switch value {
    case .null?: #expect(shown.isNil && shown.text == "null")
    case .string("")?: #expect(shown.isNil && shown.text == "\"\"")
    case .string(let text)?:
      #expect(shown.text.utf8.elementsEqual(text.utf8) && !shown.isNil, "\(shown.text) \(text)")
    default: Issue.record("\(String(describing: value))")
    }
  }

  private static let kinds = TestModel(
    .init(
      name: "Kind", uid: 1000,
      fields: [
        .init("long", 1010, .long), .init("double", 1011, .double), .init("date", 1012, .date),
        .init("nano", 1013, .dateNano), .init("bytes", 1014, .byteVector),
        .init("text", 1015, .string),
        .init("floats", 1016, .floatVector), .init("bool", 1017, .bool),
        .init("other", 1018, .relation, target: "Kind"), .init("char", 1019, .char, .unsigned),
      ], relations: [.init("many", 1030, to: "Kind")]))

  /// The cells of a row as markup, by the names of the columns.
  private static func cells(_ html: String) -> [String: String] {
    var cells: [String: String] = [:]
    for part in html.split(separator: "data-name=\"").dropFirst() {
      let name = String(part.prefix { $0 != "\"" })
      let rest = part.dropFirst(name.count + 2)
      let end = rest.firstRange(of: "</td>")?.lowerBound ?? rest.endIndex
      cells[name] = cells[name] ?? String(rest[..<end])
    }
    return cells
  }

  @Test func eachKindOfValueHasItsLook() throws {
    let pages = try BrowsedStore(Self.kinds)
    try pages.put(
      "Kind",
      [
        [
          "long": .integer(.min), "double": .double(.nan), "date": .integer(0),
          "nano": .integer(1_000_000_001), "bytes": .bytes(Array(0..<20)),
          "text": .string(String(repeating: "x", count: 2000)), "floats": .floats([1, 2, 3, 4]),
          "bool": .bool(true), "other": .unsigned(99),
        ]
      ])
    let cells = Self.cells(pages.text("Kind"))
    #expect(cells["long"] == "-9223372036854775808")
    #expect(cells["double"] == "NaN")
    #expect(cells["date"] == #"<time title="0">1970-01-01T00:00:00.000Z</time>"#)
    #expect(cells["nano"] == #"<time title="1000000001">1970-01-01T00:00:01.000000001Z</time>"#)
    #expect(
      cells["bytes"]
        == #"<code>00 01 02 03 04 05 06 07…</code> <span class="soft">20 bytes</span>"#)
    #expect(
      cells["text"]
        == "<bdi>\(String(repeating: "x", count: 300))</bdi><span class=\"soft\"> … 1.7 KiB more</span>"
    )
    #expect(cells["floats"]?.contains("… of 4") == true)
    #expect(cells["bool"] == "<bdi>true</bdi>")
    #expect(
      cells["other"] == #"<span class="id">99</span> <span class="nil">no such Kind</span>"#)
    #expect(cells["many"] == #"<span class="nil">[ ]</span>"#)
    let object = pages.text("Kind/1")
    #expect(
      object.contains("000000  00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f  ................"))
    #expect(object.contains(">2.0 KiB</span>"))
    #expect(pages.answer("Kind/1/bytes").body == Array(0..<20))
    #expect(pages.answer("Kind/1/text").body.count == 2000)
    #expect(pages.text("Kind/1/floats") == "[1.0,2.0,3.0,4.0]\n")
    let zoned = pages.text("Kind/1?zone=%2B02:00")
    #expect(zoned.contains(#"<time title="0">1970-01-01T02:00:00.000+02:00</time>"#))
    // The pages to which it links have the same zone.
    #expect(pages.text("Kind?zone=%2B02:00").contains("/Kind/1?zone=%2B02%3A00\""))
    let field = pages.answer("Kind/1/bytes").fields.first { $0.name == "Content-Disposition" }
    #expect(field?.value == "attachment; filename=\"Kind-1-bytes.bin\"")
    #expect(pages.answer("Kind/1/char").status == 404)
  }

  @Test func aStringWithJSONIsIndented() throws {
    let pages = try BrowsedStore(Self.kinds)
    let json =
      #"{"a":[1.10,12345678901234567890],"b":"<i>\#("y" + String(repeating: "z", count: 300))"}"#
    try pages.put(
      "Kind",
      [["text": .string(json)], ["text": .string("{" + String(repeating: "[", count: 400))]])
    let page = pages.text("Kind/1")
    #expect(page.contains("  &quot;a&quot;: [\n    1.10,\n    12345678901234567890\n  ]"))
    #expect(page.contains("as stored"))
    #expect(!pages.text("Kind/2").contains("as stored"))
  }

  @Test func relationsLeadBothWays() throws {
    let pages = try BrowsedStore(Self.kinds)
    let kind = try pages.store.entity(named: "Kind")
    try pages.put(
      "Kind", [["text": .string("one")], ["other": .unsigned(1)], ["other": .unsigned(1)]])
    try pages.store.write { transaction in
      let many = try #require(kind.relation(named: "many"))
      for id in [1, 3] as [UInt64] { try transaction.link(many, 2, id) }
    }
    let page = try PageReader(pages.text("Kind/1"))
    let links = page.addresses.filter { $0.contains("where=") }
    #expect(links.count == 2)
    let tables = links.map { String(decoding: pages.answer(target: $0).body, as: UTF8.self) }
    #expect(tables[0].contains("2 objects") && tables[0].contains("other == 1"))
    #expect(tables[1].contains("1 object,") && tables[1].contains("any(many, id == 1)"))
    // The table of the targets of a relation names the object and the relation.
    let targets = try PageReader(pages.text("Kind/2")).addresses.filter { $0.contains("where=") }
    let table = String(
      decoding: pages.answer(target: try #require(targets.first)).body, as: UTF8.self)
    #expect(table.contains("2 objects") && table.contains("any(Kind.many, id == 2)"))
  }
}
