extension PageWalk {
  /// Walks over the entries of a leaf page.
  func walkLeaf(_ page: PageBytes, number: UInt64, in tree: inout PageTree) throws {
    guard let count = try nodeCount(of: page, number: number, isBranch: false, in: &tree) else {
      return
    }
    guard count > 0 else {
      try cut(.pageBounds, on: number, in: &tree, "a leaf page has no entries")
      return
    }
    var previous: PageBytes?
    for index in 0..<count {
      let node = PageNode(page, index: index)
      guard try checkKeySize(node.keySize, on: number, in: &tree) else {
        // The tree below the entry is not walked.
        isCut = true
        tree.isCut = true
        continue
      }
      let key = node.key
      if !isInOrder(key, after: previous, in: tree) {
        try foundDisorder(
          on: number, in: &tree, "entry \(index) does not come after those before")
      }
      previous = key
      try walkEntry(node, number: number, in: &tree)
    }
    if let previous { tree.setBound(previous, isEntry: true) }
  }

  @inline(__always)
  func isInOrder(_ key: PageBytes, after previous: PageBytes?, in tree: PageTree) -> Bool {
    previous.map { tree.order.precedes($0, key) } ?? tree.takesInOrder(key, isEntry: true)
  }

  @inline(__always)
  private func walkEntry(_ node: PageNode, number: UInt64, in tree: inout PageTree) throws {
    let largest = PageFormat.largestNode(pageSize: pageSize)
    if PageFormat.nodeHeaderSize + node.keySize + node.dataSize > largest {
      try found(.valueSize, on: number, in: tree, "an entry is longer than \(largest) bytes")
    }
    switch (tree.role, node.flags) {
    case (.freelist, []), (.main, []), (.named, []):
      tree.pages.entries += 1
      try walkValue(node.data, key: node.key, number: number, in: &tree)
    case (.freelist, .overflow), (.main, .overflow), (.named, .overflow):
      tree.pages.entries += 1
      try walkOverflow(node, number: number, in: &tree)
    case (.main, .database) where tree.duplicateOrder == nil:
      tree.pages.entries += 1
      try walkDatabase(node, number: number, in: &tree)
    case (.main, .duplicates), (.named, .duplicates):
      try walkSubPage(node, number: number, in: &tree)
    case (.main, [.duplicates, .database]), (.named, [.duplicates, .database]):
      try walkDuplicateTree(node, number: number, in: &tree)
    case (.duplicates, []):
      tree.pages.entries += 1
      if node.valueSize != 0 {
        try found(.valueSize, on: number, in: tree, "a duplicate has a value")
      }
      if let key = tree.parentKey { try visit(key: key, value: node.key, in: tree) }
    default:
      try cut(
        .nodeKind, on: number, in: &tree, "an entry cannot have the flags \(node.flags.rawValue)")
    }
  }

  /// Checks the one value of a key and gives it on.
  @inline(__always)
  func walkValue(
    _ value: PageBytes, key: PageBytes, number: UInt64, in tree: inout PageTree
  ) throws {
    if tree.role == .freelist {
      try walkFreePages(value, key: key, number: number, in: &tree)
      return
    }
    // The first value of a key may be empty although others may not.
    if tree.duplicateOrder != nil,
      !(value.count == 0 && !tree.hasFixedDuplicates)
    {
      _ = try checkDuplicateSize(value.count, on: number, in: &tree)
    }
    try visit(key: key, value: value, in: tree)
  }

  @inline(__always)
  func visit(key: PageBytes, value: PageBytes, in tree: PageTree) throws {
    try unsafe walker.visit?(tree.name, key.buffer.bytes, value.buffer.bytes)
  }

  /// Walks over a chain of overflow pages.
  private func walkOverflow(_ node: PageNode, number: UInt64, in tree: inout PageTree) throws {
    guard tree.duplicateOrder == nil else {
      try cut(.nodeKind, on: number, in: &tree, "a duplicate is in overflow pages")
      return
    }
    let first = node.data.uint64(at: 0)
    let place = PagePlace(database: tree.name, parent: number, offset: node.offset)
    guard try claim(first, in: &tree, from: place) else { return }
    contest?.enter(first, from: place)
    defer { contest?.leave(first) }
    let needed = PageFormat.overflowPages(for: node.valueSize, pageSize: pageSize)
    guard let count = try overflowCount(of: first, needed: needed, in: &tree) else { return }
    tree.pages.overflowPages += count
    for page in first + 1..<first + count {
      guard try claim(page, in: &tree, from: PagePlace(database: tree.name, parent: first))
      else { return }
    }
    guard walker.visit != nil || tree.role == .freelist else { return }
    let start = PageFormat.headerSize
    guard let value = try bytes(node.valueSize, of: first, from: start) else {
      try cut(.truncated, on: first, in: &tree, "the value extends past the end of the file")
      return
    }
    try walkValue(value, key: node.key, number: first, in: &tree)
  }

  /// The pages of the chain that starts at a page, or `nil` with a problem noted.
  private func overflowCount(
    of first: UInt64, needed: Int, in tree: inout PageTree
  ) throws -> UInt64? {
    guard let header = try bytes(PageFormat.headerSize, of: first, from: 0) else {
      try cut(.truncated, on: first, in: &tree, "lies past the end of the file")
      return nil
    }
    let named = header.uint64(at: 0)
    guard named == first else {
      try cut(.misplacedPage, on: first, in: &tree, "has the number of page \(named)")
      return nil
    }
    let flags = PageFlags(rawValue: header.uint16(at: 10))
    guard flags == .overflow else {
      try cut(.pageKind, on: first, in: &tree, "has the flags \(flags.rawValue), not overflow")
      return nil
    }
    let count = UInt64(header.uint32(at: 12))
    // Pages of a value that became shorter in the same transaction stay.
    guard count >= UInt64(needed), count <= map.count - first else {
      try cut(
        .overflow, on: first, in: &tree,
        "the chain has \(count) pages where its value needs \(needed)")
      return nil
    }
    return count
  }

  /// Walks over the named database whose record a node has.
  private func walkDatabase(_ node: PageNode, number: UInt64, in main: inout PageTree) throws {
    guard node.valueSize == PageFormat.databaseRecordSize else {
      try cut(
        .databaseRecord, on: number, in: &main,
        "the record of a database cannot have \(node.valueSize) bytes")
      return
    }
    let name = unsafe String(decoding: node.key.buffer, as: UTF8.self)
    var tree = PageTree(.named, name: name, record: DatabaseRecord(node.data))
    if try checkRecord(tree, on: number) {
      try walk(&tree)
    } else {
      isCut = true
      tree.isCut = true
    }
    tree.pages.isCut = tree.isCut
    if tree.pages.isWhole { contest?.foundWhole(name) }
    if tree.isCut, tree.order == .integer, tree.duplicateOrder == nil { cutRecords.append(tree) }
    (tree.pages.keySize, tree.pages.duplicateSize) = (tree.keySize, tree.duplicateSize)
    report.databases.append(tree.pages)
  }

  /// Notes the pages that an entry of the freelist frees.
  private func walkFreePages(
    _ value: PageBytes, key: PageBytes, number: UInt64, in tree: inout PageTree
  ) throws {
    let transaction = key.uint64(at: 0)
    if transaction == 0 || transaction > report.transaction {
      try found(.freelist, on: number, in: tree, "pages are free since transaction \(transaction)")
    }
    report.lastFreed = max(report.lastFreed, transaction)
    guard value.count >= 8, value.count.isMultiple(of: 8) else {
      try cut(.freelist, on: number, in: &tree, "a list of pages has \(value.count) bytes")
      return
    }
    let room = UInt64(value.count / 8 - 1)
    let count = value.uint64(at: 0)
    guard count <= room else {
      try cut(
        .freelist, on: number, in: &tree, "a list of \(count) pages has room for \(room)")
      return
    }
    var above = map.count
    for index in 0..<Int(count) {
      let page = value.uint64(at: 8 + 8 * index)
      guard page >= PageFormat.metaPages, page < map.count else {
        try found(
          .freelist, on: number, in: tree,
          "free page \(page) is a meta page or past the last page")
        continue
      }
      if page >= above {
        try found(.freelist, on: number, in: tree, "free page \(page) comes after page \(above)")
      }
      above = page
      if transaction == report.transaction { replacedRoots.remove(page) }
      switch map.use(of: page) {
      case nil: mark(page, as: .free)
      case .used?:
        // The head has the root of an earlier state.
        if page == mainRoot { report.isHeadDoubtful = true }
        report.freePagesInUse.insert(page)
        try found(.freeInUse, on: page, in: tree, "is in use and on the freelist")
      case .free?: try found(.freeInUse, on: page, in: tree, "is on the freelist twice")
      }
    }
  }
}
