package import BoxModel

/// The parameters of a graph of vectors.
package struct GraphParameters: Hashable, Sendable {
  /// The number of elements of each vector.
  package var dimensions: Int
  /// The measure of distance.
  package var distance: VectorDistance
  /// The maximum number of links of a node on the lowest level.
  package var neighbors: Int
  /// The number of nearest nodes that are kept while a place for a new one is searched for.
  package var indexingSearchCount: Int

  /// Creates parameters.
  package init(
    dimensions: Int, distance: VectorDistance, neighbors: Int = VectorIndex.defaultNeighbors,
    indexingSearchCount: Int = VectorIndex.defaultIndexingSearchCount
  ) {
    self.dimensions = dimensions
    self.distance = distance
    self.neighbors = neighbors
    self.indexingSearchCount = indexingSearchCount
  }

  /// The maximum number of links of a node above the lowest level.
  var upperNeighbors: Int { max(2, neighbors / 2) }

  /// The maximum number of links of a node on a level.
  func neighbors(onLevel level: Int) -> Int { level == 0 ? neighbors : upperNeighbors }

  /// The highest level that a node can have.
  static var highestLevel: Int { 15 }

  /// The highest level on which a node is.
  ///
  /// It depends on the number of the node alone, so a node that is used again keeps its level.
  func level(ofNode node: UInt32) -> Int {
    // The finalizer of SplitMix64.
    var bits = UInt64(node) &* 0x9E37_79B9_7F4A_7C15 &+ 0x9E37_79B9_7F4A_7C15
    bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
    bits ^= bits >> 31
    // On each level there is one node of `upperNeighbors` of the level below.
    var level = 0
    let ratio = UInt64(upperNeighbors)
    while level < Self.highestLevel, bits % ratio == 0 {
      bits /= ratio
      level += 1
    }
    return level
  }
}
