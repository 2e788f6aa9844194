import BoxStore
import TestSupport
import Testing

/// Imports of random sources, compared with a dictionary in memory.
struct UniqueImportLawTests {
  @Test(.promise(309, 378)) func importsMatchADictionary() throws {
    var random = TestSeed.next()
    let store = try SampleStore.inMemory()
    let books = store.box(for: Book.self)
    var expected: [String: (title: String, id: Id)] = [:]
    for round in 0..<TestSeed.count("BOXJOINT_SOAK_OBJECT_IMPORTS", default: 300) {
      let sources: [[String: Any]] = (0..<random.below(8)).map { number in
        var source: [String: Any] = ["title": "\(round)-\(number)"]
        if !random.oneIn(8) { source["isbn"] = "\(random.below(30))" }
        if random.oneIn(6) { source["insert"] = false }
        if random.oneIn(6) { source["update"] = false }
        if random.oneIn(40) { source["fail"] = "read" }
        return source
      }
      var result = expected
      var order: [String] = []
      for case let isbn as String in sources.map({ $0["isbn"] }) where !order.contains(isbn) {
        order.append(isbn)
      }
      var titles: [String] = []
      var fails = false
      for isbn in order {
        guard let source = sources.last(where: { $0["isbn"] as? String == isbn }) else { continue }
        let isKnown = expected[isbn] != nil
        if source[isKnown ? "update" : "insert"] != nil { continue }
        if source["fail"] != nil {
          fails = true
          break
        }
        let title = source["title"] as? String ?? ""
        result[isbn] = (title, expected[isbn]?.id ?? 0)
        titles.append(title)
      }
      do {
        let imported = try store.runInTransaction {
          try $0.importUniqueObjects(Book.self, from: sources)
        }
        #expect(!fails && imported.map(\.title) == titles, "round \(round)")
        for book in imported {
          guard let isbn = book.isbn else { continue }
          let before = result[isbn]?.id ?? 0
          #expect(before == 0 || before == book.id)
          result[isbn]?.id = book.id
        }
        expected = result
      } catch is BadSource {
        #expect(fails, "round \(round)")
      }
      let stored = try books.all()
      #expect(stored.count == expected.count)
      for book in stored {
        #expect(
          expected[book.isbn ?? ""].map { $0.title == book.title && $0.id == book.id } == true)
      }
    }
  }
}
