import BoxStore
import TestSupport
import Testing

struct RelationTests {
  // MARK: - To one

  /// The first behaviour: a stored target.
  @Test(.promise(229, 354)) func aStoredTargetIsNotPutWithItsHost() throws {
    let store = try SampleStore.inMemory()
    let customers = store.box(for: Customer.self)
    let customer = Customer("A")
    try customers.put(customer)
    customer.name = "B"
    let order = Order("shoes", of: customer)
    try store.box().put(order)
    #expect(try customers.get(customer.id)?.name == "A")
    #expect(try store.box(for: Order.self).get(order.id)?.customer.targetId?.value == customer.id)
  }

  /// The first behaviour: a new target.
  @Test(.promise(228, 238, 354)) func oneNewTargetOfSeveralHostsIsStoredOnce() throws {
    let store = try SampleStore.inMemory()
    let customer = Customer("A")
    let orders = [Order("1", of: customer), Order("2", of: customer)]
    try store.box().put(orders)
    #expect(customer.id == 1)
    #expect(try store.box(for: Customer.self).count() == 1)
    let read = try #require(try store.box(for: Customer.self).get(customer.id))
    #expect(read.orders.count == 2)
    #expect(read.orders.map(\.summary) == ["1", "2"])
    // The customer that was put is tied to the store as well.
    #expect(customer.orders.map(\.id) == orders.map(\.id))
  }

  @Test(.promise(226, 235)) func targetsAreReadWhenTheyAreAskedForAndKept() throws {
    let store = try SampleStore.inMemory()
    let customers = store.box(for: Customer.self)
    let customer = Customer("A")
    try store.box().put(Order("1", of: customer))
    let order = try #require(try store.box(for: Order.self).all().first)
    customer.name = "B"
    try customers.put(customer)
    let target = try #require(order.customer.target)
    #expect(target.name == "B")
    customer.name = "C"
    try customers.put(customer)
    #expect(order.customer.target === target)
    order.customer.reset()
    #expect(order.customer.targetId?.value == customer.id)
    #expect(order.customer.target?.name == "C")
  }

  @Test(.promise(227, 234, 370)) func aToOneWithoutTargetIsNilAndATargetThatIsGoneIsLookedUpAgain()
    throws
  {
    let store = try SampleStore.inMemory()
    let orders = store.box(for: Order.self)
    let customer = Customer("A")
    let order = Order("1", of: customer)
    try orders.put([order, Order("2")])
    #expect(try orders.get(Id(2))?.customer.hasValue == false)
    #expect(try orders.get(Id(2))?.customer.target == nil)
    let read = try #require(try orders.get(order.id))
    try store.box().remove(customer)
    #expect(read.customer.target == nil)
    #expect(read.customer.hasValue)
    #expect(try read.customer.resolve() == nil)
    try store.box().put(customer)
    #expect(read.customer.target?.name == "A")
  }

  @Test(.promise(370)) func settingTheIDForgetsAnotherTarget() throws {
    let store = try SampleStore.inMemory()
    let (ada, bob) = (Customer("Ada"), Customer("Bob"))
    try store.box().put([ada, bob])
    let relation = ToOne(ada)
    relation.attach(to: store.box())
    relation.targetId = EntityId(ada.id)
    #expect(relation.target === ada)
    relation.targetId = EntityId(bob.id)
    #expect(relation.target?.name == "Bob")
    relation.targetId = nil
    #expect(!relation.hasValue)
    let new = Customer("Cid")
    relation.target = new
    #expect(relation.hasValue)
    #expect(relation.targetId == nil)
    // The id counts as it is: the target was put meanwhile.
    try store.box().put(new)
    #expect(relation.targetId?.value == new.id)
  }

  @Test(.promise(231, 232, 233)) func removingARelationKeepsTheObjects() throws {
    let store = try SampleStore.inMemory()
    let orders = store.box(for: Order.self)
    let order = Order("1", of: Customer("A"))
    try orders.put(order)
    for remove in [
      { (order: Order) in order.customer.target = nil }, { $0.customer.targetId = nil },
      { $0.customer = nil }, { $0.customer = ToOne<Customer>(target: nil) },
    ] {
      order.customer.targetId = 1
      try orders.put(order)
      #expect(try orders.get(order.id)?.customer.target?.name == "A")
      remove(order)
      try orders.put(order)
      #expect(try orders.get(order.id)?.customer.hasValue == false)
    }
    #expect(try store.box(for: Customer.self).count() == 1)
  }

  @Test(.promise(364)) func aNewStructIsPutAtEachRelationThatHasIt() throws {
    let store = try SampleStore.inMemory()
    let books = store.box(for: Book.self)
    let author = Author(name: "Ada")
    let (first, second) = (Book("1", by: author), Book("2", by: author))
    try books.put([first, second])
    #expect(try store.box(for: Author.self).all().map(\.name) == ["Ada", "Ada"])
    #expect(first.author.target?.id == 1)
    #expect(second.author.target?.id == 2)
    let stored = try store.box(for: Author.self).put(struct: Author(name: "Bob"))
    try books.put([Book("3", by: stored), Book("4", by: stored)])
    #expect(try store.box(for: Author.self).count() == 3)
    #expect(try store.box(for: Author.self).get(stored.id)?.books.map(\.title) == ["3", "4"])
  }

  // MARK: - Graphs

  @Test(.promise(364)) func cyclesOfNewObjectsEndAndAreStoredOnce() throws {
    let store = try SampleStore.inMemory()
    let nodes = store.box(for: TreeNode.self)
    let (a, b, c) = (TreeNode("a"), TreeNode("b"), TreeNode("c"))
    (a.parent.target, b.parent.target, c.parent.target) = (b, c, a)
    a.children.append(c)
    b.children.append(a)
    try nodes.put(a)
    #expect(try nodes.count() == 3)
    let read = try #require(try nodes.get(a.id))
    #expect(read.parent.target?.parent.target?.parent.target?.name == "a")
    #expect(read.children.map(\.name) == ["c"])
    let own = TreeNode("own")
    own.parent.target = own
    try nodes.put(own)
    #expect(try nodes.get(own.id)?.parent.targetId?.value == own.id)
  }

  @Test(.promise(364, 402)) func newStudentsAndTeachersOfEachOtherAreLinkedInOnePut() throws {
    let store = try SampleStore.inMemory()
    let (student, teacher) = (Student("S"), Teacher("T"))
    student.teachers.append(teacher)
    teacher.students.append(student)
    try store.box().put(student)
    #expect(try store.box(for: Student.self).count() == 1)
    #expect(try store.box(for: Teacher.self).count() == 1)
    #expect(try store.box(for: Teacher.self).get(teacher.id)?.students.map(\.name) == ["S"])
    #expect(try store.box(for: Student.self).get(student.id)?.teachers.map(\.name) == ["T"])
  }

  @Test(.promise(230, 249)) func aTreeIsPutFromItsRoot() throws {
    let store = try SampleStore.inMemory()
    let root = TreeNode("root")
    let child = TreeNode("child")
    child.children.append(TreeNode("grandchild"))
    root.children.append(contentsOf: [child, TreeNode("second")])
    try store.box().put(root)
    let read = try #require(try store.box(for: TreeNode.self).get(root.id))
    #expect(read.children.map(\.name).sorted() == ["child", "second"])
    #expect(read.children.first { $0.name == "child" }?.children.map(\.name) == ["grandchild"])
    #expect(child.parent.target === root || child.parent.targetId?.value == root.id)
  }

  @Test(.promise(365), arguments: [false, true])
  func aPutOfAGraphThatFailsKeepsNothing(isJoined: Bool) throws {
    let store = try SampleStore.inMemory()
    let books = store.box(for: Book.self)
    let taken = Book("taken")
    taken.isbn = "1"
    try books.put(taken)
    let failing = Book("failing", by: Author(name: "new"))
    failing.isbn = "1"
    func tryPut() throws {
      #expect(thrownCase { try books.put(failing) } == "uniqueViolation")
      #expect(failing.id == 0)
      #expect(failing.author.target?.id == 0)
      #expect(try store.box(for: Author.self).isEmpty())
      #expect(try books.count() == 1)
    }
    if isJoined { try store.runInTransaction { try tryPut() } } else { try tryPut() }
    failing.isbn = "2"
    try books.put(failing)
    #expect(try store.box(for: Author.self).count() == 1)
  }

  @Test(.promise(365), arguments: [false, true])
  func aFailureAmongTheToManyOfANewHostUndoesTheHost(isJoined: Bool) throws {
    let store = try SampleStore.inMemory()
    let books = store.box(for: Book.self)
    let (taken, existing) = (Book("taken"), Book("existing"))
    taken.isbn = "1"
    try books.put([taken, existing])
    var author = Author(name: "new")
    let failing = Book("failing")
    failing.isbn = "1"
    existing.title = "changed"
    author.books.append(existing)
    author.books.append(failing)
    func tryPut() throws {
      #expect(thrownCase { try store.box().put(&author) } == "uniqueViolation")
      #expect(author.id == 0)
      #expect(failing.id == 0)
      #expect(try store.box(for: Author.self).isEmpty())
      #expect(try books.get(existing.id)?.title == "existing")
      #expect(try books.get(existing.id)?.author.hasValue == false)
    }
    if isJoined { try store.runInTransaction { try tryPut() } } else { try tryPut() }
    #expect(try books.count() == 2)
  }
}
