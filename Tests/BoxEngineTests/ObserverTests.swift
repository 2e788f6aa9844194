import BoxModel
import BoxStorage
import Synchronization
import TestSupport
import Testing

@testable import BoxEngine

/// The calls of observers, and the promises of submissions.
struct ObserverTests {
  private final class Log: Sendable {
    private let entries = Mutex<[EntityChanges]>([])
    func append(_ changes: EntityChanges) { entries.withLock { $0.append(changes) } }
    var all: [EntityChanges] { entries.withLock { $0 } }
  }

  @Test func tellsKindsAndIDsInOrder() throws {
    let store = try ObjectsModel.store()
    let plain = try store.entity(named: "Plain")
    let log = Log()
    let observation = try store.observe(plain) { log.append($0) }
    try store.write { (transaction) throws in
      try transaction.put("Plain", [:])
      try transaction.put("Item", [:])
      try transaction.put("Plain", [:])
      try transaction.put("Plain", ["text": "x"], id: 1)
      try transaction.remove(plain, 2)
    }
    // No change of the entity, nothing that is kept, nothing at all.
    try store.put("Item", [:])
    _ = try? store.write { (transaction) throws in
      try transaction.put("Plain", [:])
      throw TestFailure("on purpose")
    }
    try store.write { _ in }
    _ = try store.write { try $0.remove(plain, 77) }
    try store.put("Plain", [:])
    _ = try store.write { try $0.removeAll(plain) }
    store.waitForObservers()
    #expect(
      log.all == [
        EntityChanges(
          entity: 400,
          changes: [
            .init(kind: .inserted, id: 1), .init(kind: .inserted, id: 2),
            .init(kind: .updated, id: 1), .init(kind: .removed, id: 2),
          ]),
        EntityChanges(entity: 400, changes: [.init(kind: .inserted, id: 3)]),
        EntityChanges(
          entity: 400, changes: [.init(kind: .removed, id: 1), .init(kind: .removed, id: 3)]),
      ])
    observation.cancel()
    try store.put("Plain", [:])
    store.waitForObservers()
    #expect(log.all.count == 3)
  }

  @Test func tellsOfReplacedObjectsButNotOfUndoneParts() throws {
    let store = try ObjectsModel.store()
    let box = try store.entity(named: "Box")
    let log = Log()
    let observation = try store.observe(box) { log.append($0) }
    try store.write { (transaction) throws in
      try transaction.put("Box", ["place": 1])
      try transaction.put("Box", ["place": 1])
      // The second has the name of the first: nothing of the call is kept.
      var object = DynamicObject(box)
      object["name"] = "same"
      _ = try? transaction.put([object, object])
    }
    store.waitForObservers()
    #expect(
      log.all.flatMap(\.changes) == [
        .init(kind: .inserted, id: 1), .init(kind: .removed, id: 1),
        .init(kind: .inserted, id: 2),
      ])
    withExtendedLifetime(observation) {}
  }

  @Test func tellsInTheOrderOfTheCommits() async throws {
    let store = try ObjectsModel.store()
    let log = Log()
    let observation = try store.observe(store.entity(named: "Plain")) { log.append($0) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<6 {
        group.addTask { for _ in 0..<30 { try store.put("Plain", [:]) } }
      }
      try await group.waitForAll()
    }
    store.waitForObservers()
    #expect(log.all.flatMap(\.changes).map(\.id) == Array(1...180))
    withExtendedLifetime(observation) {}
  }

  // MARK: - Submissions

  @Test func submissionsShareCommits() async throws {
    let fixture = try StoreFixture()
    let store = try fixture.open(try ObjectsModel.document())
    let before = try store.status().lastTransaction
    let ids = try await withThrowingTaskGroup(of: UInt64.self) { group in
      for number in 0..<300 {
        group.addTask {
          try await store.submit { try $0.put("Plain", ["text": .string("\(number)")]) }
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(Set(ids) == Set(1...300))
    #expect(try store.ids("Plain") == Array(1...300))
    #expect(try store.status().lastTransaction - before < 300)
  }

  /// One that throws leaves nothing, and the others are kept.
  @Test(.promise(288)) func submissionsDoNotDisturbEachOther() async throws {
    let store = try ObjectsModel.store()
    try store.put("Item", ["code": "taken"])
    let outcomes = await withTaskGroup(of: (Int, StoreError?, Bool).self) { group in
      for number in 0..<60 {
        group.addTask {
          do {
            _ = try await store.submit { (transaction) throws in
              try transaction.put("Plain", ["text": .string("\(number)")])
              switch number % 6 {
              case 1: try transaction.put("Item", ["code": "taken"])
              case 2: throw TestFailure("on purpose")
              case 3:
                // An error that leaves a nested call dooms this submission, and no other.
                try store.write { _ in throw TestFailure("on purpose") }
              case 4:
                _ = try? store.write { _ in throw TestFailure("on purpose") }
              default: break
              }
            }
            return (number, nil, true)
          } catch {
            return (number, error as? StoreError, false)
          }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    for (number, error, succeeded) in outcomes {
      #expect(succeeded == [0, 5].contains(number % 6), "\(number)")
      if number % 6 == 4 { #expect(error == .transactionFailed(reason: "on purpose")) }
    }
    let texts = try store.read { (transaction) throws in
      try transaction.get(store.entity(named: "Plain"), store.ids("Plain")).map { $0?["text"] }
    }
    let kept = (0..<60).filter { [0, 5].contains($0 % 6) }
    #expect(Set(texts) == Set(kept.map { .string("\($0)") }))
    #expect(try store.verify().isEmpty)
  }
}
