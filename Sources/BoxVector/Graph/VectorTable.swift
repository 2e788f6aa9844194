internal import CDistance

/// The vectors of the nodes of a graph, each in a row that begins a cache line.
///
/// The table owns the memory of its pointer. Callers pass only rows of nodes of the graph.
@safe final class VectorTable {
  let width: Int
  private let isProduct: Bool
  // The owner of the graph lets nobody change what another reads: checks at run time took a tenth.
  @exclusivity(unchecked) private var rows: UnsafeMutablePointer<Float>
  private(set) var capacity = 0
  /// The greatest length of a vector that was written.
  private(set) var longest = 0.0

  init(_ form: GraphForm) {
    width = form.width
    isProduct = form.isProduct
    unsafe rows = Self.allocate(0)
  }

  deinit { unsafe rows.deallocate() }

  private static func allocate(_ elements: Int) -> UnsafeMutablePointer<Float> {
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: 4 * max(16, elements), alignment: 64)
    return unsafe memory.initializeMemory(as: Float.self, repeating: 0, count: max(16, elements))
  }

  /// Reserves space for `count` rows; the new ones are zero.
  ///
  /// - Complexity: O(*n*) in all elements.
  func reserve(_ count: Int) {
    if count <= capacity { return }
    let larger = unsafe Self.allocate(count * width)
    unsafe larger.update(from: rows, count: capacity * width)
    unsafe rows.deallocate()
    unsafe rows = unsafe larger
    capacity = count
  }

  /// The row of a node.
  @inline(__always)
  func row(_ node: UInt32) -> UnsafeMutablePointer<Float> { unsafe rows + Int(node) * width }

  /// Writes a vector to the row of a node; returns whether the vector has a form.
  func write(_ vector: borrowing Span<Float>, _ form: GraphForm, to node: UInt32) -> Bool {
    var row = unsafe MutableSpan(
      _unsafeElements: UnsafeMutableBufferPointer(start: row(node), count: width))
    guard let square = form.write(vector, to: &row) else { return false }
    longest = max(longest, square.squareRoot())
    return true
  }

  /// Whether the rows of two nodes are equal, number by number.
  func areEqual(_ a: UInt32, _ b: UInt32) -> Bool {
    let (first, second) = unsafe (row(a), row(b))
    return (0..<width).allSatisfy { unsafe first[$0] == second[$0] }
  }

  /// Measures the distances of nodes from a vector, to order them.
  @inline(__always)
  func measure(
    from vector: UnsafePointer<Float>, _ nodes: UnsafePointer<UInt32>, _ count: Int,
    to distances: UnsafeMutablePointer<Float>
  ) {
    unsafe boxjoint_near(vector, rows, width, nodes, count, isProduct ? 1 : 0, distances)
  }
}
