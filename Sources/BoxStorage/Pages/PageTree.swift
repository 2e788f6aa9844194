/// The state of the walk in one tree.
struct PageTree {
  /// The content of the tree.
  enum Role { case freelist, main, named, duplicates }

  let role: Role
  let name: String?
  let record: DatabaseRecord
  let order: KeyOrder
  /// The order of duplicates, `nil` where a key has one value.
  let duplicateOrder: KeyOrder?
  /// Whether leaves are arrays of items, as for duplicates of one size.
  let hasItems: Bool
  /// The key whose duplicates the tree holds.
  let parentKey: PageBytes?
  /// The size that all keys must have, once it is known.
  var keySize: Int?
  /// The size that all duplicates must have, once it is known.
  var duplicateSize: Int?
  /// The place of the root.
  var place: PagePlace
  /// The counts so far.
  var pages = DatabasePages()
  /// Whether a part was skipped because of a problem, so that the counts are not valid.
  var isCut = false

  private var bound: [UInt8] = []
  private var hasBound = false
  private var isBoundEntry = false

  /// The tree of a database.
  init(_ role: Role, name: String? = nil, record: DatabaseRecord) {
    self.role = role
    self.name = name
    self.record = record
    order = record.flags.keyOrder
    duplicateOrder = record.flags.duplicateOrder
    hasItems = false
    parentKey = nil
    keySize = role == .freelist ? 8 : nil
    place = PagePlace(database: name)
    pages.name = name
    pages.flags = record.flags.subtracting(.environment)
    pages.depth = record.depth
    pages.recordedEntries = record.entries
  }

  /// The tree of a key's duplicates.
  init(
    duplicatesIn parent: PageTree, record: DatabaseRecord, order: KeyOrder, key: PageBytes
  ) {
    role = .duplicates
    name = parent.name
    self.record = record
    self.order = order
    duplicateOrder = nil
    parentKey = key
    hasItems = record.flags.contains(.fixedDuplicates)
    keySize = parent.duplicateSize
    place = PagePlace(database: parent.name)
  }

  /// Whether all keys have one size.
  var hasFixedKeys: Bool {
    switch role {
    case .freelist: true
    case .main, .named: order == .integer
    case .duplicates: order == .integer || hasItems
    }
  }

  /// Whether all duplicates have one size.
  var hasFixedDuplicates: Bool {
    record.flags.contains(.fixedDuplicates) || duplicateOrder == .integer
  }

  /// Whether a key comes after everything that the walk has seen before it.
  ///
  /// Only an entry may have the same key as its predecessor, which is the branch node that refers to it.
  func takesInOrder(_ key: PageBytes, isEntry: Bool) -> Bool {
    guard hasBound else { return true }
    return unsafe bound.withUnsafeBytes {
      unsafe isEntry && !isBoundEntry
        ? !order.precedes(key, PageBytes($0)) : order.precedes(PageBytes($0), key)
    }
  }

  /// Notes the key that comes before all keys to come.
  ///
  /// - Parameters:
  ///   - key: The key of an entry, or of a branch's node, which may come again as an entry.
  ///   - isEntry: Whether it is an entry's.
  mutating func setBound(_ key: PageBytes, isEntry: Bool) {
    bound.removeAll(keepingCapacity: true)
    unsafe bound.append(contentsOf: key.buffer)
    hasBound = true
    isBoundEntry = isEntry
  }
}
