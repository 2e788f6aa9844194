import BoxModel
import BoxStorage
import Synchronization
import TestSupport
import Testing

@testable import BoxEngine

/// Observers of several entities and of relations, and the numbers of commits.
struct CommitObserverTests {
  private final class Log: Sendable {
    private let entries = Mutex<[CommitChanges]>([])
    func append(_ changes: CommitChanges) { entries.withLock { $0.append(changes) } }
    var all: [CommitChanges] { entries.withLock { $0 } }
  }

  private let store: ObjectStore
  private let item: EntitySchema
  private let box: EntitySchema
  private let plain: EntitySchema

  init() throws {
    store = try ObjectsModel.store()
    item = try store.entity(named: "Item")
    box = try store.entity(named: "Box")
    plain = try store.entity(named: "Plain")
  }

  @Test func oneCallForACommitOfSeveralEntities() throws {
    let log = Log()
    let observation = try store.observe([plain, box]) { log.append($0) }
    try store.write { (transaction) throws in
      try transaction.put("Box", [:])
      try transaction.put("Plain", [:])
      try transaction.put("Item", [:])
    }
    try store.put("Item", [:])
    store.waitForObservers()
    // In the order of the model, and nothing of what was not asked for.
    #expect(log.all.map { $0.entities.map(\.entity) } == [[200, 400]])
    #expect(log.all.first?.entities.first?.changes == [.init(kind: .inserted, id: 1)])
    withExtendedLifetime(observation) {}
  }

  @Test func linksCountAsUpdatesOfTheirSources() throws {
    let parts = try #require(item.relation(named: "boxes"))
    for _ in 1...2 {
      try store.put("Item", [:])
      try store.put("Box", [:])
    }
    let log = Log()
    let observation = try store.observe([item]) { log.append($0) }
    try store.write { transaction in
      try transaction.link(parts, 1, 1)
      try transaction.link(parts, 1, 2)
      try transaction.link(parts, 1, 2)
      try transaction.unlink(parts, 1, 1)
      try transaction.unlink(parts, 2, 1)
    }
    store.waitForObservers()
    let changes = try #require(log.all.first?.entities.first)
    #expect(log.all.count == 1)
    #expect(changes.changes == [.init(kind: .updated, id: 1)])
    #expect(
      changes.relations == [
        .init(relation: parts.uid, source: 1, target: 1, isAdded: true),
        .init(relation: parts.uid, source: 1, target: 2, isAdded: true),
        .init(relation: parts.uid, source: 1, target: 1, isAdded: false),
      ])
    withExtendedLifetime(observation) {}
  }

  @Test func withoutObjectsOnlyTheEntityIsReported() throws {
    let log = Log()
    let observation = try store.observe([plain], detail: .entities) { log.append($0) }
    try store.write { (transaction) throws in
      for _ in 0..<3 { try transaction.put("Plain", [:]) }
    }
    _ = try store.write { try $0.removeAll(plain) }
    store.waitForObservers()
    #expect(
      log.all.map(\.entities) == [
        [.init(entity: 400, changes: [])], [.init(entity: 400, changes: [])],
      ])
    withExtendedLifetime(observation) {}
  }

  @Test func aReaderKnowsWhichCommitsItHasSeen() throws {
    let log = Log()
    let before = try store.read { try $0.number }
    let observation = try store.observe([plain]) { log.append($0) }
    for _ in 0..<3 { try store.put("Plain", [:]) }
    let after = try store.read { try $0.number }
    store.waitForObservers()
    let numbers = log.all.map(\.number)
    #expect(numbers == numbers.sorted())
    #expect(Set(numbers).count == 3)
    #expect(numbers.allSatisfy { $0 > before && $0 <= after })
    withExtendedLifetime(observation) {}
  }

  @Test func observersAddedDuringATransactionGetItsCommit() throws {
    let log = Log()
    let kept = Mutex<Observation?>(nil)
    try store.write { (transaction) throws in
      try transaction.put("Plain", [:])
      let observation = try store.observe([plain]) { log.append($0) }
      kept.withLock { $0 = observation }
    }
    store.waitForObservers()
    #expect(log.all.map { $0.entities.map(\.entity) } == [[400]])
  }

  @Test func coalescedChangesAreTheDifference() throws {
    func coalesced(_ kinds: [(ObjectChange.Kind, UInt64)]) -> [ObjectChange] {
      EntityChanges(entity: 1, changes: kinds.map { .init(kind: $0.0, id: $0.1) }).coalesced
    }
    #expect(coalesced([(.inserted, 1), (.updated, 1)]) == [.init(kind: .inserted, id: 1)])
    #expect(coalesced([(.inserted, 1), (.removed, 1)]) == [])
    #expect(coalesced([(.removed, 1), (.inserted, 1)]) == [.init(kind: .updated, id: 1)])
    #expect(coalesced([(.updated, 1), (.removed, 1)]) == [.init(kind: .removed, id: 1)])
    // Against a set of the objects that there were and are.
    var random = TestSeed.next()
    for _ in 0..<500 {
      let before = Set((1...5).filter { _ in random.oneIn(2) } as [UInt64])
      var now = before
      var changed: Set<UInt64> = []
      var kinds: [(ObjectChange.Kind, UInt64)] = []
      for _ in 0..<random.below(12) {
        let id = UInt64(1 + random.below(5))
        if now.contains(id) && random.oneIn(2) {
          kinds.append((.removed, id))
          now.remove(id)
        } else {
          kinds.append((now.contains(id) ? .updated : .inserted, id))
          now.insert(id)
        }
        changed.insert(id)
      }
      var expected: Set<ObjectChange> = []
      for id in changed where before.contains(id) || now.contains(id) {
        let kind: ObjectChange.Kind =
          before.contains(id) ? (now.contains(id) ? .updated : .removed) : .inserted
        expected.insert(.init(kind: kind, id: id))
      }
      let found = coalesced(kinds)
      #expect(Set(found) == expected)
      #expect(found.count == expected.count)
    }
  }
}

/// The changes that a write transaction notes.
struct RecordedChangesTests {
  /// A transaction that began before an observer says that it does not list the objects of its entity.
  @Test func whatIsNotObservedIsNotListed() {
    var changes = RecordedChanges(observed: [false, true])
    changes.record(.inserted, 0, 1)
    changes.record(.inserted, 1, 2)
    let entities = changes.entities([100, 200]).map(\.changes)
    #expect(entities.map(\.isWhole) == [true, false])
    #expect(entities.map(\.changes.count) == [0, 1])
  }
}
