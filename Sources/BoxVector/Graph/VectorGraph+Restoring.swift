/// A graph that is restored from a saved one and the vectors of a store.
///
/// Each vector of the store is passed to ``adopt(_:_:)``. Nodes whose vectors did not change keep their links;
/// the others lose theirs.
package struct GraphRestoration {
  /// The graph, which has the vectors that were adopted so far.
  package let graph: VectorGraph
  private var saved: [UInt64: (node: UInt32, check: UInt32)] = [:]
  /// The number of vectors that kept their links.
  package private(set) var keptCount = 0

  /// Begins to restore a graph.
  ///
  /// - Complexity: O(*n*) in nodes and links.
  package init(_ image: GraphImage) {
    graph = VectorGraph(image.header.parameters)
    graph.restore(image)
    saved.reserveCapacity(image.ids.count)
    for (node, id) in image.ids.enumerated() where id != 0 {
      saved[id] = (UInt32(node), image.checks[node])
    }
  }

  /// Adds a vector of the store; a vector that differs from the saved graph waits to be linked.
  ///
  /// - Returns: Whether it was added, as ``VectorGraph/insert(_:_:)``.
  /// - Complexity: O(1) on average.
  @discardableResult
  package mutating func adopt(_ id: UInt64, _ vector: borrowing Span<Float>) -> Bool {
    let check = VectorGraph.check(vector)
    guard let known = saved[id], known.check == check, graph.adopt(known.node, id, check, vector)
    else { return graph.place(id, vector) }
    keptCount += 1
    return true
  }

  /// Takes the links to nodes away that were not adopted, and makes the others ready to be found.
  ///
  /// - Complexity: O(*n*) in nodes and links.
  package consuming func finish() -> VectorGraph {
    graph.finishRestoring()
    return graph
  }
}

extension VectorGraph {
  /// Takes the nodes and links of a saved graph over, without vectors.
  fileprivate func restore(_ image: GraphImage) {
    reserve(image.ids.count)
    var place = 0
    for node in image.ids.indices {
      ids.append(0)
      checks.append(0)
      // Not free: vectors that wait get other nodes.
      nodeStates.append(.removed)
      links.append()
      for level in 0...links.level(UInt32(node)) {
        let count = Int(image.links[place])
        links.replace(UInt32(node), level, with: image.links[place + 1..<place + 1 + count])
        place += 1 + count
      }
    }
  }

  /// Gives a node of a saved graph its vector.
  fileprivate func adopt(
    _ node: UInt32, _ id: UInt64, _ check: UInt32, _ vector: borrowing Span<Float>
  ) -> Bool {
    guard nodes[id] == nil, nodeStates[Int(node)] == .removed,
      table.write(vector, form, to: node)
    else { return false }
    nodeStates[Int(node)] = .live
    assign(node, id, check)
    return true
  }

  fileprivate func finishRestoring() {
    for node in nodeStates.indices where nodeStates[node] == .removed { free(UInt32(node)) }
    for node in nodeStates.indices where nodeStates[node] == .live {
      for level in 0...links.level(UInt32(node)) {
        let old = links.copiedLinks(UInt32(node), level)
        let kept = old.filter { nodeStates[Int($0)] == .live }
        if kept.count < old.count { links.replace(UInt32(node), level, with: kept) }
      }
    }
    entry = highestNode()
    // A node that has lost all its links is linked like a new one.
    for node in nodeStates.indices.reversed()
    where nodeStates[node] == .live && UInt32(node) != entry
      && links.copiedLinks(UInt32(node), 0).isEmpty
    {
      nodeStates[node] = .waiting
      waiting.append(UInt32(node))
    }
  }
}
