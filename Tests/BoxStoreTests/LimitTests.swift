import BoxStore
import Dispatch
import Synchronization
import TestSupport
import Testing

// For threads with a stack of a given size.
import struct Foundation.Date
import class Foundation.Thread

/// Chains, conditions and calls that are larger or other than most programs have them.
struct LimitTests {
  private let store: Store
  private let nodes: Box<TreeNode>

  init() throws {
    store = try SampleStore.inMemory()
    nodes = store.box()
  }

  /// Runs a function on a thread with a stack as small as those of queues; returns the error that it throws.
  private func onASmallStack(_ body: @escaping @Sendable () throws -> Void) -> String? {
    let result = Mutex<String?>("it did not end")
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
      let error = thrownCase(body)
      result.withLock { $0 = error }
      done.signal()
    }
    thread.stackSize = 512 * 1024
    thread.start()
    done.wait()
    return result.withLock { $0 }
  }

  // MARK: - Releases

  @Test func aChainOfAMillionIsReleasedInALoop() {
    let error = onASmallStack {
      var last: TreeNode? = TreeNode("0")
      weak let first = last
      for number in 1..<1_000_000 { last = TreeNode("\(number)", under: last) }
      last = nil
      #expect(first == nil)
      // By relations to many, and by both in turn.
      for step in [1, 2] {
        let root = TreeNode("0")
        var node = root
        for number in 1..<100_000 {
          let next = TreeNode("\(number)")
          if number % step == 0 { node.children.append(next) } else { node.parent.target = next }
          node = next
        }
      }
    }
    #expect(error == nil)
  }

  @Test func aChainIsReleasedWhileItIsWalked() throws {
    let count = 20_000
    var last = TreeNode("0")
    for number in 1..<count { last = TreeNode("\(number)", under: last) }
    let id = try nodes.put(last)
    let nodes = nodes
    let walked = Mutex(0)
    let error = onASmallStack {
      var head: TreeNode? = try nodes.get(id)
      var node = head
      while let next = node {
        walked.withLock { $0 += 1 }
        node = next.parent.target
      }
      // It has read the whole chain.
      #expect(head != nil)
      head?.parent.target = nil
      head = nil
    }
    #expect(error == nil)
    #expect(walked.withLock { $0 } == count)
  }

  // MARK: - Conditions

  /// Trees that operators build in loops: lists of any length are queries, deeper ones an error.
  @Test func conditionsOfAHundredThousandTerms() throws {
    try nodes.put(["7", "100000", "x"].map { TreeNode($0) })
    let nodes = nodes
    let error = onASmallStack { () throws in
      typealias Term = QueryCondition<TreeNode>
      var (either, left, right, mixed, both): (Term, Term, Term, Term, Term) = (
        .never, TreeNode.name == "7", TreeNode.name == "7", TreeNode.name == "7", .always
      )
      for number in 0..<100_000 {
        either = either || TreeNode.name == "\(number)"
        left = (left || TreeNode.name == "\(number)") && TreeNode.name != "x"
        right = !(TreeNode.name != "x" && right)
        mixed = number % 2 == 0 ? mixed && TreeNode.name != "x" : mixed || TreeNode.name == "x"
        both = both && TreeNode.name != "\(number)"
      }
      for deep in [left, right, mixed] {
        #expect(thrownCase { _ = try nodes.query { deep }.build() } == "illegalArgument")
      }
      let (some, none) = (either, both)
      #expect(try nodes.query { some }.build().find().map(\.name) == ["7"])
      #expect(try nodes.query { none }.build().find().map(\.name) == ["100000", "x"])
    }
    #expect(error == nil)
  }

  @Test func aToleranceIsNotNegative() throws {
    let books: Box<Book> = store.box()
    for price in [1, 2, .nan, .infinity] {
      let book = Book()
      book.price = price
      try books.put(book)
    }
    for tolerance in [-0.5, -.infinity, .nan] {
      #expect(
        thrownCase {
          _ = try books.query { Book.price.isEqual(to: 1, tolerance: tolerance) }.build()
        }
          == "illegalArgument")
    }
    func count(_ value: Double, _ tolerance: Double) throws -> Int {
      try books.query { Book.price.isEqual(to: value, tolerance: tolerance) }.build().count()
    }
    #expect(try count(1, 0) == 1 && count(1, 0.5) == 1 && count(1, 1) == 2)
    // No number is equal to itself, as it is in conditions, and an infinite distance reaches all numbers.
    #expect(try count(.nan, 0) == 1 && count(.nan, 5) == 1)
    #expect(try count(.infinity, 0) == 1 && count(.infinity, 7) == 1)
    #expect(try count(.infinity, .infinity) == 3 && count(0, .infinity) == 3)
  }

  // MARK: - Relations to many

  /// Changes of a relation are those of an array.
  @Test func aRelationIsChangedAsAnArray() throws {
    var random = TestSeed.next()
    let owner = TreeNode("owner")
    var expected: [TreeNode] = []
    for number in 0..<2_000 {
      let node = TreeNode("\(number)")
      switch random.below(7) {
      case 0 where !expected.isEmpty:
        #expect(owner.children.removeLast() === expected.removeLast())
      case 1 where !expected.isEmpty:
        let position = random.below(expected.count)
        #expect(owner.children.remove(at: position) === expected.remove(at: position))
      case 2:
        let position = random.below(expected.count + 1)
        owner.children.insert(node, at: position)
        expected.insert(node, at: position)
      case 3 where random.oneIn(40):
        owner.children.removeAll { $0.name.hasSuffix("1") }
        expected.removeAll { $0.name.hasSuffix("1") }
      default:
        owner.children.append(node)
        expected.append(node)
      }
      #expect(owner.children.count == expected.count)
    }
    #expect(owner.children.elementsEqual(expected, by: ===))
    try nodes.put(owner)
    #expect(!owner.children.hasPendingDbChanges)
    #expect(try nodes.count() == expected.count + 1)
  }

  // MARK: - Relations to one

  @Test func anIDThatWasNeverGivenIsRefused() throws {
    let parent = TreeNode("parent")
    try nodes.put(parent)
    let child = TreeNode("child")
    child.parent.targetId = EntityId(1_000)
    do {
      try nodes.put(child)
      Issue.record("an id that was never given was stored")
    } catch ObjectBoxError.notFound(let message) {
      #expect(message.contains("TreeNode") && message.contains("1000"), "\(message)")
    }
    #expect(child.id == 0)
    #expect(try nodes.count() == 1)
    // In a transaction, which goes on.
    try store.runInTransaction {
      #expect(thrownCase { try nodes.put(child) } == "notFound")
      #expect(thrownCase { try nodes.put([TreeNode("other"), child]) } == "notFound")
      child.parent.targetId = EntityId(parent.id)
      try nodes.put(child)
    }
    #expect(try nodes.get(child.id)?.parent.target?.name == "parent")
  }

  @Test func anObjectOfAnotherStoreIsRefused() throws {
    let other: Box<TreeNode> = try SampleStore.inMemory().box()
    let strangers = (0..<5).map { TreeNode("\($0)") }
    try other.put(strangers)
    let child = TreeNode("child", under: strangers[4])
    #expect(thrownCase { try nodes.put(child) } == "notFound")
    #expect(try nodes.isEmpty())
  }

  /// A relation that was read in one store has an id that means something else in another one.
  @Test func anIDOfAnotherStoreIsRefused() throws {
    let other: Box<TreeNode> = try SampleStore.inMemory().box()
    try other.put(TreeNode("stranger's child", under: TreeNode("stranger")))
    try nodes.put([TreeNode("a"), TreeNode("b")])
    let strangers = try other.all()
    let copy = try #require(strangers.first { $0.parent.hasValue })
    copy.id = 0
    #expect(thrownCase { try nodes.put(copy) } == "illegalArgument")
    #expect(try nodes.count() == 2)
    copy.parent.target = try nodes.get(2)
    try nodes.put(copy)
    #expect(try nodes.get(copy.id)?.parent.target?.name == "b")
  }

  @Test func theIDOfARemovedObjectIsNil() throws {
    let (parent, child) = (TreeNode("parent"), TreeNode("child"))
    try nodes.put(parent)
    child.parent.target = parent
    try nodes.put(child)
    try nodes.remove(parent)
    let read = try #require(try nodes.get(child.id))
    #expect(read.parent.target == nil && read.parent.hasValue)
    // It is put again as it is.
    read.name = "changed"
    try nodes.put(read)
    #expect(try nodes.get(child.id)?.parent.target == nil)
  }

  // MARK: - Both sides of a relation

  @Test func twoTargetsInOnePutAreAnError() throws {
    let (q, p, k) = (TreeNode("q"), TreeNode("p"), TreeNode("k"))
    try nodes.put([q])
    k.parent.target = q
    p.children.append(k)
    let name = thrownCase { try nodes.put([k, p]) }
    #expect(name == "illegalArgument")
    #expect(try nodes.count() == 1 && k.id == 0 && p.id == 0)
    // The same from both sides is none.
    let (a, b) = (TreeNode("a"), TreeNode("b"))
    b.parent.target = a
    a.children.append(b)
    try nodes.put([b, a])
    #expect(try nodes.get(b.id)?.parent.targetId == EntityId(a.id))
  }

  /// Whichever of the objects the put begins with, and also where the relation to many is written by itself.
  @Test func twoTargetsAreAnErrorFromEachSide() throws {
    func objects() -> (q: TreeNode, p: TreeNode, k: TreeNode) {
      let (q, p, k) = (TreeNode("q"), TreeNode("p"), TreeNode("k"))
      k.parent.target = q
      p.children.append(k)
      return (q, p, k)
    }
    for order in [[1], [0, 1], [1, 0], [2, 1], [1, 2], [0, 2, 1]] {
      let made = objects()
      let all = [made.q, made.p, made.k]
      #expect(thrownCase { try nodes.put(order.map { all[$0] }) } == "illegalArgument", "\(order)")
      #expect(try nodes.isEmpty(), "\(order)")
    }
    let (q, p, k) = objects()
    try nodes.put(q)
    #expect(thrownCase { try nodes.put(p) } == "illegalArgument")
    // The objects are as before, and can be put after one of the two is changed.
    k.parent.target = nil
    try nodes.put(p)
    #expect(try nodes.get(k.id)?.parent.targetId == EntityId(p.id))
    let late = TreeNode("late", under: q)
    p.children.append(late)
    #expect(thrownCase { try p.children.applyToDb() } == "illegalArgument")
    // A stored one moves.
    q.children.append(k)
    try q.children.applyToDb()
    #expect(try nodes.get(k.id)?.parent.targetId == EntityId(q.id))
  }

  /// A put that fails, and is repeated with a new id.
  @Test func aPutThatFailedIsRepeated() throws {
    let (p, k, bad) = (TreeNode("p"), TreeNode("k"), TreeNode("bad"))
    p.children.append(k)
    p.children.append(bad)
    bad.parent.targetId = EntityId(77)
    #expect(thrownCase { try nodes.put(p) } != nil)
    #expect(p.id == 0 && k.id == 0)
    try nodes.put(TreeNode("other"))
    bad.parent.targetId = nil
    try nodes.put(p)
    #expect(try nodes.get(k.id)?.parent.targetId == EntityId(p.id))
    #expect(try nodes.get(p.id)?.children.count == 2)
  }

  // MARK: - Asynchronous puts

  @Test func anAsynchronousPutRefusesAnIDThatWasNeverGiven() throws {
    let failures = Mutex<[String]>([])
    store.onAsyncFailure { error in failures.withLock { $0.append(caseName(error)) } }
    let child = TreeNode("child")
    child.parent.targetId = EntityId(1_000)
    try nodes.async.put(child)
    _ = store.awaitAsyncCompleted()
    #expect(failures.withLock { $0 } == ["notFound"])
    #expect(try nodes.isEmpty())
  }

  @Test func anAsynchronousPutStoresEachObjectOnce() throws {
    let (a, b, c) = (TreeNode("a"), TreeNode("b"), TreeNode("c"))
    // To itself, in a circle of three, and to another one of the call.
    let own = TreeNode("own")
    own.parent.target = own
    (a.parent.target, b.parent.target, c.parent.target) = (b, c, a)
    try nodes.async.put(own)
    try nodes.async.put(a)
    let (x, y) = (TreeNode("x"), TreeNode("y"))
    x.parent.target = y
    try nodes.async.put([x, y])
    _ = store.awaitAsyncCompleted()
    #expect(try nodes.all().map(\.name).sorted() == ["a", "b", "c", "own", "x", "y"])
    for node in [own, a, b, c, x] {
      #expect(try nodes.get(node.id)?.parent.target?.name == node.parent.target?.name)
    }
  }

  @Test func anAsynchronousPutRefusesRelationsToMany() throws {
    let parent = TreeNode("parent")
    parent.children.append(TreeNode("child"))
    #expect(thrownCase { try nodes.async.put(parent) } == "illegalArgument")
    _ = store.awaitAsyncCompleted()
    #expect(try nodes.isEmpty() && parent.id == 0)
    try nodes.put(parent)
    #expect(try nodes.count() == 2)
    // Without objects, it is tied to the store.
    let other = TreeNode("other")
    try nodes.async.put(other)
    _ = store.awaitAsyncCompleted()
    other.children.append(TreeNode("late"))
    try other.children.applyToDb()
    #expect(try nodes.get(other.id)?.children.map(\.name) == ["late"])
  }

  /// A move from one parent to another, in whatever order both are written.
  @Test(arguments: [false, true])
  func anObjectMovesBetweenRelations(_ isReversed: Bool) throws {
    let (p, q, k) = (TreeNode("p"), TreeNode("q"), TreeNode("k"))
    k.parent.target = p
    try nodes.put([p, q, k])
    let (from, to) = (try #require(try nodes.get(p.id)), try #require(try nodes.get(q.id)))
    let moved = from.children.removeFirst()
    to.children.append(moved)
    try store.runInTransaction {
      for node in isReversed ? [to, from] : [from, to] { try node.children.applyToDb() }
    }
    #expect(try nodes.get(k.id)?.parent.targetId == EntityId(q.id))
    #expect(try nodes.get(p.id)?.children.isEmpty ?? false)
    #expect(try nodes.get(q.id)?.children.map(\.name) == ["k"])
  }

  // MARK: - Transactions

  @Test func aTransactionThatHasEndedIsNotCancelled() throws {
    var kept: Transaction?
    try store.runInTransaction { (transaction: Transaction) in
      kept = transaction
      try nodes.put(TreeNode("a"))
    }
    #expect(thrownCase { try kept?.cancel() } == "illegalState")
    #expect(try nodes.count() == 1)
  }

  // MARK: - Imports

  @Test func numbersAreImportedWithoutALoss() {
    #expect(Double(importing: Int64(9_007_199_254_740_993)) == nil)
    #expect(Double(importing: Int64(9_007_199_254_740_992)) == 9_007_199_254_740_992)
    #expect(Float(importing: 16_777_217) == nil)
    #expect(Float(importing: 16_777_216) == 16_777_216)
    #expect(Float(importing: 1e300) == nil)
    #expect(Float(importing: 0.1) == 0.1)
    #expect(Float(importing: Double.infinity) == .infinity)
    #expect(Double(importing: Double.nan)?.isNaN ?? false)
    #expect(Int(importing: 1.5) == nil)
    #expect(Float(importing: 16_777_217.0) == nil)
    #expect(Float(importing: 5e-324) == nil)
    #expect([Float](importing: [0.5, 16_777_217.0]) == nil)
    #expect(Date(importing: "2020-02-29T00:00:00Z") != nil)
    for text in ["2020-02-30T00:00:00Z", "2021-02-29T12:00:00Z", "2021-13-01T00:00:00Z"] {
      #expect(Date(importing: text) == nil, "\(text)")
    }
    #expect(UInt8(importing: 256) == nil)
  }
}
