/// A node with its distance from a vector, as a number that has the order of the distances.
struct RankedNode: Comparable {
  fileprivate(set) var bits: UInt64

  @inline(__always)
  init(_ node: UInt32, _ distance: Float) {
    // The bits of negative numbers have the opposite order.
    let pattern = distance.bitPattern
    let ordered = pattern >> 31 == 0 ? pattern | 1 << 31 : ~pattern
    bits = UInt64(ordered) << 32 | UInt64(node)
  }

  @inline(__always)
  fileprivate init(bits: UInt64) { self.bits = bits }

  @inline(__always)
  var node: UInt32 { UInt32(truncatingIfNeeded: bits) }

  var distance: Float {
    let ordered = UInt32(bits >> 32)
    return Float(bitPattern: ordered >> 31 == 1 ? ordered & ~(1 << 31) : ~ordered)
  }

  @inline(__always)
  static func < (a: RankedNode, b: RankedNode) -> Bool { a.bits < b.bits }
}

/// Nodes from which the nearest one, or the farthest one, is taken first.
///
/// The heap owns the memory of its pointer.
@safe struct NodeHeap: ~Copyable {
  private var keys: UnsafeMutablePointer<UInt64>
  private var capacity = 256
  private(set) var count = 0
  /// Turns the order of the bits round for the farthest one.
  private let mask: UInt64

  init(nearestFirst: Bool) {
    mask = nearestFirst ? 0 : .max
    unsafe keys = .allocate(capacity: 256)
  }

  deinit { unsafe keys.deallocate() }

  mutating func removeAll() { count = 0 }

  /// The node that is taken next; there must be one.
  var first: RankedNode { unsafe RankedNode(bits: keys[0] ^ mask) }

  /// The nodes in no order.
  var all: [RankedNode] {
    unsafe UnsafeBufferPointer(start: keys, count: count).map { RankedNode(bits: $0 ^ mask) }
  }

  @inline(__always)
  mutating func insert(_ node: RankedNode) {
    if count == capacity { grow() }
    let key = node.bits ^ mask
    var place = count
    count += 1
    while place > 0 {
      let parent = (place - 1) / 2
      if unsafe keys[parent] <= key { break }
      unsafe keys[place] = keys[parent]
      place = parent
    }
    unsafe keys[place] = key
  }

  private mutating func grow() {
    let larger = UnsafeMutablePointer<UInt64>.allocate(capacity: 2 * capacity)
    unsafe larger.update(from: keys, count: count)
    unsafe keys.deallocate()
    unsafe keys = unsafe larger
    capacity *= 2
  }

  /// Takes the first node; there must be one.
  @inline(__always)
  mutating func removeFirst() -> RankedNode {
    let result = first
    count -= 1
    let key = unsafe keys[count]
    var place = 0
    while true {
      var child = 2 * place + 1
      if child >= count { break }
      if unsafe child + 1 < count && keys[child + 1] < keys[child] { child += 1 }
      if unsafe keys[child] >= key { break }
      unsafe keys[place] = keys[child]
      place = child
    }
    unsafe keys[place] = key
    return result
  }
}
