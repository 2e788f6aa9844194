/// The state of one walk over a data file.
///
/// Trees are walked depth first. The pages from the root to the place of the walk are in memory,
/// one buffer for each level, and so is one value.
@safe final class PageWalk {
  /// Ends the walk where enough was found.
  struct LimitReached: Error {}

  let walker: PageWalker
  var source: PageSource { walker.source }
  var report = PageReport()
  var map = PageMap(count: 0, filePages: 0)
  var layout = NodeLayout()
  /// Whether a part was left out because of a problem, so that unseen pages mean nothing.
  var isCut = false
  var pageSize = 0
  /// Roots of the older meta page that the last transaction must have freed, and of which no list
  /// of free pages was seen yet.
  var replacedRoots: Set<UInt64> = []

  /// The evidence for each place, where several refer to a page.
  var contest: PageContest?

  /// The root of the main database.
  var mainRoot = PageFormat.noPage

  /// The problems found so far, also those that are not in the report.
  var problemCount = 0
  /// The trees of records of which a part was left out.
  var cutRecords: [PageTree] = []

  /// The buffers of pages from the outermost level on, and how many of them are in use.
  private var buffers: [UnsafeMutableRawBufferPointer] = unsafe []
  private var level = 0
  private var valueBuffer = unsafe UnsafeMutableRawBufferPointer(start: nil, count: 0)

  init(_ walker: PageWalker) { self.walker = walker }

  deinit {
    unsafe buffers.forEach { unsafe $0.deallocate() }
    unsafe valueBuffer.deallocate()
  }

  /// Notes a problem.
  func found(
    _ kind: PageProblem.Kind, on page: UInt64?, in tree: PageTree? = nil, _ sentence: String
  ) throws {
    problemCount += 1
    contest?.foundProblem(on: page)
    let isOfHead = tree.map { $0.role == .main || $0.role == .freelist } ?? true
    if isOfHead, (page ?? 0) < PageFormat.metaPages { report.isHeadDoubtful = true }
    if walker.walksToTheEnd, report.problems.count >= walker.problemLimit { return }
    report.problems.append(
      PageProblem(page: page, kind: kind, database: tree?.name, sentence: sentence))
    if !walker.walksToTheEnd, report.problems.count >= walker.problemLimit { throw LimitReached() }
  }

  /// Notes keys that are not in order.
  func foundDisorder(
    on page: UInt64, in tree: inout PageTree, _ sentence: String
  ) throws {
    tree.pages.isDisordered = true
    contest?.foundDisorder()
    try found(.keyOrder, on: page, in: tree, sentence)
  }

  /// Notes a problem that hides a part of the tree.
  func cut(
    _ kind: PageProblem.Kind, on page: UInt64?, in tree: inout PageTree, _ sentence: String
  ) throws {
    isCut = true
    tree.isCut = true
    try found(kind, on: page, in: tree, sentence)
  }

  /// Takes a page for a tree; `false` if it is not a page of its own, which is noted.
  func claim(_ page: UInt64, in tree: inout PageTree, from place: PagePlace) throws -> Bool {
    guard page >= PageFormat.metaPages, page < map.count else {
      try cut(
        .pageNumber, on: place.parent, in: &tree, "refers to page \(page), which is not a tree page"
      )
      return false
    }
    guard page < map.pagesInFile else {
      try cut(.truncated, on: page, in: &tree, "lies past the end of the file")
      return false
    }
    if !walker.owners.isEmpty, let owner = walker.owners[page], owner != place {
      try cut(.usedTwice, on: page, in: &tree, "is used in two places")
      return false
    }
    switch map.use(of: page) {
    case .used? where contest?.admits(page) ?? false: return true
    case .used?:
      report.pagesUsedTwice.insert(page)
      try cut(.usedTwice, on: page, in: &tree, "is used in two places")
      return false
    case .free?:
      try cut(.freeInUse, on: page, in: &tree, "is in use and on the freelist")
      return false
    case nil:
      mark(page, as: .used)
      return true
    }
  }

  func mark(_ page: UInt64, as use: PageMap.Use) {
    map.mark(page, as: use)
    if map.seen % 1024 == 0 { reportProgress() }
  }

  func reportProgress() { walker.progress?(map.seen, map.count) }

  /// Reads a page and calls a function with it; `nil` if the file ends before.
  func withPage<Result>(_ page: UInt64, _ body: (PageBytes) throws -> Result) throws -> Result? {
    if unsafe level == buffers.count {
      unsafe buffers.append(.allocate(byteCount: pageSize, alignment: 16))
    }
    let buffer = unsafe buffers[level]
    guard try unsafe source.fill(buffer, from: page * UInt64(pageSize)) else { return nil }
    level += 1
    defer { level -= 1 }
    return try unsafe body(PageBytes(UnsafeRawBufferPointer(buffer)))
  }

  /// Reads bytes from an offset in a page on; `nil` if the file ends before.
  ///
  /// They stay until the next call.
  func bytes(_ count: Int, of page: UInt64, from offset: Int) throws -> PageBytes? {
    if unsafe valueBuffer.count < count {
      unsafe valueBuffer.deallocate()
      unsafe valueBuffer = .allocate(byteCount: count, alignment: 16)
    }
    let buffer = unsafe UnsafeMutableRawBufferPointer(rebasing: valueBuffer[..<count])
    guard try unsafe source.fill(buffer, from: page * UInt64(pageSize) + UInt64(offset)) else {
      return nil
    }
    return unsafe PageBytes(UnsafeRawBufferPointer(buffer))
  }
}
