import BoxModel
import BoxStorage
import TestSupport
import Testing

@testable import BoxEngine

/// Relations to one and to many, and what removals do to them.
struct RelationTests {
  private struct Graph {
    let store: ObjectStore
    let boxes: RelationSchema
    let parts: RelationSchema
    let item: EntitySchema
    let box: EntitySchema

    /// Items 1 to 3 and boxes 1 to 3, nothing linked.
    init() throws {
      store = try ObjectsModel.store()
      item = try store.entity(named: "Item")
      box = try store.entity(named: "Box")
      boxes = try #require(item.relation(named: "boxes"))
      parts = try #require(item.relation(named: "parts"))
      for number in 1...3 as ClosedRange<Int64> {
        try store.put("Item", ["rank": .integer(number)])
        try store.put("Box", ["name": .string("\(number)")])
      }
    }
  }

  @Test func toOneAndItsBacklink() throws {
    let graph = try Graph()
    let toOne = try #require(graph.item.property(named: "box"))
    for id in [1, 3] as [UInt64] { try graph.store.put("Item", ["box": .unsigned(2)], id: id) }
    #expect(try graph.store.read { try $0.sources(graph.item, toOne, of: 2) } == [1, 3])
    #expect(try graph.store.read { try $0.sources(graph.item, toOne, of: 1) } == [])
    try graph.store.put("Item", ["box": .unsigned(1)], id: 3)
    #expect(try graph.store.read { try $0.sources(graph.item, toOne, of: 2) } == [1])
    #expect(try graph.store.read { try $0.sources(graph.item, toOne, of: 1) } == [3])
    // Zero is not a target, and is not indexed.
    try graph.store.put("Item", ["box": .unsigned(0)], id: 3)
    #expect(try graph.store.read { try $0.sources(graph.item, toOne, of: 0) } == [])
  }

  @Test func aRemovedTargetLeavesItsID() throws {
    let graph = try Graph()
    let toOne = try #require(graph.item.property(named: "box"))
    try graph.store.put("Item", ["box": .unsigned(2)], id: 1)
    _ = try graph.store.write { try $0.remove(graph.box, 2) }
    #expect(try graph.store.value("Item", 1, "box") == .unsigned(2))
    #expect(try graph.store.read { try $0.get(graph.box, 2) } == nil)
    #expect(try graph.store.read { try $0.sources(graph.item, toOne, of: 2) } == [1])
    #expect(try graph.store.verify().isEmpty)
  }

  @Test func toManyInBothDirections() throws {
    let graph = try Graph()
    try graph.store.write { (transaction) throws in
      #expect(try transaction.link(graph.boxes, 1, 3))
      #expect(try transaction.link(graph.boxes, 1, 1))
      #expect(try transaction.link(graph.boxes, 2, 3))
      #expect(try !transaction.link(graph.boxes, 2, 3))
      #expect(try transaction.targets(graph.boxes, of: 1) == [1, 3])
      #expect(try transaction.sources(graph.boxes, of: 3) == [1, 2])
      #expect(try transaction.unlink(graph.boxes, 1, 3))
      #expect(try !transaction.unlink(graph.boxes, 1, 3))
    }
    try graph.store.read { (transaction) throws in
      #expect(try transaction.targets(graph.boxes, of: 1) == [1])
      #expect(try transaction.sources(graph.boxes, of: 3) == [2])
      #expect(try transaction.targets(graph.boxes, of: 3) == [])
      // Unlinking removes no object.
      #expect(try transaction.contains(graph.box, 3))
    }
  }

  @Test func onlyObjectsThatExistAreLinked() throws {
    let graph = try Graph()
    #expect(
      try storeError { _ = try graph.store.write { try $0.link(graph.boxes, 9, 1) } }
        == .notFound(entity: "Item", id: 9))
    #expect(
      try storeError { _ = try graph.store.write { try $0.link(graph.boxes, 1, 9) } }
        == .notFound(entity: "Box", id: 9))
    #expect(
      try storeError { _ = try graph.store.write { try $0.link(graph.boxes, 1, 0) } }
        == .notFound(entity: "Box", id: 0))
    #expect(try graph.store.read { try $0.targets(graph.boxes, of: 1) } == [])
  }

  @Test(.promise(234)) func removingAnObjectRemovesItsEntries() throws {
    let graph = try Graph()
    try graph.store.write { (transaction) throws in
      for id in [1, 2, 3] as [UInt64] {
        for target in [1, 2, 3] as [UInt64] { try transaction.link(graph.boxes, id, target) }
      }
      try transaction.link(graph.parts, 1, 2)
      try transaction.link(graph.parts, 2, 2)
      try transaction.link(graph.parts, 2, 1)
      try transaction.remove(graph.item, 2)
      try transaction.remove(graph.box, 3)
    }
    try graph.store.read { (transaction) throws in
      #expect(try transaction.targets(graph.boxes, of: 1) == [1, 2])
      #expect(try transaction.targets(graph.boxes, of: 2) == [])
      #expect(try transaction.sources(graph.boxes, of: 1) == [1, 3])
      #expect(try transaction.sources(graph.boxes, of: 3) == [])
      #expect(try transaction.targets(graph.parts, of: 1) == [])
      #expect(try transaction.sources(graph.parts, of: 1) == [])
    }
    #expect(try graph.store.verify().isEmpty)
    // The id may come back, without the old links.
    try graph.store.put("Item", [:], id: 2)
    #expect(try graph.store.read { try $0.targets(graph.boxes, of: 2) } == [])
  }

  @Test func removingAllRemovesEveryEntry() throws {
    let graph = try Graph()
    try graph.store.write { (transaction) throws in
      try transaction.link(graph.boxes, 1, 1)
      try transaction.link(graph.parts, 1, 2)
      try transaction.removeAll(graph.box)
      #expect(try transaction.targets(graph.boxes, of: 1) == [])
      #expect(try transaction.targets(graph.parts, of: 1) == [2])
      try transaction.removeAll(graph.item)
      #expect(try transaction.targets(graph.parts, of: 1) == [])
    }
    #expect(try graph.store.verify().isEmpty)
  }

  @Test func aLinkCanBeRolledBack() throws {
    let graph = try Graph()
    _ = try? graph.store.write { (transaction) throws in
      try transaction.link(graph.boxes, 1, 1)
      throw TestFailure("on purpose")
    }
    #expect(try graph.store.read { try $0.sources(graph.boxes, of: 1) } == [])
  }
}
