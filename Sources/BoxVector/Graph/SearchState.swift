internal import Synchronization

/// The memory of one search: the nodes that were met, those to look at, and the nearest ones.
///
/// It owns the memory of its pointers. One search at a time has it: ``SearchStates`` gives it to one
/// and gets it back, which is the reason for `@unchecked Sendable`.
@safe final class SearchState: @unchecked Sendable {
  @exclusivity(unchecked) private var marks: UnsafeMutablePointer<UInt16>
  private var markCount = 1
  /// The mark of the search in progress.
  @safe @exclusivity(unchecked) private var mark: UInt16 = 0
  @safe @exclusivity(unchecked) var candidates = NodeHeap(nearestFirst: true)
  @safe @exclusivity(unchecked) var results = NodeHeap(nearestFirst: false)
  /// Nodes whose distances are measured together, and these distances.
  @exclusivity(unchecked) private(set) var nodes: UnsafeMutablePointer<UInt32>
  @exclusivity(unchecked) private(set) var distances: UnsafeMutablePointer<Float>
  private var nodeCapacity: Int
  /// A vector in the form of the graph.
  let vector: UnsafeMutablePointer<Float>
  let width: Int

  init(_ parameters: GraphParameters, width: Int) {
    self.width = width
    nodeCapacity = 4 * parameters.neighbors + 4
    unsafe marks = .allocate(capacity: 1)
    unsafe marks.initialize(to: 0)
    unsafe nodes = .allocate(capacity: nodeCapacity)
    unsafe distances = .allocate(capacity: nodeCapacity)
    unsafe vector = .allocate(capacity: width)
    unsafe vector.initialize(repeating: 0, count: width)
  }

  deinit {
    unsafe marks.deallocate()
    unsafe nodes.deallocate()
    unsafe distances.deallocate()
    unsafe vector.deallocate()
  }

  /// Begins a search among `count` nodes.
  func begin(_ count: Int) {
    if count > markCount || mark == .max {
      unsafe marks.deallocate()
      markCount = max(markCount, count + count / 4)
      unsafe marks = .allocate(capacity: markCount)
      unsafe marks.initialize(repeating: 0, count: markCount)
      mark = 0
    }
    mark += 1
    candidates.removeAll()
    results.removeAll()
  }

  /// Marks a node; returns whether it was not marked.
  @inline(__always)
  func insert(_ node: UInt32) -> Bool {
    if unsafe marks[Int(node)] == mark { return false }
    unsafe marks[Int(node)] = mark
    return true
  }

  /// Makes room for nodes that are measured together.
  func reserveNodes(_ count: Int) {
    if count <= nodeCapacity { return }
    unsafe nodes.deallocate()
    unsafe distances.deallocate()
    nodeCapacity = 2 * count
    unsafe nodes = .allocate(capacity: nodeCapacity)
    unsafe distances = .allocate(capacity: nodeCapacity)
  }
}

/// The memory of ended searches, for the next ones.
final class SearchStates: Sendable {
  private let idleStates = Mutex<[SearchState]>([])
  private let parameters: GraphParameters
  private let width: Int

  init(_ parameters: GraphParameters, width: Int) {
    self.parameters = parameters
    self.width = width
  }

  /// Runs a function with the memory of a search.
  func withState<R, E: Error>(_ body: (SearchState) throws(E) -> R) throws(E) -> R {
    let state = idleStates.withLock { $0.popLast() } ?? SearchState(parameters, width: width)
    defer { idleStates.withLock { if $0.count < 8 { $0.append(state) } } }
    return try body(state)
  }
}
