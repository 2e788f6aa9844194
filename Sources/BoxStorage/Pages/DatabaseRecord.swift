/// The record of a database: in a meta page, or as a value in the tree above.
struct DatabaseRecord {
  var pad: UInt32
  var flags: DatabaseFlags
  var depth: Int
  var branchPages: UInt64
  var leafPages: UInt64
  var overflowPages: UInt64
  var entries: UInt64
  var root: UInt64

  /// Reads a record; the bytes must hold all of it from the offset on.
  init(_ bytes: PageBytes, at offset: Int = 0) {
    pad = bytes.uint32(at: offset)
    flags = DatabaseFlags(rawValue: bytes.uint16(at: offset + 4))
    depth = bytes.word(at: offset + 6)
    branchPages = bytes.uint64(at: offset + 8)
    leafPages = bytes.uint64(at: offset + 16)
    overflowPages = bytes.uint64(at: offset + 24)
    entries = bytes.uint64(at: offset + 32)
    root = bytes.uint64(at: offset + 40)
  }

  /// The record of an empty tree.
  static let empty = DatabaseRecord(root: PageFormat.noPage)

  private init(root: UInt64) {
    (pad, flags, depth) = (0, [], 0)
    (branchPages, leafPages, overflowPages, entries) = (0, 0, 0, 0)
    self.root = root
  }

  var isEmpty: Bool { root == PageFormat.noPage }
}
