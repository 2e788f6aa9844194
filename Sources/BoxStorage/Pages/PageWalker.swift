/// Checks every page of an LMDB data file without LMDB.
///
/// A file that is damaged ends the process in LMDB, which trusts what it maps. This walk trusts
/// nothing: it reads page by page, compares each number with its bounds before it is used, takes
/// each page once, and so ends on any bytes. It checks what LMDB 0.9 relies on, with the file layout of a
/// 64-bit little-endian system. If the file is written to meanwhile, a reader of the walked state must exist:
/// later transactions reuse pages that one has freed.
///
/// In a file without problems LMDB reads exactly the entries that ``visit`` was given. Bytes that can
/// change without a problem are these, and no others:
///
/// - *Contents*, which are given to ``visit`` as they are: values that are not duplicates; keys,
///   duplicates and names of databases as long as they stay in order; lengths of values in overflow
///   pages as long as the chain is long enough. Where sizes are not fixed, also a length that is off
///   by one inside a node, whose size is rounded up to an even number, and the mark of a name whose
///   database is empty, which makes it a plain entry of the main database. A checksum over key and
///   value finds them. Keys and duplicates that have none must be compared with what they index.
/// - *Flags of a database* that order its entries in the same way, as of one with a single key. They
///   are in the report, to be compared with those that are expected.
/// - *Keys in branch pages* that still separate the keys below them. They lead to each entry.
/// - *Bytes that LMDB never reads*: the space between lower and upper, a byte that rounds a node up,
///   the rest of a meta page, of the last page of a chain and of a list of free pages; free pages and pages
///   after the last page; the pad of a page whose items have no fixed size; the number of a page inside a
///   node; the key of a branch's first node.
/// - *The older meta page* except its number, kind, magic, version, page size, flags, transaction and
///   the roots of its trees. LMDB reads no other field of it.
/// - *The size of the map* in the meta page. A size given when the file is opened goes before it.
/// - *The transaction of a list of free pages* that stays in order. It says how long a running reader may
///   need the pages; when the file is opened next, no reader is running.
///
/// The walk takes the memory of one page per level of the trees, one value, two bits for each page of
/// the file, and the list of the free pages after its end.
package struct PageWalker {
  /// The file.
  package var source: PageSource
  /// The number of problems at which the walk ends; at least 1.
  package var problemLimit: Int = 100
  /// Whether the walk continues beyond the limit, and only drops the problems that it finds there.
  ///
  /// It then visits everything that it can: if one tree of records has a damaged page above its leaves,
  /// also the leaves that are unreachable.
  package var walksToTheEnd = false
  /// Pages to which several places refer, with the one that counts; nil where all of them are damaged.
  var owners: [UInt64: PagePlace?] = [:]
  /// Called from time to time with the pages seen so far and their total, and at the end.
  package var progress: ((_ done: UInt64, _ total: UInt64) -> Void)?
  /// Called with each entry: the name of its database, its key and its value.
  ///
  /// Keys come in the order of their database, once for each of their duplicates. The name is `nil`
  /// for a plain entry of the main database; records of databases and free pages are not given.
  /// Entries on a page that cannot be read are left out. The bytes are valid during the call. An
  /// error ends the walk.
  package var visit: ((_ database: String?, _ key: RawSpan, _ value: RawSpan) throws -> Void)?

  /// Creates a walker over a file.
  package init(_ source: PageSource) { self.source = source }

  /// The number of the last committed transaction; nil if a head of the file is damaged.
  ///
  /// - Throws: The errors of reading the file.
  package func lastTransaction() throws -> UInt64? {
    let walk = PageWalk(self)
    do { return try walk.lastTransaction() } catch is PageWalk.LimitReached { return nil }
  }

  /// The first problem of the two heads of the file; nil if they are sound.
  ///
  /// - Throws: The errors of reading the file.
  package func headProblem() throws -> PageProblem? {
    let walk = PageWalk(self)
    do { _ = try walk.lastTransaction() } catch is PageWalk.LimitReached {}
    return walk.report.problems.first
  }

  /// The places that count of the pages that a walk has found in several, or in use and free.
  ///
  /// - Parameter report: The report of a walk to the end.
  /// - Returns: The places, by page; nil for a page of which none counts.
  /// - Throws: The errors of reading the file.
  /// - Complexity: O(*n*) in the number of pages if there are such pages.
  func owners(of report: PageReport) throws -> [UInt64: PagePlace?] {
    guard let contest = PageContest(report) else { return [:] }
    var walker = self
    (walker.visit, walker.progress) = (nil, nil)
    let walk = PageWalk(walker)
    walk.contest = contest
    try walk.walkFile()
    return contest.owners(replaced: try walk.replacedPages(contest.completingFreePages))
  }

  /// Walks over the file.
  ///
  /// Damage is in the report.
  ///
  /// - Throws: The errors of reading the file and of ``visit``, and no others.
  /// - Complexity: O(*n*) in the number of pages. Without ``visit`` only the first page of a chain of
  ///   overflow pages is read.
  package func walk() throws -> PageReport {
    let walk = PageWalk(self)
    do { try walk.walkFile() } catch is PageWalk.LimitReached { walk.report.isComplete = false }
    return walk.report
  }
}
