internal import BoxStorage

/// Index entries of a transaction that are written when it ends or when they are asked for.
///
/// Written in order they cost a seventh of what they cost in the order of the objects
/// (docs/measurements.md).
struct PendingEntries {
  /// Additions and removals in the order in which they were made; a removal has the highest bit of
  /// the member set, which no id has.
  private var entries: [IntegerEntry] = []

  private static let removal: UInt64 = 1 << 63

  var isEmpty: Bool { entries.isEmpty }
  var count: Int { entries.count }
  /// The memory that they take, and take again while they are sorted.
  var byteCount: Int { entries.count * MemoryLayout<IntegerEntry>.stride }

  @inline(__always)
  mutating func add(_ key: UInt64, _ id: UInt64) {
    entries.append(IntegerEntry(key: key, member: id))
  }

  mutating func remove(_ key: UInt64, _ id: UInt64) {
    entries.append(IntegerEntry(key: key, member: id | Self.removal))
  }

  mutating func forget() { entries.removeAll(keepingCapacity: true) }

  /// Writes the entries; the last that was done about an entry counts.
  mutating func flush(
    to space: Space, in transaction: StorageAccess
  ) throws(StoreError) {
    try flush(to: space, atOnce: entries.count) { (write) throws(StoreError) in
      try write(transaction)
    }
  }

  /// Writes the entries in parts of a number of them, each in the transaction that a function lends.
  mutating func flush(
    to space: Space, atOnce limit: Int,
    _ lending: ((StorageAccess) throws(StoreError) -> Void) throws(StoreError) -> Void
  ) throws(StoreError) {
    if entries.isEmpty { return }
    RadixSort.sort(&entries, ignoring: Self.removal)
    var start = 0
    while start < entries.count {
      let end = min(start + limit, entries.count)
      try lending { (transaction) throws(StoreError) in
        try write(start..<end, to: space, in: transaction)
      }
      start = end
    }
    entries.removeAll(keepingCapacity: entries.count <= 1 << 16)
  }

  /// Writes a part of the entries, which are sorted.
  private mutating func write(
    _ part: Range<Int>, to space: Space, in transaction: StorageAccess
  ) throws(StoreError) {
    // From the end: the entries after a removed one have to move in its page.
    for position in part.reversed() where isLast(position) {
      let entry = entries[position]
      if entry.member & Self.removal == 0 { continue }
      _ = try transaction.remove(space, entry.key, entry.member & ~Self.removal)
    }
    var kept = part.lowerBound
    for position in part where isLast(position) && entries[position].member & Self.removal == 0 {
      entries[kept] = entries[position]
      kept += 1
    }
    try unsafe entries.withUnsafeBufferPointer { (buffer) throws(StoreError) in
      let sorted = unsafe UnsafeBufferPointer(rebasing: buffer[part.lowerBound..<kept])
      try unsafe transaction.insert(space, sorted: sorted, atEnd: false)
    }
  }

  /// Whether nothing was done about the entry at a position later.
  private func isLast(_ position: Int) -> Bool {
    position + 1 >= entries.count || !Self.isSame(entries[position], entries[position + 1])
  }

  private static func isSame(_ a: IntegerEntry, _ b: IntegerEntry) -> Bool {
    a.key == b.key && (a.member ^ b.member) & ~removal == 0
  }
}
