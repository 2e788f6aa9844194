import BoxStore
import TestSupport
import Testing

/// Conditions on objects at the other end of a relation.
struct QueryLinkTests {
  /// The sixth behaviour, with strings that are longer than the keys of an index.
  @Test(.promise(76, 224, 359), arguments: QuerySample.StringIndex.allCases)
  func aLinkHoldsBesideTheWholeCondition(_ index: QuerySample.StringIndex) throws {
    let store = try QueryStore.open(QuerySample.shop(index))
    let (customers, orders) = (store.box(for: Customer.self), store.box(for: Order.self))
    let (ada, bob) = (Customer("Ada"), Customer("Bob"))
    try customers.put([ada, bob])
    let long = String(repeating: "x", count: 600)
    try orders.put([
      Order("a", of: ada), Order(long + "1", of: ada), Order(long + "2", of: bob),
      Order(long + "1", of: bob), Order(nil, of: ada), Order("b", of: bob),
    ])
    let either = try orders.query { Order.summary == long + "1" || Order.summary == "a" }
      .link(Order.customer) { Customer.name == "Ada" }.build()
    #expect(try either.find().map(\.id) == [1, 2])
    let less = try orders.query { Order.summary < long + "2" || Order.summary.isNil() }
      .link(Order.customer) { Customer.name == "Ada" }.build()
    #expect(try less.find().map(\.id) == [1, 2, 5])
    let withOrders = try customers.query().link(Customer.orders) {
      Order.summary.isGreaterThan("a") && Order.summary != "b"
    }.build()
    #expect(try withOrders.find().map(\.name) == ["Ada", "Bob"])
    let twice = try customers.query { Customer.name != "" }
      .link(Customer.orders) { Order.summary.startsWith(long) }.build()
    #expect(try twice.findIds().map(\.value) == [1, 2])
    #expect(try twice.count() == 2)
  }

  @Test(.promise(224, 248)) func relationsToManyAreFollowedInBothDirections() throws {
    let store = try QueryStore.sample()
    let (students, teachers) = (store.box(for: Student.self), store.box(for: Teacher.self))
    let (ann, bob) = (Student("Ann"), Student("Bob"))
    let (kim, lee) = (Teacher("Kim"), Teacher("Lee"))
    ann.teachers.append(kim)
    ann.teachers.append(lee)
    bob.teachers.append(lee)
    try students.put([ann, bob])
    let ofLee = try students.query().link(Student.teachers) { Teacher.name == "Lee" }.build()
    #expect(try ofLee.find().map(\.name) == ["Ann", "Bob"])
    let ofBob = try teachers.query().link(Teacher.students) { Student.name == "Bob" }.build()
    #expect(try ofBob.find().map(\.name) == ["Lee"])
    let inside = try students.query {
      !.link(Student.teachers) { Teacher.name == "Kim" } || Student.name == "Cy"
    }.build()
    #expect(try inside.find().map(\.name) == ["Bob"])
  }

  @Test(.promise(248)) func linksAreNested() throws {
    let box = try QueryStore.sample().box(for: TreeNode.self)
    let root = TreeNode("root")
    let child = TreeNode("child", under: root)
    try box.put(TreeNode("leaf", under: child))
    try box.put(TreeNode("other", under: root))
    let grandchildren = try box.query().link(TreeNode.parent) {
      .link(TreeNode.parent) { TreeNode.name == "root" }
    }.build()
    #expect(try grandchildren.find().map(\.name) == ["leaf"])
    let ancestors = try box.query().link(TreeNode.children) {
      .link(TreeNode.children) { .always }
    }.build()
    #expect(try ancestors.find().map(\.name) == ["root"])
  }

  /// Parameters of a link come after those of the query itself.
  @Test func valuesOfALinkAreChanged() throws {
    let box = try QueryStore.sample().box(for: TreeNode.self)
    let root = TreeNode("root")
    try box.put([TreeNode("a", under: root), TreeNode("b", under: root)])
    let query = try box.query { TreeNode.name == "a" }
      .link(TreeNode.parent) { "parent" .= TreeNode.name == "none" }.build()
    #expect(try query.count() == 0)
    query.setParameter("parent", to: "root")
    query.setParameter(TreeNode.name, to: "b")
    #expect(try query.find().map(\.name) == ["b"])
  }
}
