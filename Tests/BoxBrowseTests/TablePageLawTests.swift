import BoxEngine
import BoxModel
import BoxStorage
import BoxStoreTool
import BoxWorkspace
import TestSupport
import Testing

@testable import BoxBrowse

/// The laws of tables: their pages together are the rows of the query, in both directions.
struct TablePageLawTests {
  private static let model = TestModel(
    .init(
      name: "Row", uid: 1000,
      fields: [
        .init("rank", 1010, .int, .indexed), .init("name", 1011, .string, .indexHash),
        .init("weight", 1012, .double), .init("group", 1013, .relation, target: "Group"),
      ], relations: [.init("links", 1020, to: "Row")]),
    .init(name: "Group", uid: 2000, fields: [.init("name", 2010, .string)]))

  private static func row(_ random: inout SplitMix64) -> [String: Value] {
    [
      "rank": random.oneIn(5) ? .null : .integer(Int64(random.below(6)) - 3),
      "name": random.oneIn(5)
        ? .null : .string(random.pick(["", "a", "ab", "Ab", "é", "zzzzzzzzzzzz"])),
      "weight": random.pick([.null, .double(.nan), .double(-0.0), .double(0), .double(1.5)]),
    ]
  }

  private static func ids(_ page: PageReader) -> [UInt64] {
    var ids: [UInt64] = []
    var isHead = false
    for token in page.tokens {
      switch token {
      case .start("th", let attributes): isHead = attributes["role"] == "rowheader"
      case .end("th"): isHead = false
      case .text(let text) where isHead: ids.append(UInt64(text) ?? 0)
      default: break
      }
    }
    return ids
  }

  /// Follows the links of pages to the end.
  private static func walk(
    _ pages: BrowsedStore, from path: String, _ link: String, between: () throws -> Void = {}
  ) throws -> [UInt64] {
    var (ids, target): ([UInt64], String?) = ([], path)
    while let next = target {
      let answer = pages.answer(target: next)
      #expect(answer.status == 200)
      let page = try PageReader(String(decoding: answer.body, as: UTF8.self))
      ids = link == "next" ? ids + Self.ids(page) : Self.ids(page) + ids
      target = page.link("rel", link)
      try between()
    }
    return ids
  }

  private static let orders = [
    "", "id desc", "rank", "rank desc", "name ignoringCase", "name desc, rank",
    "weight desc nulls last",
    "weight, name nulls last", "group",
  ]
  private static let conditions = ["", "rank > -2", "name == \"a\" || rank == 2", "weight == nil"]

  @Test func pagesTogetherAreTheRows() throws {
    var random = TestSeed.next()
    let pages = try BrowsedStore(Self.model)
    let rows = (0..<60).map { _ in Self.row(&random) }
    try pages.put("Row", rows)
    let schema = try pages.store.entity(named: "Row")
    for _ in 0..<TestSeed.count("BOXJOINT_SOAK_TABLES", default: 40) {
      var parameters = TableParameters()
      let (condition, order) = (random.pick(Self.conditions), random.pick(Self.orders))
      if !condition.isEmpty { parameters.condition = condition }
      if !order.isEmpty { parameters.order = order }
      parameters.limit = random.pick([1, 3, 7, 60, 61])
      let query = try pages.store.prepare(
        schema, try ConditionParser.parse(condition.isEmpty ? "id > 0" : condition),
        order: order.isEmpty ? [] : try [QueryOrder](order: order))
      let whole = try pages.store.read { try $0.ids(query) }
      let path = pages.server.address(.page(store: "data", .table(entity: "Row")))
      let note: Comment = "\(parameters.text)"
      #expect(try Self.walk(pages, from: path + parameters.text, "next") == whole, note)
      var last = parameters
      last.place = .last
      #expect(try Self.walk(pages, from: path + last.text, "prev") == whole, note)
      guard let id = whole.isEmpty ? nil : random.pick(whole) else { continue }
      var at = parameters
      at.place = .id(id)
      let rest = Array(whole.drop { $0 != id })
      #expect(try Self.walk(pages, from: path + at.text, "next") == rest, note)
    }
  }

  /// Objects that nobody changes are on one page each, whatever else is written meanwhile.
  @Test func commitsBetweenPagesMoveNothing() throws {
    var random = TestSeed.next()
    let pages = try BrowsedStore(Self.model)
    let stable = try pages.put("Row", (0..<40).map { _ in Self.row(&random) })
    let schema = try pages.store.entity(named: "Row")
    for order in Self.orders {
      for link in ["next", "prev"] {
        var others = try pages.put("Row", (0..<10).map { _ in Self.row(&random) })
        var parameters = TableParameters()
        if !order.isEmpty { parameters.order = order }
        (parameters.limit, parameters.place) = (4, link == "prev" ? .last : .first)
        let path = pages.server.address(.page(store: "data", .table(entity: "Row")))
        let found = try Self.walk(pages, from: path + parameters.text, link) {
          if let id = others.popLast() {
            _ = try pages.store.write { try $0.remove(schema, id) }
          }
          if random.oneIn(2) { others += try pages.put("Row", [Self.row(&random)]) }
        }
        let query = try pages.store.prepare(
          StoreQuery(schema, order: order.isEmpty ? [] : try [QueryOrder](order: order)))
        let whole = try pages.store.read { try $0.ids(query) }
        let kept = Set(stable)
        #expect(found.filter(kept.contains) == whole.filter(kept.contains), "\(order) \(link)")
        #expect(Set(found).count == found.count)
        try pages.store.write { transaction in
          for id in others { _ = try transaction.remove(schema, id) }
        }
      }
    }
  }

  /// An export is what the command prints for the question of the page.
  @Test func anExportHasTheBytesOfTheCommand() throws {
    var random = TestSeed.next()
    let pages = try BrowsedStore(Self.model)
    try pages.put("Row", (0..<50).map { _ in Self.row(&random) })
    // The options of the store that this test writes to.
    let session = StoreSession(pages.directory.path(of: "data"), isTrusted: true)
    for format in [QueryFormat.csv, .ndjson, .json, .markdown, .html] {
      for condition in Self.conditions {
        var parameters = TableParameters()
        if !condition.isEmpty { parameters.condition = condition }
        (parameters.order, parameters.select) = (
          "rank desc", ["id", "name", "links", "`group`.name"]
        )
        let address = BrowseAddress.page(store: "data", .export(entity: "Row", format))
        let answer = pages.answer(target: pages.server.address(address) + parameters.text)
        #expect(answer.status == 200)
        let sent = KeptBytes()
        try #require(answer.export).write(sent)
        var request = QueryRequest(pages.directory.path(of: "data"), "Row")
        request.condition = parameters.condition
        request.order = try [QueryOrder](order: "rank desc")
        request.rows = .objects(select: parameters.select, isDistinct: false)
        request.format = format
        request.access.session = session
        let printed = KeptBytes()
        request.stream = printed
        try request.run(in: Workspace(directory: pages.directory.path))
        #expect(sent.bytes == printed.bytes)
        #expect(!sent.bytes.isEmpty)
      }
    }
  }
}
