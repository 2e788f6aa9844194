internal import BoxStorage

/// Entries of an index with keys of bytes that are written when a transaction ends or when they are
/// needed; like ``PendingEntries``, but for strings.
struct PendingTexts {
  /// An addition or a removal.
  private struct Entry {
    /// The offset of the key in ``bytes``.
    var start: Int
    var count: Int
    /// The id; a removal has the highest bit set, which no id has.
    var member: UInt64
  }

  /// The entries in the order in which they were added.
  private var entries: [Entry] = []
  private var bytes: [UInt8] = []

  private static let removal: UInt64 = 1 << 63

  /// Whether there are so many that they should be written: 32 MiB.
  var areMany: Bool { byteCount >= 1 << 25 }

  var isEmpty: Bool { entries.isEmpty }

  /// The memory that they take, and take again while they are sorted.
  var byteCount: Int { bytes.count + entries.count * MemoryLayout<Entry>.stride }

  mutating func add(_ text: UnsafeRawBufferPointer, _ id: UInt64) { unsafe append(text, id) }

  mutating func remove(_ text: UnsafeRawBufferPointer, _ id: UInt64) {
    unsafe append(text, id | Self.removal)
  }

  private mutating func append(_ text: UnsafeRawBufferPointer, _ member: UInt64) {
    let key = unsafe IndexSchema.keyText(text)
    entries.append(Entry(start: bytes.count, count: key.count + 1, member: member))
    bytes.append(IndexSchema.keyMark)
    unsafe bytes.append(contentsOf: key)
  }

  mutating func forget() {
    entries.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
  }

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
    defer {
      let keepsCapacity = bytes.count <= 1 << 20
      entries.removeAll(keepingCapacity: keepsCapacity)
      bytes.removeAll(keepingCapacity: keepsCapacity)
    }
    try unsafe bytes.withBytes { bytes throws(StoreError) in
      let order = unsafe sorted(bytes)
      var start = 0
      while start < order.count {
        let end = min(start + limit, order.count)
        try lending { (transaction) throws(StoreError) in
          try unsafe write(start..<end, of: order, bytes, to: space, in: transaction)
        }
        start = end
      }
    }
  }

  /// Visits the entries in the order of their keys and ids; each is an addition.
  func visitSorted(
    _ body: (UnsafeRawBufferPointer, UInt64) throws(StoreError) -> Void
  ) throws(StoreError) {
    try unsafe bytes.withBytes { bytes throws(StoreError) in
      for place in unsafe sorted(bytes) {
        let entry = entries[Int(place.member)]
        try unsafe body(key(entry, bytes), entry.member)
      }
    }
  }

  private func write(
    _ part: Range<Int>, of order: [IntegerEntry], _ bytes: UnsafeRawBufferPointer, to space: Space,
    in transaction: StorageAccess
  ) throws(StoreError) {
    var added: [Int] = []
    added.reserveCapacity(part.count)
    for place in part {
      let entry = entries[Int(order[place].member)]
      if place + 1 < order.count {
        let next = entries[Int(order[place + 1].member)]
        if (entry.member ^ next.member) & ~Self.removal == 0,
          unsafe Self.compare(key(entry, bytes), key(next, bytes)) == 0
        {
          continue
        }
      }
      if entry.member & Self.removal == 0 {
        added.append(Int(order[place].member))
      } else {
        _ = try unsafe transaction.remove(space, key(entry, bytes), entry.member & ~Self.removal)
      }
    }
    try unsafe transaction.insert(space, count: added.count, atEnd: false) { position in
      let entry = entries[added[position]]
      return unsafe (key(entry, bytes), entry.member)
    }
  }

  private func key(_ entry: Entry, _ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(rebasing: bytes[entry.start..<entry.start + entry.count])
  }

  /// The positions of the entries, as members, in the order of their keys, ids, and making.
  ///
  /// Most strings differ in their first eight bytes: by these they are sorted as integers are.
  private func sorted(_ bytes: UnsafeRawBufferPointer) -> [IntegerEntry] {
    var order = entries.indices.map { position in
      unsafe IntegerEntry(key: start(of: entries[position], bytes), member: UInt64(position))
    }
    RadixSort.sort(&order)
    var first = 0
    while first < order.count {
      var end = first + 1
      while end < order.count && order[end].key == order[first].key { end += 1 }
      if end - first > 1 {
        order[first..<end].sort { a, b in unsafe precedes(Int(a.member), Int(b.member), bytes) }
      }
      first = end
    }
    return order
  }

  /// The first eight bytes of a string, in the order of strings.
  private func start(of entry: Entry, _ bytes: UnsafeRawBufferPointer) -> UInt64 {
    let key = unsafe key(entry, bytes).dropFirst()
    return unsafe key.prefix(8).enumerated().reduce(0) {
      $0 | UInt64($1.element) << (56 - 8 * $1.offset)
    }
  }

  private func precedes(_ a: Int, _ b: Int, _ bytes: UnsafeRawBufferPointer) -> Bool {
    let (first, second) = (entries[a], entries[b])
    let comparison = unsafe Self.compare(key(first, bytes), key(second, bytes))
    if comparison != 0 { return comparison < 0 }
    return (first.member & ~Self.removal, a) < (second.member & ~Self.removal, b)
  }

  /// Below, equal to or above 0 as the first comes before the second, is the same, or comes after.
  static func compare(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Int {
    for index in 0..<min(a.count, b.count) where unsafe a[index] != b[index] {
      return unsafe a[index] < b[index] ? -1 : 1
    }
    return a.count - b.count
  }
}
