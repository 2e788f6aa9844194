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

  @Test func anUndonePutStoresRelationsWhenItIsRepeated() throws {
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
