import BoxStore
import Dispatch
import Synchronization
import TestSupport
import Testing

#if canImport(FoundationEssentials)
  import Foundation
#endif

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

  /// A list by relations: the put of its head reaches all of it.
  @Test func aLongChainIsPutFromItsEnd() throws {
    let length = 5_000
    var last = TreeNode("0")
    let first = last
    for number in 1..<length { last = TreeNode("\(number)", under: last) }
    // On a thread as small as those of a queue are.
    let failure = Mutex<String?>(nil)
    nonisolated(unsafe) let head = last
    let thread = Thread { [nodes] in
      do { try nodes.put(head) } catch { failure.withLock { $0 = "\(error)" } }
      failure.withLock { if $0 == nil { $0 = "" } }
    }
    thread.stackSize = 512 * 1024
    thread.start()
    while failure.withLock({ $0 }) == nil { Thread.sleep(forTimeInterval: 0.01) }
    #expect(failure.withLock { $0 } == "")
    #expect(try nodes.count() == length)
    #expect(try nodes.query { TreeNode.parent.isNil() }.build().findUnique()?.name == "0")
    // The chain is taken apart from its end, as the release of one object would release all.
    var node: TreeNode? = last
    while let one = node {
      node = one.parent.target
      one.parent.target = nil
    }
    #expect(first.id != 0)
  }
}
