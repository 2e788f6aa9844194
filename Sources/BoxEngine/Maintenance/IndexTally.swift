internal import BoxStorage

/// Compares indexes of an entity with its objects in one visit of each.
///
/// The caller adds every object, and asks afterwards which index does not have exactly their entries.
/// Memory does not depend on the number of objects.
struct IndexTally {
  private let indexes: [IndexSchema]
  private var sums: [PairSum]

  init(_ indexes: [IndexSchema]) {
    self.indexes = indexes
    sums = Array(repeating: PairSum(), count: indexes.count)
  }

  /// Adds the entries that an object should have.
  @inline(__always)
  mutating func add(_ id: UInt64, _ record: borrowing RecordView) {
    for position in indexes.indices { add(id, record, position) }
  }

  private mutating func add(_ id: UInt64, _ record: borrowing RecordView, _ position: Int) {
    let index = indexes[position]
    switch index.key(record) {
    case .integer(let key)?: sums[position].add(key, id)
    case .bytes(let key)?: unsafe key.withUnsafeBytes { unsafe sums[position].add($0, id) }
    case nil: break
    }
  }

  /// The indexes that do not have exactly the entries of the objects that were added, or of which two
  /// objects have one key although it is unique.
  ///
  /// - Throws: ``StorageError``, of kind `damaged` where entries are not in order.
  /// - Complexity: O(*n*) in the number of entries.
  func mismatches(in storage: StorageAccess) throws(StoreError) -> [IndexSchema] {
    var mismatches: [IndexSchema] = []
    for position in indexes.indices where try !isExact(position, storage) {
      mismatches.append(indexes[position])
    }
    return mismatches
  }

  private func isExact(_ position: Int, _ storage: StorageAccess) throws(StoreError) -> Bool {
    let index = indexes[position]
    // The commonest difference shows at once.
    if try storage.statistics(index.space).entries != sums[position].count { return false }
    var found = PairSum()
    var repeats = false
    if index.hasByteKeys {
      var last: [UInt8] = []
      try unsafe storage.entries(index.space, from: nil as UnsafeRawBufferPointer?, .forward) {
        key, id in
        unsafe found.add(key, id)
        if index.isUnique {
          if unsafe key.elementsEqual(last) { repeats = true } else { last = unsafe [UInt8](key) }
        }
        return .next
      }
    } else {
      var last: UInt64?
      try storage.entries(index.space, from: nil as UInt64?, .forward) { key, id in
        found.add(key, id)
        if key == last { repeats = true }
        last = key
        return .next
      }
    }
    return found == sums[position] && !(index.isUnique && repeats)
  }
}
