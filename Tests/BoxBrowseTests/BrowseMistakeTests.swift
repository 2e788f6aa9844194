import BoxModel
import BoxStorage
import BoxStoreTool
import BoxWorkspace
import TestSupport
import Testing

@testable import BoxBrowse
@testable import BoxEngine

/// The words of pages about wrong addresses, damage, and a store that changes meanwhile.
struct BrowseMistakeTests {
  private static let model = TestModel(
    .init(
      name: "Film", uid: 1000,
      fields: [.init("title", 1010, .string), .init("year", 1011, .int, .indexed)],
      relations: [.init("cast", 1020, to: "Person")]),
    .init(name: "Person", uid: 2000, fields: [.init("name", 2010, .string)]))

  private let pages: BrowsedStore

  init() throws {
    pages = try BrowsedStore(Self.model)
    try pages.put(
      "Film", (1...5).map { ["title": .string("t\($0)"), "year": .integer(Int64(2000 + $0))] })
  }

  @Test(arguments: [
    ("Filn", 404, "did you mean Film?"), ("Film/6", 404, "there is no Film with id 6"),
    ("Film/1/titel", 404, "did you mean title?"), ("Film/1/x/y", 404, "no such page"),
    ("Film/01", 404, "no such page"), ("Film/-1", 404, "no such page"),
    ("-/stat", 404, "no such page"),
    ("Film?foo=1", 400, "there is no parameter foo"), ("Film?wher=1", 400, "did you mean where?"),
    ("Film?where=id%3E1&where=id%3E2", 400, "is given twice"),
    ("Film?select=titel", 400, "did you mean title?"),
    ("Film?select=title,title", 400, "is selected twice"),
    ("Film?select=cast.nam", 400, "did you mean name?"),
    ("Film?order-by=titel", 400, "no property titel"),
    ("Film?order-by=title+up", 400, "cannot read the order"),
    ("Film?limit=0", 400, "limit is a number"), ("Film?limit=501", 400, "at most 500 rows"),
    ("Film?after=xyz", 400, "place of the page cannot be read"),
    ("Film?id=x", 400, "an id is a number"),
    ("Film?id=9&order-by=title", 404, "there is no Film with id 9"),
    ("Film?id=9", 404, "there is no Film with id 9; the last id that was given is 5"),
    ("Film?after=a&before=b", 400, "one place"),
    ("Film?raw=yes", 400, "raw is 1"), ("Film?wait=5", 400, "wait is 60"),
    ("Film?from=x", 400, "from is an entity"),
    ("Film?from=Filn/1/cast", 404, "did you mean Film?"),
    ("Film?from=Person/1/cost", 404, "no relation cost joins Person and Film; did you mean cast?"),
    ("Film?from=Film/1/cast", 404, "no relation cast joins Film and Film"),
    ("Film/1?from=Person/1/title", 404, "no relation title joins Person and Film"),
    ("Film?where=%ff", 400, "percent sign"), ("Film/1?x=1", 400, "no parameter but from and zone"),
    ("Film/1?zone=CET", 400, "zone is UTC"), ("Film/1?zone=UTC&zone=UTC", 400, "given once"),
    ("?x=1", 400, "no parameter x"), ("Film.xls", 404, "no such page"),
    ("Film.text", 404, "no such page"),
    ("Filn.csv", 404, "did you mean Film?"),
    ("Film.csv?after=x", 400, "there is no parameter after"),
    ("Film.csv?live=1", 400, "there is no parameter live"),
    ("Film.csv?nearest=title&of=9", 404, "there is no Film with id 9"),
    ("Film.csv?nearest=titel&of=1", 400, "did you mean title?"),
    ("Film?zone=CET", 400, "zone is UTC, local, or an offset"),
    ("Film?zone=%2B25:00", 400, "zone is UTC"), ("Film?zone=Z", 400, "zone is UTC"),
    ("Film?live=2", 400, "live is 1"), ("Film?explain=yes", 400, "explain is 1"),
    ("Film?nearest=title", 400, "give both"), ("Film?of=1", 400, "give both"),
    ("Film?nearest=title&of=x", 400, "an id is a number"),
    ("Film?nearest=title&of=1&order-by=year", 400, "ordered by distance"),
    ("Film?nearest=title&of=1&id=2", 400, "ordered by distance"),
    ("Film?nearest=title&of=1", 400, "has no vector of floats in title"),
    ("Film?nearest=titel&of=1", 400, "did you mean title?"),
    ("Film?nearest=title&of=9", 404, "there is no Film with id 9"),
  ])
  func aWrongAddressIsSaid(_ path: String, _ status: Int, _ message: String) throws {
    let answer = pages.answer(path)
    #expect(answer.status == status)
    let text = String(decoding: answer.body, as: UTF8.self)
    #expect(text.contains(message), "\(text)")
    _ = try PageReader(text)
  }

  @Test func anErrorInAConditionHasItsPlace() throws {
    let answer = pages.answer("Film?where=year+%3E+2000+%26%26+titel+%3D%3D+%22%3Ci%3E%22")
    #expect(answer.status == 400)
    let text = String(decoding: answer.body, as: UTF8.self)
    #expect(text.contains("1:16: Film has no property titel; did you mean title?"))
    #expect(
      text.contains(
        "year &gt; 2000 &amp;&amp; <mark class=\"err\">titel</mark> == &quot;&lt;i&gt;&quot;</pre>")
    )
    #expect(!text.contains("rowheader"))
    _ = try PageReader(text)
    let end = String(decoding: pages.answer("Film?where=year+%3E").body, as: UTF8.self)
    #expect(end.contains("<mark class=\"err\"> </mark>"))
  }

  @Test func anExportThatCannotBeginIsAnErrorPage() throws {
    let answer = pages.answer("Film.csv?where=yeer+%3E+1")
    let export = try #require(answer.export)
    let kept = KeptBytes()
    do {
      try export.write(kept)
      Issue.record("it was written")
    } catch {
      let failure = export.failure(error)
      #expect(failure.status == 400)
      #expect(String(decoding: failure.body, as: UTF8.self).contains("no property yeer"))
    }
    #expect(kept.bytes.isEmpty)
  }

  /// Changes the checksum of an object.
  private func damage(_ id: UInt64) throws {
    let schema = try pages.store.entity(named: "Film")
    try pages.store.write { (transaction) throws in
      let storage = try transaction.reading()
      var record = [UInt8](try #require(try storage.value(schema.space, id)))
      record[0] ^= 1
      try record.withUnsafeBytes { try storage.put(schema.space, id, $0, .replace) }
    }
  }

  @Test func aDamagedRecordIsARowAndTheOthersAreShown() throws {
    try damage(3)
    for query in ["", "?where=id+%3E+1", "?limit=2&id=2", "?before=end", "?order-by=id+desc"] {
      let text = pages.text("Film" + query)
      #expect(text.contains("class=\"damaged\""), "\(query)")
      #expect(text.contains("Film 3 is damaged"))
      #expect(text.contains(">t2<"))
      if !query.contains("limit") { #expect(text.contains(">t4<") && text.contains(">t5<")) }
      _ = try PageReader(text)
    }
    let sorted = pages.text("Film?order-by=title")
    #expect(
      sorted.contains("Film 3 is damaged") && sorted.contains("order by id, which shows the others")
    )
    #expect(pages.text("Film/3").contains("Film 3 is damaged"))
    #expect(pages.answer("Film/2").status == 200)
    let check = pages.text("-/check")
    #expect(check.contains("1 finding") && check.contains("Film 3 is damaged"))
  }

  @Test func aStoreThatIsReplacedIsOpenedAgain() throws {
    #expect(pages.text("-/state").contains("\"opening\":1"))
    pages.store.close()
    let other = try BrowsedStore(Self.model)
    try other.put("Film", [["title": .string("other")]])
    other.store.close()
    pages.directory.removeEverything("data")
    #expect(pages.answer("Film").status == 410)
    #expect(pages.text("Film").contains("<p>the store is gone from "))
    try pages.directory.write(try other.directory.bytes(of: "data/data.mdb"), to: "data/data.mdb")
    let text = pages.text("Film")
    #expect(text.contains(">other<"))
    #expect(text.contains("was replaced; it was opened again"))
    #expect(!pages.text("Film").contains("opened again"))
    #expect(pages.text("-/state").contains("\"opening\":2"))
  }

  /// All rows are before a page without rows that is not the first one.
  @Test func anEmptyPageLeadsBack() throws {
    let page = try PageReader(pages.text("Film?where=year+%3C+2003&id=4"))
    #expect(page.link("rel", "prev")?.hasSuffix("before=end") ?? false)
    #expect(page.link("rel", "next") == nil)
    let none = try PageReader(pages.text("Film?where=year+%3C+0"))
    #expect(none.link("rel", "prev") == nil)
  }

  /// A page that is open asks for the state, and keeps nobody from having the store alone.
  @Test func aStoreIsCompactedBetweenPages() async throws {
    let path = pages.directory.path(of: "data")
    pages.store.close()
    let server = BrowseServer(
      [BrowseStore(name: "data", path: path, isTrusted: false)], CatalogueChoice(), hosts: [],
      key: BrowseKey(3, 4), in: Workspace(directory: pages.directory.path))
    func text(_ page: BrowseAddress.StorePage) -> String {
      let target = server.address(.page(store: "data", page))
      let answer = server.answer(
        BrowseRequest("GET", target, [("Host", "127.0.0.1")]), BrowseCancellation())
      return String(decoding: answer.body, as: UTF8.self)
    }
    #expect(text(.table(entity: "Film")).contains(">t1<"))
    /// Whether nobody had the store open.
    func isCompacted() throws -> Bool {
      do {
        try ObjectStore.compact(path)
        return true
      } catch {
        guard case .storage(let error) = error, error.kind == .inUse else { throw error }
        return false
      }
    }
    var attempts = 0
    while try !isCompacted() {
      attempts += 1
      try #require(attempts < 600)
      #expect(text(.state).contains("\"opening\":1"))
      try await Task.sleep(for: .milliseconds(50))
      server.restUnused()
    }
    #expect(text(.state).contains("\"opening\":2"))
    let page = text(.table(entity: "Film"))
    #expect(page.contains(">t1<") && page.contains("was replaced; it was opened again"))
  }

  @Test func theDiagramIsAPictureWithAPolicyOfItsOwn() {
    let answer = pages.answer("-/model.svg")
    #expect(answer.status == 200)
    #expect(answer.fields.first?.value == "image/svg+xml")
    let policies = answer.fields.filter { $0.name == "Content-Security-Policy" }.map(\.value)
    #expect(policies == ["default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"])
    let text = String(decoding: answer.body, as: UTF8.self)
    #expect(text.contains("Film") && text.contains("cast"))
    #expect(pages.text("").contains("src=\"/\(pages.server.key.text)/data/-/model.svg\""))
  }

  @Test func aStateIsTheNumberOfTheLastTransaction() throws {
    func number() -> String { pages.text("-/state") }
    let before = number()
    #expect(number() == before)
    try pages.put("Film", [["year": .integer(1)]])
    #expect(number() != before)
  }

  /// The thread of the connections gives the answers of the other threads, and none for which a store is opened.
  @Test func answersAtOnceAreTheSameAnswers() throws {
    let root = pages.server.address(.page(store: "data", .overview))
    func atOnce(_ path: String, host: String = "127.0.0.1") -> BrowseAnswer? {
      pages.server.answerAtOnce(BrowseRequest("GET", root + path, [("Host", host)]))
    }
    #expect(atOnce("-/state") == nil, "the store was never opened")
    _ = pages.text("")
    for _ in 0..<3 {
      let (found, other) = (try #require(atOnce("-/state")), pages.answer("-/state"))
      #expect(found.status == 200 && found.body == other.body)
      #expect(found.fields.map(\.name) == other.fields.map(\.name))
      #expect(found.fields.map(\.value) == other.fields.map(\.value))
      try pages.put("Film", [["year": .integer(1)]])
    }
    for path in ["", "Film", "-/state?x=1", "-/state/", "-/check", "-/complete"] {
      #expect(atOnce(path) == nil, "\(path)")
    }
    #expect(atOnce("-/state", host: "example.org") == nil)
    removeFile(pages.directory.path(of: "data/data.mdb"))
    #expect(atOnce("-/state") == nil)
  }

  @Test func anAnswerOfAReaderWhoHasLeftEnds() throws {
    let cancellation = BrowseCancellation()
    cancellation.request()
    try pages.put("Film", (0..<2000).map { _ in ["title": .string("x")] })
    let target = pages.server.address(.page(store: "data", .table(entity: "Film")))
    let answer = pages.server.answer(
      BrowseRequest("GET", target + "?where=title+%3D%3D+%22y%22", [("Host", "localhost")]),
      cancellation)
    #expect(answer.status == 503)
  }

  @Test func everyAnswerHasTheFieldsThatKeepItHere() {
    for path in ["", "Film", "Filn", "Film/1", "Film.csv", "-/state", "-/check", "Film/1/title"] {
      let fields = Dictionary(pages.answer(path).fields.map { ($0.name, $0.value) }) { first, _ in
        first
      }
      #expect(fields["Content-Security-Policy"]?.hasPrefix("default-src 'none';") == true)
      #expect(fields["X-Content-Type-Options"] == "nosniff")
      #expect(fields["Cache-Control"] == "no-store")
      #expect(fields["Referrer-Policy"] == "same-origin")
      #expect(fields["Cross-Origin-Resource-Policy"] == "same-origin")
      let type = fields["Content-Type"] ?? ""
      #expect(
        type
          == (path.contains(".csv") || path.hasSuffix("title")
            ? "application/octet-stream"
            : path.hasSuffix("state") ? "application/json" : "text/html; charset=utf-8"))
    }
  }
}
