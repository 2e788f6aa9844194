extension PageWalk {
  /// Whether a duplicate can have a size; else it is noted.
  func checkDuplicateSize(
    _ size: Int, on number: UInt64, in tree: inout PageTree
  ) throws -> Bool {
    guard 1...PageFormat.longestKey ~= size, tree.duplicateOrder?.accepts(size: size) ?? false,
      !tree.hasFixedDuplicates || size == tree.duplicateSize ?? size
    else {
      try found(.valueSize, on: number, in: tree, "a duplicate cannot have \(size) bytes")
      return false
    }
    if tree.hasFixedDuplicates { tree.duplicateSize = size }
    return true
  }

  /// Walks over the duplicates on a page that is the data of a node.
  func walkSubPage(_ node: PageNode, number: UInt64, in tree: inout PageTree) throws {
    guard let order = tree.duplicateOrder else {
      try cut(
        .nodeKind, on: number, in: &tree,
        "a key has duplicate values in a database without duplicates")
      return
    }
    let page = node.data
    let hasItems = tree.record.flags.contains(.fixedDuplicates)
    let expected: PageFlags = [.leaf, .dirty, .subPage]
    guard page.count >= PageFormat.headerSize,
      page.uint16(at: 10) == expected.union(hasItems ? .fixedSize : []).rawValue
    else {
      try cut(
        .pageKind, on: number, in: &tree, "the duplicates of a key are not on a page of duplicates")
      return
    }
    guard
      let count = try hasItems
        ? itemCount(of: page, size: page.word(at: 8), number: number, in: &tree)
        : nodeCount(of: page, number: number, isBranch: false, in: &tree)
    else { return }
    guard count > 0 else {
      try cut(.pageBounds, on: number, in: &tree, "a key has a page without duplicates")
      return
    }
    tree.pages.entries += UInt64(count)
    var previous: PageBytes?
    for index in 0..<count {
      let item: PageBytes
      if hasItems {
        item = self.item(index, of: page, size: page.word(at: 8))
      } else {
        let node = PageNode(page, index: index)
        guard try checkDuplicateSize(node.keySize, on: number, in: &tree) else { continue }
        if node.valueSize != 0 || !node.flags.isEmpty {
          try found(.valueSize, on: number, in: tree, "a duplicate has a value")
        }
        item = node.key
      }
      if let previous, !order.precedes(previous, item) {
        try foundDisorder(
          on: number, in: &tree, "duplicate \(index) does not come after those before")
      }
      previous = item
      try visit(key: node.key, value: item, in: tree)
    }
  }

  /// Walks over the tree of duplicates whose record a node has.
  func walkDuplicateTree(_ node: PageNode, number: UInt64, in tree: inout PageTree) throws {
    guard let order = tree.duplicateOrder else {
      try cut(
        .nodeKind, on: number, in: &tree,
        "a key has duplicate values in a database without duplicates")
      return
    }
    guard node.valueSize == PageFormat.databaseRecordSize else {
      try cut(
        .databaseRecord, on: number, in: &tree,
        "the record of a tree of duplicates cannot have \(node.valueSize) bytes")
      return
    }
    let record = DatabaseRecord(node.data)
    var expected: DatabaseFlags = []
    if tree.record.flags.contains(.fixedDuplicates) {
      expected = order == .integer ? [.fixedDuplicates, .integerKeys] : .fixedDuplicates
    }
    guard record.flags == expected, !record.isEmpty else {
      try cut(
        .databaseRecord, on: number, in: &tree,
        "a tree of duplicates has the flags \(record.flags.rawValue) and the root \(record.root)")
      return
    }
    if expected.isEmpty {
      guard record.pad == 0 else {
        try cut(
          .databaseRecord, on: number, in: &tree,
          "a tree of duplicates has the pad \(record.pad)")
        return
      }
    } else if try !checkDuplicateSize(Int(record.pad), on: number, in: &tree) {
      isCut = true
      tree.isCut = true
      return
    }
    let place = PagePlace(database: tree.name, parent: number, offset: node.offset)
    try walkDuplicateTree(record, order: order, key: node.key, from: place, in: &tree)
  }

  private func walkDuplicateTree(
    _ record: DatabaseRecord, order: KeyOrder, key: PageBytes, from place: PagePlace,
    in tree: inout PageTree
  ) throws {
    var duplicates = PageTree(duplicatesIn: tree, record: record, order: order, key: key)
    duplicates.place = place
    try walk(&duplicates)
    if duplicates.order == .integer, let size = duplicates.keySize { tree.duplicateSize = size }
    if duplicates.isCut { tree.isCut = true }
    if duplicates.pages.isDisordered { tree.pages.isDisordered = true }
    if duplicates.pages.isMiscounted { tree.pages.isMiscounted = true }
    tree.pages.entries += duplicates.pages.entries
    tree.pages.duplicateTrees += 1
    tree.pages.duplicatePages += duplicates.pages.pages
  }

  /// Walks over a leaf page of duplicates of one size.
  func walkItems(_ page: PageBytes, number: UInt64, in tree: inout PageTree) throws {
    let size = Int(tree.record.pad)
    guard page.word(at: 8) == size else {
      try cut(
        .pageKind, on: number, in: &tree,
        "has items of \(page.word(at: 8)) bytes in a tree of \(size)")
      return
    }
    guard let count = try itemCount(of: page, size: size, number: number, in: &tree) else { return }
    guard count > 0 else {
      try cut(.pageBounds, on: number, in: &tree, "a leaf page has no entries")
      return
    }
    tree.pages.entries += UInt64(count)
    var previous: PageBytes?
    for index in 0..<count {
      let item = item(index, of: page, size: size)
      if !isInOrder(item, after: previous, in: tree) {
        try foundDisorder(
          on: number, in: &tree, "entry \(index) does not come after those before")
      }
      previous = item
      if let key = tree.parentKey { try visit(key: key, value: item, in: tree) }
    }
    if let previous { tree.setBound(previous, isEntry: true) }
  }

  private func item(_ index: Int, of page: PageBytes, size: Int) -> PageBytes {
    let start = PageFormat.headerSize + index * size
    return page[start..<start + size]
  }

  /// The number of items of a page, or `nil` with a problem noted.
  private func itemCount(
    of page: PageBytes, size: Int, number: UInt64, in tree: inout PageTree
  ) throws -> Int? {
    if tree.role != .duplicates, try !checkDuplicateSize(size, on: number, in: &tree) {
      isCut = true
      tree.isCut = true
      return nil
    }
    do throws(LayoutFault) {
      return try NodeLayout.checkItems(page, size: size)
    } catch {
      try cut(error.kind, on: number, in: &tree, error.sentence)
      return nil
    }
  }
}
