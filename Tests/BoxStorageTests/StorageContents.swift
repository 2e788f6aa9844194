import CLMDB
import TestSupport

@testable import BoxStorage

/// All entries of a storage in one state, copied from cursors.
struct StorageContents {
  /// The entries of a space in the order of a cursor.
  struct Entries {
    fileprivate(set) var kind: SpaceKind
    fileprivate(set) var entries: [Entry] = []
  }

  struct Entry: Hashable {
    var key: [UInt8]
    var value: [UInt8]
  }

  /// An entry that differs.
  struct Change: Hashable, CustomStringConvertible {
    var change: EntryChange
    var entry: Entry
    var description: String { "\(change) \(entry.key): \(entry.value.count) bytes" }
  }

  private var spaces: [Entries?] = []

  /// Copies the last committed state.
  init(_ storage: Storage) throws {
    // Another transaction than those that are compared: its handles outlive it.
    let transaction = try storage.beginRead()
    defer { transaction.abort() }
    let names = try transaction.spaceNames()
    for (name, kind) in StorageChanges.spaces {
      guard names.contains(name), let space = try transaction.openSpace(name, kind, create: false)
      else {
        spaces.append(nil)
        continue
      }
      spaces.append(try Self.entries(of: space, transaction))
    }
    try transaction.commit()
  }

  static func entries(of space: Space, _ transaction: StorageTransaction) throws -> Entries {
    var entries = Entries(kind: space.kind)
    var cursor = try LMDBCursor(space, in: transaction)
    defer { cursor.close() }
    var isThere = try cursor.move(MDB_FIRST)
    while isThere {
      entries.entries.append(
        Entry(key: Array(cursor.keyBytes), value: Array(cursor.valueBytes)))
      isThere = try cursor.move(MDB_NEXT)
    }
    return entries
  }

  /// The names of the spaces that differ from those of another state.
  func namesOfChanges(since older: StorageContents) -> [String] {
    StorageChanges.spaces.indices.filter {
      spaces[$0]?.entries != older.spaces[$0]?.entries
        || (spaces[$0] == nil) != (older.spaces[$0] == nil)
    }.map { StorageChanges.spaces[$0].name }.sorted()
  }

  /// The entries of a space that differ from those of another state.
  func changes(since older: StorageContents, in space: Int) -> [Change] {
    Self.changes(older.spaces[space], spaces[space])
  }

  /// A merge of two lists, which both have an order.
  static func changes(_ old: Entries?, _ new: Entries?) -> [Change] {
    let kind = new?.kind ?? old?.kind ?? .bytes
    var (left, right) = ((old?.entries ?? [])[...], (new?.entries ?? [])[...])
    var changes: [Change] = []
    while left.first != nil || right.first != nil {
      guard let before = left.first, let after = right.first else {
        changes += left.map { Change(change: .removed, entry: $0) }
        changes += right.map { Change(change: .inserted, entry: $0) }
        return changes
      }
      let (isBefore, isAfter) = (precedes(before, after, kind), precedes(after, before, kind))
      if isBefore { changes.append(Change(change: .removed, entry: before)) }
      if isAfter { changes.append(Change(change: .inserted, entry: after)) }
      if !isBefore && !isAfter && before != after {
        changes.append(Change(change: .updated, entry: after))
      }
      if !isAfter { left.removeFirst() }
      if !isBefore { right.removeFirst() }
    }
    return changes
  }

  private static func precedes(_ a: Entry, _ b: Entry, _ kind: SpaceKind) -> Bool {
    func number(_ bytes: [UInt8]) -> UInt64 {
      bytes.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
    }
    switch kind {
    case .records: return number(a.key) < number(b.key)
    case .integerSets:
      return (number(a.key), number(a.value)) < (number(b.key), number(b.value))
    case .bytes: return a.key.lexicographicallyPrecedes(b.key)
    case .byteSets:
      if a.key != b.key { return a.key.lexicographicallyPrecedes(b.key) }
      return number(a.value) < number(b.value)
    }
  }
}

extension StorageTransaction {
  /// The differences of a space, as ``visitDifferences(ofSpace:since:maximumPages:_:)`` tells them; nil if it
  /// knows nothing.
  func differences(
    of space: String, since older: StorageTransaction, maximumPages: Int = 1 << 30
  ) throws -> [StorageContents.Change]? {
    var changes: [StorageContents.Change] = []
    let isKnown = try visitDifferences(ofSpace: space, since: older, maximumPages: maximumPages) {
      let entry = StorageContents.Entry(key: Array($1), value: Array($2))
      changes.append(StorageContents.Change(change: $0, entry: entry))
    }
    return isKnown ? changes : nil
  }
}
