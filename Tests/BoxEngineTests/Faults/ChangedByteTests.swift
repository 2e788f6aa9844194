import BoxModel
import BoxReport
import BoxStorage
import TestSupport
import Testing

@testable import BoxEngine
@testable import EngineFaultsChild

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A changed byte is found, or changes nothing that can be read.
struct ChangedByteTests {
  /// A store with objects of all its entities, relations, large values and free pages.
  private func makeStore(_ directory: TemporaryDirectory) throws -> [UInt8] {
    _ = try ChildProcess("write", in: directory, number: 70).finish()
    return try directory.bytes(of: "store/data.mdb")
  }

  @Test func isFoundOrHarmless() throws {
    var random = TestSeed.next()
    let changes = TestSeed.count("BOXJOINT_SOAK_CHANGED_BYTES", default: 150)
    let directory = try FaultsDirectory.make()
    let bytes = try makeStore(directory)
    let original = try StoreContent(directory.path(of: "store"))
    let copy = directory.path(of: "copy")
    var found = 0
    for _ in 0..<changes {
      var changed = bytes
      // Half of them where the heads and the catalog are, which are a small part of the file.
      let place = random.below(random.oneIn(2) ? 2 * 4096 : bytes.count)
      let mask = random.oneIn(2) ? 1 << UInt8(random.below(8)) : UInt8(1 + random.below(255))
      changed[place] ^= mask
      try directory.write(changed, to: "copy/data.mdb")
      if try !isSound(copy) {
        found += 1
        continue
      }
      // What is not found must be harmless.
      let content = try StoreContent(copy)
      #expect(content == original, "byte \(place) changed by \(mask) is not found")
    }
    print("\(found) of \(changes) changed bytes found, the others harmless")
    #expect(found > 0)
    #expect(found < changes)
  }

  private func isSound(_ directory: String) throws -> Bool {
    do {
      return try ObjectStore.verify(directory).isEmpty
    } catch {
      return false
    }
  }

  @Test func inARecordIsAnError() throws {
    var random = TestSeed.next()
    let changes = TestSeed.count("BOXJOINT_SOAK_CHANGED_RECORDS", default: 100)
    let directory = try FaultsDirectory.make()
    let bytes = try makeStore(directory)
    let records = try storedRecords(directory.path(of: "store"))
    for _ in 0..<changes {
      let record = random.pick(records)
      let place = random.below(record.bytes.count)
      // The copy that counts, and those in pages that are free.
      let copies = occurrences(of: record.bytes, in: bytes)
      #expect(!copies.isEmpty)
      var changed = bytes
      // As many bytes as the checksum is sure to notice.
      for offset in place..<min(place + 1 + random.below(4), record.bytes.count) {
        let mask = UInt8(1 + random.below(255))
        for copy in copies { changed[copy + offset] ^= mask }
      }
      try directory.write(changed, to: "copy/data.mdb")
      try expectDamage(of: record, records, directory.path(of: "copy"))
    }
  }

  private struct StoredRecord {
    var entity: String
    var id: UInt64
    var bytes: [UInt8]
    var values: [Value]
  }

  private func storedRecords(_ directory: String) throws -> [StoredRecord] {
    let store = try FaultsDirectory.open(directory)
    return try store.read { transaction in
      var records: [StoredRecord] = []
      let storage = try transaction.reading()
      for entity in store.entities {
        try storage.visitRecords(entity.space, from: nil, .forward) { id, record in
          records.append(
            StoredRecord(
              entity: entity.name, id: id, bytes: Array(record),
              values: try transaction.get(entity, id)?.values ?? []))
          return .next
        }
      }
      return records
    }
  }

  private func occurrences(of record: [UInt8], in bytes: [UInt8]) -> [Int] {
    bytes.withUnsafeBytes { all in
      record.withUnsafeBytes { wanted in
        guard let start = all.baseAddress, let pattern = wanted.baseAddress else { return [] }
        // LMDB aligns values to 2 bytes.
        return stride(from: 0, through: all.count - wanted.count, by: 2).filter {
          memcmp(start + $0, pattern, wanted.count) == 0
        }
      }
    }
  }

  /// Every way to the values of a damaged object is an error, and the others are as they were.
  private func expectDamage(
    of record: StoredRecord, _ all: [StoredRecord], _ directory: String
  ) throws {
    let store = try FaultsDirectory.open(directory)
    try store.read { transaction in
      for other in all {
        let entity = try store.entity(named: other.entity)
        if other.entity == record.entity && other.id == record.id {
          expectError(record) { _ = try transaction.get(entity, other.id) }
          expectError(record) { try transaction.visitObjects(entity) { _ in .next } }
        } else {
          let values = try transaction.get(entity, other.id)?.values
          if values != other.values { Issue.record("\(other.entity) \(other.id) has changed") }
        }
      }
    }
    let findings = try store.verify()
    #expect(findings.contains { $0.message.contains("\(record.entity) \(record.id) is damaged") })
    // What the finding advises to do.
    let entity = try store.entity(named: record.entity)
    try store.write { _ = try $0.remove(entity, record.id) }
    #expect(try store.verify().isEmpty)
  }

  private func expectError(_ record: StoredRecord, _ body: () throws -> Void) {
    do throws(any Error) {
      try body()
      Issue.record("\(record.entity) \(record.id) is read in spite of its damage")
    } catch StoreError.damagedRecord(let entity, let id, _) {
      #expect(entity == record.entity)
      #expect(id == record.id)
    } catch {
      Issue.record("\(error)")
    }
  }
}

/// All that can be read of a store: the bytes of every record, index and relation, and the catalog.
private struct StoreContent: Equatable {
  private var entries: [String: [[UInt8]]] = [:]
  private var objects: [DynamicValues] = []
  private var number = 0

  private struct DynamicValues: Equatable {
    var entity: String
    var id: UInt64
    var values: [Value]
  }

  init(_ directory: String) throws {
    let store = try FaultsDirectory.open(directory)
    number = try Ledger(store).check()
    try store.read { transaction in
      let storage = try transaction.reading()
      for entity in store.entities {
        try addRecords(entity.space, "\(entity.uid)", storage.base)
        for index in entity.indexes { try addSets(index.space, "\(index.uid)", storage.base) }
        for relation in entity.outgoing {
          try addSets(relation.forward, "\(relation.uid)", storage.base)
          try addSets(relation.backward, "\(relation.uid) back", storage.base)
        }
        try transaction.visitObjects(entity) { object in
          objects.append(
            DynamicValues(entity: entity.name, id: object.id, values: object.values))
          return .next
        }
      }
      try addRecords(store.schema.idsSpace, "ids", storage.base)
      let catalog = store.schema.catalogSpace
      entries["model"] = [try StoredCatalog.model(catalog, storage) ?? []]
      entries["catalog"] = [Array("\(try StoredCatalog.read(catalog, storage) as Any)".utf8)]
    }
  }

  private mutating func addRecords(
    _ space: Space, _ name: String, _ storage: StorageTransaction
  ) throws {
    var found: [[UInt8]] = []
    try storage.records(space, from: nil, .forward) { key, record in
      found.append(Array("\(key):".utf8) + Array(record))
      return .next
    }
    entries[name] = found
  }

  private mutating func addSets(
    _ space: Space, _ name: String, _ storage: StorageTransaction
  ) throws {
    var found: [[UInt8]] = []
    try storage.entries(space, from: nil, .forward) { key, member in
      found.append(Array(key) + Array(":\(member)".utf8))
      return .next
    }
    entries[name] = found
  }
}
