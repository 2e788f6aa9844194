/// The layout of an LMDB 0.9 data file written by a 64-bit little-endian system.
///
/// The file is an array of pages of one size. Page *n* starts at *n* times that size. Every number
/// is little-endian, and page numbers and transaction numbers have 8 bytes.
///
/// A page starts with a header of 16 bytes:
///
/// | offset | bytes | field |
/// | --- | --- | --- |
/// | 0 | 8 | the page's own number |
/// | 8 | 2 | size of an item on a page of fixed-size keys, otherwise unused |
/// | 10 | 2 | kind of page, ``PageFlags`` |
/// | 12 | 2 | lower: end of the array of node offsets |
/// | 14 | 2 | upper: start of the nodes |
/// | 12 | 4 | instead of lower and upper, on an overflow page: pages in the chain |
///
/// **Meta pages** are pages 0 and 1. After the header: magic (4 bytes), version (4), address of a
/// fixed map (8), size of the map (8), the record of the freelist, the record of the main database,
/// the last page in use (8), the transaction that wrote the page (8). Transaction *n* writes page
/// *n* mod 2, so that the other page keeps transaction *n* - 1. The greater number is current. In
/// a file without any transaction both are 0. The freelist's record holds the page size in its pad,
/// and beside its own flag the flags of the environment.
///
/// **The record of a database** has 48 bytes: pad (4), flags (2), depth (2), branch pages (8), leaf
/// pages (8), overflow pages (8), entries (8), root page (8, all ones when empty).
///
/// **Branch and leaf pages** hold an array of 2-byte offsets from 16 to lower, in the order of the
/// keys. These nodes start at even offsets and fill the space from upper to the end of
/// the page without a gap, in any order. A node has a header of 8 bytes, the key, the data, and one
/// byte if that makes its size even. The header's words of 2 bytes:
///
/// | offset | on a leaf | on a branch |
/// | --- | --- | --- |
/// | 0, 2 | size of the data, low word first | page number of the child, bits 0 to 31 |
/// | 4 | ``NodeFlags`` | bits 32 to 47 |
/// | 6 | size of the key | size of the key |
///
/// A branch's key is a lower bound of its child's keys, and greater than all keys before it. The key of the
/// first node is never read, and usually empty. All leaves have the same depth.
///
/// **Overflow pages** hold a value that is too long for a leaf, right after the header of the chain's first
/// page. The leaf's node has the first page's number as its data.
///
/// **Duplicates** of a key are the keys of a tree of their own. A small one is a page inside the
/// node's data, with offsets from its own start. A larger one has the record of a database as the
/// node's data. Where all duplicates have one size their leaves are arrays of items without nodes:
/// lower and upper count as if there were offsets.
///
/// **The freelist** is a database from transaction numbers (8 bytes) to lists of page numbers: the count,
/// then the numbers in descending order. A list may have unused space after its end.
///
/// **The main database** has the records of the named databases under their names.
enum PageFormat {
  static let headerSize = 16
  static let nodeHeaderSize = 8
  static let databaseRecordSize = 48
  static let metaSize = headerSize + 136

  static let magic: UInt32 = 0xBEEF_C0DE
  static let version: UInt32 = 1
  /// The version of builds made to develop LMDB, whose pages differ.
  static let developmentVersion: UInt32 = 999
  static let metaPages: UInt64 = 2

  /// Page sizes that LMDB can use: it takes the size of the system's pages.
  static let pageSizes = 512...32768
  /// The longest key, and the longest duplicate, of LMDB as it is distributed.
  static let longestKey = 511
  /// LMDB's cursors end here.
  static let deepestTree = 32
  /// The deepest tree of free pages, whose branches may have one node each: nothing but this limit
  /// keeps LMDB from making it deeper than its cursors.
  static let deepestFreelist = 20
  /// The page number that means the root of an empty tree.
  static let noPage = UInt64.max

  /// The largest node of a leaf or branch page: two and their offsets must fit.
  static func largestNode(pageSize: Int) -> Int {
    (((pageSize - headerSize) / 2) & ~1) - 2
  }

  /// The pages that a value in a chain needs.
  static func overflowPages(for size: Int, pageSize: Int) -> Int {
    (headerSize - 1 + size) / pageSize + 1
  }
}

/// The kind of a page.
struct PageFlags: OptionSet {
  var rawValue: UInt16
  static let branch = PageFlags(rawValue: 0x01)
  static let leaf = PageFlags(rawValue: 0x02)
  static let overflow = PageFlags(rawValue: 0x04)
  static let meta = PageFlags(rawValue: 0x08)
  /// Only in memory, and on a page inside a node, where it stays set.
  static let dirty = PageFlags(rawValue: 0x10)
  /// A leaf of items of one size, without nodes.
  static let fixedSize = PageFlags(rawValue: 0x20)
  /// A page inside a node.
  static let subPage = PageFlags(rawValue: 0x40)
}

/// The kind of data that a node of a leaf holds.
struct NodeFlags: OptionSet {
  var rawValue: UInt16
  /// The number of the first of a chain of overflow pages.
  static let overflow = NodeFlags(rawValue: 0x01)
  /// The record of a database.
  static let database = NodeFlags(rawValue: 0x02)
  /// Duplicates: a page, or with ``database`` the record of their tree.
  static let duplicates = NodeFlags(rawValue: 0x04)
}

/// The order of the keys and duplicates of a database, with the bits of `lmdb.h`.
package struct DatabaseFlags: OptionSet, Hashable, Sendable {
  /// The bits as they are stored.
  package var rawValue: UInt16

  /// Creates flags from the bits as they are stored.
  package init(rawValue: UInt16) { self.rawValue = rawValue }

  /// `MDB_REVERSEKEY`: keys are compared from their end.
  package static let reversedKeys = DatabaseFlags(rawValue: 0x02)
  /// `MDB_DUPSORT`: a key has a set of values.
  package static let duplicates = DatabaseFlags(rawValue: 0x04)
  /// `MDB_INTEGERKEY`: keys are unsigned numbers of 4 or 8 bytes in the system's order.
  package static let integerKeys = DatabaseFlags(rawValue: 0x08)
  /// `MDB_DUPFIXED`: all duplicates have one size.
  package static let fixedDuplicates = DatabaseFlags(rawValue: 0x10)
  /// `MDB_INTEGERDUP`: duplicates are unsigned numbers of 4 or 8 bytes in the system's order.
  package static let integerDuplicates = DatabaseFlags(rawValue: 0x20)
  /// `MDB_REVERSEDUP`: duplicates are compared from their end.
  package static let reversedDuplicates = DatabaseFlags(rawValue: 0x40)

  static let known: DatabaseFlags = [
    .reversedKeys, .duplicates, .integerKeys, .fixedDuplicates, .integerDuplicates,
    .reversedDuplicates,
  ]
  /// Flags of the environment in the freelist's record: a fixed map, a file without a directory.
  static let environment = DatabaseFlags(rawValue: 0x4001)

  /// Whether a database can have been made with these flags.
  var isConsistent: Bool {
    let onlyWithDuplicates: DatabaseFlags = [
      .fixedDuplicates, .integerDuplicates, .reversedDuplicates,
    ]
    return subtracting(.known).isEmpty
      && (contains(.duplicates) || isDisjoint(with: onlyWithDuplicates))
      && !isSuperset(of: [.integerKeys, .reversedKeys])
      && !isSuperset(of: [.integerDuplicates, .reversedDuplicates])
  }

  var keyOrder: KeyOrder {
    if contains(.reversedKeys) { return .reversed }
    return contains(.integerKeys) ? .integer : .bytes
  }

  /// The order of duplicates, `nil` where a key has one value.
  var duplicateOrder: KeyOrder? {
    guard contains(.duplicates) else { return nil }
    if contains(.integerDuplicates) { return .integer }
    return contains(.reversedDuplicates) ? .reversed : .bytes
  }
}
