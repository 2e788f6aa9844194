extension VectorGraph {
  /// The number of nodes that are measured together.
  private static var measuredAtOnce: Int { 64 }
  /// The number of vectors beyond those asked for that are kept, as sums in single precision do not tell
  /// which of them are nearer.
  private static var keptBeside: Int { 4_096 }

  /// Compares all vectors with one.
  ///
  /// The sums are in single precision, as in a search. Each vector is among the answers whose distance,
  /// with the error of its sum, may be one of the least, so none of the nearest is left out.
  ///
  /// - Parameters:
  ///   - vector: The vector to measure from.
  ///   - maximum: The number of nearest vectors that are wanted, at least 1.
  ///   - admits: Whether the vector of an id may be found.
  /// - Returns: The ids of all vectors that may be among the nearest ones, in no order; nil if there are more than
  ///   some thousand too many, and for a vector that has no distance or whose sums could overflow.
  /// - Throws: The error of `admits`.
  /// - Complexity: O(*n*) in the elements of all vectors, and one call of `admits` for each that is nearer than
  ///   those met before: on average O(`maximum` log *n*), times the number of ids for each one that is admitted.
  package func compare<E: Error>(
    _ vector: borrowing Span<Float>, maximum: Int, admits: (UInt64) throws(E) -> Bool
  ) throws(E) -> [UInt64]? {
    try states.withState { (state) throws(E) -> [UInt64]? in
      guard let square = prepare(vector, state) else { return nil }
      let rounding = form.rounding(square.squareRoot() * table.longest)
      state.begin(0)
      state.reserveNodes(Self.measuredAtOnce)
      var near: [(id: UInt64, distance: Float)] = []
      var limit = Float.infinity
      for first in stride(from: 0, to: ids.count, by: Self.measuredAtOnce) {
        let count = min(Self.measuredAtOnce, ids.count - first)
        for position in 0..<count { unsafe state.nodes[position] = UInt32(first + position) }
        unsafe table.measure(from: state.vector, state.nodes, count, to: state.distances)
        for position in 0..<count where unsafe state.distances[position] <= limit {
          let node = UInt32(first + position)
          let distance = unsafe state.distances[position]
          if nodeStates[Int(node)] != .live { continue }
          for id in [[ids[Int(node)]], twins[node] ?? []].joined() where try admits(id) {
            near.append((id, distance))
            state.results.insert(RankedNode(node, distance))
            if state.results.count > maximum { _ = state.results.removeFirst() }
          }
          if state.results.count == maximum {
            limit = rounding.greatest(asNearAs: state.results.first.distance)
          }
          if near.count > 2 * (maximum + Self.keptBeside) {
            near.removeAll { $0.distance > limit }
            if near.count > maximum + Self.keptBeside { return nil }
          }
        }
      }
      return near.filter { $0.distance <= limit }.map(\.id)
    }
  }
}
