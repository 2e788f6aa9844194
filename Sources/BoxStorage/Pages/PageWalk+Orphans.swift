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
    where map.use(of: number) == nil && !walker.excludedPages.contains(number) {
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
