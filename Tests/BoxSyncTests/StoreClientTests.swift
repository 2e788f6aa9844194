import BoxEngine
import BoxModel
import BoxReport
import BoxStorage
import Synchronization
import TestSupport
import Testing

@testable import BoxSync

/// Clients on stores of the engine.
struct StoreClientTests {
  @Test func `A store has one client, and the refusal of another names the lock`() throws {
    let scene = try StoreScene(clients: 1)
    let again = try scene.open(0)
    let error = #expect(throws: StoreError.self) { try SyncClientMachine(again) }
    guard case .storage(let storage)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(storage.kind == .inUse)
    #expect(storage.description.contains("sync.lock"))
    scene.clients[0].machine.view.base.close()
    _ = try SyncClientMachine(again)
  }

  @Test func `What one app writes the other one finds, and hears of`() throws {
    let scene = try StoreScene(clients: 2)
    let heard = Mutex<[EntityChanges]>([])
    let store = scene.clients[1].store
    let observer = try store.observe(store.entity(named: "Note")) { changes in
      heard.withLock { $0.append(changes) }
    }
    try scene.put(0, ["text": "a", "code": "1", "tag": .unsigned(7)])
    try scene.put(0, ["text": "b", "code": "2"])
    try scene.settle()
    #expect(try scene.notes(1, "code") == ["a": "1", "b": "2"])
    store.waitForObservers()
    #expect(!heard.withLock { $0 }.isEmpty)
    // Nothing of it is captured.
    #expect(try store.writeArrivals { try $0.lastPlace() } == 0)
    for client in scene.clients { #expect(try client.store.verify() == []) }
    withExtendedLifetime(observer) {}
  }

  @Test func `Objects that exchange their unique values in one transaction do so elsewhere`() throws
  {
    let scene = try StoreScene(clients: 2)
    let a = try scene.put(0, ["text": "a", "code": "1"])
    let b = try scene.put(0, ["text": "b", "code": "2"])
    try scene.settle()
    let store = scene.clients[0].store
    try store.write { transaction in
      let note = try store.entity(named: "Note")
      for (id, code) in [(a, Value.null), (b, "1"), (a, "2")] {
        var object = try #require(try transaction.get(note, id))
        object["code"] = code
        try transaction.put(object)
      }
    }
    try scene.settle()
    for index in 0..<2 { #expect(try scene.notes(index, "code") == ["a": "2", "b": "1"]) }
  }

  @Test func `Properties that the model lacks stay as they are`() throws {
    let scene = try StoreScene(clients: 2)
    let id = try scene.put(0, ["text": "a", "extra": "kept"])
    try scene.settle()
    try scene.restart(1, isWhole: false)
    try scene.put(0, id: id, ["code": "7"])
    try scene.settle()
    #expect(try scene.notes(1, "code") == ["a": "7"])
    try scene.restart(1)
    #expect(try scene.notes(1, "extra") == ["a": "kept"])
    try scene.put(0, id: id, ["extra": "new"])
    try scene.settle()
    #expect(try scene.notes(1, "extra") == ["a": "new"])
  }

  @Test func `A client that ends knows afterwards what it had sent`() throws {
    let scene = try StoreScene(clients: 2)
    for number in 0..<5 { try scene.put(0, ["text": .string("\(number)")]) }
    try scene.restart(0)
    let status = scene.clients[0].machine.status
    #expect(status.outbox.map(\.n) == [1, 2, 3, 4, 5])
    #expect(Set(status.outbox.map(\.number)).count == 1)
    try scene.settle()
    try scene.restart(0)
    #expect(scene.clients[0].machine.status.outbox.isEmpty)
    #expect(scene.clients[0].machine.status.kept.count == 5)
    #expect(scene.clients[0].machine.status.position == scene.backend.head)
    try scene.settle()
    #expect(try scene.notes(1).count == 5)
    #expect(scene.backend.head == 5)
  }

  @Test func `A rejected transaction is readable after a restart, until it is discarded`() throws {
    let scene = try StoreScene(clients: 2)
    try scene.put(0, ["text": "first", "code": "1"])
    try scene.put(1, ["text": "second", "code": "1"])
    try scene.settle()
    let rejected = scene.clients.indices.filter {
      !scene.clients[$0].machine.status.rejections.isEmpty
    }
    let index = try #require(rejected.first)
    #expect(rejected.count == 1)
    try scene.restart(index)
    let rejections = scene.clients[index].machine.status.rejections
    #expect(rejections.map(\.code) == [.txViolatedUnique])
    #expect(rejections.first?.transaction.operations.count == 1)
    try scene.clients[index].machine.perform { $0.status.rejections.removeAll() }
    try scene.restart(index)
    #expect(scene.clients[index].machine.status.rejections.isEmpty)
    #expect(try scene.clients[index].store.verify() == [])
  }

  @Test func `A commit that wrote entries of sync alone has its number told to graphs`() throws {
    let scene = try StoreScene(clients: 1)
    let search = NumberedSearch()
    scene.clients[0].store.neighbourSearch = search
    try scene.clients[0].machine.perform { $0.status.position += 0 }
    #expect(search.numbers.withLock { $0 } == [])
    try scene.clients[0].machine.perform { $0.connect() }
    #expect(search.numbers.withLock { $0 }.count == 1)
    try scene.put(0, ["text": "a"])
    let numbers = search.numbers.withLock { $0 }
    #expect(numbers.count == 2)
    #expect(numbers.last == (numbers.first ?? 0) + 1)
  }

  @Test func `A damaged outbox stops the client, and the objects stay usable`() throws {
    let scene = try StoreScene(clients: 1)
    for number in 0..<3 { try scene.put(0, ["text": .string("note \(number)")]) }
    scene.clients[0].machine.view.base.close()
    let store = scene.clients[0].store
    try store.writeArrivals { arrivals in
      let second = try arrivals.transactions(.outbox)[1]
      var head = second.head
      head.operations += 1
      try arrivals.setHead(head, at: second.place)
    }
    let error = #expect(throws: StoreError.self) { try SyncClientMachine(store) }
    guard case .damaged(let findings)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(findings.map(\.rule.id) == ["BOX712"])
    #expect(findings.first?.message == "transaction 2 of the outbox is damaged")
    #expect(try store.verify().contains { $0.rule.id == "BOX712" })
    #expect(try scene.notes(0).count == 3)
    try scene.put(0, ["text": "more"])
    #expect(try scene.notes(0).count == 4)
  }
}

/// A search that notes the numbers of commits.
private final class NumberedSearch: NeighbourSearch {
  let numbers = Mutex<[UInt64]>([])

  func follows(_ entity: EntitySchema) -> Bool { false }

  func recordChanges(_ changes: FollowedChanges) {
    numbers.withLock { $0.append(changes.number) }
  }

  func end(_ number: UInt64, isCommitted: Bool) {}

  func candidates(
    _ request: NeighbourRequest, admits: (UInt64) throws(StoreError) -> Bool
  ) throws(StoreError) -> NeighbourCandidates { .none("it only notes") }
}
