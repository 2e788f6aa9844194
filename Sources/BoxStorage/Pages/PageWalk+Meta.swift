extension PageWalk {
  /// Walks over everything: meta pages, the freelist, the main database and all below it.
  func walkFile() throws {
    guard let (meta, older) = try metas(), try prepareMap(of: meta) else { return }
    map.mark(0, as: .used)
    map.mark(1, as: .used)
    try checkFlags(ofFreelist: meta)
    // The head of a commit that is being synced is not older, and nothing has replaced its roots.
    if older.transaction < meta.transaction {
      replacedRoots = Set([older.freelist.root, older.main.root])
        .subtracting([meta.freelist.root, meta.main.root, PageFormat.noPage])
    }
    // A damaged list of free pages must not hide pages that are in use.
    if !walker.walksToTheEnd { try walkFreelist(meta, older) }
    mainRoot = meta.main.root
    var main = PageTree(.main, record: meta.main)
    if try checkRecord(main, on: meta.transaction % 2) {
      try walk(&main)
    } else {
      isCut = true
    }
    report.main = main.pages
    if !main.isCut, main.pages.isWhole { contest?.foundWhole(nil) }
    if walker.walksToTheEnd {
      let problems = problemCount
      try walkFreelist(meta, older)
      if problemCount == problems, !main.isCut, contest == nil { try walkOrphans() }
    }
    report.freePages = map.freeCount
    if !walker.walksToTheEnd { try checkForLostPages() }
    reportProgress()
  }

  private func walkFreelist(_ meta: MetaFields, _ older: MetaFields) throws {
    var freelist = PageTree(.freelist, record: meta.freelist)
    let problems = problemCount
    try walk(&freelist)
    report.freelist = freelist.pages
    // A page that is there twice counts once.
    report.isFreelistSound =
      !freelist.isCut && problemCount - problems == report.freePagesInUse.count
    if !freelist.isCut { try checkOrderOfMetas(meta, older) }
  }

  /// The number in the meta page whose state is walked; nil if one of the two is damaged.
  func lastTransaction() throws -> UInt64? {
    guard let (meta, _) = try metas(), report.problems.isEmpty else { return nil }
    return meta.transaction
  }

  /// The meta page whose state is walked and the other one; `nil` if the walk cannot continue with them.
  private func metas() throws -> (current: MetaFields, older: MetaFields)? {
    guard let first = try firstMeta() else { return nil }
    guard let second = try meta(at: UInt64(pageSize)) else {
      try found(.truncated, on: 1, "the file ends inside of the second meta page")
      return nil
    }
    for (page, meta) in [(UInt64(0), first), (1, second)] { try checkHeader(of: meta, on: page) }
    guard second.magic == PageFormat.magic || first.transaction > second.transaction else {
      return nil
    }
    if second.pageSize != first.pageSize {
      try found(
        .pageSize, on: 1,
        "the meta pages have the page sizes \(first.pageSize) and \(second.pageSize)")
    }
    if second.freelist.flags != first.freelist.flags {
      try found(
        .meta, on: 1,
        "the meta pages have the flags \(first.freelist.flags.rawValue) and "
          + "\(second.freelist.flags.rawValue)")
    }
    try checkTransactions(first, second)
    let isSecond =
      source.transaction.map { $0 == second.transaction }
      ?? (first.transaction < second.transaction)
    noteOddities(of: isSecond ? first : second, on: isSecond ? 0 : 1)
    return isSecond ? (second, first) : (first, second)
  }

  private func meta(at offset: UInt64) throws -> MetaFields? {
    try unsafe withUnsafeTemporaryAllocation(byteCount: PageFormat.metaSize, alignment: 8) {
      buffer in
      guard try unsafe source.fill(buffer, from: offset) else { return nil }
      return unsafe MetaFields(PageBytes(UnsafeRawBufferPointer(buffer)))
    }
  }

  /// The meta page at the start of the file, which tells what file it is and sets the page size.
  private func firstMeta() throws -> MetaFields? {
    guard source.size > 0 else {
      try found(.empty, on: nil, "the file is empty")
      return nil
    }
    guard let meta = try meta(at: 0) else {
      try found(.format, on: nil, "the file is too short for an LMDB data file")
      return nil
    }
    guard meta.magic == PageFormat.magic else {
      try refuseFormat(meta)
      return nil
    }
    guard let size = Int(exactly: meta.pageSize), PageFormat.pageSizes.contains(size),
      size & (size - 1) == 0
    else {
      try found(.pageSize, on: 0, "there are no pages of \(meta.pageSize) bytes")
      return nil
    }
    pageSize = size
    report.pageSize = size
    return meta
  }

  /// Reports the reason why a file without the magic in its place is refused.
  private func refuseFormat(_ meta: MetaFields) throws {
    // Pages of a 32-bit system have a header of 12 bytes, whose last word is 0 on a meta page here.
    let lastOfHeader = try unsafe withUnsafeTemporaryAllocation(byteCount: 4, alignment: 4) {
      buffer in
      try unsafe source.fill(buffer, from: 12)
        ? buffer.loadUnaligned(as: UInt32.self).littleEndian : 0
    }
    let swapped = PageFormat.magic.byteSwapped
    if meta.magic == swapped || lastOfHeader == swapped {
      try found(.bigEndian, on: nil, "the file was written by a big-endian system")
    } else if lastOfHeader == PageFormat.magic {
      try found(.wordSize, on: nil, "the file was written by a 32-bit system")
    } else {
      try found(.format, on: nil, "the file is not an LMDB data file")
    }
  }

  private func checkHeader(of meta: MetaFields, on page: UInt64) throws {
    if meta.magic != PageFormat.magic {
      try found(.meta, on: page, "the meta page does not start as one")
    }
    if meta.version != PageFormat.version {
      let developed = meta.version == PageFormat.developmentVersion ? ", of LMDB's developers" : ""
      try found(.version, on: page, "the format has version \(meta.version)\(developed), not 1")
    }
    if meta.number != page {
      try found(.misplacedPage, on: page, "has the number of page \(meta.number)")
    }
    if meta.flags != .meta {
      try found(.pageKind, on: page, "has the flags \(meta.flags.rawValue), which no meta page has")
    }
  }

  private func checkTransactions(_ first: MetaFields, _ second: MetaFields) throws {
    let numbers = (first.transaction, second.transaction)
    // Only a file that was never written to has two pages of the same transaction.
    let isNew =
      numbers == (0, 0)
      && [first, second].allSatisfy { $0.lastPage == 1 && $0.main.isEmpty && $0.freelist.isEmpty }
    let areNeighbours = max(numbers.0, numbers.1) - min(numbers.0, numbers.1) == 1
    // One a nanosecond for two centuries; LMDB has a meaning of its own for the greatest number.
    let isCountable = max(numbers.0, numbers.1) < 1 << 62
    guard !isNew, !areNeighbours || numbers.0 % 2 != 0 || !isCountable else { return }
    try found(
      .transaction, on: nil,
      "the meta pages cannot be of the transactions \(numbers.0) and \(numbers.1)")
  }

  /// Checks that the transaction of the current meta page came after the one of the older page.
  ///
  /// A damaged number can be a neighbour of the other one again: then LMDB takes the wrong page.
  /// Each transaction replaces the roots of the one before, and frees them in its own name.
  private func checkOrderOfMetas(_ meta: MetaFields, _ older: MetaFields) throws {
    guard let root = replacedRoots.min(), meta.transaction != older.transaction else { return }
    try found(
      .transaction, on: meta.transaction % 2,
      "transaction \(meta.transaction) did not replace root \(root) of the other meta page")
  }

  /// Notes what is wrong with the meta page that is not current, which LMDB does not look at.
  private func noteOddities(of meta: MetaFields, on page: UInt64) {
    let isOdd =
      !meta.main.flags.isConsistent
      || [meta.main, meta.freelist].contains {
        $0.depth > PageFormat.deepestTree || !$0.isEmpty && $0.root > meta.lastPage
      }
    guard isOdd else { return }
    report.notes.append(
      PageProblem(
        page: page, kind: .meta,
        sentence: "the older meta page is damaged; the newer one does not need it"))
  }

  /// Makes the map of pages; `false` if the last page cannot be right.
  private func prepareMap(of meta: MetaFields) throws -> Bool {
    let page = meta.transaction % 2
    report.transaction = meta.transaction
    guard meta.lastPage >= 1, meta.lastPage < 1 << 48 else {
      try found(.meta, on: page, "the last page cannot be \(meta.lastPage)")
      return false
    }
    let count = meta.lastPage + 1
    report.pageCount = count
    if meta.mapSize / UInt64(pageSize) < count {
      report.notes.append(
        PageProblem(
          page: page, kind: .meta,
          sentence: "the map of \(meta.mapSize) bytes is smaller than the pages in use"))
    }
    if meta.address != 0, meta.freelist.flags.rawValue & 1 == 0 {
      report.notes.append(
        PageProblem(page: page, kind: .meta, sentence: "an address is set for a map without one"))
    }
    let filePages = source.size / UInt64(pageSize)
    guard filePages >= PageFormat.metaPages else {
      try found(.truncated, on: 1, "the file ends inside of the second meta page")
      return false
    }
    map = PageMap(count: count, filePages: filePages)
    return true
  }

  private func checkFlags(ofFreelist meta: MetaFields) throws {
    guard meta.freelist.flags.subtracting(.environment) != .integerKeys else { return }
    try found(
      .databaseRecord, on: meta.transaction % 2,
      "the freelist cannot have the flags \(meta.freelist.flags.rawValue)")
  }

  private func checkForLostPages() throws {
    // If a part of a tree cannot be read, its pages are not lost.
    guard !isCut, map.seen < map.count else { return }
    let number = map.count - map.seen
    let place = map.firstUnseen().map { ", the first of them page \($0)" } ?? ""
    try found(
      .lostPages, on: map.firstUnseen(),
      "\(number) of \(map.count) pages are neither in use nor free\(place)")
  }
}
