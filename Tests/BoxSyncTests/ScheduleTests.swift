import BoxModel
import TestSupport
import Testing

@testable import BoxSync

/// Schedules that went wrong without a rule of docs/sync.md: answers, removals, unique values and views.
@Suite struct ScheduleTests {
  typealias Scene = SyncScene

  @Test func `S-1 cut between commit and answer`() throws {
    let scene = Scene(clients: 2)
    #expect(scene.settle())
    try scene.commit(0, scene.new(0, Scene.note, "a"))
    scene.send(0)
    scene.serve()
    #expect(scene.backend.head == 1)
    scene.cut(0)
    #expect(scene.status(0).outbox.count == 1)
    #expect(scene.settle())
    #expect(scene.backend.head == 1)
    for client in 0...1 { #expect(scene.texts(client) == ["a"]) }
  }

  @Test func `S-2 crash after an arrival`() throws {
    let scene = Scene(clients: 2)
    try scene.commit(0, scene.new(0, Scene.note, "a"))
    #expect(scene.settle())
    let note = try #require(scene.key(1, Scene.note, "a"))
    scene.cut(1)
    try scene.commit(1, scene.put(note, [12: .text("pending")]))
    try scene.commit(0, scene.put(note, [13: .int(1)]))
    #expect(scene.settle(0))
    scene.connect(1)
    for _ in 0..<2 { scene.step(1) }
    // The entry is here, and the transaction was not answered.
    scene.cut(1)
    let machine = scene.clients[1].machine
    scene.clients[1].machine = .init(
      machine.view.base, model: Scene.model, randomBits: machine.randomBits)
    #expect(scene.status(1).outbox.count == 1)
    #expect(scene.shown(1, Scene.note, 12) == ["a": .text("pending")])
    #expect(scene.settle())
    for client in 0...1 {
      #expect(scene.shown(client, Scene.note, 12) == ["a": .text("pending")])
      #expect(scene.shown(client, Scene.note, 13) == ["a": .int(1)])
    }
  }

  @Test func `S-3 offline update against removal`() throws {
    let scene = Scene(clients: 2)
    try scene.commit(0, scene.new(0, Scene.note, "a"))
    #expect(scene.settle())
    let note = try #require(scene.key(1, Scene.note, "a"))
    scene.cut(1)
    try scene.commit(1, scene.put(note, [12: .text("x")]))
    try scene.commit(0, .remove(try #require(scene.key(0, Scene.note, "a"))))
    #expect(scene.settle(0))
    #expect(scene.settle())
    for client in 0...1 { #expect(scene.texts(client) == []) }
    #expect(scene.status(1).rejections.isEmpty)
  }

  @Test func `S-4 made again by two`() throws {
    let scene = Scene(clients: 2)
    try scene.commit(0, scene.new(0, Scene.note, "a"))
    #expect(scene.settle())
    let keys = try (0...1).map { try #require(scene.key($0, Scene.note, "a")) }
    try scene.commit(0, .remove(keys[0]))
    #expect(scene.settle())
    scene.cut(0, 1)
    try scene.commit(0, scene.put(keys[0], [11: .text("first"), 12: .text("x")]))
    try scene.commit(1, scene.put(keys[1], [11: .text("second"), 13: .int(1)]))
    #expect(scene.settle(0))
    #expect(scene.settle())
    // Both are inserts with life 3; the second names all properties, those without a value too.
    for client in 0...1 {
      #expect(scene.shown(client, Scene.note, 13) == ["second": .int(1)])
      #expect(scene.shown(client, Scene.note, 12) == ["second": .null])
      #expect(scene.clients[client].machine.view.base.record(keys[client]).visible.life == 3)
    }
  }

  @Test func `S-5 unique collision, holder removed`() throws {
    let scene = Scene(clients: 2)
    #expect(scene.settle())
    scene.cut(1)
    try scene.commit(0, scene.new(0, Scene.note, "a", [12: .text("x")]))
    try scene.commit(1, scene.new(1, Scene.note, "b", [12: .text("x")]))
    #expect(scene.settle(0))
    scene.connect(1)
    // The entry is here, and the own transaction was not sent: the own object is out of the store, since another one has the name.
    for _ in 0..<2 { scene.step(1) }
    #expect(scene.texts(1) == ["a"])
    scene.cut(1)
    try scene.commit(0, .remove(try #require(scene.key(0, Scene.note, "a"))))
    #expect(scene.settle(0))
    #expect(scene.settle())
    for client in 0...1 { #expect(scene.texts(client) == ["b"]) }
    #expect(scene.status(1).rejections.isEmpty)
  }

  @Test func `S-6 relation before its target, target hidden, then visible`() throws {
    let scene = Scene(clients: 2)
    scene.clients[1].machine.variables = ["team": "1"]
    let tag = scene.new(0, Scene.tag, "t", [23: .int(2)])
    guard case .put(let key, _) = tag else { return }
    let note = scene.new(0, Scene.note, "a", [13: .int(1), 14: .reference(key.id)])
    guard case .put(let noteKey, _) = note else { return }
    try scene.commit(0, tag, note, scene.link(noteKey, key))
    #expect(scene.settle())
    #expect(scene.texts(1) == ["a"])
    #expect(scene.texts(1, Scene.tag) == [])
    #expect(scene.pairs(1) == 0)
    let reserved = scene.shown(1, Scene.note, 14)
    // A put of the whole object does not lose the tag that is not here.
    let own = try #require(scene.key(1, Scene.note, "a"))
    try scene.commit(1, scene.put(own, [12: .text("x"), 14: try #require(reserved["a"])]))
    #expect(scene.settle())
    try scene.commit(0, scene.put(key, [23: .int(1)]))
    #expect(scene.settle())
    let id = try #require(scene.key(1, Scene.tag, "t")).id
    #expect(scene.shown(1, Scene.note, 14) == ["a": .reference(id)])
    #expect(reserved == ["a": .reference(id)])
    #expect(scene.pairs(1) == 1)
  }

  @Test func `S-7 answer of an earlier connection`() throws {
    let scene = Scene(clients: 1)
    #expect(scene.settle())
    let first = try #require(scene.clients[0].connection)
    try scene.commit(0, scene.new(0, Scene.note, "a"))
    scene.clients[0].machine.sendPending()
    let late = scene.clients[0].machine.takeOutgoing()
    // The client goes on with a second connection; the server does not know that the first one ended.
    scene.clients[0].machine.end()
    scene.connect(0)
    #expect(scene.settle())
    for message in late { scene.server.receive(message, from: first, now: scene.now) }
    scene.serve()
    #expect(scene.backend.head == 1)
    #expect(scene.settle())
    #expect(scene.texts(0) == ["a"])
  }

  @Test func `S-8 object leaves the view while pending`() throws {
    let scene = Scene(clients: 2)
    scene.clients[1].machine.variables = ["team": "1"]
    try scene.commit(0, scene.new(0, Scene.note, "a", [13: .int(1)]))
    #expect(scene.settle())
    scene.cut(1)
    let note = try #require(scene.key(1, Scene.note, "a"))
    try scene.commit(1, scene.put(note, [12: .text("lost")]))
    try scene.commit(0, scene.put(try #require(scene.key(0, Scene.note, "a")), [13: .int(2)]))
    #expect(scene.settle(0))
    #expect(scene.settle())
    #expect(scene.texts(1) == [])
    #expect(scene.shown(0, Scene.note, 12) == ["a": .null])
  }

  @Test func `S-14 rejected removal brings the pairs back`() throws {
    let scene = Scene(clients: 2)
    scene.clients[1].machine.variables = ["reader": "yes"]
    let tag = scene.new(0, Scene.tag, "t")
    let note = scene.new(0, Scene.note, "a", [13: .int(3)])
    guard case .put(let key, _) = tag, case .put(let noteKey, _) = note else { return }
    try scene.commit(0, tag, note, scene.link(noteKey, key))
    #expect(scene.settle())
    #expect(scene.pairs(1) == 1)
    scene.cut(1)
    try scene.commit(1, .remove(try #require(scene.key(1, Scene.note, "a"))))
    #expect(scene.pairs(1) == 0)
    #expect(scene.settle())
    #expect(scene.texts(1) == ["a"])
    #expect(scene.pairs(1) == 1)
    #expect(scene.status(1).rejections.map(\.code) == [.reqRejected])
  }

  @Test func `S-16 target removed while hidden`() throws {
    let scene = Scene(clients: 2)
    scene.clients[1].machine.variables = ["team": "1"]
    let tag = scene.new(0, Scene.tag, "t", [23: .int(2)])
    let note = scene.new(0, Scene.note, "a", [13: .int(1)])
    guard case .put(let key, _) = tag, case .put(let noteKey, _) = note else { return }
    try scene.commit(0, tag, note, scene.link(noteKey, key))
    #expect(scene.settle())
    let waiting = scene.clients[1].machine.view.base.allPairs.values.count { $0.isInBase }
    #expect(waiting == 1)
    try scene.commit(0, .remove(key))
    #expect(scene.settle())
    #expect(scene.clients[1].machine.view.base.allPairs.isEmpty)
    #expect(scene.texts(1) == ["a"])
  }

  @Test func `Values differ by their bytes`() throws {
    let scene = Scene(clients: 2)
    // The letter é in one scalar and in two: Swift compares them as equal, and the engine does not.
    let (one, two) = ("\u{E9}", "e\u{301}")
    try scene.commit(0, scene.new(0, Scene.note, "a", [12: .text(one)]))
    try scene.commit(0, scene.new(0, Scene.note, "b", [12: .text(two)]))
    #expect(scene.settle())
    #expect(scene.texts(1) == ["a", "b"])
    #expect(scene.status(0).rejections.isEmpty)
    try scene.commit(1, scene.put(try #require(scene.key(1, Scene.note, "a")), [12: .null]))
    try scene.commit(1, scene.put(try #require(scene.key(1, Scene.note, "b")), [12: .text(one)]))
    #expect(scene.settle())
    #expect(scene.shown(0, Scene.note, 12) == ["a": .null, "b": .text(one)])
  }

  @Test func `S-17 replace by a put without effect`() throws {
    let scene = Scene(clients: 2)
    try scene.commit(
      0, scene.new(0, Scene.seat, "a", [32: .text("12B")]),
      scene.new(0, Scene.seat, "b", [32: .text("13C")]))
    #expect(scene.settle())
    scene.cut(1)
    let seat = try #require(scene.key(1, Scene.seat, "b"))
    try scene.commit(1, scene.put(seat, [32: .text("12B")]))
    #expect(scene.texts(1, Scene.seat) == ["b"])
    try scene.commit(0, .remove(try #require(scene.key(0, Scene.seat, "b"))))
    #expect(scene.settle(0))
    #expect(scene.settle())
    for client in 0...1 { #expect(scene.texts(client, Scene.seat) == ["a"]) }
  }
}
