import BoxStore
import TestSupport
import Testing

/// Random operations against dictionaries in memory, equal after each.
struct RandomStoreTests {
  private struct Undo: Error {}

  /// Objects of every type, queries and observers.
  @Test(.promise(31)) func structsOfEveryTypeAgreeWithADictionary() throws {
    let random = TestSeed.next()
    try StoreLaw<Everything>(SampleStore.inMemory(), random).run(Self.operations * 2 / 5)
  }

  @Test func classesOfEveryTypeAgreeWithADictionary() throws {
    let random = TestSeed.next()
    try StoreLaw<EverythingObject>(SampleStore.inMemory(), random).run(Self.operations * 2 / 5)
  }

  private static let operations = TestSeed.count("BOXJOINT_SOAK_OBJECTS", default: 8_000)

  /// Trees of classes: parents in the store are those of the model, from both sides.
  @Test(.promise(153)) func treesAgreeWithADictionary() throws {
    var random = TestSeed.next()
    let store = try SampleStore.inMemory()
    let box = store.box(for: TreeNode.self)
    // The name and the parent of each node.
    var model: [Id: (name: String, parent: Id?)] = [:]
    var counter = 0
    func pick() throws -> TreeNode? {
      guard let id = model.keys.sorted().randomElement(using: &random) else { return nil }
      return try box.get(id)
    }
    func name() -> String {
      counter += 1
      return "\(counter)"
    }
    func operate() throws {
      switch random.below(9) {
      case 0, 1:
        // A chain of new nodes under one that is there or not.
        var parent = try pick()
        var chain: [TreeNode] = []
        for _ in 0...random.below(3) {
          let node = TreeNode(name(), under: parent)
          chain.append(node)
          parent = node
        }
        try box.put(chain[chain.count - 1])
        for node in chain {
          model[node.id] = (node.name, node.parent.targetId?.value)
        }
      case 2:
        let node = TreeNode(name())
        let children = (0..<random.below(3)).map { _ in TreeNode(name()) }
        node.children.append(contentsOf: children)
        try box.put(node)
        model[node.id] = (node.name, nil)
        for child in children { model[child.id] = (child.name, node.id) }
      case 3, 4:
        guard let node = try pick() else { return }
        let parent = try random.oneIn(3) ? nil : pick()
        node.parent.target = parent
        try box.put(node)
        model[node.id] = (node.name, parent?.id)
      case 5:
        guard let node = try pick() else { return }
        let others = try (0..<random.below(3)).compactMap { _ in try pick() }
        for child in node.children { model[child.id]?.parent = nil }
        for child in others { model[child.id]?.parent = node.id }
        let new = TreeNode(name())
        node.children.replace(others + [new])
        try node.children.applyToDb()
        model[new.id] = (new.name, node.id)
      case 6:
        guard let node = try pick() else { return }
        try box.remove(node)
        model[node.id] = nil
      case 7:
        guard let node = try pick(), let first = node.children.first else { return }
        node.children.removeFirst()
        try node.children.applyToDb()
        model[first.id]?.parent = nil
      default:
        if model.count > 40 {
          try box.removeAll()
          model = [:]
        }
      }
    }
    func check() throws {
      let all = try box.all()
      #expect(all.map(\.id) == model.keys.sorted())
      for node in all {
        let expected = try #require(model[node.id])
        #expect(node.name == expected.name)
        #expect(node.parent.targetId?.value == expected.parent)
        let children = model.filter { $0.value.parent == node.id }.keys.sorted()
        #expect(try node.children.getUncachedIdsFromDb() == children)
        // A parent that was removed is not found.
        #expect(node.parent.target?.id == expected.parent.flatMap { model[$0] == nil ? nil : $0 })
      }
    }
    for _ in 0..<Self.operations / 5 {
      if random.oneIn(6) {
        let saved = model
        let isUndone = random.oneIn(2)
        do {
          try store.runInTransaction {
            for _ in 0..<random.below(4) { try operate() }
            if isUndone { throw Undo() }
          }
        } catch is Undo { model = saved }
      } else {
        try operate()
      }
      try check()
    }
  }
}
