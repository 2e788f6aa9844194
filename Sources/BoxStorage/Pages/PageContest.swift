/// A place in a file that refers to a page.
struct PagePlace: Hashable, Sendable {
  /// The database; nil for the main database and the freelist.
  var database: String?
  /// The page that refers to it; nil for a root that the head or the record of the database gives.
  var parent: UInt64?
  /// The offset of the node in that page.
  var offset = 0
}

/// The pages that several places use, or that are free too, and what speaks for each place.
///
/// A walk that has a contest follows every place to such a page. A page carries no name of its database, so what
/// counts is whether the keys on it are between those around the place, and whether the whole tree of the place
/// has as many pages and entries as its record says.
final class PageContest {
  private struct Claim {
    var page: UInt64
    var place: PagePlace
    /// Whether the page is of the right kind, and its keys are between those around the place.
    var fits = true
    /// Whether the tree of the place is complete with the page.
    var isOfWhole = false
  }

  private let pages: Set<UInt64>
  private let free: Set<UInt64>
  private var claims: [Claim] = []
  /// The claims in whose pages the walk is.
  private var open: [Int] = []
  /// The claim whose pages the walk has just left.
  private var last: Int?
  /// Pages that the walk can still visit again: a page may refer to itself.
  private var visitsLeft: UInt64

  /// A contest for the pages of a report; nil if it has no such page.
  init?(_ report: PageReport) {
    free = report.isFreelistSound ? report.freePagesInUse : []
    pages = report.pagesUsedTwice.union(free)
    visitsLeft = 4 * report.pageCount
    if pages.isEmpty { return nil }
  }

  // MARK: - The walk

  /// Whether a page that was visited may be visited again.
  func admits(_ page: UInt64) -> Bool {
    guard visitsLeft > 0, !open.isEmpty || pages.contains(page) else { return false }
    visitsLeft -= 1
    return true
  }

  /// Begins the pages from one on.
  func enter(_ page: UInt64, from place: PagePlace) {
    last = nil
    guard pages.contains(page) else { return }
    open.append(claims.count)
    claims.append(Claim(page: page, place: place))
  }

  /// Ends them.
  func leave(_ page: UInt64) {
    guard let claim = open.last, claims[claim].page == page else { return }
    open.removeLast()
    last = claim
  }

  /// Notes keys that are not in order: the walk has just left the pages that have them.
  func foundDisorder() {
    for claim in open + [last].compactMap({ $0 }) { claims[claim].fits = false }
  }

  /// Notes a page that is not what its place says.
  func foundProblem(on page: UInt64?) {
    if let claim = open.last, claims[claim].page == page { claims[claim].fits = false }
  }

  /// Ends a tree of which everything is there, in order, and in the number that its record says.
  func foundWhole(_ database: String?) {
    for position in claims.indices where claims[position].place.database == database {
      claims[position].isOfWhole = true
    }
  }

  // MARK: - The result

  /// The free pages with which a tree is complete.
  var completingFreePages: Set<UInt64> {
    free.intersection(claims.lazy.filter(\.isOfWhole).map(\.page))
  }

  /// The place that each of the pages belongs to; nil where nothing shows to which.
  ///
  /// A free page has an earlier content, unless a tree is complete with it. The main database keeps its own.
  ///
  /// - Parameter replaced: Free pages for which there is a later one.
  /// - Returns: The places, by page.
  func owners(replaced: Set<UInt64>) -> [UInt64: PagePlace?] {
    var owners: [UInt64: PagePlace?] = [:]
    for (page, claims) in Dictionary(grouping: claims, by: \.page) {
      let isFree = free.contains(page)
      if isFree, claims.contains(where: { $0.place.database == nil }) { continue }
      let whole = replaced.contains(page) ? [] : claims.filter { $0.isOfWhole && $0.fits }
      let fitting = isFree ? [] : claims.filter(\.fits)
      let owner: PagePlace? =
        whole.count == 1 ? whole[0].place : fitting.count == 1 ? fitting[0].place : nil
      owners.updateValue(owner, forKey: page)
    }
    for page in pages where owners[page] == nil && !free.contains(page) {
      owners.updateValue(nil, forKey: page)
    }
    return owners
  }
}
