extension PageWalk {
  /// Visits the leaves that have become unreachable, because a page above them is damaged.
  ///
  /// A leaf does not say which tree it is of. So this is for one damaged tree of records alone, and its
  /// entries have a checksum. Free pages have earlier entries, so the list of them must have been read.
  func walkOrphans() throws {
    guard cutRecords.count == 1, let name = cutRecords[0].name else { return }
    let record = cutRecords[0].record
    var leaves: [UInt64] = []
    // The value of an entry is not a leaf, whatever its bytes are.
    var chained: Set<UInt64> = []
    var chainedCount: UInt64 = 0
    for number in PageFormat.metaPages..<max(PageFormat.metaPages, map.pagesInFile)
    where map.use(of: number) == nil && walker.owners[number] == nil {
      guard let chains = try withPage(number, { chains(of: $0, number) }) ?? nil else { continue }
      leaves.append(number)
      for chain in chains {
        // Each page is in one chain, so more of them than pages are damage, and would take long.
        chainedCount += chain.upperBound - chain.lowerBound
        if chainedCount > map.pagesInFile { return }
        chained.formUnion(chain)
      }
    }
    for number in leaves where !chained.contains(number) && map.use(of: number) == nil {
      mark(number, as: .used)
      // Of its own for each: leaves are in the order of the file here, and not of their keys.
      var tree = PageTree(.named, name: name, record: record)
      _ = try withPage(number) { try walkLeaf($0, number: number, in: &tree) }
    }
  }

  /// The pages among some free ones that begin as an unreachable page does, which is the later one.
  ///
  /// A branch from before a transaction refers to the pages that this freed, and the tree is complete with them.
  func replacedPages(_ pages: Set<UInt64>) throws -> Set<UInt64> {
    if pages.isEmpty { return [] }
    var later: Set<[UInt8]> = []
    for number in PageFormat.metaPages..<map.pagesInFile where map.use(of: number) == nil {
      if let start = try start(of: number) { later.insert(start) }
    }
    return try pages.filter { page in try start(of: page).map { later.contains($0) } ?? false }
  }

  /// The kind of a page and the first key that it must have; nil if it is not one of a tree.
  private func start(of number: UInt64) throws -> [UInt8]? {
    let start = try withPage(number) { page -> [UInt8]? in
      let flags = PageFlags(rawValue: page.uint16(at: 10))
      guard page.uint64(at: 0) == number else { return nil }
      let key: PageBytes
      if flags == [.leaf, .fixedSize] {
        key = page[PageFormat.headerSize..<PageFormat.headerSize + 8]
      } else {
        guard flags == .branch || flags == .leaf,
          let count = try? layout.check(page, isBranch: flags == .branch),
          count > (flags == .branch ? 1 : 0)
        else { return nil }
        // The first node of a branch has no key.
        key = PageNode(page, index: flags == .branch ? 1 : 0).key
      }
      return unsafe [UInt8(truncatingIfNeeded: flags.rawValue)] + [UInt8](key.buffer)
    }
    return start ?? nil
  }

  /// The pages of the long values of a leaf of records; nil if the page is not one.
  private func chains(of page: PageBytes, _ number: UInt64) -> [Range<UInt64>]? {
    guard page.uint64(at: 0) == number, PageFlags(rawValue: page.uint16(at: 10)) == .leaf,
      let count = try? layout.check(page, isBranch: false), count > 0
    else { return nil }
    var chains: [Range<UInt64>] = []
    for index in 0..<count {
      let node = PageNode(page, index: index)
      // Members of sets are shorter.
      guard node.keySize == 8, node.valueSize >= Self.shortestRecord else { return nil }
      if node.flags == [] { continue }
      guard node.flags == .overflow else { return nil }
      let first = node.data.uint64(at: 0)
      let pages = PageFormat.overflowPages(for: node.valueSize, pageSize: pageSize)
      guard first < map.pagesInFile, UInt64(pages) <= map.pagesInFile - first else { return nil }
      chains.append(first..<first + UInt64(pages))
    }
    return chains
  }

  /// The bytes of a record without values: its checksum and an empty table.
  private static let shortestRecord = 16
}
