/// The links of the nodes of a graph, on all levels.
///
/// A row has a number of links, and then their target nodes. The table owns the memory of its pointers.
/// Callers pass only nodes of the graph, and levels that these have.
@safe final class LinkTable {
  private let parameters: GraphParameters
  /// The rows of the lowest level.
  @exclusivity(unchecked) private var lowest: UnsafeMutablePointer<UInt32>
  /// The rows of the higher levels of the nodes that have some, one after the other.
  @exclusivity(unchecked) private var upper: UnsafeMutablePointer<UInt32>
  private var upperCapacity = 0
  private var upperCount = 0
  /// The place of the first of the higher rows of each node.
  @safe @exclusivity(unchecked) private var starts: [Int] = []
  @safe @exclusivity(unchecked) private(set) var levels: [UInt8] = []
  private(set) var capacity = 0

  init(_ parameters: GraphParameters) {
    self.parameters = parameters
    unsafe lowest = Self.allocate(1)
    unsafe upper = Self.allocate(1)
  }

  deinit {
    unsafe lowest.deallocate()
    unsafe upper.deallocate()
  }

  private static func allocate(_ count: Int) -> UnsafeMutablePointer<UInt32> {
    let memory = UnsafeMutablePointer<UInt32>.allocate(capacity: count)
    unsafe memory.initialize(repeating: 0, count: count)
    return unsafe memory
  }

  /// Reserves space for `count` nodes.
  ///
  /// - Complexity: O(*n*) in all links.
  func reserve(_ count: Int) {
    if count <= capacity { return }
    let width = parameters.neighbors + 1
    unsafe Self.grow(&lowest, from: capacity * width, to: count * width)
    capacity = count
    starts.reserveCapacity(count)
    levels.reserveCapacity(count)
  }

  private static func grow(
    _ memory: inout UnsafeMutablePointer<UInt32>, from old: Int, to new: Int
  ) {
    let larger = unsafe allocate(new)
    unsafe larger.update(from: memory, count: old)
    unsafe memory.deallocate()
    unsafe memory = unsafe larger
  }

  /// Adds the next node, without links.
  func append() {
    let level = parameters.level(ofNode: UInt32(levels.count))
    levels.append(UInt8(level))
    starts.append(upperCount)
    upperCount += level * (parameters.upperNeighbors + 1)
    if upperCount > upperCapacity {
      let larger = max(1024, upperCount + upperCount / 2)
      unsafe Self.grow(&upper, from: starts[starts.count - 1], to: larger)
      upperCapacity = larger
    }
  }

  /// The highest level of a node.
  @inline(__always)
  func level(_ node: UInt32) -> Int { Int(levels[Int(node)]) }

  @inline(__always)
  private func row(_ node: UInt32, _ level: Int) -> UnsafeMutablePointer<UInt32> {
    if level == 0 { return unsafe lowest + Int(node) * (parameters.neighbors + 1) }
    return unsafe upper + starts[Int(node)] + (level - 1) * (parameters.upperNeighbors + 1)
  }

  /// The target nodes of the links of a node on a level.
  @inline(__always)
  func links(_ node: UInt32, _ level: Int) -> UnsafeBufferPointer<UInt32> {
    let row = unsafe row(node, level)
    return unsafe UnsafeBufferPointer(start: row + 1, count: Int(row[0]))
  }

  /// The same as an array.
  func copiedLinks(_ node: UInt32, _ level: Int) -> [UInt32] { unsafe Array(links(node, level)) }

  /// Replaces the links of a node on a level; the parameters limit their number.
  func replace(_ node: UInt32, _ level: Int, with nodes: some Collection<UInt32>) {
    let row = unsafe row(node, level)
    let count = min(nodes.count, parameters.neighbors(onLevel: level))
    unsafe row[0] = UInt32(count)
    for (position, other) in nodes.prefix(count).enumerated() { unsafe row[position + 1] = other }
  }

  /// Adds a link if there is room for one more; returns whether the link exists after the call.
  func add(_ link: UInt32, to node: UInt32, _ level: Int) -> Bool {
    let row = unsafe row(node, level)
    let count = unsafe Int(row[0])
    for position in 0..<count where unsafe row[position + 1] == link { return true }
    if count == parameters.neighbors(onLevel: level) { return false }
    unsafe row[count + 1] = link
    unsafe row[0] = UInt32(count + 1)
    return true
  }
}
