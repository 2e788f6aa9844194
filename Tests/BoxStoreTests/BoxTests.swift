import BoxStore
import TestSupport
import Testing

struct BoxTests {
  @Test(.promise(30, 37, 96, 113, 143, 154, 157)) func puttingSetsTheIDAndGettingReadsTheObject()
    throws
  {
    let store = try SampleStore.inMemory()
    let box = store.box(for: Setting.self)
    let setting = Setting("depth", 3)
    let id = try box.put(setting)
    #expect(id == 1)
    #expect(setting.id == 1)
    let read = try #require(try box.get(id))
    #expect(read !== setting)
    #expect(read.key == "depth")
    #expect(read.count == 3)
    #expect(try box.get(Int64(1))?.key == "depth")
    #expect(try box.get(EntityId<Setting>(2)) == nil)
    #expect(try box.get(Id(0)) == nil)
  }

  @Test(.promise(143, 153, 297)) func puttingAgainReplaces() throws {
    let store = try SampleStore.inMemory()
    let box = store.box(for: Setting.self)
    let setting = Setting("depth", 3)
    try box.put(setting)
    setting.count = 4
    try box.put(setting)
    #expect(try box.count() == 1)
    #expect(try box.get(setting.id)?.count == 4)
  }

  @Test(.promise(153)) func theSameNewObjectTwiceInAnArrayIsStoredOnce() throws {
    // The box keeps its store open.
    let box = try SampleStore.inMemory().box(for: Setting.self)
    let setting = Setting("depth")
    try box.put([setting, setting])
    #expect(try box.count() == 1)
  }

  @Test(.promise(31, 96, 159, 160, 162, 163)) func structsGetTheirIDsAsDocumented() throws {
    let store = try SampleStore.inMemory()
    let box = store.box(for: Everything.self)
    var first = Everything()
    first.string = "a"
    #expect(try box.put(first) == 1)
    #expect(first.id == 0)
    // The copy without an id is another object.
    #expect(try box.put(&first) == 2)
    #expect(first.id == 2)
    var several = [Everything(), Everything()]
    try box.put(&several)
    #expect(several.map(\.id) == [3, 4])
    #expect(try box.putAndReturnIDs([Everything(), several[0]]) == [5, 3])
    #expect(try box.putAndReturnID(Everything()) == 6)
    #expect(try box.count() == 6)
  }

  @Test func modesDecideAboutWhatExists() throws {
    let store = try SampleStore.inMemory()
    let box = store.box(for: Customer.self)
    let ada = Customer("Ada")
    #expect(thrownCase { try box.put(ada, mode: .update) } == "notFound")
    #expect(ada.id == 0)
    try box.put(ada, mode: .insert)
    #expect(thrownCase { try box.put(ada, mode: .insert) } == "constraintViolated")
    ada.name = "Countess"
    try box.put(ada, mode: .update)
    #expect(try box.get(ada.id)?.name == "Countess")
    try box.remove(ada)
    #expect(thrownCase { try box.put(ada, mode: .update) } == "notFound")
    // The id was given once, so that the object can come back with it.
    try box.put(ada)
    #expect(try box.get(ada.id)?.name == "Countess")
  }

  @Test(.promise(144, 171)) func anIDThatWasNeverGivenIsRefusedUnlessTheCallerAssignsThem() throws {
    let store = try SampleStore.inMemory()
    let customer = Customer("Ada")
    customer.id = 7
    #expect(thrownCase { try store.box().put(customer) } == "illegalArgument")
    #expect(try store.box(for: Setting.self).put(Setting("a", id: 7)) == 7)
    #expect(try store.box(for: Setting.self).put(Setting("b")) == 8)
    #expect(
      thrownCase { try store.box().put(Setting("c", id: 1 << 63)) } == "illegalArgument")
  }

  @Test(.promise(77, 189)) func aUniqueValueIsRefusedOrReplacesWhatHasIt() throws {
    let store = try SampleStore.inMemory()
    let books = store.box(for: Book.self)
    let first = Book("A")
    first.isbn = "1"
    let second = Book("B")
    second.isbn = "1"
    try books.put(first)
    #expect(thrownCase { try books.put(second) } == "uniqueViolation")
    #expect(second.id == 0)
    let settings = store.box(for: Setting.self)
    try settings.put([Setting("a", 1), Setting("b", 2)])
    let replacing = Setting("a", 3)
    try settings.put(replacing)
    #expect(try settings.all().map(\.count) == [2, 3])
  }

  @Test(.promise(87, 97, 158, 301, 386)) func readingSeveralKeepsTheOrderAndLeavesOutWhatIsMissing()
    throws
  {
    let store = try SampleStore.inMemory()
    let box = store.box(for: Setting.self)
    let ids = try box.putAndReturnIDs([Setting("a"), Setting("b"), Setting("c")])
    #expect(try box.get([ids[2], 99, ids[0]]).map(\.key) == ["c", "a"])
    #expect(try box.get([99, ids[2], ids[0], ids[1]], maxCount: 2).map(\.key) == ["c", "a"])
    #expect(try box.getAsDictionary([ids[1], 99]).mapValues(\.key) == [ids[1]: "b"])
    #expect(try box.all().map(\.id) == ids)
    #expect(try box.allContiguous().map(\.id) == ids)
    #expect(try box.count(limit: 2) == 2)
    #expect(try box.contains(ids))
    #expect(try !box.contains(ids[0], 99))
    #expect(try !box.isEmpty())
    var seen: [String?] = []
    try box.for([ids[0], 99]) { seen.append($0?.key) }
    #expect(seen == ["a", nil])
  }

  @Test(.promise(155, 156, 158, 293, 299)) func removing() throws {
    let store = try SampleStore.inMemory()
    let box = store.box(for: Setting.self)
    let settings = (0..<6).map { Setting("\($0)") }
    try box.put(settings)
    #expect(try box.remove(settings[0]))
    #expect(try !box.remove(settings[0]))
    #expect(try !box.remove(Setting("new")))
    #expect(try box.remove(settings[1].id))
    #expect(try box.remove([settings[0], settings[2]]) == 1)
    #expect(try box.remove([settings[3].id, 99]) == 1)
    #expect(try box.removeAll() == 2)
    #expect(try box.isEmpty())
    // Ids are not given again.
    #expect(try box.put(Setting("next")) == 7)
  }

  @Test(.promise(92, 369)) func visitorsMayReadAndWithWritableWrite() throws {
    let store = try SampleStore.inMemory()
    let box = store.box(for: Setting.self)
    try box.put((1...200).map { Setting("\($0)", Int32($0)) })
    var seen: [Id] = []
    try box.forEach { (setting: Setting) throws in
      seen.append(setting.id)
      #expect(try box.count() == 200)
    }
    #expect(seen == Array(1...200))
    #expect(
      thrownCase { try box.forEach { try box.remove($0) } } == "cannotWriteWhileReading")
    seen = []
    // Each takes its successor out, and the last adds one.
    try box.visit(writable: true) { setting in
      seen.append(setting.id)
      try box.remove(setting.id + 1)
      if setting.id == 199 { try box.put(Setting("new")) }
      return true
    }
    #expect(seen == Array(stride(from: 1, through: 201, by: 2)))
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try box.visit(writable: true) { setting in
        try box.remove(setting)
        throw Stop()
      }
    }
    #expect(try box.count() == 101)
    var first: [Id] = []
    try box.visit { setting in
      first.append(setting.id)
      return first.count < 2
    }
    #expect(first == [1, 3])
  }

  @Test(.promise(44, 190, 365)) func aFailedPutOfAnArrayKeepsNothingAndTakesTheIDsBack() throws {
    let store = try SampleStore.inMemory()
    let box = store.box(for: Book.self)
    let books = ["1", "2", "1"].map { isbn in
      let book = Book("x")
      book.isbn = isbn
      return book
    }
    #expect(thrownCase { try box.put(books) } == "uniqueViolation")
    #expect(books.map(\.id) == [0, 0, 0])
    #expect(try box.isEmpty())
    try store.runInTransaction {
      let other = Book("other")
      try box.put(other)
      #expect(thrownCase { try box.put(books) } == "uniqueViolation")
      #expect(books.map(\.id) == [0, 0, 0])
      #expect(try box.count() == 1)
    }
    #expect(try box.all().map(\.title) == ["other"])
    // Objects without relations take the other way.
    let settings = [Setting("a"), Setting("b", id: 1 << 63)]
    #expect(thrownCase { try store.box().put(settings) } == "illegalArgument")
    #expect(settings[0].id == 0)
    try store.runInTransaction {
      #expect(thrownCase { try store.box().put(settings) } == "illegalArgument")
    }
    #expect(try store.box(for: Setting.self).isEmpty())
  }
}
