import BoxModel
import BoxStorage
import TestSupport
import Testing

@testable import BoxEngine

/// The objects of captured entities and the visible pairs between them: what the outbox has to explain.
///
/// Records are built again with their values in the order of the slots: a put of the same values in another order is
/// none.
struct CapturedContents {
  struct Key: Hashable {
    var entity: UID
    var id: UInt64
  }

  var records: [Key: [UInt8]] = [:]
  var pairs: Set<StoredPair> = []
  /// The captured entities at both ends of each relation between them.
  private var ends: [UID: (source: UID, target: UID)] = [:]
  private let layouts: [UID: RecordLayout]

  /// The objects and pairs that two have not in common.
  func differences(from other: Self) -> [String] {
    let keys = Set(records.keys).union(other.records.keys).filter {
      records[$0] != other.records[$0]
    }
    return keys.map { "\($0.entity) \($0.id)" }
      + pairs.symmetricDifference(other.pairs).map { "\($0.relation): \($0.source) \($0.target)" }
  }

  /// Reads them.
  init(_ transaction: Transaction) throws {
    let storage = try transaction.reading()
    let captured = try #require(transaction.store.synchronizedEntities)
    let uids = Set(captured.map(\.uid))
    layouts = Dictionary(captured.map { ($0.uid, $0.layout) }) { $1 }
    for entity in captured {
      try storage.visitRecords(entity.space, from: nil, .forward) { id, record in
        let key = Key(entity: entity.uid, id: id)
        records[key] = try ordered(Array(record), key)
        return .next
      }
      for relation in entity.relations where uids.contains(relation.target) {
        ends[relation.uid] = (relation.source, relation.target)
        try storage.visitEntries(relation.forward, from: nil as UInt64?, .forward) {
          pairs.insert(StoredPair(relation: relation.uid, source: $0, target: $1))
          return .next
        }
      }
    }
  }

  /// A record with its values in the order of their slots.
  private func ordered(_ record: [UInt8], _ key: Key) throws -> [UInt8] {
    let layout = try #require(layouts[key.entity])
    var writer = RecordWriter()
    writer.begin(layout)
    let reader = RecordReader(layout)
    try record.withUnsafeBytes { bytes in
      let view = try reader.view(key.id, bytes)
      for slot in layout.types.indices { writer.copy(slot, from: view) }
    }
    return Array(writer.finish(key.id))
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
      try #require(
        records.updateValue(ordered(operation.record, key), forKey: key) == nil, "it is there")
    case .update:
      try #require(
        records.updateValue(ordered(operation.record, key), forKey: key) != nil, "it is not there")
      try #require(!operation.slots.isEmpty)
    case .remove, .replaced:
      try #require(records.removeValue(forKey: key) != nil, "it is not there")
      pairs = pairs.filter { !isEnd(key, of: $0) }
    case .link:
      let ends = try #require(ends[pair.relation])
      try #require(records[Key(entity: ends.source, id: pair.source)] != nil, "no source")
      try #require(records[Key(entity: ends.target, id: pair.target)] != nil, "no target")
      try #require(pairs.insert(pair).inserted, "the pair is there")
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
    for (name, content) in try storage.entries(of: spaces.shadows) {
      let words = try #require(SyncKey.words(name, 2))
      let shadow = try #require(Shadow(decoding: content))
      for id in shadow.ids(through: words[1]) { records[Key(entity: words[0], id: id)] = nil }
      if case .object(_, let record, _) = shadow {
        let key = Key(entity: words[0], id: words[1])
        records[key] = try ordered(record, key)
      }
    }
    for (name, content) in try storage.entries(of: spaces.pairs) {
      let words = try #require(SyncKey.words(name, 3))
      let pair = StoredPair(relation: words[0], source: words[1], target: words[2])
      if ends[pair.relation] == nil { continue }
      if content == [1] { pairs.insert(pair) } else { pairs.remove(pair) }
    }
  }
}

extension StorageAccess {
  /// The entries of a space of data sync, none of which is damaged.
  func entries(of space: Space) throws -> [(key: [UInt8], content: [UInt8])] {
    var entries: [(key: [UInt8], stored: [UInt8])] = []
    try values(space) { key, stored in
      entries.append((key, stored))
      return .next
    }
    return try entries.map {
      ($0.key, try #require(StoredCheckpoint.content(of: $0.stored, under: $0.key)))
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
