import BoxStore
import TestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Objects that are imported from sources of other types.
struct ImportableTests {
  private let store: Store
  private var books: Box<Book> { store.box() }
  private var customers: Box<Customer> { store.box() }

  init() throws { store = try SampleStore.inMemory() }

  private func isbns() throws -> [String?] { try books.all().map(\.isbn) }

  private func source(_ isbn: String?, _ title: String, _ more: [String: Any] = [:]) -> [String:
    Any]
  {
    var source: [String: Any] = ["title": title]
    source["isbn"] = isbn
    return source.merging(more) { $1 }
  }

  // MARK: - Plain objects

  @Test(.promise(302, 304, 305, 377)) func eachSourceBecomesAnObjectUnlessItIsRefused() throws {
    let imported = try store.runInTransaction { transaction in
      try transaction.importObjects(
        Customer.self, from: ["Ann", "nobody", "Bob"].map { CustomerSource(name: $0) })
    }
    #expect(imported.map(\.name) == ["Ann", "Bob"])
    #expect(imported.map(\.id) == [1, 2])
    #expect(try customers.all().map(\.name) == ["Ann", "Bob"])
    let refused = try store.runInTransaction {
      try $0.importObject(Customer.self, from: CustomerSource(name: "nobody"))
    }
    #expect(refused == nil)
  }

  @Test(.promise(304)) func relationsOfImportedObjectsArePut() throws {
    try store.runInTransaction {
      try $0.importObject(Customer.self, from: CustomerSource(name: "Ann", orders: ["1", "2"]))
    }
    #expect(try store.box(for: Order.self).all().map(\.customer.targetId) == [1, 1])
  }

  @Test(.promise(306, 377)) func anErrorCancelsEverythingAndReachesTheCaller() throws {
    try customers.put(Customer("Ann"))
    let sources = ["Bob", "Cy", ""].map { CustomerSource(name: $0) }
    #expect(throws: BadSource(what: "name")) {
      try store.runInTransaction { try $0.importObjects(Customer.self, from: sources) }
    }
    #expect(try customers.all().map(\.name) == ["Ann"])
  }

  /// CoreStore leaves an object without values; here nothing of the call is left.
  @Test func aCaughtErrorLeavesNothingOfItsCall() throws {
    try store.runInTransaction { transaction in
      try transaction.importObject(Customer.self, from: CustomerSource(name: "Ann"))
      #expect(throws: BadSource.self) {
        try transaction.importObjects(
          Customer.self, from: ["Bob", ""].map { CustomerSource(name: $0) })
      }
      try transaction.importObject(Customer.self, from: CustomerSource(name: "Cy"))
    }
    #expect(try customers.all().map(\.name) == ["Ann", "Cy"])
  }

  @Test func readTransactionsImportNothing() throws {
    #expect(
      thrownCase {
        try store.runInReadOnlyTransaction { (transaction: Transaction) in
          _ = try transaction.importObjects(Customer.self, from: [CustomerSource(name: "Ann")])
        }
      } == "cannotWriteWhileReading")
  }

  // MARK: - Unique objects

  /// Ids 1, 2, 1: two objects in the order 1, 2, and object 1 is of the last source.
  @Test(.promise(303, 307, 378)) func theLastOfEqualSourcesCountsAtThePlaceOfTheFirst() throws {
    let imported = try store.runInTransaction { transaction in
      try transaction.importUniqueObjects(
        Book.self, from: [source("1", "a"), source("2", "b"), source("1", "c")])
    }
    #expect(imported.map(\.isbn) == ["1", "2"])
    #expect(imported.map(\.title) == ["c", "b"])
    #expect(try books.all().map(\.title) == ["c", "b"])
  }

  @Test(.promise(308)) func objectsThatExistAreUpdatedAndKeepWhatTheSourceLacks() throws {
    let book = Book("old")
    (book.isbn, book.price) = ("1", 9)
    try books.put(book)
    let imported = try store.runInTransaction { transaction in
      try transaction.importUniqueObjects(
        Book.self, from: [source("2", "new"), source("1", "changed")])
    }
    #expect(imported.map(\.id) == [2, book.id])
    let changed = try #require(try books.get(book.id))
    #expect(changed.title == "changed" && changed.price == 9)
  }

  @Test(.promise(310, 378)) func refusedSourcesLeaveTheirObjectsUntouched() throws {
    try store.runInTransaction {
      try $0.importUniqueObjects(Book.self, from: [source("1", "a")])
    }
    let imported = try store.runInTransaction { transaction in
      try transaction.importUniqueObjects(
        Book.self,
        from: [
          source("1", "b", ["update": false]), source("2", "c", ["insert": false]),
          source(nil, "without an id"), source("3", "d"),
        ])
    }
    #expect(imported.map(\.title) == ["d"])
    #expect(try books.all().map(\.title) == ["a", "d"])
  }

  /// CoreStore asks about an update that is refused as often as its id occurs.
  @Test(arguments: ["insert", "update"])
  func aRefusedValueIsAskedAboutOnce(_ refusal: String) throws {
    if refusal == "update" {
      try store.runInTransaction {
        try $0.importUniqueObjects(Book.self, from: [source("1", "a")])
      }
    }
    let asked = AskCount()
    let refused = source("1", "b", [refusal: false, "asked": asked])
    let imported = try store.runInTransaction { transaction in
      try transaction.importUniqueObjects(Book.self, from: [refused, refused, refused])
    }
    #expect(imported.isEmpty && asked.count == 1)
    #expect(try books.all().map(\.title) == (refusal == "update" ? ["a"] : []))
  }

  @Test(.promise(381)) func preprocessingRemovesAndReplacesAndDoesNotAdd() throws {
    let imported = try store.runInTransaction { transaction in
      try transaction.importUniqueObjects(
        Book.self, from: [source("1", "a"), source("2", "b"), source("3", "c")]
      ) { mapping in
        mapping["2"] = nil
        mapping["3"]?["title"] = "replaced"
        mapping["4"] = source("4", "added")
      }
    }
    #expect(imported.map(\.title) == ["a", "replaced"])
    #expect(throws: BadSource.self) {
      try store.runInTransaction {
        try $0.importUniqueObjects(Book.self, from: [source("5", "e")]) { _ in
          throw BadSource(what: "preprocess")
        }
      }
    }
    #expect(try books.count() == 2)
  }

  @Test(.promise(306, 310, 377), arguments: ["id", "read"])
  func aThrowAtTheThirdSourceLeavesTheStoreAsBefore(_ fault: String) throws {
    try store.runInTransaction {
      try $0.importUniqueObjects(Book.self, from: [source("1", "a")])
    }
    #expect(throws: BadSource(what: fault)) {
      try store.runInTransaction {
        try $0.importUniqueObjects(
          Book.self,
          from: [source("1", "b"), source("2", "c"), source("3", "d", ["fail": fault])])
      }
    }
    #expect(try books.all().map(\.title) == ["a"])
  }

  @Test func anObjectThatAnotherOneImportsIsFoundAgain() throws {
    let imported = try store.runInTransaction { transaction in
      try transaction.importUniqueObjects(
        Book.self,
        from: [source("1", "a", ["sequel": source("2", "of a")]), source("2", "b")])
    }
    #expect(imported.map(\.isbn) == ["1", "2"])
    #expect(try isbns() == ["1", "2"] || isbns() == ["2", "1"])
    let first = try #require(try books.query { Book.isbn == "1" }.build().findUnique())
    #expect(first.related.map(\.title) == ["b"])
  }

  @Test func anObjectHasToGetTheValueOfItsSource() throws {
    #expect(
      thrownCase {
        try store.runInTransaction {
          _ = try $0.importUniqueObjects(Book.self, from: [source("1", "a", ["unset": true])])
        }
      } == "illegalArgument")
    #expect(try books.isEmpty())
  }

  @Test(.promise(307)) func thePropertyHasToBeUnique() throws {
    let plain = try QueryStore.people()
    let message = UniqueByName.message(plain.store)
    #expect(message?.contains("Person.nickname is not unique") == true, "\(message ?? "")")
  }

  // MARK: - JSON

  @Test(.promise(303)) func jsonIsDecodedAsOneSourceOrAnArray() throws {
    try store.runInTransaction { transaction in
      try transaction.importObjects(
        Customer.self,
        fromJSON: Data(#"[{"name":"Ann","orders":["1"]},{"name":"Bob","orders":[]}]"#.utf8))
      try transaction.importObjects(
        Customer.self, fromJSON: Data(#"{"name":"Cy","orders":[]}"#.utf8))
      try transaction.importUniqueObjects(
        Setting.self,
        fromJSON: Data(#"[{"key":"a","count":1},{"count":2},{"key":"a","count":3}]"#.utf8))
    }
    #expect(try customers.all().map(\.name) == ["Ann", "Bob", "Cy"])
    #expect(try store.box(for: Setting.self).all().map(\.count) == [3])
  }

  @Test(.promise(303)) func jsonBecomesDictionaries() throws {
    let json = """
      [{"isbn": "1", "title": "a", "price": 3, "genre": 2, "published": "1970-01-01T00:00:01Z"},
       {"isbn": "2", "title": "b", "price": 1.5, "published": null, "sequel": {"isbn": "3", "title": "c"}}]
      """
    let imported = try store.runInTransaction {
      try $0.importUniqueObjects(Book.self, fromJSON: Data(json.utf8))
    }
    #expect(imported.map(\.price) == [3, 1.5])
    #expect(imported[0].genre == .poetry)
    #expect(imported[0].published == Date(timeIntervalSince1970: 1))
    #expect(imported[1].related.map(\.title) == ["c"])
  }

  @Test(arguments: [
    #"[{"name":1,"orders":[]}]"#, #"[{"orders":[]}]"#, "[", "7", #"[{"name":"a","orders":7}]"#, "",
    "[\n  {\"a\" 1}]",
  ])
  func badJSONIsOneErrorWithItsPlace(_ json: String) throws {
    var message = ""
    do {
      try store.runInTransaction {
        _ = try $0.importObjects(Customer.self, fromJSON: Data(json.utf8))
      }
    } catch ObjectBoxError.illegalArgument(let found) {
      message = found
    }
    #expect(message.hasPrefix("the JSON cannot be imported: "), "\(message)")
    let places = [
      "[": "line 1, column 2", "": "line 1, column 1", "[\n  {\"a\" 1}]": "line 2, column 8",
    ]
    #expect(places[json].map { message.contains($0) } ?? true, "\(message)")
    #expect(!json.contains("orders\":7") || message.contains("[0].orders"), "\(message)")
    #expect(try customers.isEmpty())
  }

  // MARK: - Fields

  @Test func allFaultsOfASourceAreListed() throws {
    let fault = #expect(throws: ObjectBoxError.self) {
      try store.runInTransaction {
        try $0.importUniqueObjects(
          Book.self,
          from: [["isbn": "1", "price": "dear", "genre": 77, "published": "yesterday"]])
      }
    }
    #expect(
      fault?.message
        == "a source has 4 faults: title is missing; price is \"dear\" and not a Double; "
        + "published is \"yesterday\" and not a Date; genre is 77 and not a Genre")
  }

  @Test func valuesAreConvertedIfNothingIsLost() {
    var fields = ImportFields([
      "int": 3 as Int64, "whole": 3.0, "half": 3.5, "big": UInt64.max, "text": "x", "bytes": "AQI=",
      "id": "E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "flags": [1, 2] as [Any],
      "nothing": Optional<Int>.none as Any,
    ])
    #expect(fields.required("int", or: 0) == 3 && fields.required("whole", or: 0) == 3)
    #expect(fields.required("big", or: UInt64(0)) == .max)
    #expect(fields.required("int", or: 0.0) == 3 && fields.required("half", or: Float(0)) == 3.5)
    #expect(fields.required("bytes", or: Data()) == Data([1, 2]))
    #expect(fields.optional("id", as: UUID.self) != nil)
    #expect(fields.optional("flags") == [1, 2] as [Int8]?)
    #expect(fields.optional("nothing", as: Int.self) == nil)
    #expect(fields.optional("none", as: Int.self) == nil)
    #expect(fields.faults.isEmpty)
    #expect(fields.required("half", or: 7) == 7 && fields.required("big", or: 7) == 7)
    #expect(fields.optional("text", as: Bool.self) == nil)
    #expect(fields.required("nothing", or: 1) == 1)
    #expect(
      fields.faults == [
        "half is 3.5 and not a Int", "big is 18446744073709551615 and not a Int",
        "text is \"x\" and not a Bool", "nothing is missing",
      ])
  }
}

/// An import by a property that is not unique.
private enum UniqueByName {
  static func message(_ store: Store) -> String? {
    do {
      try store.runInTransaction { _ = try $0.importUniqueObjects(Person.self, from: ["x"]) }
      return nil
    } catch {
      return "\(error)"
    }
  }
}

extension Person: UniquelyImportable {
  static var uniqueIDProperty: Property<Person, String?, Void> { Person.nickname }
  static func uniqueID(from source: String, in transaction: Transaction) -> String? { source }
  convenience init(importing source: String, in transaction: Transaction) { self.init(source) }
  func update(from source: String, in transaction: Transaction) {}
}
