/// A vector that a search in a graph met.
package struct GraphHit: Sendable {
  /// The id.
  package var id: UInt64
  /// A number that has the order of the distances, in single precision.
  package var rank: Float
}

extension VectorGraph {
  /// Searches for the vectors that are nearest to one.
  ///
  /// - Parameters:
  ///   - vector: The vector to measure from.
  ///   - searchCount: The number of vectors that are kept during the search. More make it slower and
  ///     find more of the nearest.
  ///   - budget: The maximum number of ids that `admits` is called with.
  ///   - admits: Whether the vector of an id may be found; the search goes over the others.
  /// - Returns: The vectors, the nearest first, at most `searchCount`; nil if the budget was used up, if sums in
  ///   single precision do not tell apart the vectors that were kept, and for a vector that has no distance or
  ///   whose sums could overflow.
  /// - Throws: The error of `admits`.
  /// - Complexity: O(log *n*) on average, times the number of ids for each one that is admitted.
  package func search<E: Error>(
    _ vector: borrowing Span<Float>, searchCount: Int, budget: Int,
    admits: (UInt64) throws(E) -> Bool
  ) throws(E) -> [GraphHit]? {
    guard let entry else { return [] }
    return try states.withState { (state) throws(E) -> [GraphHit]? in
      guard let square = prepare(vector, state) else { return nil }
      let query = unsafe UnsafePointer(state.vector)
      let start = unsafe descend(query, from: entry, to: 0, state)
      var left = budget
      // Of nodes with several ids, those that may be found.
      var admitted: [UInt32: [UInt64]] = [:]
      let isComplete = try unsafe searchLevel(0, query, from: [start], searchCount, state) {
        (node) throws(E) in
        if nodeStates[Int(node)] != .live { return false }
        guard let others = twins[node] else {
          left -= 1
          return left < 0 ? nil : try admits(ids[Int(node)])
        }
        var found: [UInt64] = []
        for id in [[ids[Int(node)]], others].joined() where found.count < searchCount {
          left -= 1
          if left < 0 { return nil }
          if try admits(id) { found.append(id) }
        }
        if !found.isEmpty { admitted[node] = found.sorted() }
        return !found.isEmpty
      }
      if !isComplete { return nil }
      let kept = state.results.all.sorted()
      if kept.count >= searchCount, !distinguishes(kept, square) { return nil }
      var hits: [GraphHit] = []
      hits.reserveCapacity(searchCount)
      for near in kept where hits.count < searchCount {
        let found = admitted[near.node] ?? [ids[Int(near.node)]]
        hits += found.map { GraphHit(id: $0, rank: near.distance) }
      }
      return Array(hits.prefix(searchCount))
    }
  }

  /// Searches for the vectors that are nearest to one, among all.
  ///
  /// - Parameters:
  ///   - vector: The vector to measure from.
  ///   - searchCount: The number of vectors that are kept during the search.
  /// - Returns: The vectors, the nearest first, at most `searchCount`; nil as with a budget.
  /// - Complexity: O(log *n*) on average.
  package func search(_ vector: borrowing Span<Float>, searchCount: Int) -> [GraphHit]? {
    search(vector, searchCount: searchCount, budget: .max) { _ in true }
  }

  /// Brings a vector into the form of the graph; the sum of the squares of its elements, nil if it has no form.
  func prepare(_ vector: borrowing Span<Float>, _ state: SearchState) -> Double? {
    var row = unsafe MutableSpan(
      _unsafeElements: UnsafeMutableBufferPointer(start: state.vector, count: form.width))
    return form.write(vector, to: &row)
  }

  /// Goes to the nearest node of a level, from a node of a higher level, or of this one.
  func descend(
    _ query: UnsafePointer<Float>, from entry: UInt32, to target: Int, _ state: SearchState
  ) -> RankedNode {
    var nearest = unsafe measure(query, [entry], state)[0]
    var level = links.level(entry)
    while level > target {
      var isNearer = true
      while isNearer {
        isNearer = false
        for node in unsafe measure(query, links.links(nearest.node, level), state)
        where node < nearest {
          nearest = node
          isNearer = true
        }
      }
      level -= 1
    }
    return nearest
  }

  /// The nodes with their distances from a vector.
  func measure(
    _ query: UnsafePointer<Float>, _ nodes: some Collection<UInt32>, _ state: SearchState
  ) -> [RankedNode] {
    state.reserveNodes(nodes.count)
    for (position, node) in nodes.enumerated() { unsafe state.nodes[position] = node }
    unsafe table.measure(from: query, state.nodes, nodes.count, to: state.distances)
    return (0..<nodes.count).map { unsafe RankedNode(state.nodes[$0], state.distances[$0]) }
  }

  /// Searches one level; the nearest nodes that are admitted are in the results of the state.
  ///
  /// - Returns: Whether it came to its end: `admits` did not return nil.
  @inline(__always)
  func searchLevel<E: Error>(
    _ level: Int, _ query: UnsafePointer<Float>, from starts: [RankedNode], _ count: Int,
    _ state: SearchState, _ admits: (UInt32) throws(E) -> Bool?
  ) throws(E) -> Bool {
    state.begin(ids.count)
    for start in starts where state.insert(start.node) {
      state.candidates.insert(start)
      guard let isAdmitted = try admits(start.node) else { return false }
      if isAdmitted { state.results.insert(start) }
    }
    while state.candidates.count > 0 {
      let nearest = state.candidates.removeFirst()
      var isFull = state.results.count >= count
      if isFull, state.results.first < nearest { break }
      var found = 0
      let (nodes, distances) = unsafe (state.nodes, state.distances)
      let neighbors = unsafe links.links(nearest.node, level)
      for position in neighbors.indices where state.insert(unsafe neighbors[position]) {
        unsafe nodes[found] = unsafe neighbors[position]
        found += 1
      }
      unsafe table.measure(from: query, nodes, found, to: distances)
      for position in 0..<found {
        let next = unsafe RankedNode(nodes[position], distances[position])
        if isFull, state.results.first < next { continue }
        state.candidates.insert(next)
        guard let isAdmitted = try admits(next.node) else { return false }
        if !isAdmitted { continue }
        state.results.insert(next)
        if state.results.count > count { _ = state.results.removeFirst() }
        isFull = state.results.count >= count
      }
    }
    return true
  }
}
