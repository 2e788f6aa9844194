internal import BoxStorage

/// A transaction of the storage whose functions throw ``StoreError``; see ``StorageTransaction`` for
/// what they do.
struct StorageAccess {
  let base: any StorageTransaction

  @inline(__always)
  init(_ base: any StorageTransaction) { self.base = base }

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
  func value(_ space: Space, _ key: UInt64) throws(StoreError) -> UnsafeRawBufferPointer? {
    try unsafe StoreError.wrapping(try base.value(space, key))
  }

  @inline(__always)
  func value(
    _ space: Space, _ key: UnsafeRawBufferPointer
  ) throws(StoreError) -> UnsafeRawBufferPointer? {
    try unsafe StoreError.wrapping(try base.value(space, key))
  }

  @inline(__always)
  func put(
    _ space: Space, _ key: UInt64, _ value: UnsafeRawBufferPointer, _ kind: PutKind
  ) throws(StoreError) {
    try unsafe StoreError.wrapping(try base.put(space, key, value, kind))
  }

  @inline(__always)
  func put(
    _ space: Space, _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
  ) throws(StoreError) {
    try unsafe StoreError.wrapping(try base.put(space, key, value))
  }

  @inline(__always)
  func remove(_ space: Space, _ key: UInt64) throws(StoreError) -> Bool {
    try StoreError.wrapping(try base.remove(space, key))
  }

  @inline(__always)
  func remove(_ space: Space, _ key: UnsafeRawBufferPointer) throws(StoreError) -> Bool {
    try unsafe StoreError.wrapping(try base.remove(space, key))
  }

  @inline(__always)
  func insert(_ space: Space, _ key: UInt64, _ member: UInt64) throws(StoreError) -> Bool {
    try StoreError.wrapping(try base.insert(space, key, member))
  }

  @inline(__always)
  func insert(
    _ space: Space, _ key: UnsafeRawBufferPointer, _ member: UInt64
  ) throws(StoreError) -> Bool {
    try unsafe StoreError.wrapping(try base.insert(space, key, member))
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
  func contains(_ space: Space, _ key: UInt64, _ member: UInt64) throws(StoreError) -> Bool {
    try StoreError.wrapping(try base.contains(space, key, member))
  }

  @inline(__always)
  func contains(
    _ space: Space, _ key: UnsafeRawBufferPointer, _ member: UInt64
  ) throws(StoreError) -> Bool {
    try unsafe StoreError.wrapping(try base.contains(space, key, member))
  }

  @inline(__always)
  func memberCount(_ space: Space, _ key: UInt64) throws(StoreError) -> Int {
    try StoreError.wrapping(try base.memberCount(space, key))
  }

  @inline(__always)
  func memberCount(_ space: Space, _ key: UnsafeRawBufferPointer) throws(StoreError) -> Int {
    try unsafe StoreError.wrapping(try base.memberCount(space, key))
  }

  @inline(__always)
  func remove(_ space: Space, _ key: UInt64, _ member: UInt64) throws(StoreError) -> Bool {
    try StoreError.wrapping(try base.remove(space, key, member))
  }

  @inline(__always)
  func remove(
    _ space: Space, _ key: UnsafeRawBufferPointer, _ member: UInt64
  ) throws(StoreError) -> Bool {
    try unsafe StoreError.wrapping(try base.remove(space, key, member))
  }

  @inline(__always)
  func removeSet(_ space: Space, _ key: UInt64) throws(StoreError) -> Bool {
    try StoreError.wrapping(try base.removeSet(space, key))
  }

  @inline(__always)
  func nextRecord(
    _ space: Space, after key: UInt64?
  ) throws(StoreError) -> (key: UInt64, value: UnsafeRawBufferPointer)? {
    try unsafe StoreError.wrapping(try base.nextRecord(space, after: key))
  }
}

// MARK: - Visits

extension StorageAccess {
  func members(
    _ space: Space, _ key: UInt64,
    _ body: (UInt64) throws(StoreError) -> VisitStep
  ) throws(StoreError) {
    try StoreError.only { try base.members(space, key, body) }
  }

  func members(
    _ space: Space, _ key: UnsafeRawBufferPointer,
    _ body: (UInt64) throws(StoreError) -> VisitStep
  ) throws(StoreError) {
    try StoreError.only { try unsafe base.members(space, key, body) }
  }

  func records(
    _ space: Space, from: UInt64?, _ direction: VisitDirection,
    _ body: (UInt64, UnsafeRawBufferPointer) throws(StoreError) -> VisitStep
  ) throws(StoreError) {
    try StoreError.only { try unsafe base.records(space, from: from, direction, body) }
  }

  func entries(
    _ space: Space, from: UInt64?, _ direction: VisitDirection,
    _ body: (IntegerEntry) throws(StoreError) -> VisitStep
  ) throws(StoreError) {
    try StoreError.only { try base.entries(space, from: from, direction, body) }
  }

  func entries(
    _ space: Space, from: UnsafeRawBufferPointer?, _ direction: VisitDirection,
    _ body: (UnsafeRawBufferPointer, UInt64) throws(StoreError) -> VisitStep
  ) throws(StoreError) {
    try StoreError.only { try unsafe base.entries(space, from: from, direction, body) }
  }

  func entries(
    _ space: Space, descendingFrom from: UInt64?,
    _ body: (IntegerEntry) throws(StoreError) -> VisitStep
  ) throws(StoreError) {
    try StoreError.only { try base.entries(space, descendingFrom: from, body) }
  }

  func entries(
    _ space: Space, descendingFrom from: UnsafeRawBufferPointer?,
    _ body: (UnsafeRawBufferPointer, UInt64) throws(StoreError) -> VisitStep
  ) throws(StoreError) {
    try StoreError.only { try unsafe base.entries(space, descendingFrom: from, body) }
  }

  func keys(
    _ space: Space, from: UInt64?, _ direction: VisitDirection,
    _ body: (_ key: UInt64, _ first: UInt64, _ count: Int) throws(StoreError) -> VisitStep
  ) throws(StoreError) {
    try StoreError.only { try base.keys(space, from: from, direction, body) }
  }

  func keys(
    _ space: Space, from: UnsafeRawBufferPointer?, _ direction: VisitDirection,
    _ body: (
      _ key: UnsafeRawBufferPointer, _ first: UInt64, _ count: Int
    ) throws(StoreError) -> VisitStep
  ) throws(StoreError) {
    try StoreError.only { try unsafe base.keys(space, from: from, direction, body) }
  }
}

// MARK: - Visits that call a closure of the caller

extension StorageAccess {
  @inline(__always)
  func visitMembers(
    _ space: Space, _ key: UInt64,
    _ body: (UInt64) throws -> VisitStep
  ) throws {
    try StoreError.visiting { try base.members(space, key, body) }
  }

  @inline(__always)
  func visitMembers(
    _ space: Space, _ key: UnsafeRawBufferPointer,
    _ body: (UInt64) throws -> VisitStep
  ) throws {
    try StoreError.visiting { try unsafe base.members(space, key, body) }
  }

  @inline(__always)
  func visitRecords(
    _ space: Space, from: UInt64?, _ direction: VisitDirection,
    _ body: (UInt64, UnsafeRawBufferPointer) throws -> VisitStep
  ) throws {
    try StoreError.visiting { try unsafe base.records(space, from: from, direction, body) }
  }

  @inline(__always)
  func visitEntries(
    _ space: Space, from: UInt64?, _ direction: VisitDirection,
    _ body: (IntegerEntry) throws -> VisitStep
  ) throws {
    try StoreError.visiting { try base.entries(space, from: from, direction, body) }
  }

  @inline(__always)
  func visitEntries(
    _ space: Space, from: UnsafeRawBufferPointer?, _ direction: VisitDirection,
    _ body: (UnsafeRawBufferPointer, UInt64) throws -> VisitStep
  ) throws {
    try StoreError.visiting { try unsafe base.entries(space, from: from, direction, body) }
  }

  @inline(__always)
  func visitEntries(
    _ space: Space, descendingFrom from: UInt64?, _ body: (IntegerEntry) throws -> VisitStep
  ) throws {
    try StoreError.visiting { try base.entries(space, descendingFrom: from, body) }
  }

  @inline(__always)
  func visitEntries(
    _ space: Space, descendingFrom from: UnsafeRawBufferPointer?,
    _ body: (UnsafeRawBufferPointer, UInt64) throws -> VisitStep
  ) throws {
    try StoreError.visiting { try unsafe base.entries(space, descendingFrom: from, body) }
  }
}
