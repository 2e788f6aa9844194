import BoxEngine
import BoxModel
import BoxReport
import BoxStorage
import BoxStoreTool
import BoxWorkspace
import TestSupport
import Testing

@testable import BoxBrowse

/// Parameters of a table that are options of the command: the nearest objects, the zone of dates, and the plan.
struct QueryOptionPageTests {
  private static let model = TestModel(
    .init(
      name: "Song", uid: 1000,
      fields: [
        .init("title", 1010, .string), .init("mood", 1011, .floatVector), .init("at", 1012, .date),
        .init("exactly", 1013, .dateNano), .init("year", 1014, .int, .indexed),
      ]))

  private let pages: BrowsedStore

  init() throws { pages = try BrowsedStore(Self.model) }

  private func table(_ parameters: TableParameters) throws -> PageReader {
    try PageReader(pages.text("Song" + parameters.text))
  }

  /// The cells of a column, in the order of the rows.
  private func cells(_ page: PageReader, _ name: String) -> [String] {
    var (texts, isCell): ([String], Bool) = ([], false)
    for token in page.tokens {
      switch token {
      case .start("td", let attributes):
        isCell = attributes["data-name"] == name
        if isCell { texts.append("") }
      case .end("td"): isCell = false
      case .text(let text) where isCell: texts[texts.count - 1] += text
      default: break
      }
    }
    return texts
  }

  /// The rows of the command with the same options, as CSV without the heading.
  private func export(_ parameters: TableParameters) throws -> [[String]] {
    let export = try #require(pages.answer("Song.csv" + parameters.exportText).export)
    let kept = KeptBytes()
    try export.write(kept)
    let text = String(decoding: kept.bytes, as: UTF8.self).replacing("\r\n", with: "\n")
    return text.split(separator: "\n").dropFirst().map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
  }

  // MARK: - Nearest objects

  @Test func theNearestAreThoseOfTheCommand() throws {
    var random = TestSeed.next()
    for _ in 0..<TestSeed.count("BOXJOINT_SOAK_TABLES", default: 10) {
      let ids = try pages.put(
        "Song",
        (0..<20).map { number in
          let vector = (0..<3).map { _ in Float(random.below(20)) }
          return [
            "title": .string("t\(number)"), "mood": random.oneIn(6) ? .null : .floats(vector),
            "year": .integer(Int64(number)),
          ]
        })
      var parameters = TableParameters()
      (parameters.nearest, parameters.object) = ("mood", random.pick(ids))
      parameters.select = ["title"]
      if random.oneIn(2) { parameters.condition = "year > 5" }
      if random.oneIn(2) { parameters.limit = 1 + random.below(30) }
      let answer = pages.answer("Song" + parameters.text)
      let text = String(decoding: answer.body, as: UTF8.self)
      if answer.status == 400 {
        #expect(text.contains("has no vector of floats in mood"))
        continue
      }
      #expect(answer.status == 200)
      let page = try PageReader(text)
      let limit = parameters.limit ?? TableParameters.defaultNeighbours
      let command = try export(parameters)
      #expect(cells(page, "title") == command.map { $0[0] }, "\(parameters.text)")
      #expect(cells(page, "distance").count <= limit)
      #expect(text.contains("--nearest mood") && text.contains("--of "))
    }
  }

  @Test func anObjectLeadsToTheNearestOnes() throws {
    let ids = try pages.put(
      "Song", [["mood": .floats([1, 0])], ["mood": .floats([0, 3])], ["mood": .null]])
    let page = try PageReader(pages.text("Song/\(ids[0])"))
    let link = try #require(page.addresses.first { $0.contains("nearest=mood") })
    #expect(link.hasSuffix("/Song?nearest=mood&of=\(ids[0])"))
    let table = try PageReader(
      String(decoding: pages.answer(target: link).body, as: UTF8.self))
    #expect(cells(table, "distance").count == 2)
    #expect(
      !(try PageReader(pages.text("Song/\(ids[2])"))).addresses.contains { $0.contains("nearest") })
  }

  // MARK: - Zones

  @Test func aDateIsTheSameMomentInEveryZone() throws {
    var random = TestSeed.next()
    let values = (0..<30).map { _ -> [String: Value] in
      let second = Int64(random.below(8_000_000_000)) - 4_000_000_000
      return [
        "at": .integer(second * 1000 + Int64(random.below(1000))),
        "exactly": .integer(second * 1_000_000_000 + Int64(random.below(1_000_000_000))),
      ]
    }
    try pages.put("Song", values)
    for zone in [nil, "UTC", "+02:00", "-09:30", "+05:45", "local"] {
      var parameters = TableParameters()
      (parameters.zone, parameters.select) = (zone, ["at", "exactly"])
      let page = try table(parameters)
      let shown = (cells(page, "at"), cells(page, "exactly"))
      for (position, value) in values.enumerated() {
        let (at, exactly) = (shown.0[position], shown.1[position])
        let (milli, nano) = (ISO8601.moment(at), ISO8601.moment(exactly))
        #expect(
          milli.map { .integer($0.seconds * 1000 + $0.nanoseconds / 1_000_000) } == value["at"],
          "\(at)")
        #expect(
          nano.map { .integer($0.seconds * 1_000_000_000 + $0.nanoseconds) } == value["exactly"],
          "\(exactly)")
        if let zone, zone.contains(":") { #expect(at.hasSuffix(zone) && exactly.hasSuffix(zone)) }
      }
      if zone != nil { #expect(try export(parameters).map { $0[0] } == shown.0) }
    }
    let text = pages.text("Song?zone=%2B02:00")
    #expect(text.contains("--dates iso") && text.contains("--zone +02:00"))
  }

  // MARK: - The plan

  @Test func thePlanIsThatOfTheCommand() throws {
    try pages.put("Song", (0..<20).map { ["year": .integer(Int64($0))] })
    for (condition, order, limit) in [
      ("year > 12", nil, nil), (nil, "year desc", 3), ("title == nil", "title", 5), (nil, nil, nil),
    ] as [(String?, String?, Int?)] {
      var parameters = TableParameters()
      (parameters.condition, parameters.order, parameters.limit) = (condition, order, limit)
      parameters.explains = true
      var request = QueryRequest(pages.directory.path(of: "data"), "Song")
      request.condition = condition
      request.order = try order.map { try [QueryOrder](order: $0) } ?? []
      request.access = StoreAccess(session: pages.server.stores[0].session)
      let plan = try request.explain(in: Workspace(directory: pages.directory.path))
      let text = pages.text("Song" + parameters.text)
      let page = try PageReader(text)
      let texts = page.tokens.compactMap { token -> String? in
        if case .text(let text) = token { text } else { nil }
      }
      #expect(texts.contains("\(plan)"), "\(plan)")
      #expect(text.contains("--explain"))
    }
    #expect(!pages.text("Song").contains("How the objects are found"))
    #expect(pages.text("Song").contains("/Song?explain=1\">how</a>"))
  }

  /// Characters that nobody sees in a condition are written by their numbers, which mean the same and which `sh` reads.
  @Test(arguments: [
    ("title == \"a\u{202E}b\"", #"title == "a\u{202e}b""#),
    ("title == 'a\u{0}\nb'\n&& year > 1", #"title == 'a\u{0}\u{a}b' && year > 1"#),
    (
      "title == \"\\\"\u{1B}\"\t|| `ye\u{FFFE}ar` > 1",
      #"title == "\"\u{1b}" || `ye\u{fffe}ar` > 1"#
    ),
    ("title == 'plain'", "title == 'plain'"),
  ])
  func aConditionIsTypedWithNumbers(_ condition: String, _ typed: String) {
    #expect(TypedText.of(condition) == typed)
  }

  /// A typed condition finds the same objects.
  @Test func aTypedConditionMeansTheSame() throws {
    var random = TestSeed.next()
    let parts = ["a", "\u{202E}", "\u{0}", "\n", "\t", "\u{1B}", "'", "\"", "\\", "é", "\u{FFFE}"]
    func quoted(_ text: String, _ quote: String) -> String {
      let escaped = text.replacing("\\", with: "\\\\").replacing(quote, with: "\\" + quote)
      return quote + escaped + quote
    }
    for _ in 0..<200 {
      let title = (0..<random.below(6)).map { _ in random.pick(parts) }.joined()
      let id = try pages.put("Song", [["title": .string(title)]])[0]
      let condition = "title == \(quoted(title, random.pick(["'", "\""])))\n&& id == \(id)"
      for text in [condition, TypedText.of(condition)] {
        var parameters = TableParameters()
        parameters.condition = text
        #expect(pages.text("Song" + parameters.text).contains("/Song/\(id)\""), "\(text)")
      }
      #expect(!TypedText.of(condition).unicodeScalars.contains { $0.isWrittenOut })
    }
  }

  /// A limit is the length of a page, and of nearest objects the number; the command and the export have the same rows.
  @Test(arguments: [
    ("Song?limit=3", nil), ("Song?limit=3&before=end", nil), ("Song?limit=3&explain=1", nil),
    ("Song?limit=3&order-by=year", nil), ("Song?nearest=mood&of=1&limit=3", 3),
  ])
  func theCommandHasAllRowsOfTheView(_ path: String, _ limit: Int?) throws {
    try pages.put(
      "Song", (0..<9).map { ["year": .integer(Int64($0)), "mood": .floats([Float($0)])] })
    let page = try PageReader(pages.text(path))
    let texts = page.tokens.compactMap { token -> String? in
      if case .text(let text) = token { text } else { nil }
    }
    let commands = texts.filter { $0.hasPrefix("boxjoint query") }
    #expect(!commands.isEmpty)
    for command in commands {
      #expect(command.contains("--limit 3") == (limit != nil), "\(command)")
    }
    let export = try #require(
      page.tokens.compactMap { token -> String? in
        if case .start("a", let attributes) = token, attributes["download"] != nil {
          attributes["href"]
        } else {
          nil
        }
      }.first)
    #expect(export.contains("limit=3") == (limit != nil), "\(export)")
  }

  @Test func liveIsKeptByLinksAndForms() throws {
    try pages.put("Song", (0..<9).map { ["year": .integer(Int64($0))] })
    let page = try PageReader(pages.text("Song?limit=3&live=1"))
    #expect(page.link("rel", "next")?.contains("live=1") ?? false)
    #expect(page.link("id", "stop")?.hasSuffix("/Song?limit=3") ?? false)
    let hidden = page.tokens.filter { token in
      if case .start("input", let attributes) = token {
        attributes["name"] == "live"
      } else {
        false
      }
    }
    #expect(hidden.count == 3)
  }
}
