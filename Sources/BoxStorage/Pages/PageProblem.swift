/// One thing that a data file promises and does not keep.
package struct PageProblem: Hashable, Sendable, CustomStringConvertible {
  /// The kind of a problem, as a value that stays the same when the wording changes.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The file has no bytes.
    case empty
    /// The file is not an LMDB data file.
    case format
    /// The file was written by a big-endian system.
    case bigEndian
    /// The file was written by a 32-bit system.
    case wordSize
    /// The file has another version of the format.
    case version
    /// A meta page has a page size that does not exist, or they differ in it.
    case pageSize
    /// A field of a meta page has a value that it cannot have.
    case meta
    /// The transaction numbers of the meta pages are not neighbours, or on the wrong pages.
    case transaction
    /// A page in use lies past the end of the file.
    case truncated
    /// A page number points to a meta page or past the last page.
    case pageNumber
    /// A page has another page's number.
    case misplacedPage
    /// A page is of another kind than its place in the tree.
    case pageKind
    /// The bounds of a page's contents do not fit the page.
    case pageBounds
    /// A node lies outside its page, overlaps another one or leaves a gap.
    case nodeBounds
    /// A node is of a kind that its database cannot have.
    case nodeKind
    /// A key has a size that it cannot have.
    case keySize
    /// Keys or duplicates are out of order.
    case keyOrder
    /// A value has a size that it cannot have.
    case valueSize
    /// A chain of overflow pages does not fit its value.
    case overflow
    /// The record of a database has values that it cannot have.
    case databaseRecord
    /// The record of a database counts other pages or entries than there are.
    case counts
    /// The freelist has an entry that it cannot have.
    case freelist
    /// A page is used in two places.
    case usedTwice
    /// A page is free and in use, or free twice.
    case freeInUse
    /// Pages are neither in use nor free.
    case lostPages
  }

  /// The page, `nil` where it is the whole file.
  package var page: UInt64?
  /// The kind of the problem.
  package var kind: Kind
  /// The named database, `nil` outside of them.
  package var database: String?
  /// One sentence without a trailing period.
  package var sentence: String

  /// Creates a problem from its parts.
  package init(page: UInt64?, kind: Kind, database: String? = nil, sentence: String) {
    self.page = page
    self.kind = kind
    self.database = database
    self.sentence = sentence
  }

  /// The place and the sentence.
  package var description: String {
    let place = page.map { "page \($0): " } ?? ""
    return place + (database.map { "database '\($0)': " } ?? "") + sentence
  }
}
