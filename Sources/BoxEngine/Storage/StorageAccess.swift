internal import BoxStorage

/// A transaction of the storage whose functions throw ``StoreError``, and whose keys are integers or bytes;
/// see ``StorageTransaction`` for what they do.
struct StorageAccess {
  let base: StorageTransaction

  @inline(__always)
  init(_ base: StorageTransaction) { self.base = base }

  var isWritable: Bool { base.isWritable }
  var number: UInt64 { base.number }

  func abort() { base.abort() }

  func isEmpty() throws(StoreError) -> Bool {
    try StoreError.wrapping(try base.isEmpty())
  }

  func openSpace(_ name: String, _ kind: SpaceKind, create: Bool) throws(StoreError) -> Space? {
    try StoreError.wrapping(try base.openSpace(name, kind, create: create))
  }

  func dropSpace(_ space: Space) throws(StoreError) {
    try StoreError.wrapping(try base.dropSpace(space))
  }

  func clear(_ space: Space) throws(StoreError) {
    try StoreError.wrapping(try base.clear(space))
  }

  func statistics(_ space: Space) throws(StoreError) -> SpaceStatistics {
    try StoreError.wrapping(try base.statistics(space))
  }

  func lastKey(_ space: Space) throws(StoreError) -> UInt64? {
    try StoreError.wrapping(try base.lastKey(space))
  }

  func commit() throws(StoreError) {
    try StoreError.wrapping(try base.commit())
  }

  func beginNested() throws(StoreError) -> StorageAccess {
    try StoreError.wrapping(StorageAccess(try base.beginNested()))
  }

  func spaceNames() throws(StoreError) -> [String] {
    try StoreError.wrapping(try base.spaceNames())
  }
}

// MARK: - Entries

extension StorageAccess {
  @inline(__always)
  func value(_ space: Space, _ key: some StorageKey) throws(StoreError) -> UnsafeRawBufferPointer? {
    try unsafe key.withBytes { (key) throws(StoreError) in
      try unsafe StoreError.wrapping(try base.value(space, key))
    }
  }

  /// Whether there is a value under a key.
  @inline(__always)
  func hasValue(_ space: Space, _ key: some StorageKey) throws(StoreError) -> Bool {
    try unsafe value(space, key) != nil
  }

  /// A copy of the value under a key.
  func bytes(_ space: Space, _ key: some StorageKey) throws(StoreError) -> [UInt8]? {
    try unsafe value(space, key).map { unsafe [UInt8]($0) }
  }

  @inline(__always)
  func put(
    _ space: Space, _ key: some StorageKey, _ value: UnsafeRawBufferPointer, _ kind: PutKind
  ) throws(StoreError) {
    try unsafe key.withBytes { (key) throws(StoreError) in
      try unsafe StoreError.wrapping(try base.put(space, key, value, kind))
    }
  }

  func put(_ space: Space, _ key: some StorageKey, _ bytes: [UInt8]) throws(StoreError) {
    try unsafe bytes.withBytes { (bytes) throws(StoreError) in
      try unsafe put(space, key, bytes, .replace)
    }
  }

  @inline(__always)
  func remove(_ space: Space, _ key: some StorageKey) throws(StoreError) -> Bool {
    try unsafe key.withBytes { (key) throws(StoreError) in
      try unsafe StoreError.wrapping(try base.remove(space, key))
    }
  }

  @inline(__always)
  func insert(
    _ space: Space, _ key: some StorageKey, _ member: UInt64
  ) throws(StoreError) -> Bool {
    try unsafe key.withBytes { (key) throws(StoreError) in
      try unsafe StoreError.wrapping(try base.insert(space, key, member))
    }
  }

  @inline(__always)
  func insert(
    _ space: Space, sorted: UnsafeBufferPointer<IntegerEntry>, atEnd: Bool
  ) throws(StoreError) {
    try unsafe StoreError.wrapping(try base.insert(space, sorted: sorted, atEnd: atEnd))
  }

  @inline(__always)
  func insert(
    _ space: Space, count: Int, atEnd: Bool,
    _ entry: (Int) -> (key: UnsafeRawBufferPointer, member: UInt64)
  ) throws(StoreError) {
    try unsafe StoreError.wrapping(try base.insert(space, count: count, atEnd: atEnd, entry))
  }

  @inline(__always)
  func contains(
    _ space: Space, _ key: some StorageKey, _ member: UInt64
  ) throws(StoreError) -> Bool {
    try unsafe key.withBytes { (key) throws(StoreError) in
      try unsafe StoreError.wrapping(try base.contains(space, key, member))
    }
  }

  /// The first member of the set of a key; nil if the key does not exist.
  @inline(__always)
  func firstMember(_ space: Space, _ key: some StorageKey) throws(StoreError) -> UInt64? {
    try unsafe value(space, key).map { unsafe $0.integer }
  }

  @inline(__always)
  func memberCount(_ space: Space, _ key: some StorageKey) throws(StoreError) -> Int {
    try unsafe key.withBytes { (key) throws(StoreError) in
      try unsafe StoreError.wrapping(try base.memberCount(space, key))
    }
  }

  @inline(__always)
  func remove(
    _ space: Space, _ key: some StorageKey, _ member: UInt64
  ) throws(StoreError) -> Bool {
    try unsafe key.withBytes { (key) throws(StoreError) in
      try unsafe StoreError.wrapping(try base.remove(space, key, member))
    }
  }

  @inline(__always)
  func nextRecord(
    _ space: Space, after key: UInt64?
  ) throws(StoreError) -> (key: UInt64, value: UnsafeRawBufferPointer)? {
    try unsafe StoreError.wrapping(try base.nextRecord(space, after: key))
  }
}

// MARK: - Visits that call a closure of the caller, whose errors are left as they are

extension StorageAccess {
  @inline(__always)
  func visitMembers(
    _ space: Space, _ key: some StorageKey, _ body: (UInt64) throws -> VisitStep
  ) throws {
    try unsafe key.withBytes { key in
      do { try unsafe base.members(space, key, body) } catch { throw StoreError.ofVisit(error) }
    }
  }

  @inline(__always)
  func visitRecords(
    _ space: Space, from: UInt64?, _ direction: VisitDirection,
    _ body: (UInt64, UnsafeRawBufferPointer) throws -> VisitStep
  ) throws {
    do {
      try unsafe base.records(space, from: from, direction, body)
    } catch {
      throw StoreError.ofVisit(error)
    }
  }

  @inline(__always)
  func visitEntries<Key: VisitedKey>(
    _ space: Space, from: Key?, _ direction: VisitDirection,
    _ body: (Key, UInt64) throws -> VisitStep
  ) throws {
    try unsafe from.withBytes { from in
      do {
        try unsafe base.entries(space, from: from, direction) { key, member in
          try unsafe body(Key(keyBytes: key), member)
        }
      } catch {
        throw StoreError.ofVisit(error)
      }
    }
  }

  @inline(__always)
  func visitEntries<Key: VisitedKey>(
    _ space: Space, descendingFrom from: Key?, _ body: (Key, UInt64) throws -> VisitStep
  ) throws {
    try unsafe from.withBytes { from in
      do {
        try unsafe base.entries(space, descendingFrom: from) { key, member in
          try unsafe body(Key(keyBytes: key), member)
        }
      } catch {
        throw StoreError.ofVisit(error)
      }
    }
  }
}

extension StorageAccess {
  /// Visits the entries of an index beyond one, each key with its members.
  func visitEntries(
    _ space: Space, beyond start: (key: IndexKey, member: UInt64)?, keys: VisitDirection,
    members: VisitDirection, _ body: (UnsafeRawBufferPointer, UInt64) throws -> VisitStep
  ) throws {
    do {
      guard let start else {
        return try unsafe base.entries(space, beyond: nil, keys: keys, members: members, body)
      }
      try unsafe start.key.withBytes { key in
        try unsafe base.entries(
          space, beyond: (key, start.member), keys: keys, members: members, body)
      }
    } catch {
      throw StoreError.ofVisit(error)
    }
  }
}

// MARK: - Visits whose body throws errors of the store

extension StorageAccess {
  func members(
    _ space: Space, _ key: some StorageKey, _ body: (UInt64) throws(StoreError) -> VisitStep
  ) throws(StoreError) {
    try StoreError.only { try visitMembers(space, key, body) }
  }

  func records(
    _ space: Space, from: UInt64?, _ direction: VisitDirection,
    _ body: (UInt64, UnsafeRawBufferPointer) throws(StoreError) -> VisitStep
  ) throws(StoreError) {
    try StoreError.only { try unsafe visitRecords(space, from: from, direction, body) }
  }

  /// Visits the keys of the records in ascending order.
  func keys(
    _ space: Space, from: UInt64? = nil, _ body: (UInt64) throws(StoreError) -> VisitStep
  ) throws(StoreError) {
    try unsafe records(space, from: from, .forward) { (key, _) throws(StoreError) in try body(key) }
  }

  func entries<Key: VisitedKey>(
    _ space: Space, from: Key?, _ direction: VisitDirection,
    _ body: (Key, UInt64) throws(StoreError) -> VisitStep
  ) throws(StoreError) {
    try StoreError.only { try visitEntries(space, from: from, direction, body) }
  }

  func keys<Key: VisitedKey>(
    _ space: Space, from: Key?, _ direction: VisitDirection,
    _ body: (_ key: Key, _ first: UInt64, _ count: Int) throws(StoreError) -> VisitStep
  ) throws(StoreError) {
    try StoreError.only {
      try unsafe from.withBytes { from in
        try unsafe base.keys(space, from: from, direction) { key, first, count in
          try unsafe body(Key(keyBytes: key), first, count)
        }
      }
    }
  }

  /// Visits the entries of a space whose keys and values are bytes, from a key on or from the first one.
  func values(
    _ space: Space, from: [UInt8]? = nil,
    _ body: (_ key: [UInt8], _ value: [UInt8]) throws(StoreError) -> VisitStep
  ) throws(StoreError) {
    try StoreError.only {
      try unsafe from.withBytes { from in
        try unsafe base.values(space, from: from) { key, value in
          try unsafe body([UInt8](key), [UInt8](value))
        }
      }
    }
  }
}
