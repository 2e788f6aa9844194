import Synchronization

@testable import BoxStorage

/// The calls of a storage, of which one fails.
///
/// It counts every function of a storage and of its transactions that can throw, except for sharing
/// the lock after the work is done.
final class FailingCalls: Sendable {
  private struct State {
    var failing = Int.max
    var calls = 0
  }

  private let state = Mutex(State())

  /// Lets the n-th call from now on fail, and no other.
  func fail(at call: Int) { state.withLock { $0 = State(failing: call) } }

  /// Lets no call fail.
  func failNever() { fail(at: .max) }

  /// Whether the call that was to fail was made.
  var hasFailed: Bool { state.withLock { $0.calls >= $0.failing } }

  /// Storages with these calls.
  var interposer: StorageInterposer {
    StorageInterposer { FailingStorage($0, self) }
  }

  fileprivate func call(_ name: String = #function) throws(StorageError) {
    let fails = state.withLock {
      $0.calls += 1
      return $0.calls == $0.failing
    }
    if fails { throw StorageError(.other, "\(name) fails") }
  }
}

/// A storage of which one call fails.
private final class FailingStorage: Storage {
  private let base: any Storage
  private let calls: FailingCalls

  init(_ base: any Storage, _ calls: FailingCalls) { (self.base, self.calls) = (base, calls) }

  var isReadOnly: Bool { base.isReadOnly }
  var hasLocks: Bool { base.hasLocks }
  var isAlone: Bool { base.isAlone }
  var spacesLock: Lock { base.spacesLock }
  func share() throws(StorageError) { try base.share() }

  func beginRead() throws(StorageError) -> any StorageTransaction {
    try calls.call()
    return FailingTransaction(try base.beginRead(), calls)
  }

  func beginWrite() throws(StorageError) -> any StorageTransaction {
    try calls.call()
    return FailingTransaction(try base.beginWrite(), calls)
  }

  func status() throws(StorageError) -> StorageStatus {
    try calls.call()
    return try base.status()
  }

  func copy(to descriptor: Int32, compacting: Bool) throws(StorageError) {
    try calls.call()
    try base.copy(to: descriptor, compacting: compacting)
  }
}

/// A transaction of which one call fails.
private final class FailingTransaction: StorageTransaction {
  private let base: any StorageTransaction
  private let calls: FailingCalls

  init(_ base: any StorageTransaction, _ calls: FailingCalls) {
    (self.base, self.calls) = (base, calls)
  }

  var isWritable: Bool { base.isWritable }
  var number: UInt64 { base.number }
  func abort() { base.abort() }

  func beginNested() throws(StorageError) -> any StorageTransaction {
    try calls.call()
    return FailingTransaction(try base.beginNested(), calls)
  }

  /// A commit that fails ends the transaction.
  func commit() throws(StorageError) {
    do throws(StorageError) {
      try calls.call()
    } catch {
      base.abort()
      throw error
    }
    try base.commit()
  }

  func isEmpty() throws(StorageError) -> Bool {
    try calls.call()
    return try base.isEmpty()
  }

  func spaceNames() throws(StorageError) -> [String] {
    try calls.call()
    return try base.spaceNames()
  }

  func openSpace(
    _ name: String, _ kind: SpaceKind, create: Bool
  ) throws(StorageError) -> Space? {
    try calls.call()
    return try base.openSpace(name, kind, create: create)
  }

  func dropSpace(
    _ space: Space
  ) throws(StorageError) {
    try calls.call()
    try base.dropSpace(space)
  }

  func clear(
    _ space: Space
  ) throws(StorageError) {
    try calls.call()
    try base.clear(space)
  }

  func statistics(
    _ space: Space
  ) throws(StorageError) -> SpaceStatistics {
    try calls.call()
    return try base.statistics(space)
  }

  func lastKey(
    _ space: Space
  ) throws(StorageError) -> UInt64? {
    try calls.call()
    return try base.lastKey(space)
  }

  func value(
    _ space: Space, _ key: UInt64
  ) throws(StorageError) -> UnsafeRawBufferPointer? {
    try calls.call()
    return try base.value(space, key)
  }

  func value(
    _ space: Space, _ key: UnsafeRawBufferPointer
  ) throws(StorageError) -> UnsafeRawBufferPointer? {
    try calls.call()
    return try base.value(space, key)
  }

  func put(
    _ space: Space, _ key: UInt64, _ value: UnsafeRawBufferPointer, _ kind: PutKind
  ) throws(StorageError) {
    try calls.call()
    try base.put(space, key, value, kind)
  }

  func put(
    _ space: Space, _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
  ) throws(StorageError) {
    try calls.call()
    try base.put(space, key, value)
  }

  func remove(
    _ space: Space, _ key: UInt64
  ) throws(StorageError) -> Bool {
    try calls.call()
    return try base.remove(space, key)
  }

  func remove(
    _ space: Space, _ key: UnsafeRawBufferPointer
  ) throws(StorageError) -> Bool {
    try calls.call()
    return try base.remove(space, key)
  }

  func insert(
    _ space: Space, _ key: UInt64, _ member: UInt64
  ) throws(StorageError) -> Bool {
    try calls.call()
    return try base.insert(space, key, member)
  }

  func insert(
    _ space: Space, _ key: UnsafeRawBufferPointer, _ member: UInt64
  ) throws(StorageError) -> Bool {
    try calls.call()
    return try base.insert(space, key, member)
  }

  func insert(
    _ space: Space, sorted: UnsafeBufferPointer<IntegerEntry>, atEnd: Bool
  ) throws(StorageError) {
    try calls.call()
    try base.insert(space, sorted: sorted, atEnd: atEnd)
  }

  func insert(
    _ space: Space, count: Int, atEnd: Bool,
    _ entry: (Int) -> (key: UnsafeRawBufferPointer, member: UInt64)
  ) throws(StorageError) {
    try calls.call()
    try base.insert(space, count: count, atEnd: atEnd, entry)
  }

  func contains(
    _ space: Space, _ key: UInt64, _ member: UInt64
  ) throws(StorageError) -> Bool {
    try calls.call()
    return try base.contains(space, key, member)
  }

  func contains(
    _ space: Space, _ key: UnsafeRawBufferPointer, _ member: UInt64
  ) throws(StorageError) -> Bool {
    try calls.call()
    return try base.contains(space, key, member)
  }

  func remove(
    _ space: Space, _ key: UInt64, _ member: UInt64
  ) throws(StorageError) -> Bool {
    try calls.call()
    return try base.remove(space, key, member)
  }

  func remove(
    _ space: Space, _ key: UnsafeRawBufferPointer, _ member: UInt64
  ) throws(StorageError) -> Bool {
    try calls.call()
    return try base.remove(space, key, member)
  }

  func memberCount(
    _ space: Space, _ key: UInt64
  ) throws(StorageError) -> Int {
    try calls.call()
    return try base.memberCount(space, key)
  }

  func memberCount(
    _ space: Space, _ key: UnsafeRawBufferPointer
  ) throws(StorageError) -> Int {
    try calls.call()
    return try base.memberCount(space, key)
  }

  func removeSet(
    _ space: Space, _ key: UInt64
  ) throws(StorageError) -> Bool {
    try calls.call()
    return try base.removeSet(space, key)
  }

  func nextRecord(
    _ space: Space, after key: UInt64?
  ) throws(StorageError) -> (key: UInt64, value: UnsafeRawBufferPointer)? {
    try calls.call()
    return try base.nextRecord(space, after: key)
  }

  func members(
    _ space: Space, _ key: UInt64, _ body: (UInt64) throws -> VisitStep
  ) throws {
    try calls.call()
    try base.members(space, key, body)
  }

  func members(
    _ space: Space, _ key: UnsafeRawBufferPointer, _ body: (UInt64) throws -> VisitStep
  ) throws {
    try calls.call()
    try base.members(space, key, body)
  }

  func records(
    _ space: Space, from: UInt64?, _ direction: VisitDirection,
    _ body: (UInt64, UnsafeRawBufferPointer) throws -> VisitStep
  ) throws {
    try calls.call()
    try base.records(space, from: from, direction, body)
  }

  func entries(
    _ space: Space, from: UInt64?, _ direction: VisitDirection,
    _ body: (IntegerEntry) throws -> VisitStep
  ) throws {
    try calls.call()
    try base.entries(space, from: from, direction, body)
  }

  func entries(
    _ space: Space, from: UnsafeRawBufferPointer?, _ direction: VisitDirection,
    _ body: (UnsafeRawBufferPointer, UInt64) throws -> VisitStep
  ) throws {
    try calls.call()
    try base.entries(space, from: from, direction, body)
  }

  func entries(
    _ space: Space, descendingFrom: UInt64?, _ body: (IntegerEntry) throws -> VisitStep
  ) throws {
    try calls.call()
    try base.entries(space, descendingFrom: descendingFrom, body)
  }

  func entries(
    _ space: Space, descendingFrom: UnsafeRawBufferPointer?,
    _ body: (UnsafeRawBufferPointer, UInt64) throws -> VisitStep
  ) throws {
    try calls.call()
    try base.entries(space, descendingFrom: descendingFrom, body)
  }

  func keys(
    _ space: Space, from: UInt64?, _ direction: VisitDirection,
    _ body: (UInt64, UInt64, Int) throws -> VisitStep
  ) throws {
    try calls.call()
    try base.keys(space, from: from, direction, body)
  }

  func keys(
    _ space: Space, from: UnsafeRawBufferPointer?, _ direction: VisitDirection,
    _ body: (UnsafeRawBufferPointer, UInt64, Int) throws -> VisitStep
  ) throws {
    try calls.call()
    try base.keys(space, from: from, direction, body)
  }

  func values(
    _ space: Space, _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws -> VisitStep
  ) throws {
    try calls.call()
    try base.values(space, body)
  }
}
