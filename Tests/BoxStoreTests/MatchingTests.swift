import BoxStore
import Dispatch
import TestSupport
import Testing

/// Objects that are found and put by the values of a unique property.
struct MatchingTests {
  private struct Stop: Error {}

  private let store: Store
  private let settings: Box<Setting>
  private let books: Box<Book>

  init() throws {
    store = try SampleStore.inMemory()
    settings = store.box()
    books = store.box()
  }

  private func book(_ isbn: String?, _ title: String) -> Book {
    let book = Book(title)
    book.isbn = isbn
    return book
  }

  @Test func anObjectIsFoundByItsValue() throws {
    let id = try settings.put(Setting("depth", 3))
    #expect(try settings.get(Setting.key, "depth")?.id == id)
    #expect(try settings.get(Setting.key, "Depth") == nil)
    #expect(try settings.get(Setting.key, "") == nil)
  }

  @Test func anObjectReplacesTheOneWithItsValue() throws {
    let first = Setting("depth", 3)
    try settings.put(first, matching: Setting.key)
    let second = Setting("depth", 4)
    #expect(try settings.put(second, matching: Setting.key) == first.id)
    #expect(second.id == first.id)
    second.count = 5
    #expect(try settings.put(second, matching: Setting.key) == first.id)
    #expect(try settings.all().map(\.count) == [5])
  }

  @Test func theNewRelationsToManyAreStoredWithIt() throws {
    let (old, other) = (book("1", "old"), book("2", "other"))
    old.related.append(other)
    try books.put([old, other])
    let (new, added) = (book("1", "new"), book(nil, "added"))
    new.related.append(added)
    #expect(try books.put(new, matching: Book.isbn) == old.id)
    #expect(new.id == old.id && added.id != 0)
    let stored = try #require(try books.get(old.id))
    #expect(stored.title == "new")
    #expect(Set(stored.related.map(\.title)) == ["other", "added"])
    // In a call that fails, the id and the new target are as before.
    let refused = book("1", "refused")
    refused.related.append(book("2", "taken"))
    #expect(throws: ObjectBoxError.self) { try books.put(refused, matching: Book.isbn) }
    #expect(refused.id == 0)
    #expect(try books.get(old.id)?.title == "new")
  }

  @Test func nilIsInserted() throws {
    try settings.put(Setting(nil, 1), matching: Setting.key)
    try settings.put(Setting(nil, 2), matching: Setting.key)
    #expect(try settings.all().map(\.count) == [1, 2])
  }

  @Test func anObjectWithAnotherIDIsRefused() throws {
    let (first, second) = (Setting("a", 1), Setting("b", 2))
    try settings.put([first, second])
    second.key = "a"
    let error = #expect(throws: ObjectBoxError.self) {
      try settings.put(second, matching: Setting.key)
    }
    #expect(error.map(caseName) == "constraintViolated")
    #expect(error?.message.contains("object 2 cannot be put: object 1 has its Setting.key") == true)
    #expect(try settings.all().map(\.key) == ["a", "b"])
    // Of a value that nobody has, the id decides.
    second.key = "c"
    #expect(try settings.put(second, matching: Setting.key) == 2)
    #expect(try settings.all().map(\.key) == ["a", "c"])
  }

  @Test func aPropertyThatTheModelDoesNotCallUniqueIsRefused() throws {
    #expect(thrownCase { _ = try settings.get(Setting.count, 3) } == "illegalArgument")
    #expect(
      thrownCase { try settings.put(Setting("a"), matching: Setting.count) } == "illegalArgument")
  }

  @Test func severalObjectsArePutInOrder() throws {
    try settings.put(Setting("b", 0))
    let objects = [Setting("a", 1), Setting("b", 2), Setting("a", 3), Setting(nil, 4)]
    let ids = try settings.put(objects, matching: Setting.key)
    #expect(ids == [2, 1, 2, 3])
    #expect(objects.map(\.id) == ids)
    #expect(try settings.all().map(\.count) == [2, 3, 4])
  }

  @Test func oneThatFailsUndoesAll() throws {
    try settings.put(Setting("c", 0))
    let objects = [Setting("a", 1), Setting("c", 2, id: 7)]
    func put() {
      #expect(throws: ObjectBoxError.self) { try settings.put(objects, matching: Setting.key) }
    }
    put()
    #expect(objects.map(\.id) == [0, 7])
    try store.runInTransaction {
      try settings.put(Setting("d", 3))
      put()
    }
    #expect(objects.map(\.id) == [0, 7])
    #expect(try settings.all().map(\.key) == ["c", "d"])
  }

  @Test func anUndoneTransactionLeavesTheReplacedObject() throws {
    try settings.put(Setting("a", 1))
    #expect(throws: Stop.self) {
      try store.runInTransaction {
        try settings.put(Setting("a", 2), matching: Setting.key)
        #expect(try settings.get(Setting.key, "a")?.count == 2)
        throw Stop()
      }
    }
    #expect(try settings.all().map(\.count) == [1])
  }

  @Test func newTargetsArePutAndLinksStay() throws {
    let old = book("1", "Old")
    old.related.append(book(nil, "Related"))
    try books.put(old)
    let new = book("1", "New")
    new.author.target = Author(name: "Ada")
    #expect(try books.put(new, matching: Book.isbn) == old.id)
    let read = try #require(try books.get(Book.isbn, "1"))
    #expect(read.title == "New" && read.author.target?.name == "Ada")
    #expect(read.related.map(\.title) == ["Related"])
    #expect(try store.box(for: Author.self).count() == 1)
  }

  @Test func aRefusedObjectPutsNoTarget() throws {
    try books.put([book("1", "A"), book("2", "B")])
    let wrong = book("1", "C")
    wrong.id = 2
    wrong.author.target = Author(name: "Ada")
    #expect(thrownCase { try books.put(wrong, matching: Book.isbn) } == "constraintViolated")
    #expect(try store.box(for: Author.self).isEmpty())
  }

  @Test func aDraftFindsAndReplacesWhatItHas() throws {
    try settings.put(Setting("a", 1))
    let draft = store.makeDraft()
    let box = draft.box(for: Setting.self)
    #expect(try box.put(Setting("a", 2), matching: Setting.key) == 1)
    try box.put([Setting("b", 3), Setting("b", 4)], matching: Setting.key)
    #expect(try box.get(Setting.key, "b")?.count == 4)
    #expect(try settings.get(Setting.key, "b") == nil)
    try draft.commit()
    #expect(try settings.all().map(\.count) == [2, 4])
  }

  @Test func threadsStoreOneObjectForEachValue() async throws {
    let failures = CallLog<String>()
    let threads = DispatchGroup()
    for thread in 0..<8 {
      DispatchQueue(label: "thread-\(thread)").async(group: threads) {
        var random = SplitMix64(seed: UInt64(thread))
        do {
          for _ in 0..<200 {
            let value = "\(random.below(20))"
            let id = try settings.put(Setting(value, Int32(thread)), matching: Setting.key)
            if try settings.get(Setting.key, value)?.id != id { failures.append(value) }
            let isbn = book(value, "\(thread)")
            isbn.author.target = Author(name: value)
            try books.put(isbn, matching: Book.isbn)
          }
        } catch { failures.append("\(thread): \(error)") }
      }
    }
    await withCheckedContinuation { done in threads.notify(queue: .global()) { done.resume() } }
    #expect(failures.all == [])
    #expect(try settings.count() == 20)
    #expect(try books.count() == 20)
    #expect(try Set(books.all().map(\.isbn)).count == 20)
  }

  /// Random puts, compared with a dictionary.
  @Test func putsAreThoseOfADictionary() throws {
    var random = TestSeed.next()
    var expected: [String: Int32] = [:]
    for step in 0..<400 {
      let objects = (0...random.below(3)).map { part in
        Setting("\(random.below(12))", Int32(step * 10 + part))
      }
      if random.oneIn(4), let key = expected.keys.sorted().first {
        try settings.remove(try settings.get(Setting.key, key))
        expected[key] = nil
      }
      if objects.count == 1 {
        try settings.put(objects[0], matching: Setting.key)
      } else {
        try settings.put(objects, matching: Setting.key)
      }
      for object in objects { expected[object.key ?? ""] = object.count }
      let stored = try settings.all()
      #expect(stored.count == expected.count)
      #expect(stored.allSatisfy { expected[$0.key ?? ""] == $0.count })
    }
  }
}
