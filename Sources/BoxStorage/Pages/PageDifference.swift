#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Finds the entries that differ between two states of a tree, both of which have readers.
///
/// No transaction overwrites a page that a reader can reach. So a page that both states have is the same in
/// both, and so are all pages below it, and every value and every tree of duplicates at the same place. Level by
/// level, from the roots to the leaves, the pages that both have are left out. The entries of the leaves that
/// remain are compared in the order of their keys, since pages are also rewritten for one entry, or for none.
///
/// Damaged pages end this with ``DifferenceUnknown``: what they say is compared with their bounds, and the pages
/// of a level are limited.
struct PageDifference {
  typealias Body = (
    _ change: EntryChange, _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
  ) throws -> Void

  private var reader: LeafReader
  /// Leaf pages that may still differ.
  private var room: Int
  /// Pages that were read, not counting overflow pages of values.
  var visited: Int { reader.visited }

  init(_ pages: MappedPages, maximumPages: Int) {
    reader = LeafReader(pages)
    // Four times as many are a number too.
    room = min(maximumPages, 1 << 40)
  }

  /// Calls a function with each entry that differs.
  ///
  /// - Throws: ``DifferenceUnknown``, and the error of `body`.
  mutating func visit(_ older: DatabaseRecord, _ newer: DatabaseRecord, _ body: Body) throws {
    guard older.isEmpty || newer.isEmpty || older.flags == newer.flags else {
      throw DifferenceUnknown()
    }
    let flags = older.isEmpty ? newer.flags : older.flags
    guard flags.isConsistent else { throw DifferenceUnknown() }
    let leaves = try changedLeaves(older, newer)
    var (old, new) = (
      LeafEntries(leaves.older, .nodes, flags.keyOrder),
      LeafEntries(leaves.newer, .nodes, flags.keyOrder)
    )
    try old.advance(&reader)
    try new.advance(&reader)
    while let side = try nextSide(old, new, flags.keyOrder) {
      let nodes = (side.isOlder ? old.node : nil, side.isNewer ? new.node : nil)
      if let order = flags.duplicateOrder {
        let isFixed = flags.contains(.fixedDuplicates)
        try unsafe visitDuplicates(nodes.0, nodes.1, order, isFixed: isFixed, body)
      } else {
        try unsafe visitValue(nodes.0, nodes.1, body)
      }
      if side.isOlder { try old.advance(&reader) }
      if side.isNewer { try new.advance(&reader) }
    }
  }

  /// The states that have the next key: at least one of them, or nil at the end.
  private func nextSide(
    _ old: LeafEntries, _ new: LeafEntries, _ order: KeyOrder
  ) throws(DifferenceUnknown) -> (isOlder: Bool, isNewer: Bool)? {
    guard let older = old.key else { return new.key.map { _ in (false, true) } }
    guard let newer = new.key else { return (true, false) }
    if order.precedes(older, newer) { return (true, false) }
    if order.precedes(newer, older) { return (false, true) }
    // Integers of two sizes have no order.
    if older.count != newer.count { throw DifferenceUnknown() }
    return (true, true)
  }
}

// MARK: - Trees

extension PageDifference {
  /// The leaf pages of two states of a tree that the other state does not have, in the order of their keys.
  private mutating func changedLeaves(
    _ older: DatabaseRecord, _ newer: DatabaseRecord
  ) throws(DifferenceUnknown) -> (older: [UInt64], newer: [UInt64]) {
    guard older.isPlausible, newer.isPlausible else { throw DifferenceUnknown() }
    var (old, new): ([UInt64], [UInt64]) = ([], [])
    // A tree that is less deep begins at the level that has as many below it. A page never changes its level.
    var height = max(older.depth, newer.depth)
    while height > 0 {
      if older.depth == height { old = [older.root] }
      if newer.depth == height { new = [newer.root] }
      try removeShared(&old, &new)
      height -= 1
      // Changing a leaf copies the branches above it, and rarely some beside these.
      let limit = height == 0 ? room : 4 * room
      let changed = max(old.count, new.count)
      if height == 0 { room -= changed }
      if changed > limit { throw DifferenceUnknown() }
      if height > 0 {
        old = try children(of: old)
        new = try children(of: new)
      }
    }
    return (old, new)
  }

  /// Removes the pages that both states have.
  private func removeShared(_ old: inout [UInt64], _ new: inout [UInt64]) throws(DifferenceUnknown)
  {
    if old.isEmpty || new.isEmpty { return }
    guard var numbers = PageNumbers(new) else { throw DifferenceUnknown() }
    var kept = 0
    for page in old {
      guard let isShared = numbers.share(page) else { throw DifferenceUnknown() }
      if isShared { continue }
      old[kept] = page
      kept += 1
    }
    if kept == old.count { return }
    old.removeSubrange(kept...)
    new.removeAll { numbers.isShared($0) }
  }

  private mutating func children(of pages: [UInt64]) throws(DifferenceUnknown) -> [UInt64] {
    var children: [UInt64] = []
    for page in pages { try reader.children(of: page) { children.append($0) } }
    return children
  }
}

extension DatabaseRecord {
  /// Whether the depth and the root go together.
  fileprivate var isPlausible: Bool {
    isEmpty ? depth == 0 : 1...PageFormat.deepestTree ~= depth
  }
}

// MARK: - Entries

extension PageDifference {
  /// Tells a change of a key with one value.
  private func visitValue(_ old: PageNode?, _ new: PageNode?, _ body: Body) throws {
    let values = (try old.map { try value(of: $0) }, try new.map { try value(of: $0) })
    switch (old, new, values.0, values.1) {
    case (let old?, let new?, let before?, let after?):
      // A value at the same place is the same.
      if old.hasSameData(as: new) || before.hasSameBytes(as: after) { return }
      try unsafe body(.updated, new.key.buffer, after.buffer)
    case (let old?, nil, let value?, _): try unsafe body(.removed, old.key.buffer, value.buffer)
    case (nil, let new?, _, let value?): try unsafe body(.inserted, new.key.buffer, value.buffer)
    default: return
    }
  }

  private func value(of node: PageNode) throws(DifferenceUnknown) -> PageBytes {
    if node.flags.isEmpty { return node.data }
    guard node.flags == .overflow,
      let value = reader.pages.value(from: node.data.uint64(at: 0), size: node.valueSize)
    else { throw DifferenceUnknown() }
    return value
  }

  /// Tells the changes of the duplicates of a key, which one state may not have.
  private mutating func visitDuplicates(
    _ old: PageNode?, _ new: PageNode?, _ order: KeyOrder, isFixed: Bool, _ body: Body
  ) throws {
    guard let key = (new ?? old)?.key else { return }
    if let old, let new, old.hasSameData(as: new) { return }
    var (before, after): (LeafEntries, LeafEntries)
    if let old = try old?.duplicateTree(order, isFixed),
      let new = try new?.duplicateTree(order, isFixed)
    {
      let leaves = try changedLeaves(old, new)
      before = LeafEntries(leaves.older, old.duplicateForm, order)
      after = LeafEntries(leaves.newer, new.duplicateForm, order)
    } else {
      before = try duplicates(of: old, order, isFixed: isFixed)
      after = try duplicates(of: new, order, isFixed: isFixed)
    }
    try before.advance(&reader)
    try after.advance(&reader)
    while let side = try nextSide(before, after, order) {
      if !side.isNewer, let item = before.key { try unsafe body(.removed, key.buffer, item.buffer) }
      if !side.isOlder, let item = after.key { try unsafe body(.inserted, key.buffer, item.buffer) }
      if side.isOlder { try before.advance(&reader) }
      if side.isNewer { try after.advance(&reader) }
    }
  }

  /// All duplicates of a key; none if a state does not have it.
  private mutating func duplicates(
    of node: PageNode?, _ order: KeyOrder, isFixed: Bool
  ) throws(DifferenceUnknown) -> LeafEntries {
    guard let node else { return LeafEntries([], .duplicates, order) }
    if node.flags.isEmpty { return LeafEntries(value: node.data, order) }
    if let tree = try node.duplicateTree(order, isFixed) {
      var empty = tree
      (empty.root, empty.depth) = (PageFormat.noPage, 0)
      return LeafEntries(try changedLeaves(empty, tree).newer, tree.duplicateForm, order)
    }
    let page = node.data
    let flags: PageFlags = [.leaf, .dirty, .subPage]
    guard node.flags == .duplicates, page.count >= PageFormat.headerSize,
      page.uint16(at: 10) == flags.union(isFixed ? .fixedSize : []).rawValue
    else { throw DifferenceUnknown() }
    let form: LeafEntries.Form = isFixed ? .items(size: page.word(at: 8)) : .duplicates
    return LeafEntries(page, count: try reader.count(of: page, form), form, order)
  }
}

extension PageNode {
  /// Whether a node has the same value at the same place, or at another place with the same bytes.
  fileprivate func hasSameData(as other: PageNode) -> Bool {
    flags == other.flags && valueSize == other.valueSize && data.hasSameBytes(as: other.data)
  }

  /// The record of the tree that has the duplicates of the key; nil if they are in the node.
  fileprivate func duplicateTree(
    _ order: KeyOrder, _ isFixed: Bool
  ) throws(DifferenceUnknown) -> DatabaseRecord? {
    if flags != [.duplicates, .database] { return nil }
    guard valueSize == PageFormat.databaseRecordSize else { throw DifferenceUnknown() }
    let record = DatabaseRecord(data)
    let expected: DatabaseFlags =
      !isFixed ? [] : order == .integer ? [.fixedDuplicates, .integerKeys] : .fixedDuplicates
    guard record.flags == expected, !record.isEmpty else { throw DifferenceUnknown() }
    return record
  }
}

extension DatabaseRecord {
  fileprivate var duplicateForm: LeafEntries.Form {
    flags.contains(.fixedDuplicates) ? .items(size: Int(pad)) : .duplicates
  }
}

extension PageBytes {
  fileprivate func hasSameBytes(as other: PageBytes) -> Bool {
    guard count == other.count else { return false }
    guard let start = unsafe buffer.baseAddress, let other = unsafe other.buffer.baseAddress else {
      return true
    }
    return unsafe memcmp(start, other, count) == 0
  }
}
