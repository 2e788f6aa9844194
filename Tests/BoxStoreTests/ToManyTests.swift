import BoxStore
import TestSupport
import Testing

struct ToManyTests {
  private let store: Store
  private let students: Box<Student>
  private let teachers: Box<Teacher>

  init() throws {
    store = try SampleStore.inMemory()
    students = store.box()
    teachers = store.box()
  }

  /// The second behaviour: a stored host.
  @Test(.promise(82, 241, 245, 355)) func aStoredHostsPutWritesNothingAndApplyingWrites() throws {
    let student = Student("S")
    try students.put(student)
    student.teachers.append(Teacher("T"))
    #expect(student.teachers.hasPendingDbChanges)
    try students.put(student)
    #expect(try teachers.isEmpty())
    try student.teachers.applyToDb()
    #expect(!student.teachers.hasPendingDbChanges)
    #expect(try teachers.count() == 1)
    #expect(try students.get(student.id)?.teachers.map(\.name) == ["T"])
  }

  /// The second behaviour: a new host.
  @Test(.promise(69, 355)) func aNewHostsPutWritesItsRelations() throws {
    let student = Student("S")
    student.teachers.append(contentsOf: [Teacher("T"), Teacher("U")])
    try students.put(student)
    #expect(try students.get(student.id)?.teachers.map(\.name) == ["T", "U"])
  }

  /// The second behaviour: changes elsewhere.
  @Test(.promise(83, 85, 236, 355)) func changesMadeElsewhereAreSeenAfterReset() throws {
    let student = Student("S")
    student.teachers.append(Teacher("T"))
    try students.put(student)
    let read = try #require(try students.get(student.id))
    #expect(!read.teachers.resolved)
    #expect(read.teachers.count == 1)
    #expect(read.teachers.resolved)
    let other = try #require(try students.get(student.id))
    other.teachers.append(Teacher("U"))
    try other.teachers.applyToDb()
    #expect(read.teachers.count == 1)
    #expect(try read.teachers.getUncachedFromDb().map(\.name) == ["T", "U"])
    #expect(try read.teachers.getUncachedIdsFromDb() == [1, 2])
    read.teachers.reset()
    #expect(read.teachers.map(\.name) == ["T", "U"])
  }

  /// The second behaviour: changes that cancel out.
  @Test(.promise(241, 355)) func addingAndRemovingTheSameObjectWritesNothing() throws {
    let (student, teacher) = (Student("S"), Teacher("T"))
    try students.put(student)
    try teachers.put(teacher)
    student.teachers.append(teacher)
    student.teachers.remove(at: 0)
    #expect(!student.teachers.hasPendingDbChanges)
    // Nothing is written, so that a read transaction is enough.
    try store.runInReadOnlyTransaction { try student.teachers.applyToDb() }
    student.teachers.append(teacher)
    #expect(
      thrownCase { try store.runInReadOnlyTransaction { try student.teachers.applyToDb() } }
        == "cannotWriteWhileReading")
    try student.teachers.applyToDb()
    student.teachers.removeAll()
    student.teachers.append(teacher)
    try store.runInReadOnlyTransaction { try student.teachers.applyToDb() }
  }

  @Test(.promise(371)) func anObjectThatIsThereTwiceIsLinkedOnce() throws {
    let (student, teacher) = (Student("S"), Teacher("T"))
    try students.put(student)
    student.teachers.append(contentsOf: [teacher, teacher])
    #expect(student.teachers.count == 2)
    try student.teachers.applyToDb()
    #expect(try teachers.count() == 1)
    #expect(try students.get(student.id)?.teachers.count == 1)
    // One of two goes: the object is still there.
    student.teachers.removeLast()
    #expect(!student.teachers.hasPendingDbChanges)
  }

  @Test(.promise(101, 244, 247)) func theRelationIsSeenAndChangedFromBothSides() throws {
    let (ada, bob) = (Student("Ada"), Student("Bob"))
    let teacher = Teacher("T")
    try students.put([ada, bob])
    try teachers.put(teacher)
    teacher.students.append(contentsOf: [ada, bob])
    try teacher.students.applyToDb()
    #expect(try students.get(ada.id)?.teachers.map(\.name) == ["T"])
    teacher.students.removeAll { $0.name == "Ada" }
    try teacher.students.applyToDb()
    #expect(try students.get(ada.id)?.teachers.isEmpty == true)
    #expect(try teachers.get(teacher.id)?.students.map(\.name) == ["Bob"])
    #expect(try students.count() == 2)
    try students.remove(bob)
    #expect(try teachers.get(teacher.id)?.students.isEmpty == true)
  }

  /// The third behaviour.
  @Test(.promise(101, 233, 237, 242, 243, 356)) func replacingABacklinkSetsAndTakesTheToOne() throws
  {
    let orders = store.box(for: Order.self)
    let customer = Customer("A")
    let (old1, old2) = (Order("old1", of: customer), Order("old2", of: customer))
    try orders.put([old1, old2])
    let new = Order("new")
    let read = try #require(try store.box(for: Customer.self).get(customer.id))
    let kept = try #require(read.orders.first { $0.summary == "old2" })
    read.orders.replace([new, kept])
    try read.orders.applyToDb()
    #expect(try orders.get(old1.id)?.customer.hasValue == false)
    #expect(new.customer.targetId?.value == customer.id)
    #expect(try orders.get(new.id)?.customer.targetId?.value == customer.id)
    #expect(try orders.count() == 3)
    read.orders.replace([])
    try read.orders.applyToDb()
    #expect(try orders.all().allSatisfy { !$0.customer.hasValue })
    #expect(try orders.count() == 3)
  }

  /// The third behaviour: an unsaved host.
  @Test(.promise(83, 356)) func anUnsavedHostCannotBeApplied() throws {
    let customer = Customer("A")
    // Without changes there is nothing to apply.
    try customer.orders.applyToDb()
    customer.orders.append(Order("1"))
    #expect(!customer.orders.canInteractWithDb)
    #expect(thrownCase { try customer.orders.applyToDb() } == "cannotRelateToUnsavedEntities")
    #expect(thrownCase { _ = try customer.orders.getUncachedFromDb() } != nil)
    try store.box().put(customer)
    #expect(customer.orders.canInteractWithDb)
    #expect(try store.box(for: Order.self).count() == 1)
  }

  @Test func anObjectThatWasRemovedMeanwhileStaysRemoved() throws {
    let orders = store.box(for: Order.self)
    let customer = Customer("A")
    let order = Order("1", of: customer)
    try orders.put(order)
    let read = try #require(try store.box(for: Customer.self).get(customer.id))
    #expect(read.orders.count == 1)
    try orders.remove(order)
    read.orders.removeAll()
    try read.orders.applyToDb()
    #expect(try orders.isEmpty())
  }

  @Test func structsInARelationGetTheirIDs() throws {
    let author = try store.box(for: Author.self).put(struct: Author(name: "Ada"))
    author.books.append(Book("1"))
    try author.books.applyToDb()
    let read = try #require(try store.box(for: Author.self).get(author.id))
    #expect(read.books.first?.author.target?.name == "Ada")
    let book = try #require(read.books.first)
    book.related.append(book)
    try book.related.applyToDb()
    #expect(try store.box(for: Book.self).get(book.id)?.related.map(\.title) == ["1"])
  }

  @Test(.promise(86, 239, 240, 371)) func itIsACollectionThatStaysTheSameObject() throws {
    let relation = ToMany<Teacher>()
    let names = { relation.map(\.name).joined() }
    relation.append(contentsOf: "abcdef".map { Teacher(String($0)) })
    relation.insert(Teacher("x"), at: 1)
    relation.insert(contentsOf: [Teacher("y"), Teacher("z")], at: 0)
    #expect(names() == "yzaxbcdef")
    #expect(relation.removeFirst().name == "y")
    #expect(relation.removeLast().name == "f")
    relation.removeSubrange(0..<2)
    relation.replaceSubrange(1...1, with: [Teacher("B")])
    #expect(names() == "xBcde")
    relation.removeFirst(1)
    relation.removeLast(1)
    #expect(relation.remove(at: 1).name == "c")
    #expect(names() == "Bd")
    #expect(relation.reversed().map(\.name) == ["d", "B"])
    // Collections that are made of the relation itself.
    relation.replace(relation.reversed())
    relation.append(contentsOf: relation)
    relation.replaceSubrange(0..<1, with: relation)
    #expect(names() == "dBdBBdB")
    relation.removeAll(keepingCapacity: true)
    #expect(relation.isEmpty)
  }

  @Test(.promise(82, 246, 371)) func generatedChangesAgreeWithAModel() throws {
    var random = TestSeed.next()
    let pool = (0..<12).map { Teacher("\($0)") }
    try teachers.put(pool)
    let student = Student("S")
    try students.put(student)
    var stored: Set<Id> = []
    var host = try #require(try students.get(student.id))
    for _ in 0..<400 {
      switch random.below(6) {
      case 0: host.teachers.append(random.pick(pool))
      case 1 where !host.teachers.isEmpty:
        host.teachers.remove(at: random.below(host.teachers.count))
      case 2: host.teachers.replace((0..<random.below(5)).map { _ in random.pick(pool) })
      case 3:
        let ids = Set(host.teachers.map(\.id))
        let isChanged = ids != stored
        #expect(host.teachers.hasPendingDbChanges == isChanged)
        try host.teachers.applyToDb()
        stored = ids
      case 4: host.teachers.reset()
      default: host = try #require(try students.get(student.id))
      }
      #expect(try host.teachers.getUncachedIdsFromDb() == stored.sorted())
    }
  }
}
