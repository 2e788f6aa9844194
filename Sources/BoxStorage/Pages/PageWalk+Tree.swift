extension PageWalk {
  /// Walks over a tree and compares what it finds with the tree's record.
  func walk(_ tree: inout PageTree) throws {
    let record = tree.record
    if record.isEmpty {
      guard record.depth == 0 else {
        try cut(.databaseRecord, on: nil, in: &tree, "an empty tree has the depth \(record.depth)")
        return
      }
    } else {
      let deepest =
        tree.role == .freelist ? PageFormat.deepestFreelist : PageFormat.deepestTree
      guard 1...deepest ~= record.depth else {
        try cut(.databaseRecord, on: nil, in: &tree, "a tree cannot have \(record.depth) levels")
        return
      }
      try walkPage(record.root, level: 1, from: tree.place, in: &tree)
    }
    if !tree.isCut { try compareCounts(&tree) }
  }

  /// Whether the record of the main database or of a named one can be right; else it is noted.
  func checkRecord(_ tree: PageTree, on page: UInt64) throws -> Bool {
    if tree.record.pad != 0 {
      try found(.databaseRecord, on: page, in: tree, "the record has the pad \(tree.record.pad)")
    }
    guard tree.record.flags.isConsistent else {
      try found(
        .databaseRecord, on: page, in: tree,
        "a database cannot have the flags \(tree.record.flags.rawValue)")
      return false
    }
    return true
  }

  private func compareCounts(_ tree: inout PageTree) throws {
    let counted = [
      (tree.record.branchPages, tree.pages.branchPages, "branch pages"),
      (tree.record.leafPages, tree.pages.leafPages, "leaf pages"),
      (tree.record.overflowPages, tree.pages.overflowPages, "overflow pages"),
      (tree.record.entries, tree.pages.entries, "entries"),
    ]
    for (recorded, found, what) in counted where recorded != found {
      tree.pages.isMiscounted = true
      try self.found(
        .counts, on: tree.record.isEmpty ? nil : tree.record.root, in: tree,
        "\(recorded) \(what) are recorded, there are \(found)")
    }
  }

  private func walkPage(
    _ number: UInt64, level: Int, from place: PagePlace, in tree: inout PageTree
  ) throws {
    guard try claim(number, in: &tree, from: place) else { return }
    contest?.enter(number, from: place)
    defer { contest?.leave(number) }
    let isLeaf = level == tree.record.depth
    let isRead: Void? = try withPage(number) { page in
      guard try checkHeader(of: page, number: number, isLeaf: isLeaf, in: &tree) else { return }
      if !isLeaf {
        tree.pages.branchPages += 1
        try walkBranch(page, number: number, level: level, in: &tree)
      } else {
        tree.pages.leafPages += 1
        if tree.hasItems {
          try walkItems(page, number: number, in: &tree)
        } else {
          try walkLeaf(page, number: number, in: &tree)
        }
      }
    }
    if isRead == nil {
      try cut(.truncated, on: number, in: &tree, "lies past the end of the file")
    }
  }

  private func checkHeader(
    of page: PageBytes, number: UInt64, isLeaf: Bool, in tree: inout PageTree
  ) throws -> Bool {
    let named = page.uint64(at: 0)
    guard named == number else {
      try cut(.misplacedPage, on: number, in: &tree, "has the number of page \(named)")
      return false
    }
    let flags = PageFlags(rawValue: page.uint16(at: 10))
    let expected: PageFlags = !isLeaf ? .branch : tree.hasItems ? [.leaf, .fixedSize] : .leaf
    guard flags == expected else {
      try cut(
        .pageKind, on: number, in: &tree,
        "has the flags \(flags.rawValue) where the tree has a page of \(expected.rawValue)")
      return false
    }
    return true
  }

  /// The number of nodes of a page, or `nil` with a problem noted.
  func nodeCount(
    of page: PageBytes, number: UInt64, isBranch: Bool, in tree: inout PageTree
  ) throws -> Int? {
    do throws(LayoutFault) {
      return try layout.check(page, isBranch: isBranch)
    } catch {
      try cut(error.kind, on: number, in: &tree, error.sentence)
      return nil
    }
  }

  private func walkBranch(
    _ page: PageBytes, number: UInt64, level: Int, in tree: inout PageTree
  ) throws {
    guard let count = try nodeCount(of: page, number: number, isBranch: true, in: &tree) else {
      return
    }
    // The freelist changes while it is written, and is not always evened out.
    guard count >= (tree.role == .freelist ? 1 : 2) else {
      try cut(.pageBounds, on: number, in: &tree, "a branch page has \(count) nodes")
      return
    }
    for index in 0..<count {
      let node = PageNode(page, index: index)
      if index == 0, node.keySize > PageFormat.longestKey {
        try found(.keySize, on: number, in: tree, "a key cannot have \(node.keySize) bytes")
      }
      if index > 0, try checkKeySize(node.keySize, on: number, in: &tree) {
        if !tree.takesInOrder(node.key, isEntry: false) {
          try foundDisorder(
            on: number, in: &tree, "key \(index) does not come after those before")
        }
        tree.setBound(node.key, isEntry: false)
      }
      let place = PagePlace(database: tree.name, parent: number, offset: node.offset)
      try walkPage(node.child, level: level + 1, from: place, in: &tree)
    }
  }

  /// Whether a key can have a size; else it is noted.
  @inline(__always)
  func checkKeySize(_ size: Int, on number: UInt64, in tree: inout PageTree) throws -> Bool {
    guard 1...PageFormat.longestKey ~= size, tree.order.accepts(size: size),
      !tree.hasFixedKeys || size == tree.keySize ?? size
    else {
      try found(.keySize, on: number, in: tree, "a key cannot have \(size) bytes")
      return false
    }
    if tree.hasFixedKeys { tree.keySize = size }
    return true
  }
}
