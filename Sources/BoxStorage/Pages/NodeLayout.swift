/// The reason why the contents of a page are not valid.
struct LayoutFault: Error {
  var kind: PageProblem.Kind
  var sentence: String
}

/// One node of a page whose layout was checked.
struct PageNode {
  let page: PageBytes
  let offset: Int

  /// The node at an index of a page.
  @inline(__always)
  init(_ page: PageBytes, index: Int) {
    self.page = page
    offset = page.word(at: PageFormat.headerSize + 2 * index)
  }

  @inline(__always) var flags: NodeFlags { NodeFlags(rawValue: page.uint16(at: offset + 4)) }
  @inline(__always) var keySize: Int { page.word(at: offset + 6) }
  /// The size of a leaf's value.
  @inline(__always) var valueSize: Int { page.word(at: offset) | page.word(at: offset + 2) << 16 }
  /// The page below a branch's node.
  var child: UInt64 {
    UInt64(page.uint32(at: offset)) | UInt64(page.uint16(at: offset + 4)) << 32
  }

  @inline(__always) private var keyStart: Int { offset + PageFormat.nodeHeaderSize }
  @inline(__always) var key: PageBytes { page[keyStart..<keyStart + keySize] }
  /// The bytes after a leaf's key: the value, or the number of its first overflow page.
  @inline(__always) var data: PageBytes { page[keyStart + keySize..<keyStart + keySize + dataSize] }
  @inline(__always) var dataSize: Int { flags.contains(.overflow) ? 8 : valueSize }
}

/// Checks that the nodes of pages fill their space exactly, each byte once.
struct NodeLayout {
  /// One bit for each even offset of a page, set where a node starts.
  private var starts = [UInt64](repeating: 0, count: PageFormat.pageSizes.upperBound / 128)

  /// The number of nodes of a page.
  ///
  /// - Complexity: O(*n*) in the number of nodes.
  mutating func check(_ page: PageBytes, isBranch: Bool) throws(LayoutFault) -> Int {
    let (lower, upper) = try Self.bounds(of: page)
    guard upper.isMultiple(of: 2), upper <= page.count else {
      throw LayoutFault(
        kind: .pageBounds, sentence: "the nodes cannot start at byte \(upper) of \(page.count)")
    }
    let count = (lower - PageFormat.headerSize) / 2
    for word in 0...page.count / 128 where word < starts.count { starts[word] = 0 }
    var total = 0
    for index in 0..<count {
      total += try size(of: index, on: page, from: upper, isBranch: isBranch)
    }
    // Different starts, each end a start, and the sum of all sizes: together that is a tiling.
    guard total == page.count - upper, count == 0 || isStart(upper) else {
      throw LayoutFault(
        kind: .nodeBounds,
        sentence: "the \(count) nodes have \(total) bytes, the page \(page.count - upper) for them")
    }
    for index in 0..<count {
      let node = PageNode(page, index: index)
      let end = node.offset + Self.size(of: node, isBranch: isBranch)
      guard end == page.count || isStart(end) else {
        throw LayoutFault(
          kind: .nodeBounds, sentence: "no node starts where node \(index) ends, at byte \(end)")
      }
    }
    return count
  }

  /// The number of items of a page of items of one size.
  static func checkItems(_ page: PageBytes, size: Int) throws(LayoutFault) -> Int {
    guard page.count >= PageFormat.headerSize else { throw tooShort(page) }
    let lower = page.word(at: 12)
    let count = (lower - PageFormat.headerSize) / 2
    guard lower >= PageFormat.headerSize, lower.isMultiple(of: 2), count * size <= room(page) else {
      throw LayoutFault(
        kind: .pageBounds, sentence: "the items of \(size) bytes end outside of the page")
    }
    let upper = page.count - count * (size - 2)
    guard page.word(at: 14) == upper else {
      throw LayoutFault(
        kind: .pageBounds,
        sentence: "the upper bound is \(page.word(at: 14)) where \(count) items make it \(upper)")
    }
    return count
  }

  private static func room(_ page: PageBytes) -> Int { page.count - PageFormat.headerSize }

  private static func tooShort(_ page: PageBytes) -> LayoutFault {
    LayoutFault(kind: .pageBounds, sentence: "a page cannot have \(page.count) bytes")
  }

  private static func bounds(of page: PageBytes) throws(LayoutFault) -> (lower: Int, upper: Int) {
    guard page.count >= PageFormat.headerSize else { throw tooShort(page) }
    let (lower, upper) = (page.word(at: 12), page.word(at: 14))
    guard lower >= PageFormat.headerSize, lower.isMultiple(of: 2), lower <= upper else {
      throw LayoutFault(
        kind: .pageBounds, sentence: "the bounds \(lower) and \(upper) contradict each other")
    }
    return (lower, upper)
  }

  @inline(__always)
  private mutating func size(
    of index: Int, on page: PageBytes, from upper: Int, isBranch: Bool
  ) throws(LayoutFault) -> Int {
    let node = PageNode(page, index: index)
    guard node.offset >= upper, node.offset.isMultiple(of: 2),
      node.offset + PageFormat.nodeHeaderSize <= page.count
    else {
      throw LayoutFault(
        kind: .nodeBounds, sentence: "node \(index) cannot start at byte \(node.offset)")
    }
    if !isBranch, node.flags.rawValue > 7 {
      throw LayoutFault(
        kind: .nodeKind, sentence: "node \(index) has the unknown flags \(node.flags.rawValue)")
    }
    let size = Self.size(of: node, isBranch: isBranch)
    guard node.offset + size <= page.count else {
      throw LayoutFault(
        kind: .nodeBounds, sentence: "node \(index) has \(size) bytes and ends outside of the page")
    }
    guard !isStart(node.offset) else {
      throw LayoutFault(
        kind: .nodeBounds, sentence: "two nodes start at byte \(node.offset)")
    }
    starts[node.offset / 128] |= 1 << UInt64(node.offset / 2 % 64)
    return size
  }

  @inline(__always)
  private static func size(of node: PageNode, isBranch: Bool) -> Int {
    (PageFormat.nodeHeaderSize + node.keySize + (isBranch ? 0 : node.dataSize) + 1) & ~1
  }

  @inline(__always)
  private func isStart(_ offset: Int) -> Bool {
    offset / 128 < starts.count && starts[offset / 128] & 1 << UInt64(offset / 2 % 64) != 0
  }
}
