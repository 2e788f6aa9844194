/// The results of a walk over the pages of a data file.
package struct PageReport: Hashable, Sendable {
  /// All problems, in the order of the walk.
  package var problems: [PageProblem] = []
  /// Oddities in bytes that LMDB does not use; no data is affected.
  package var notes: [PageProblem] = []
  /// Pages to which two places refer; one of these is damaged.
  package var pagesUsedTwice: Set<UInt64> = []
  /// Pages of a tree that are on the freelist; a place that refers to them, or the freelist, is damaged.
  package var freePagesInUse: Set<UInt64> = []
  /// Whether the freelist has no problem but pages in use.
  package var isFreelistSound: Bool = false
  /// Whether the walk reached the end rather than its limit of problems.
  package var isComplete: Bool = true

  /// Whether the heads contradict each other or the rest of the file, so that the state may not be the last one.
  package var isHeadDoubtful: Bool = false
  /// The last transaction that freed pages, as the freelist says; 0 if none did.
  package var lastFreed: UInt64 = 0

  /// Bytes per page, 0 if the meta pages cannot be read.
  package var pageSize: Int = 0
  /// The number of the last committed transaction.
  package var transaction: UInt64 = 0
  /// Pages that the current meta page counts: the last page's number and one.
  package var pageCount: UInt64 = 0
  /// Pages on the freelist.
  package var freePages: UInt64 = 0
  /// The tree of free pages.
  package var freelist: DatabasePages = DatabasePages()
  /// The tree of names, with the plain entries that are beside them.
  package var main: DatabasePages = DatabasePages()
  /// The named databases in the order of their names.
  package var databases: [DatabasePages] = []

  /// Whether nothing is wrong.
  package var isSound: Bool { problems.isEmpty && isComplete }
  /// Pages in use: meta pages and the pages of all trees.
  package var usedPages: UInt64 {
    databases.reduce(PageFormat.metaPages + freelist.pages + main.pages) { $0 + $1.pages }
  }
}

/// The pages and entries of one database, as counted by the walk.
///
/// The sums match `mdb_stat`, which leaves out the trees of duplicates.
package struct DatabasePages: Hashable, Sendable {
  /// The name, `nil` for the freelist and the main database.
  package var name: String?
  /// The order of keys and values.
  package var flags: DatabaseFlags = []
  /// Levels of the tree, 0 if it is empty.
  package var depth: Int = 0
  /// Bytes of each key; nil if keys differ in size, or without keys.
  package var keySize: Int?
  /// Bytes of each duplicate; nil if duplicates differ in size, or without duplicates.
  package var duplicateSize: Int?
  /// Pages above the leaves.
  package var branchPages: UInt64 = 0
  /// Pages with entries.
  package var leafPages: UInt64 = 0
  /// Pages of long values.
  package var overflowPages: UInt64 = 0
  /// Pairs of key and value.
  package var entries: UInt64 = 0
  /// Pairs of key and value as the record of the database counts them.
  package var recordedEntries: UInt64 = 0
  /// Whether a part was skipped because of a problem, so that the other counts are too low.
  package var isCut = false
  /// Whether keys or duplicates are not in order: a page may be the copy of another one, and be counted twice.
  package var isDisordered = false
  /// Whether all was reached, and the counts are not those that the record of the database has.
  package var isMiscounted = false
  /// Keys whose duplicates have a tree of pages.
  package var duplicateTrees: UInt64 = 0
  /// Pages in trees of duplicates.
  package var duplicatePages: UInt64 = 0

  /// Whether everything is there, in order, and in the number that the record of the database has.
  package var isWhole: Bool { !isCut && !isDisordered && !isMiscounted }

  /// All pages of the database.
  package var pages: UInt64 { branchPages + leafPages + overflowPages + duplicatePages }
}
