internal import BoxEngine

/// A graph in which the nearest vectors are found by looking at few of them: a hierarchical navigable small
/// world, after Malkov and Yashunin (2018).
///
/// Each vector is a node with links to nodes near to it. Every level above the lowest has a small part of the
/// nodes of the level below, for long steps. A search goes from a node of the highest level to ever nearer
/// ones, and finds most of the nearest vectors, not always all.
///
/// The graph is derived from the vectors of a store. A removed node stays, for the ways that lead over it,
/// until ``clear(_:)`` has made links around it. Searches may run at the same time, but none while the graph
/// is changed.
package final class VectorGraph {
  /// The states of a node.
  enum NodeState: UInt8 {
    /// It has no vector, and the next one can have it.
    case free
    /// It has a vector, and was not linked yet.
    case waiting
    /// Its vector can be found.
    case live
    /// Its vector was removed; links lead over it.
    case removed
    /// The same, and links around it are being made.
    case clearing
  }

  /// The parameters.
  package let parameters: GraphParameters
  let form: GraphForm
  let table: VectorTable
  let links: LinkTable
  let states: SearchStates
  @safe @exclusivity(unchecked) var nodeStates: [NodeState] = []
  @safe @exclusivity(unchecked) var ids: [UInt64] = []
  /// The checks of the vectors of the nodes, by which a vector that was replaced is known.
  var checks: [UInt32] = []
  /// The further ids of nodes, in ascending order, where vectors of several ids are equal.
  var twins: [UInt32: [UInt64]] = [:]
  /// A node that is live or waits for each check of a vector.
  private var nodesByCheck: [UInt32: UInt32] = [:]
  /// The nodes of the ids that can be found, or wait to be linked.
  var nodes: [UInt64: UInt32] = [:]
  var freeNodes: [UInt32] = []
  /// The node at which searches begin: one of the highest level; nil if none can be found.
  var entry: UInt32?
  /// The number of removed nodes that links still lead over.
  package internal(set) var removedCount = 0
  /// The nodes that wait to be linked, the last one first.
  var waiting: [UInt32] = []
  /// The first node that ``clear(_:)`` has not looked at; nil if it is not under way.
  var clearedCount: Int?

  /// Creates an empty graph.
  package init(_ parameters: GraphParameters) {
    self.parameters = parameters
    form = GraphForm(parameters)
    table = VectorTable(form)
    links = LinkTable(parameters)
    states = SearchStates(parameters, width: form.width)
  }

  /// The number of vectors.
  package var count: Int { nodes.count }

  /// Whether there is a vector of an id.
  package func contains(_ id: UInt64) -> Bool { nodes[id] != nil }

  /// The ids of all vectors, in no order.
  ///
  /// - Complexity: O(*n*).
  package var allIDs: [UInt64] { Array(nodes.keys) }

  /// The check of the vector of an id; nil without one.
  package func check(_ id: UInt64) -> UInt32? { nodes[id].map { checks[Int($0)] } }

  /// The check of a vector, which tells it from another one.
  ///
  /// - Complexity: O(*n*) in its elements.
  package static func check(_ vector: borrowing Span<Float>) -> UInt32 {
    unsafe vector.withUnsafeBytes { unsafe Checksum.crc32c($0) }
  }

  /// The memory of vectors and links in bytes.
  package var bytes: Int {
    4 * table.capacity * table.width + 4 * links.capacity * (parameters.neighbors + 1)
      + ids.count * 64
  }

  // MARK: - Changes

  /// Reserves space for `count` vectors.
  ///
  /// - Complexity: O(*n*) in the vectors of the graph.
  package func reserve(_ count: Int) {
    table.reserve(count)
    links.reserve(count)
    ids.reserveCapacity(count)
    checks.reserveCapacity(count)
    nodeStates.reserveCapacity(count)
    nodes.reserveCapacity(count)
  }

  /// Adds a vector, which replaces one with the same id.
  ///
  /// - Returns: Whether it was added: false for a vector of another length, and for one that has no distance
  ///   or whose sums could overflow. One with the same id is removed in any case.
  /// - Complexity: O(log *n*) on average.
  @discardableResult
  package func insert(_ id: UInt64, _ vector: borrowing Span<Float>) -> Bool {
    guard place(id, vector) else { return false }
    linkWaiting(1)
    return true
  }

  /// Adds a vector as ``insert(_:_:)`` does, which cannot be found until ``linkWaiting(_:)`` has linked it.
  ///
  /// - Complexity: O(1) on average.
  @discardableResult
  package func place(_ id: UInt64, _ vector: borrowing Span<Float>) -> Bool {
    remove(id)
    if vector.count != parameters.dimensions { return false }
    if nodes.isEmpty { removeAll() }
    let node = makeNode()
    if !table.write(vector, form, to: node) {
      freeNodes.append(node)
      return false
    }
    let check = Self.check(vector)
    if let other = nodesByCheck[check], table.areEqual(node, other) {
      freeNodes.append(node)
      addTwin(id, to: other)
      return true
    }
    nodeStates[Int(node)] = .waiting
    assign(node, id, check)
    waiting.append(node)
    return true
  }

  /// Assigns its id to a node that has a vector.
  func assign(_ node: UInt32, _ id: UInt64, _ check: UInt32) {
    ids[Int(node)] = id
    checks[Int(node)] = check
    nodes[id] = node
    if nodesByCheck[check] == nil { nodesByCheck[check] = node }
  }

  /// Gives a node one more id.
  ///
  /// Otherwise many equal vectors, such as the vectors of empty texts, would fill each other's links and the
  /// result list of a search.
  private func addTwin(_ id: UInt64, to node: UInt32) {
    nodes[id] = node
    // Most ids come in ascending order.
    var all = twins.removeValue(forKey: node) ?? []
    var place = all.count
    while place > 0, all[place - 1] > id { place -= 1 }
    all.insert(id, at: place)
    twins[node] = all
  }

  /// Takes an id from a node with several; returns whether it has several.
  private func removeTwin(_ id: UInt64, of node: UInt32) -> Bool {
    guard var others = twins.removeValue(forKey: node) else { return false }
    if ids[Int(node)] == id {
      ids[Int(node)] = others.removeFirst()
    } else {
      others.removeAll { $0 == id }
    }
    if !others.isEmpty { twins[node] = others }
    return true
  }

  /// The number of vectors that wait to be linked.
  package var waitingCount: Int { waiting.count }

  /// Puts the vectors that wait to be linked in another order, which looks random and is always the same.
  ///
  /// Vectors of a store often come in groups, such as the parts of one text. Where groups are linked one
  /// after the other, the links that lead from one to the next are given up for nearer ones, and searches do
  /// not come to some of the groups.
  ///
  /// - Complexity: O(*n*).
  package func shuffleWaiting() {
    var state: UInt64 = 0
    for last in stride(from: waiting.count - 1, to: 0, by: -1) {
      // The generator of Knuth's MMIX, whose high bits are used.
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      waiting.swapAt(last, Int((state >> 33) % UInt64(last + 1)))
    }
  }

  /// Links vectors that wait for it, at most so many.
  ///
  /// - Complexity: O(log *n*) on average for each.
  package func linkWaiting(_ maximum: Int) {
    for _ in 0..<min(maximum, waiting.count) {
      guard let node = waiting.popLast() else { return }
      nodeStates[Int(node)] = .live
      link(node)
      if entry.map({ links.level($0) < links.level(node) }) ?? true { entry = node }
    }
  }

  /// A node without links, used before or new.
  private func makeNode() -> UInt32 {
    if let node = freeNodes.popLast() { return node }
    if ids.count == table.capacity { reserve(max(64, ids.count + ids.count / 2)) }
    ids.append(0)
    checks.append(0)
    nodeStates.append(.free)
    links.append()
    return UInt32(ids.count - 1)
  }

  /// Removes the vector of an id; returns whether there was one.
  ///
  /// - Complexity: O(1) on average, and O(*n*) for the node at which searches begin.
  @discardableResult
  package func remove(_ id: UInt64) -> Bool {
    guard let node = nodes.removeValue(forKey: id) else { return false }
    if removeTwin(id, of: node) { return true }
    if nodesByCheck[checks[Int(node)]] == node { nodesByCheck[checks[Int(node)]] = nil }
    if nodeStates[Int(node)] == .waiting {
      waiting.removeAll { $0 == node }
      free(node)
      return true
    }
    nodeStates[Int(node)] = .removed
    removedCount += 1
    if node == entry { entry = highestNode() }
    return true
  }

  /// A node of the highest level that can be found.
  func highestNode() -> UInt32? {
    var highest: (node: UInt32, level: UInt8)?
    for (node, level) in links.levels.enumerated() where nodeStates[node] == .live {
      if let known = highest, known.level >= level { continue }
      highest = (UInt32(node), level)
    }
    return highest?.node
  }

  /// Removes all vectors, also those that links lead over, and keeps the memory.
  ///
  /// - Complexity: O(*n*).
  package func removeAll() {
    for node in nodeStates.indices where nodeStates[node] != .free { free(UInt32(node)) }
    nodes.removeAll(keepingCapacity: true)
    nodesByCheck.removeAll(keepingCapacity: true)
    twins = [:]
    waiting = []
    removedCount = 0
    clearedCount = nil
    entry = nil
  }

  /// Gives a node to the next vector that is added.
  func free(_ node: UInt32) {
    nodeStates[Int(node)] = .free
    for level in 0...links.level(node) { links.replace(node, level, with: []) }
    freeNodes.append(node)
  }
}
