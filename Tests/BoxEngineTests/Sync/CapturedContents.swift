import BoxModel
import BoxStorage
import TestSupport
import Testing

@testable import BoxEngine

/// The objects of captured entities and the pairs between them, byte for byte: what the outbox has to explain.
struct CapturedContents: Equatable {
  struct Key: Hashable {
    var entity: UID
    var id: UInt64
  }

  var records: [Key: [UInt8]] = [:]
  var pairs: Set<StoredPair> = []
  /// The captured entities at both ends of each relation between them.
  private var ends: [UID: (source: UID, target: UID)] = [:]

  static func == (a: Self, b: Self) -> Bool { a.records == b.records && a.pairs == b.pairs }

  /// Reads them.
  init(_ transaction: Transaction) throws {
    let storage = try transaction.reading()
    let captured = try #require(transaction.store.synchronizedEntities)
    let uids = Set(captured.map(\.uid))
    for entity in captured {
      try storage.visitRecords(entity.space, from: nil, .forward) { id, record in
        records[Key(entity: entity.uid, id: id)] = Array(record)
        return .next
      }
      for relation in entity.outgoing where uids.contains(relation.target) {
        ends[relation.uid] = (relation.source, relation.target)
        try storage.visitEntries(relation.forward, from: nil as UInt64?, .forward) {
          pairs.insert(StoredPair(relation: relation.uid, source: $0, target: $1))
          return .next
        }
      }
    }
  }

  private func isEnd(_ key: Key, of pair: StoredPair) -> Bool {
    guard let ends = ends[pair.relation] else { return false }
    return ends.source == key.entity && pair.source == key.id
      || ends.target == key.entity && pair.target == key.id
  }

  /// Applies an operation.
  mutating func apply(_ operation: CapturedOperation) throws {
    let key = Key(entity: operation.element, id: operation.id)
    let pair = StoredPair(
      relation: operation.element, source: operation.id, target: operation.target)
    switch operation.kind {
    case .insert:
      try #require(records.updateValue(operation.record, forKey: key) == nil, "it is there")
    case .update:
      try #require(records.updateValue(operation.record, forKey: key) != nil, "it is not there")
      try #require(!operation.slots.isEmpty)
    case .remove, .replaced:
      try #require(records.removeValue(forKey: key) != nil, "it is not there")
      pairs = pairs.filter { !isEnd(key, of: $0) }
    case .link: try #require(pairs.insert(pair).inserted, "the pair is there")
    case .unlink: try #require(pairs.remove(pair) != nil, "the pair is not there")
    }
  }

  /// Applies the outbox.
  mutating func applyOutbox(_ transaction: Transaction) throws {
    for captured in try transaction.capturedTransactions() {
      for operation in captured.operations { try apply(operation) }
    }
  }

  /// Puts the server's versions in the place of the objects and pairs that the outbox names.
  mutating func revert(_ transaction: Transaction) throws {
    let (storage, spaces) = try transaction.captureSpaces()
    try storage.values(spaces.shadows) { (name, stored) throws(StoreError) in
      guard let words = SyncKey.words(name, 2),
        let content = StoredCheckpoint.content(of: stored, under: name),
        let shadow = Shadow(decoding: content)
      else { throw StoreError.damagedCheckpoint }
      for id in shadow.ids(through: words[1]) { records[Key(entity: words[0], id: id)] = nil }
      if case .object(_, let record, _) = shadow {
        records[Key(entity: words[0], id: words[1])] = record
      }
      return .next
    }
    try storage.values(spaces.pairs) { (name, stored) throws(StoreError) in
      guard let words = SyncKey.words(name, 3),
        let content = StoredCheckpoint.content(of: stored, under: name)
      else { throw StoreError.damagedCheckpoint }
      let pair = StoredPair(relation: words[0], source: words[1], target: words[2])
      if ends[pair.relation] == nil { return .next }
      if content == [1] { pairs.insert(pair) } else { pairs.remove(pair) }
      return .next
    }
  }
}

extension Transaction {
  /// The spaces of data sync.
  func captureSpaces() throws -> (StorageAccess, SyncSpaces) {
    (try reading(), try #require(store.captureSchema).spaces)
  }

  /// All transactions of the outbox, none of which is damaged.
  func capturedTransactions() throws -> [CapturedTransaction] {
    var all: [CapturedTransaction?] = []
    try visitOutbox { _, captured in
      all.append(captured)
      return .next
    }
    return try all.map { try #require($0, "a transaction is damaged") }
  }

  /// Forgets the outbox, as if a server had answered everything.
  func forgetOutbox() throws {
    let (storage, spaces) = (try writing(), try captureSpaces().1)
    for space in [spaces.outbox, spaces.shadows, spaces.pairs] { try storage.clear(space) }
  }
}
