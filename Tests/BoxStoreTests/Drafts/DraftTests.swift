import BoxStore
import TestSupport
import Testing

/// The calls of drafts, one by one.
struct DraftTests {
  private let store: Store
  private let box: Box<Setting>
  private let draft: Draft
  private let drafted: DraftBox<Setting>

  init() throws {
    store = try SampleStore.inMemory()
    box = store.box()
    try box.put([Setting("a", 1), Setting("b", 2)])
    draft = store.makeDraft()
    drafted = draft.box()
  }

  // MARK: - Seeing

  @Test(.promise(295)) func changesAreSeenInTheDraftOnlyUntilTheyAreCommitted() throws {
    let added = Setting("c", 3)
    #expect(try drafted.put(added) == 3 && added.id == 3)
    #expect(try drafted.remove(1 as Id))
    #expect(try !drafted.remove(nil) && !drafted.remove(7 as Id))
    #expect(try drafted.all().map(\.id) == [2, 3] && box.all().map(\.id) == [1, 2])
    #expect(try drafted.count() == 2 && drafted.contains(3) && !box.contains(3))
    #expect(try drafted.get([3, 1, 2] as [Id]).map(\.id) == [3, 2])
    #expect(draft.hasChanges)
    try draft.commit()
    #expect(!draft.hasChanges && draft.changes(of: Setting.self).isEmpty)
    #expect(try box.all().map(\.key) == ["b", "c"])
    // It can be used further.
    try drafted.put([Setting("d"), Setting("e")])
    try draft.commit()
    #expect(try box.count() == 4)
  }

  @Test func theStoreOfTheMomentIsSeen() throws {
    try drafted.put(Setting("b", 9, id: 2))
    try box.put(Setting("later"))
    #expect(try drafted.all().map(\.key) == ["a", "b", "later"])
    #expect(try drafted.get(2 as Id)?.count == 9 && box.get(2 as Id)?.count == 2)
  }

  @Test func aPutThatChangesNothingIsNotAStep() throws {
    try drafted.put(Setting("b", 9, id: 2))
    try draft.flush()
    try drafted.put(Setting("b", 8, id: 2))
    #expect(try draft.undo())
    try drafted.put(Setting("b", 9, id: 2))
    #expect(draft.canRedo)
    // Nor is it one if the store has got the same meanwhile.
    try box.put(Setting("b", 9, id: 2))
    try drafted.put(Setting("b", 9, id: 2))
    #expect(draft.canRedo && draft.hasChanges)
    #expect(try draft.undo())
    #expect(!draft.hasChanges && !draft.canUndo)
    #expect(try draft.redo() && draft.redo())
    #expect(try drafted.get(2 as Id)?.count == 8)
  }

  @Test func queriesRelationsAndImportsTakePart() throws {
    let customer = Customer("Ada")
    try draft.runInTransaction { transaction in
      customer.orders.append(Order("tea"))
      try store.box(for: Customer.self).put(customer)
      try transaction.importUniqueObjects(
        Setting.self, from: [SettingSource(key: "a", count: 7), SettingSource(key: "z", count: 8)])
    }
    let query = try box.query { Setting.count > 6 }.ordered(by: .descending(Setting.count)).build()
    #expect(try drafted.find(query).map(\.key) == ["z", "a"] && query.count() == 0)
    #expect(try drafted.find(query, offset: 1, limit: 1).map(\.key) == ["a"])
    let names = try draft.runInTransaction { _ in
      try store.box(for: Order.self).all().map { $0.customer.target?.name }
    }
    #expect(names == ["Ada"])
    try draft.commit()
    #expect(try store.box(for: Order.self).all().map { $0.customer.target?.name } == ["Ada"])
  }

  @Test func aFunctionThatThrowsOrCancelsLeavesTheDraft() throws {
    try drafted.put(Setting("c"))
    for isCancelled in [true, false] {
      #expect(throws: (any Error).self) {
        try draft.runInTransaction { transaction in
          try box.removeAll()
          if isCancelled { try? transaction.cancel() } else { throw BadSource(what: "x") }
        }
      }
    }
    // An error of a nested call fails the whole one, although it is caught.
    #expect(
      thrownCase {
        try draft.runInTransaction { _ in
          try box.removeAll()
          try? store.runInTransaction { throw BadSource(what: "nested") }
        }
      } == "illegalState")
    #expect(try drafted.count() == 3)
    #expect(draft.changes(of: Setting.self).inserted == [3])
  }

  @Test func aPutThatFailsLeavesTheDraft() throws {
    let books = draft.box(for: Book.self)
    func book(_ isbn: String) -> Book {
      let book = Book("title")
      book.isbn = isbn
      return book
    }
    try books.put(book("1"))
    #expect(thrownCase { try books.put(book("1")) } == "uniqueViolation")
    #expect(try books.count() == 1)
    // Others were faster.
    let stored: Box<Book> = store.box()
    try stored.put(book("1"))
    #expect(thrownCase { try draft.commit() } == "uniqueViolation")
    #expect(thrownCase { _ = try books.all() } == "uniqueViolation")
    #expect(draft.hasChanges)
    #expect(try draft.undo())
    #expect(try books.count() == 1)
  }

  @Test func uniqueValuesCanBeExchanged() throws {
    let stored: Box<Book> = store.box()
    let both = [Book("x"), Book("y")]
    (both[0].isbn, both[1].isbn) = ("x", "y")
    try stored.put(both)
    try draft.runInTransaction { _ in
      both[0].isbn = nil
      try stored.put(both[0])
      (both[0].isbn, both[1].isbn) = ("y", "x")
      try stored.put(both[1])
      try stored.put(both[0])
    }
    #expect(try draft.box(for: Book.self).all().map(\.isbn) == ["y", "x"])
    try draft.commit()
    #expect(try stored.all().map(\.isbn) == ["y", "x"])
  }

  // MARK: - Steps

  @Test(.promise(383)) func aStepIsWhatWasChangedBetweenTwoFlushes() throws {
    try drafted.put(Setting("c"))
    try drafted.put(Setting("d"))
    try draft.flush()
    try draft.flush()
    try drafted.put(Setting("e"))
    #expect(draft.canUndo && !draft.canRedo)
    #expect(try draft.undo() && drafted.count() == 4)
    #expect(try draft.undo() && drafted.count() == 2)
    #expect(try !draft.undo() && !draft.hasChanges && !draft.canUndo)
    #expect(try draft.redo() && drafted.all().map(\.key) == ["a", "b", "c", "d"])
    // Another change takes the place of those that could be made again.
    try drafted.put(Setting("f"))
    #expect(try !draft.redo() && drafted.count() == 5)
    try draft.rollback()
    #expect(try drafted.count() == 2 && !draft.canUndo)
  }

  @Test(.promise(383)) func nothingOfACommitIsUndone() throws {
    try drafted.put(Setting("c"))
    try draft.commit()
    #expect(try !draft.undo())
    #expect(try drafted.count() == 3)
  }

  @Test func changesThatChangeNothingAreNone() throws {
    try drafted.put(Setting("b", 9, id: 2))
    try drafted.put(Setting("b", 2, id: 2))
    let added = Setting("c")
    try drafted.put(added)
    try drafted.remove(added)
    #expect(!draft.hasChanges)
  }

  // MARK: - Conflicts

  @Test func whatAnotherTransactionChangedConflicts() throws {
    try drafted.put(Setting("a", 5, id: 1))
    try drafted.put(Setting("b", 5, id: 2))
    try box.put(Setting("a", 6, id: 1))
    try box.remove(2 as Id)
    let expected = [
      (1 as Id, DraftConflict.Kind.updated), (2, .removed),
    ]
    do {
      try draft.commit()
      Issue.record("the draft was committed")
    } catch let error as DraftConflictError {
      #expect(error.conflicts.map(\.id) == expected.map(\.0))
      #expect(error.conflicts.map(\.kind) == expected.map(\.1))
      #expect(
        "\(error)"
          == "other transactions have changed objects of the draft: Setting 1 was updated, "
          + "Setting 2 was removed; roll the draft back and make its changes again, or commit it "
          + "with .overwrite")
    }
    #expect(try box.all().map(\.count) == [6] && draft.hasChanges)
    try draft.commit(conflicts: .overwrite)
    #expect(try box.all().map(\.count) == [5, 5])
  }

  @Test func whatWasReadBeforeAnotherTransactionChangedItConflicts() throws {
    let read = try #require(try drafted.get(1 as Id))
    try box.put(Setting("a", 6, id: 1))
    read.count += 1
    try drafted.put(read)
    #expect(throws: DraftConflictError.self) { try draft.commit() }
    try draft.rollback()
    // Read again, it is as it is stored.
    let again = try #require(try drafted.get(1 as Id))
    again.count += 1
    try drafted.put(again)
    try draft.commit()
    #expect(try box.get(1 as Id)?.count == 7)
    // The draft knows what it has committed.
    again.count += 1
    try drafted.put(again)
    try draft.commit()
    #expect(try box.get(1 as Id)?.count == 8)
  }

  @Test func equalChangesDoNotConflict() throws {
    try drafted.put(Setting("a", 5, id: 1))
    try drafted.remove(2 as Id)
    try box.put(Setting("a", 5, id: 1))
    try box.remove(2 as Id)
    try draft.commit()
    #expect(try box.all().map(\.count) == [5])
  }

  @Test func relationsToManyAreJoined() throws {
    let (students, teachers): (Box<Student>, Box<Teacher>) = (store.box(), store.box())
    try teachers.put([Teacher("x"), Teacher("y"), Teacher("z")])
    let student = Student("s")
    student.teachers.append(try #require(try teachers.get(1 as Id)))
    try students.put(student)
    try draft.runInTransaction { _ in
      let student = try #require(try students.get(1 as Id))
      student.teachers.replace([try #require(try teachers.get(2 as Id))])
      try student.teachers.applyToDb()
    }
    #expect(draft.changes(of: Student.self).updated == [1])
    student.teachers.append(try #require(try teachers.get(3 as Id)))
    try student.teachers.applyToDb()
    try draft.commit()
    #expect(try students.get(1 as Id)?.teachers.map(\.name) == ["y", "z"])
    // A new target that was removed meanwhile cannot be linked.
    try draft.runInTransaction { _ in
      let student = try #require(try students.get(1 as Id))
      student.teachers.append(try #require(try teachers.get(1 as Id)))
      try student.teachers.applyToDb()
    }
    try teachers.remove(1 as Id)
    #expect(throws: DraftConflictError.self) { try draft.commit() }
    try draft.commit(conflicts: .overwrite)
    #expect(try students.get(1 as Id)?.teachers.map(\.name) == ["y", "z"])
  }

  // MARK: - Bad input

  @Test func aDraftThatOutlivesItsStoreIsAnError() throws {
    try drafted.put(Setting("c"))
    store.close()
    for call in [
      { try draft.commit() }, { try draft.rollback() }, { try draft.flush() },
      { _ = try draft.undo() }, { _ = try drafted.all() }, { _ = try drafted.put(Setting("d")) },
    ] {
      #expect {
        try call()
      } throws: {
        "\($0)"
          == "the store of a draft is closed, and the draft with it; open the store, "
          + "and make the changes again"
      }
    }
    // What is in memory can still be asked for.
    #expect(draft.hasChanges && draft.changes(of: Setting.self).inserted == [3])
    #expect(
      draft.debugDescription.contains("1 objects") && draft.debugDescription.contains("closed"))
  }

  @Test func aDraftInATransactionOfItsStoreIsAnError() throws {
    try store.runInTransaction {
      #expect(thrownCase { _ = try drafted.all() } == "illegalState")
      #expect(thrownCase { try draft.commit() } == "illegalState")
    }
    try draft.runInTransaction { _ in
      #expect(!draft.hasChanges)
      #expect(thrownCase { _ = try drafted.count() } == "illegalState")
      #expect(thrownCase { try store.makeDraft().rollback() } == "illegalState")
    }
  }

  @Test func aQueryOfAnotherStoreIsAnError() throws {
    let other = try SampleStore.inMemory()
    let query = try other.box(for: Setting.self).query().build()
    #expect(thrownCase { _ = try drafted.find(query) } == "illegalArgument")
  }

  @Test func draftsOfAReadOnlyStoreCannotBeChanged() throws {
    let directory = try TemporaryDirectory()
    try SampleStore.open(directory).close()
    let store = try SampleStore.open(directory, readOnly: true)
    let draft = store.makeDraft()
    #expect(try draft.box(for: Setting.self).all().isEmpty)
    #expect(
      thrownCase { try draft.box(for: Setting.self).put(Setting("a")) } == "cannotWriteWhileReading"
    )
  }
}
