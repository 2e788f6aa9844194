import BoxStore
import TestSupport
import Testing

/// Random graphs of new objects, with relations to one and to many, put from random ends, some with an
/// object that cannot be stored: the store has what a search through the graph reaches, or nothing.
struct RandomGraphTests {
  /// A graph: the targets of each object by their positions.
  private struct Graph {
    let memos: [Memo]
    var next: [Int?]
    var links: [Set<Int>]

    init(_ random: inout SplitMix64) {
      let count = Int.random(in: 1...250, using: &random)
      memos = (0..<count).map { number in
        let memo = Memo()
        memo.text = "\(number)"
        return memo
      }
      next = Array(repeating: nil, count: count)
      links = Array(repeating: [], count: count)
      for number in 0..<count {
        // Long chains, some of which end in rings.
        if Int.random(in: 0..<20, using: &random) > 0 {
          let isFar = Int.random(in: 0..<10, using: &random) == 0
          next[number] =
            isFar
            ? Int.random(in: 0..<count, using: &random) : (number + 1 < count ? number + 1 : nil)
        }
        if Int.random(in: 0..<4, using: &random) == 0 {
          let targets = (0..<Int.random(in: 1...4, using: &random)).map { _ in
            Int.random(in: 0..<count, using: &random)
          }
          links[number] = Set(targets)
          memos[number].links.append(contentsOf: targets.map { memos[$0] })
        }
        memos[number].next.target = next[number].map { memos[$0] }
      }
    }

    /// The positions that some of them lead to, themselves included.
    func reached(from starts: [Int]) -> Set<Int> {
      var found = Set(starts)
      var waiting = starts
      while let number = waiting.popLast() {
        for target in links[number].union(next[number].map { [$0] } ?? []) {
          if found.insert(target).inserted { waiting.append(target) }
        }
      }
      return found
    }

    /// Releases the objects one by one, and not one inside of the other.
    func takeApart() {
      for memo in memos {
        memo.next.target = nil
        memo.links = nil
      }
    }
  }

  private func put(
    _ memos: [Memo], _ way: Int, _ store: Store, _ box: Box<Memo>
  ) throws {
    switch way {
    case 0: for memo in memos { try box.put(memo) }
    case 1: try box.put(memos)
    case 2: try store.runInTransaction { for memo in memos { try box.put(memo) } }
    default: try store.runInTransaction { try box.put(memos) }
    }
  }

  @Test(.promise(364)) func whatAPutReachesIsStoredOrNothingIs() throws {
    var random = TestSeed.next()
    for round in 0..<60 {
      let store = try CompatibilityTests.store("graph-\(round)")
      let box: Box<Memo> = store.box()
      let before = Memo()
      before.text = "before"
      try box.put(before)
      let graph = Graph(&random)
      let starts = (0..<Int.random(in: 1...3, using: &random)).map { _ in
        Int.random(in: graph.memos.indices, using: &random)
      }
      let reached = graph.reached(from: starts)
      let way = Int.random(in: 0..<4, using: &random)

      // First with an object that cannot be stored, then without it. In half of the rounds it is beyond
      // what the first of several puts reaches, so that one put of the transaction succeeds.
      let later = reached.subtracting(graph.reached(from: [starts[0]]))
      let hosts = Bool.random(using: &random) && !later.isEmpty ? later : reached
      let host = try #require(hosts.sorted().randomElement(using: &random))
      let wrong = Memo()
      wrong.id = 1_000_000
      graph.memos[host].links.append(wrong)
      let all = starts.map { graph.memos[$0] }
      let first = graph.memos[starts[0]]
      #expect(
        thrownCase { try put(way == 0 ? [first] : all, way, store, box) } != nil
          || !graph.reached(from: [starts[0]]).contains(host))
      if way != 0 { #expect(try box.count() == 1) }
      if way == 1 { #expect(graph.memos.allSatisfy { $0.id == 0 }) }
      // Objects keep the ids that a transaction of the caller gave them before it was undone; they can be
      // put again with them, or as new ones.
      let isNew = way > 1 && Bool.random(using: &random)
      if isNew { for memo in graph.memos { memo.id = 0 } }
      graph.memos[host].links.removeAll { $0 === wrong }
      try put(all, way, store, box)

      let round = Comment(
        "round \(round), way \(way), from \(starts), the failure at \(host), new: \(isNew)")
      #expect(try box.count() == reached.count + 1, round)
      let stored = try box.all().filter { $0.text != "before" }
      #expect(Set(stored.compactMap { Int($0.text) }) == reached)
      for memo in stored {
        let number = try #require(Int(memo.text))
        #expect(graph.memos[number].id == memo.id)
        #expect(memo.next.target.flatMap { Int($0.text) } == graph.next[number])
        let links = graph.memos[number].links
        #expect(
          Set(memo.links.compactMap { Int($0.text) }) == graph.links[number],
          "\(round), object \(number), pending: \(links.hasPendingDbChanges)")
      }
      graph.takeApart()
    }
  }
}
