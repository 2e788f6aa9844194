import BoxStore
import Dispatch
import Synchronization
import TestSupport
import Testing

// For threads with a stack of a given size.
import class Foundation.Thread

/// Trees, chains and rings of new objects, put at once from any of their ends.
struct FamilyProgramTests {
  private let store: Store
  private let nodes: Box<TreeNode>

  init() throws {
    store = try SampleStore.inMemory()
    nodes = store.box()
  }

  /// The names below a node as they are stored, children in brackets.
  private func outline(_ node: TreeNode) -> String {
    let children = node.children.map(outline)
    return node.name + (children.isEmpty ? "" : "[\(children.joined(separator: " "))]")
  }

  private func storedOutline(_ name: String) throws -> String {
    outline(try #require(try nodes.query { TreeNode.name == name }.build().findUnique()))
  }

  @Test func aTreeIsPutFromALeafOrFromItsRoot() throws {
    let root = TreeNode("root")
    let branch = TreeNode("branch", under: root)
    let leaf = TreeNode("leaf", under: branch)
    try nodes.put(leaf)
    #expect(try storedOutline("root") == "root[branch[leaf]]")
    #expect([root.id, branch.id, leaf.id].allSatisfy { $0 != 0 })

    let other = TreeNode("other")
    for name in ["x", "y"] {
      let child = TreeNode(name)
      child.children.append(TreeNode(name + "1"))
      child.children.append(TreeNode(name + "2"))
      other.children.append(child)
    }
    try nodes.put(other)
    #expect(try storedOutline("other") == "other[x[x1 x2] y[y1 y2]]")

    // A branch moves with all that hangs on it.
    let moved = try #require(try nodes.query { TreeNode.name == "x" }.build().findUnique())
    moved.parent.target = leaf
    try nodes.put(moved)
    #expect(try storedOutline("root") == "root[branch[leaf[x[x1 x2]]]]")
    #expect(try storedOutline("other") == "other[y[y1 y2]]")

    // Removing a node leaves its children, without a parent.
    try nodes.remove(moved)
    let child = try #require(try nodes.query { TreeNode.name == "x1" }.build().findUnique())
    #expect(child.parent.target == nil && child.parent.hasValue)
    let grandchildren = try nodes.query().link(TreeNode.parent) { TreeNode.name == "y" }
      .ordered(by: TreeNode.name, flags: .descending).build()
    #expect(try grandchildren.find().map(\.name) == ["y2", "y1"])
  }

  @Test func ringsEnd() throws {
    let ring = (0..<5).map { TreeNode("\($0)") }
    for (node, next) in zip(ring, ring.dropFirst() + ring.prefix(1)) { node.parent.target = next }
    try nodes.put(ring[2])
    #expect(try nodes.count() == 5)
    let stored = try #require(try nodes.query { TreeNode.name == "0" }.build().findUnique())
    var node = stored
    for _ in 0..<5 { node = try #require(node.parent.target) }
    #expect(node.id == stored.id)
    let alone = TreeNode("alone")
    alone.parent.target = alone
    try nodes.put(alone)
    #expect(alone.id != 0 && alone.parent.targetId == EntityId(alone.id))
    #expect(try nodes.get(alone.id)?.parent.target?.name == "alone")
    for (one, other) in zip(ring, ring.dropFirst()) { one.parent.target = other }
  }

  /// Puts an object on a thread with a stack as small as those of queues; returns the error's case.
  private func putOnASmallStack(_ node: TreeNode, inTransaction: Bool = false) -> String? {
    nonisolated(unsafe) let node = node
    let result = Mutex<String??>(nil)
    let done = DispatchSemaphore(value: 0)
    let thread = Thread { [nodes, store] in
      let name = thrownCase {
        if inTransaction {
          try store.runInTransaction { _ = try nodes.put(node) }
        } else {
          try nodes.put(node)
        }
      }
      result.withLock { $0 = .some(name) }
      done.signal()
    }
    thread.stackSize = 512 * 1024
    thread.start()
    done.wait()
    return result.withLock { $0 } ?? "no result"
  }

  /// Takes rings apart, which would keep each other.
  private func takeApart(_ all: [TreeNode]) {
    for node in all {
      node.parent.target = nil
      node.children = nil
    }
  }

  @Test(.promise(364), arguments: [false, true])
  func aLongChainIsPutFromItsEnd(inTransaction: Bool) throws {
    var chain = [TreeNode("0")]
    for number in 1..<5_000 { chain.append(TreeNode("\(number)", under: chain[number - 1])) }
    #expect(putOnASmallStack(chain[4_999], inTransaction: inTransaction) == nil)
    #expect(try nodes.count() == 5_000)
    #expect(try nodes.query { TreeNode.parent.isNil() }.build().findUnique()?.name == "0")
    for node in try nodes.all() where node.name != "0" {
      let parent = try nodes.get(try #require(node.parent.targetId))
      #expect(parent?.name == (Int(node.name).map { "\($0 - 1)" }))
    }
    #expect(chain.allSatisfy { $0.id != 0 })
  }

  @Test(arguments: [false, true])
  func aLongChainIsPutFromItsRoot(inTransaction: Bool) throws {
    var chain = [TreeNode("0")]
    for number in 1..<3_000 {
      chain.append(TreeNode("\(number)"))
      chain[number - 1].children.append(chain[number])
    }
    #expect(putOnASmallStack(chain[0], inTransaction: inTransaction) == nil)
    #expect(try nodes.count() == 3_000)
    for node in try nodes.all() {
      let expected = Int(node.name).flatMap { $0 == 0 ? nil : "\($0 - 1)" }
      #expect(try node.parent.targetId.flatMap { try nodes.get($0) }?.name == expected)
    }
  }

  /// The failure is at the far end of a chain; what was there before stays, in a transaction too.
  @Test(arguments: [false, true])
  func aChainThatFailsAtItsEndIsNotPut(inTransaction: Bool) throws {
    try nodes.put(TreeNode("before"))
    var chain = [TreeNode("0")]
    for number in 1..<300 { chain.append(TreeNode("\(number)", under: chain[number - 1])) }
    let wrong = TreeNode("wrong")
    wrong.id = 1_000_000  // was never given
    chain[0].children.append(wrong)
    if inTransaction {
      try store.runInTransaction {
        #expect(thrownCase { try nodes.put(chain[299]) } == "illegalArgument")
        try nodes.put(TreeNode("after"))
      }
    } else {
      #expect(thrownCase { try nodes.put(chain[299]) } == "illegalArgument")
    }
    #expect(try nodes.all().map(\.name) == (inTransaction ? ["before", "after"] : ["before"]))
    #expect(chain.allSatisfy { $0.id == 0 })
    chain[0].children.reset()
    chain[0].children = nil
    try nodes.put(chain[299])
    #expect(try nodes.count() == (inTransaction ? 302 : 301))
  }

  /// Random graphs are stored as they are in memory, by whatever path a put reaches their objects.
  @Test func randomGraphsAreStoredAsTheyAreInMemory() throws {
    var random = TestSeed.next()
    for _ in 0..<30 {
      let count = Int.random(in: 1...300, using: &random)
      let graph = (0..<count).map { TreeNode("\($0)") }
      // Mostly chains: parents near by, some of them rings.
      for (number, node) in graph.enumerated() where Int.random(in: 0..<10, using: &random) > 0 {
        let near = max(0, number - Int.random(in: 0...2, using: &random))
        let far = Int.random(in: 0..<count, using: &random)
        node.parent.target = graph[Int.random(in: 0..<8, using: &random) == 0 ? far : near]
      }
      let expected = graph.map { $0.parent.target?.name }
      if Bool.random(using: &random) {
        try nodes.put(graph.shuffled(using: &random))
      } else {
        try store.runInTransaction { for node in graph.reversed() { try nodes.put(node) } }
      }
      let stored = try nodes.all()
      #expect(stored.count == count)
      let names = Dictionary(uniqueKeysWithValues: stored.map { ($0.id, $0.name) })
      for node in stored {
        let number = try #require(Int(node.name))
        #expect(graph[number].id == node.id)
        #expect(node.parent.targetId.flatMap { names[$0.value] } == expected[number])
      }
      takeApart(graph)
      try nodes.removeAll()
    }
  }

  /// Structs have no identity, so a long chain of them is put in parts.
  @Test func aChainOfStructsIsPutInParts() throws {
    let store = try Store(model: Wagon.model(), directory: "memory:wagons")
    let wagons: Box<Wagon> = store.box()
    func train(_ length: Int, _ end: Wagon? = nil) -> Wagon {
      (0..<length).reduce(end ?? Wagon(number: -1)) { train, number in
        Wagon(number: number, next: ToOne(train))
      }
    }
    try wagons.put(train(100))
    #expect(try wagons.count() == 101)
    #expect(thrownCase { try wagons.put(train(1_000)) } == "illegalArgument")
    #expect(try wagons.count() == 101)
    // The first is stored, so the put of the next ends there.
    var first = train(100)
    for _ in 0..<10 {
      try wagons.put(&first)
      first = train(100, first)
    }
    #expect(try wagons.count() == 101 + 101 + 9 * 100)
  }
}
