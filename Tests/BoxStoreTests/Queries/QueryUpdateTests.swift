import BoxStore
import Dispatch
import TestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Properties of all objects that a query finds, set in one pass.
struct QueryUpdateTests {
  private struct Stop: Error {}

  private let store: Store
  private let settings: Box<Setting>
  private let books: Box<Book>

  init() throws {
    store = try QueryStore.sample()
    settings = store.box()
    books = store.box()
  }

  @Test func theObjectsOfTheConditionAreChanged() throws {
    try settings.put((0..<100).map { Setting("\($0)", Int32($0)) })
    let few = try settings.query { Setting.count < 3 }.build()
    #expect(try few.update { $0.set(Setting.count, to: 200) } == 3)
    #expect(try few.count() == 0)
    let many = try settings.query { Setting.count >= 10 }.build()
    #expect(try many.update { $0.set(Setting.count, to: 7) } == 93)
    // By the index and without it.
    #expect(try settings.query { Setting.count == 7 }.build().count() == 94)
    #expect(try settings.all().count { $0.count == 7 } == 94)
    #expect(try many.update { $0.set(Setting.count, to: 8) } == 0)
    #expect(try settings.query().build().update { _ in } == 0)
    #expect(try Set(settings.all().map(\.key)).count == 100)
  }

  @Test func severalPropertiesAreSetTheLastValueCounts() throws {
    let book = Book("A", by: Author(name: "Ada"))
    (book.isbn, book.embedding) = ("1", [1])
    try books.put(book)
    let bob = try store.box(for: Author.self).put(struct: Author(name: "Bob"))
    let query = try books.query { Book.title == "A" }.build()
    try query.update {
      $0.set(Book.price, to: 3)
      $0.set(Book.price, to: 4.5)
      $0.set(Book.isbn, to: nil)
      $0.set(Book.genre, to: .poetry)
      $0.set(Book.published, to: Date(timeIntervalSince1970: 5))
      $0.set(Book.embedding, to: [2, 3])
      $0.set(Book.author, to: bob.id)
    }
    var read = try #require(try books.get(book.id))
    #expect(read.title == "A" && read.price == 4.5 && read.isbn == nil && read.genre == .poetry)
    #expect(read.published == Date(timeIntervalSince1970: 5) && read.embedding == [2, 3])
    #expect(read.author.target?.name == "Bob")
    #expect(bob.books.map(\.title) == ["A"])
    try query.update {
      $0.set(Book.embedding, to: nil)
      $0.set(Book.genre, to: 1)
      $0.set(Book.author, to: nil)
    }
    read = try #require(try books.get(book.id))
    #expect(read.embedding == nil && read.genre == .novel && read.author.target == nil)
    #expect(try books.query { Book.author == bob }.build().count() == 0)
  }

  @Test func aUniqueValueIsRefusedForTwoObjects() throws {
    let objects = (0..<3).map { number in
      let book = Book("\(number)")
      book.isbn = "\(number)"
      return book
    }
    try books.put(objects)
    try store.runInTransaction {
      try settings.put(Setting("kept"))
      let query = try books.query().build()
      #expect(thrownCase { try query.update { $0.set(Book.isbn, to: "x") } } == "uniqueViolation")
    }
    #expect(try books.all().map(\.isbn) == ["0", "1", "2"])
    #expect(try settings.count() == 1)
    let one = try books.query { Book.title == "1" }.build()
    #expect(try one.update { $0.set(Book.isbn, to: "x") } == 1)
    #expect(try books.get(Book.isbn, "x")?.title == "1")
  }

  @Test func wrongValuesChangeNothing() throws {
    try books.put(Book("A"))
    let query = try books.query().build()
    #expect(thrownCase { try query.update { $0.set(Book.author, to: 77) } } == "notFound")
    #expect(
      thrownCase {
        try query.update {
          $0.set(Book.price, to: 5)
          $0.set(Book.published, to: Date(timeIntervalSince1970: .infinity))
        }
      } == "illegalArgument")
    #expect(throws: Stop.self) { try query.update { _ in throw Stop() } }
    #expect(
      thrownCase {
        try store.runInReadOnlyTransaction { _ = try query.update { $0.set(Book.price, to: 5) } }
      } == "cannotWriteWhileReading")
    #expect(try books.all().map(\.price) == [0])
  }

  @Test func observersAndTransactionsSeeTheChanges() async throws {
    try settings.put([Setting("a", 1), Setting("b", 2), Setting("c", 3)])
    let calls = CallLog<[Int32]>()
    let observer = settings.subscribe(dispatchQueue: DispatchQueue(label: "settings")) {
      (found: [Setting], _: ObjectBoxError?) in calls.append(found.map(\.count))
    }
    try await store.runInTransaction { [settings] transaction in
      try settings.query { Setting.count > 1 }.build().update { $0.set(Setting.count, to: 9) }
      #expect(transaction.hasChanges)
      #expect(transaction.changes(of: Setting.self).updated == [2, 3])
    }
    #expect(await calls.wait { $0.last == [1, 9, 9] })
    observer.unsubscribe()
  }

  /// Updates of random objects are those of puts.
  @Test func updatesAreThoseOfPuts() throws {
    var random = TestSeed.next()
    let box: Box<Everything> = store.box()
    try box.put(
      (0..<60).map { number in
        var object = Everything()
        object.int32 = Int32(number % 10)
        object.uint16 = random.oneIn(3) ? nil : UInt16(random.below(70_000) & 65_535)
        object.string = random.oneIn(3) ? nil : "text \(number)"
        return object
      })
    for _ in 0..<60 {
      let number = Int32(random.below(12))
      let value = random.oneIn(4) ? nil : Double(random.below(9))
      let text = random.oneIn(3) ? nil : String(repeating: "x", count: random.below(30))
      var expected = try box.all()
      for position in expected.indices where expected[position].int32 ?? 0 < number {
        expected[position].double = value
        expected[position].string = text
        expected[position].uint16 = 65_535
        expected[position].bool = true
      }
      let count = try box.query { Everything.int32 < number }.build().update {
        $0.set(Everything.double, to: value)
        $0.set(Everything.string, to: text)
        $0.set(Everything.uint16, to: 65_535)
        $0.set(Everything.bool, to: true)
      }
      #expect(try box.all() == expected)
      #expect(count == UInt64(expected.count { ($0.int32 ?? 0) < number }))
    }
  }
}
