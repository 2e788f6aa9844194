/// The keys of one object by their hashes: the tape indices of the keys, in slots.
///
/// The scanner makes a table to find repeated keys. A document keeps the tables of large objects, so
/// that a lookup in an object of a hundred thousand members does not walk through all of them.
struct JSONKeyTable: Sendable {
  /// Objects with more members keep their table.
  static let keptAbove = 32

  /// Indices into the tape; 0 is the root, never a key.
  private var slots: ContiguousArray<Int32>

  /// Creates an empty table, at most half of whose slots the given number of members takes.
  init(members: Int) {
    var capacity = 16
    while capacity < members * 2 { capacity *= 2 }
    slots = ContiguousArray(repeating: 0, count: capacity)
  }

  /// The hash of a key with its escapes resolved.
  ///
  /// It is seeded, so a text cannot be written to make many keys meet.
  static func hash(_ key: UnsafeRawBufferPointer) -> Int {
    var hasher = Hasher()
    unsafe hasher.combine(bytes: key)
    return hasher.finalize()
  }

  /// The key with a hash for which a closure is true, or nil.
  ///
  /// - Complexity: O(1) calls on average.
  func first(_ hash: Int, where isSame: (_ key: Int) -> Bool) -> Int? {
    var slot = hash & (slots.count - 1)
    while slots[slot] != 0 {
      let key = Int(slots[slot])
      if isSame(key) { return key }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  /// Adds a key with its hash.
  mutating func insert(_ key: Int, _ hash: Int) {
    var slot = hash & (slots.count - 1)
    while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
    slots[slot] = Int32(truncatingIfNeeded: key)
  }
}
