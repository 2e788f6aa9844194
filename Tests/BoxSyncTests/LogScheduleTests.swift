import BoxModel
import TestSupport
import Testing

@testable import BoxSync

/// Schedules that went wrong without a rule of docs/sync.md: the log, clocks and models.
@Suite struct LogScheduleTests {
  typealias Scene = SyncScene

  @Test func `S-10 server rolled back, healed`() throws {
    let scene = Scene(clients: 2)
    try scene.commit(0, scene.new(0, Scene.note, "a"))
    #expect(scene.settle())
    let backup = scene.backend.space
    try scene.commit(0, scene.new(0, Scene.note, "b"))
    try scene.commit(1, scene.new(1, Scene.note, "c"))
    #expect(scene.settle())
    scene.restore(backup)
    #expect(scene.settle())
    for client in 0...1 { #expect(scene.texts(client) == ["a", "b", "c"]) }
    #expect(scene.backend.head == 3)
    #expect(scene.status(0).rejections.isEmpty && scene.status(1).rejections.isEmpty)
  }

  @Test func `S-11 trimmed below a full outbox with a rejection in it`() throws {
    let scene = Scene(clients: 2, window: 8)
    try scene.commit(0, scene.new(0, Scene.note, "holder", [12: .text("x")]))
    #expect(scene.settle(0))
    for n in 1...8 {
      let name: SyncValue<UInt64> = n == 5 ? .text("x") : .null
      try scene.commit(1, scene.new(1, Scene.note, "own \(n)", [12: name]))
    }
    scene.connect(1)
    // The login, the model and a snapshot; then the transactions, whose entries are lost.
    for _ in 0..<3 { scene.step(1) }
    scene.send(1)
    scene.serve()
    #expect(scene.backend.head == 9)
    scene.cut(1)
    #expect(scene.status(1).outbox.count == 8)
    scene.backend.space.trim(to: scene.backend.head, Scene.model)
    #expect(scene.settle())
    #expect(scene.texts(1).count == 8)
    #expect(scene.texts(0) == scene.texts(1))
    #expect(scene.status(1).rejections.map(\.code) == [.txViolatedUnique])
    #expect(scene.status(1).rejections.first?.transaction.operations.count == 1)
  }

  @Test func `S-12 clock ten years ahead, two transactions in one batch`() throws {
    let scene = Scene(clients: 2)
    scene.clients[0].lead = 315_360_000_000
    let tag = scene.new(0, Scene.tag, "t")
    guard case .put(let key, _) = tag else { return }
    try scene.commit(0, tag)
    try scene.commit(0, scene.put(key, [21: .text("later")]))
    #expect(scene.settle())
    for client in 0...1 { #expect(scene.texts(client, Scene.tag) == ["later"]) }
    // A put of today wins over it.
    try scene.commit(
      1, scene.put(try #require(scene.key(1, Scene.tag, "later")), [21: .text("today")]))
    #expect(scene.settle())
    #expect(scene.texts(0, Scene.tag) == ["today"])
  }

  @Test func `S-15 model upgrade while own transactions are answered`() throws {
    var old = Scene.model
    old.entities[Scene.note] = SyncEntity(Scene.note, [SyncProperty(11), SyncProperty(13)])
    let scene = Scene(clients: 1)
    let upgraded = scene.add(model: old)
    try scene.commit(0, scene.new(0, Scene.note, "a", [12: .text("x")]))
    #expect(scene.settle())
    try scene.commit(
      upgraded, scene.put(try #require(scene.key(upgraded, Scene.note, "a")), [13: .int(1)]))
    scene.send(upgraded)
    scene.serve()
    scene.cut(upgraded)
    scene.clients[upgraded].machine.view.model = Scene.model
    #expect(scene.settle())
    for client in [0, upgraded] {
      #expect(scene.shown(client, Scene.note, 12) == ["a": .text("x")])
      #expect(scene.shown(client, Scene.note, 13) == ["a": .int(1)])
    }
    #expect(scene.backend.head == 2)
  }

  @Test func `S-18 number not declared at login`() throws {
    let scene = Scene(clients: 1)
    #expect(scene.settle())
    let connection = try #require(scene.clients[0].connection)
    let key = GlobalKey(entity: Scene.note, id: GlobalID(number: 5, id: 1))
    let submission = Submission(
      number: 5, n: 1, mark: 6, operations: [SyncOperation(.insert, key, life: 1)])
    scene.server.receive(.changes([submission]), from: connection, now: scene.now)
    scene.serve()
    #expect(scene.backend.head == 0)
    guard case .goodbye(let code, _)? = scene.clients[0].toClient.first ?? nil else {
      return #expect(Bool(false), "the server does not end the session")
    }
    #expect(code == .reqRejected)
    #expect(scene.settle())
    // A copy takes over the number, so the store makes another one at its next transaction.
    let copy = scene.copy(0)
    try scene.commit(copy, scene.new(copy, Scene.note, "b"))
    #expect(scene.settle())
    #expect(scene.status(0).number == nil)
    try scene.commit(0, scene.new(0, Scene.note, "a"))
    scene.send(0)
    // The session has not declared it: the client sends nothing, and logs in again.
    #expect(scene.clients[0].machine.phase == .disconnected)
    #expect(scene.settle())
    #expect(scene.backend.head == 2)
    for index in [0, copy] { #expect(scene.texts(index) == ["a", "b"]) }
  }

  @Test func `S-19 a thousand submissions, one violates`() throws {
    let scene = Scene(clients: 2)
    try scene.commit(0, scene.new(0, Scene.note, "holder", [12: .text("x")]))
    #expect(scene.settle(0))
    for n in 1...1_000 {
      let name: SyncValue<UInt64> = n == 500 ? .text("x") : .null
      try scene.commit(1, scene.new(1, Scene.note, "own \(n)", [12: name]))
    }
    #expect(scene.settle())
    #expect(scene.texts(0).count == 1_000)
    #expect(scene.texts(1).count == 1_000)
    #expect(!scene.texts(0).contains("own 500"))
    #expect(scene.status(1).rejections.map(\.code) == [.txViolatedUnique])
  }
}
