extension VectorGraph {
  /// Links a node on all of its levels, and the nodes near to it back to it.
  func link(_ node: UInt32) {
    guard let entry else { return }
    states.withState { state in
      let query = unsafe UnsafePointer(table.row(node))
      let highest = min(links.level(node), links.level(entry))
      var starts = [unsafe descend(query, from: entry, to: highest, state)]
      for level in (0...highest).reversed() {
        let near = unsafe nearest(query, level, from: starts, besides: node, state)
        if !near.isEmpty { starts = near }
        let chosen = choose(near, atMost: parameters.neighbors(onLevel: level), state)
        links.replace(node, level, with: chosen)
        for other in chosen { linkBack(other, to: node, level, state) }
      }
    }
  }

  /// Links a node on one level to the nodes near to it, where it has lost its links.
  func relink(_ node: UInt32, _ level: Int, _ state: SearchState) {
    guard let entry, links.level(entry) >= level else { return }
    let query = unsafe UnsafePointer(table.row(node))
    let start = unsafe descend(query, from: entry, to: level, state)
    let near = unsafe nearest(query, level, from: [start], besides: node, state)
    let chosen = choose(near, atMost: parameters.neighbors(onLevel: level), state)
    links.replace(node, level, with: chosen)
    for other in chosen { linkBack(other, to: node, level, state) }
  }

  /// The nodes near to a vector that can be found on a level, the nearest first.
  private func nearest(
    _ query: UnsafePointer<Float>, _ level: Int, from starts: [RankedNode], besides node: UInt32,
    _ state: SearchState
  ) -> [RankedNode] {
    _ = unsafe searchLevel(level, query, from: starts, parameters.indexingSearchCount, state) {
      nodeStates[Int($0)] == .live && $0 != node
    }
    return state.results.all.sorted()
  }

  /// Chooses links among nodes, the nearest first: those that are nearer to the origin than to each one
  /// that is chosen already, so that links lead in different directions.
  ///
  /// - Parameters:
  ///   - near: The nodes in the order of their distances.
  ///   - maximum: The maximum number of links.
  ///   - state: The memory for distances.
  /// - Returns: The nodes, the nearest first.
  func choose(_ near: [RankedNode], atMost maximum: Int, _ state: SearchState) -> [UInt32] {
    if near.count <= maximum { return near.map(\.node) }
    var chosen: [UInt32] = []
    chosen.reserveCapacity(maximum)
    let (nodes, distances) = unsafe (state.nodes, state.distances)
    for candidate in near {
      if chosen.count == maximum { break }
      unsafe table.measure(
        from: table.row(candidate.node), nodes, chosen.count, to: distances)
      let distance = candidate.distance
      if (0..<chosen.count).contains(where: { unsafe distances[$0] < distance }) { continue }
      unsafe nodes[chosen.count] = candidate.node
      chosen.append(candidate.node)
    }
    return chosen
  }

  /// Adds a link to a node; one that has no room for it chooses its links again.
  private func linkBack(_ node: UInt32, to new: UInt32, _ level: Int, _ state: SearchState) {
    if links.add(new, to: node, level) { return }
    let others = links.copiedLinks(node, level).filter { nodeStates[Int($0)] == .live } + [new]
    let near = unsafe measure(table.row(node), others, state).sorted()
    links.replace(
      node, level, with: choose(near, atMost: parameters.neighbors(onLevel: level), state))
  }
}
