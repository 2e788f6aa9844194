import BoxStore
import TestSupport
import Testing

/// Objects with relations whose put, or whose transaction, was undone, and which are put again.
struct PutAgainTests {
  private struct Stop: Error {}

  private let store: Store
  private let customers: Box<Customer>
  private let orders: Box<Order>
  private let students: Box<Student>

  init() throws {
    store = try SampleStore.inMemory()
    customers = store.box()
    orders = store.box()
    students = store.box()
  }

  private func undone(_ body: () throws -> Void) {
    #expect(throws: Stop.self) {
      try store.runInTransaction {
        try body()
        throw Stop()
      }
    }
  }

  @Test func aPutThatFailedForAnotherObjectKeepsTheChangesOfRelations() throws {
    let known = Teacher("Known")
    try store.box().put(known)
    let first = Student("S")
    first.teachers.append(contentsOf: [Teacher("New"), known])
    let wrong = Student("W")
    wrong.id = 1 << 63
    #expect(thrownCase { try students.put([first, wrong]) } == "illegalArgument")
    #expect(first.id == 0)
    try students.put([first, Student("Right")])
    #expect(try students.get(first.id)?.teachers.map(\.name) == ["Known", "New"])
  }

  @Test(.promise(366)) func anUndonePutStoresRelationsWhenItIsRepeated() throws {
    let customer = Customer("A")
    customer.orders.append(contentsOf: [Order("1"), Order("2")])
    let order = Order("3", of: Customer("B"))
    undone {
      try customers.put(customer)
      try orders.put(order)
    }
    let ids = (customer.id, order.id, order.customer.targetId?.value)
    try customers.put(customer)
    try orders.put(order)
    #expect(ids == (customer.id, order.id, order.customer.targetId?.value))
    #expect(try customers.get(customer.id)?.orders.map(\.summary) == ["1", "2"])
    #expect(try orders.get(order.id)?.customer.target?.name == "B")
  }

  @Test func aFailedPutOfAnUndoneObjectLeavesItUndone() throws {
    let customer = Customer("A")
    undone { try customers.put(customer) }
    let wrong = Order("W")
    wrong.id = 1 << 63
    customer.orders.append(wrong)
    let order = Order("1", of: customer)
    try store.runInTransaction {
      #expect(thrownCase { try customers.put(customer) } == "illegalArgument")
      #expect(try customers.isEmpty())
      customer.orders.removeAll()
      try orders.put(order)
    }
    #expect(try customers.all().map(\.name) == ["A"])
    #expect(try orders.get(order.id)?.customer.target?.name == "A")
  }

  /// In a transaction of their own, in one that goes on, and in one that is undone.
  @Test(arguments: [true, false], [0, 1, 2])
  func aMoveThatFailsLeavesTheRelationOfTheObject(_ isNew: Bool, _ kind: Int) throws {
    let (first, second) = (Customer("A"), Customer("B"))
    let moved = Order("1", of: first)
    let loose = Order("2")
    try orders.put([moved, loose])
    if !isNew { try customers.put(second) }
    let wrong = Order("W")
    if kind < 2 { wrong.id = 1 << 63 }
    second.orders.append(contentsOf: [moved, loose, wrong])
    let write = { if isNew { try customers.put(second) } else { try second.orders.applyToDb() } }
    switch kind {
    case 0: #expect(thrownCase(write) == "illegalArgument")
    case 1:
      try store.runInTransaction { #expect(thrownCase(write) == "illegalArgument") }
    default: undone(write)
    }
    #expect(moved.customer.target === first)
    #expect(!loose.customer.hasValue)
    try orders.put([moved, loose])
    #expect(try orders.get([moved.id, loose.id]).map { $0.customer.target?.name } == ["A", nil])
    // It is still to be written.
    if kind < 2 { second.orders.removeLast() }
    if isNew { try customers.put(second) } else { try second.orders.applyToDb() }
    #expect(moved.customer.targetId?.value == second.id)
    #expect(try customers.get(second.id)?.orders.count == (kind < 2 ? 2 : 3))
  }

  @Test func aRemovalThatFailsLeavesTheRelationOfTheObject() throws {
    let customer = Customer("A")
    let order = Order("1", of: customer)
    try orders.put(order)
    let wrong = Order("W")
    wrong.id = 1 << 63
    customer.orders.removeAll()
    customer.orders.append(wrong)
    #expect(thrownCase { try customer.orders.applyToDb() } == "illegalArgument")
    try orders.put(order)
    #expect(try orders.get(order.id)?.customer.target?.name == "A")
  }

  @Test func aTargetThatWasSetAfterTheMoveStaysWhenTheTransactionIsUndone() throws {
    let (first, second, third) = (Customer("A"), Customer("B"), Customer("C"))
    let order = Order("1", of: first)
    try orders.put(order)
    second.orders.append(order)
    undone {
      try customers.put(second)
      order.customer.target = third
    }
    #expect(order.customer.target === third)
  }

  @Test func anUndoneChangeOfARelationStaysPending() throws {
    let student = Student("S")
    let known = Teacher("Known")
    try store.box().put(known)
    try students.put(student)
    student.teachers.append(contentsOf: [known, Teacher("New")])
    undone { try student.teachers.applyToDb() }
    #expect(student.teachers.hasPendingDbChanges)
    try student.teachers.applyToDb()
    #expect(try students.get(student.id)?.teachers.map(\.name) == ["Known", "New"])
    student.teachers.removeAll { $0.name == "Known" }
    undone { try student.teachers.applyToDb() }
    try student.teachers.applyToDb()
    #expect(try students.get(student.id)?.teachers.map(\.name) == ["New"])
  }

  @Test func whatWasRemovedAfterThePutIsNotStoredAgain() throws {
    let order = Order("1", of: Customer("A"))
    undone { try orders.put(order) }
    try orders.put(order)
    let customer = try #require(order.customer.target)
    #expect(try customers.remove(customer.id) == true)
    try orders.put(order)
    #expect(try customers.isEmpty())
  }

  @Test func aLongChainIsStoredAgain() throws {
    let nodes = (0..<5000).map { _ in TreeNode() }
    for (node, parent) in zip(nodes, nodes.dropFirst()) { node.parent.target = parent }
    let box = store.box(for: TreeNode.self)
    undone { try box.put(nodes[0]) }
    #expect(try box.isEmpty())
    try box.put(nodes[0])
    #expect(try box.count() == nodes.count)
    for node in nodes { node.parent.target = nil }
  }
}
