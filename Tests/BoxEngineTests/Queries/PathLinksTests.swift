import BoxModel
import BoxStorage
import TestSupport
import Testing

@testable import BoxEngine

/// Paths over several relations, on which many ways lead to the same objects.
struct PathLinksTests {
  /// The ends are those of all links, whatever there is room for.
  @Test func findsWhatAllLinksLeadTo() throws {
    var random = TestSeed.next()
    for _ in 0..<200 {
      let links = PathLinks(room: random.pick([0, 100, 1000, 1 << 20]))
      let count = 1 + random.below(30)
      var targets: [UID: [UInt64: [UInt64]]] = [:]
      for step in [UID(1), 2] {
        for id in 1...count {
          targets[step, default: [:]][UInt64(id)] =
            random.oneIn(5) ? [] : (0..<random.below(20)).map { _ in UInt64(random.below(count)) }
        }
      }
      for _ in 0..<50 {
        let step: UID = random.oneIn(2) ? 1 : 2
        let ids = Set((0..<random.below(20)).map { _ in UInt64(1 + random.below(count)) }).sorted()
        let expected = Set(ids.flatMap { targets[step]?[$0] ?? [] }).sorted()
        let found = try links.ends(of: step, ids) { (id) throws(StoreError) in
          targets[step]?[id] ?? []
        }
        try #require(found == expected)
      }
    }
  }

  /// A path of a column is no longer than that of a condition.
  @Test func longPathsAreRefused() throws {
    let model = try TestModel(
      .init(
        name: "Node", uid: 100, fields: [.init(name: "size", type: .long)],
        relations: [.init("next", to: "Node")])
    ).document()
    let store = try ObjectStore.open(.ownMemory(), model: model)
    let node = try store.entity(named: "Node")
    let fit = String(repeating: "next.", count: 63) + "size"
    #expect(try store.column(fit, of: node).isToMany)
    for count in [64, 2000] {
      let path = String(repeating: "next.", count: count) + "size"
      let column = #expect(throws: ConditionError.self) { _ = try store.column(path, of: node) }
      let condition = #expect(throws: ConditionError.self) {
        _ = try ConditionParser.parse("\(path) > 1")
      }
      #expect(column?.message == condition?.message)
      #expect(column?.message == "the path is longer than 64 names")
    }
  }

  /// Each object leads to each: the ways are the cube of the objects, and each object is read once.
  @Test func everyObjectIsReadOnce() throws {
    var reads: [Int] = []
    for count in [30, 60] {
      let model = try TestModel(
        .init(
          name: "Node", uid: 100, fields: [.init(name: "size", type: .long)],
          relations: [.init("next", to: "Node")])
      ).document()
      let store = try ObjectStore.open(.ownMemory(), model: model)
      let node = try store.entity(named: "Node")
      let next = node.relations[0]
      let ids = try store.write { (transaction) throws in
        let ids = try (1...count).map { size in
          try transaction.put("Node", ["size": .integer(Int64(size))])
        }
        for id in ids { for other in ids { _ = try transaction.link(next, id, other) } }
        return ids
      }
      let column = try store.column("next.next.size", of: node)
      let query = try store.prepare(StoreQuery(node))
      let sum = Int128(count * count * (count + 1) / 2)
      try store.read { (transaction) throws in
        #expect(try transaction.summarize(query, [column]).summaries[0].sum == .integer(sum))
        #expect(try transaction.groups(query, by: column).map(\.count) == ids.map { _ in count })
        #expect(
          try transaction.groups(query, by: column, [column])[0].summaries[0].sum == .integer(sum))
        reads.append(transaction.pathLinks.readCount)
      }
      // Links change in a write transaction.
      try store.write { (transaction) throws in
        for id in ids { _ = try transaction.unlink(next, id, ids[0]) }
        #expect(
          try transaction.summarize(query, [column]).summaries[0].sum
            == .integer(sum - Int128(count)))
      }
    }
    #expect(reads == [30, 60])
  }
}
