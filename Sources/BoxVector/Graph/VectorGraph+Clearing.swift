extension VectorGraph {
  /// Whether the graph has enough removed nodes for ``clear(_:)`` to be worth its time.
  package var needsClearing: Bool {
    clearedCount != nil || removedCount > 64 && removedCount > nodeStates.count / 8
  }

  /// Replaces links to removed nodes, and gives these nodes to the next vectors.
  ///
  /// The work is done in parts, between which the graph can be searched and changed; what is removed
  /// meanwhile stays for the next time.
  ///
  /// - Parameter maximum: The number of nodes to look at now.
  /// - Returns: Whether it came to its end.
  /// - Complexity: O(*n*) in the maximum.
  package func clear(_ maximum: Int) -> Bool {
    if clearedCount == nil {
      for node in nodeStates.indices where nodeStates[node] == .removed {
        nodeStates[node] = .clearing
      }
    }
    let first = clearedCount ?? 0
    let end = min(first + maximum, nodeStates.count)
    states.withState { state in
      for node in first..<end where nodeStates[node] != .free && nodeStates[node] != .clearing {
        for level in 0...links.level(UInt32(node)) {
          bridge(UInt32(node), level, state)
        }
      }
    }
    clearedCount = end
    if end < nodeStates.count { return false }
    clearedCount = nil
    for node in nodeStates.indices where nodeStates[node] == .clearing {
      free(UInt32(node))
      removedCount -= 1
    }
    return true
  }

  /// Replaces the links of a node to nodes that are being cleared by links to the neighbors of these.
  private func bridge(_ node: UInt32, _ level: Int, _ state: SearchState) {
    let old = links.copiedLinks(node, level)
    let lost = old.filter { nodeStates[Int($0)] == .clearing }
    if lost.isEmpty { return }
    var kept = old.filter { nodeStates[Int($0)] != .clearing }
    if nodeStates[Int(node)] == .live {
      var known = Set(kept)
      known.insert(node)
      for other in lost {
        for next in links.copiedLinks(other, level)
        where nodeStates[Int(next)] == .live && known.insert(next).inserted {
          kept.append(next)
        }
      }
      let near = unsafe measure(table.row(node), kept, state).sorted()
      kept = choose(near, atMost: parameters.neighbors(onLevel: level), state)
    }
    links.replace(node, level, with: kept)
    if kept.isEmpty, nodeStates[Int(node)] == .live { relink(node, level, state) }
  }
}
