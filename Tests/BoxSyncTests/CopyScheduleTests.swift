import BoxModel
import TestSupport
import Testing

@testable import BoxSync

/// Schedules of copied stores, and of stores that were set back, that went wrong without a rule of docs/sync.md.
@Suite struct CopyScheduleTests {
  typealias Scene = SyncScene

  @Test func `S-9 copied store, both go on`() throws {
    let scene = Scene(clients: 1)
    try scene.commit(0, scene.new(0, Scene.note, "shared"))
    #expect(scene.settle())
    let copy = scene.copy(0)
    for (index, text) in [(0, "a"), (copy, "b")] {
      try scene.commit(index, scene.new(index, Scene.note, text))
    }
    // Both have the same number, n and local id.
    #expect(scene.status(0).outbox.map(\.n) == scene.status(copy).outbox.map(\.n))
    #expect(scene.settle())
    for index in [0, copy] { #expect(scene.texts(index) == ["a", "b", "shared"]) }
    #expect(scene.status(0).number != scene.status(copy).number)
    #expect(scene.backend.head == 3)
  }

  @Test func `S-13 copy of a copy`() throws {
    let scene = Scene(clients: 1)
    try scene.commit(0, scene.new(0, Scene.note, "shared"))
    #expect(scene.settle())
    let copy = scene.copy(0)
    try scene.commit(copy, scene.new(copy, Scene.note, "b"))
    let second = scene.copy(copy)
    for (index, text) in [(0, "a"), (copy, "c"), (second, "d")] {
      try scene.commit(index, scene.new(index, Scene.note, text))
    }
    #expect(scene.settle())
    for index in [0, copy, second] {
      #expect(scene.texts(index) == ["a", "b", "c", "d", "shared"])
    }
    #expect(scene.backend.head == 5)
  }

  @Test(arguments: [false, true])
  func `A store is set back to a backup of itself`(hasPending: Bool) throws {
    let scene = Scene(clients: 2)
    try scene.commit(0, scene.new(0, Scene.note, "a"))
    #expect(scene.settle())
    if hasPending {
      scene.cut(0)
      try scene.commit(0, scene.new(0, Scene.note, "pending"))
    }
    var backup = scene.clients[0]
    backup.machine.end()
    backup.connection = nil
    try scene.commit(0, scene.new(0, Scene.note, "b"))
    #expect(scene.settle())
    for text in ["c", "d"] {
      // Each time the store takes the number, the n and the local id that "b" had.
      scene.cut(0)
      scene.clients[0] = backup
      try scene.commit(0, scene.new(0, Scene.note, text))
      #expect(scene.settle())
    }
    let expected = ["a", "b", "c", "d"] + (hasPending ? ["pending"] : [])
    for index in 0...1 { #expect(scene.texts(index) == expected) }
    #expect(Int(scene.backend.head) == expected.count)
    #expect(scene.status(0).rejections.isEmpty)
  }

  @Test func `Nothing that was put aside is shown, though the session ends`() throws {
    let scene = Scene(clients: 1)
    #expect(scene.settle())
    let (copy, empty) = (scene.copy(0), scene.backend.space)
    try scene.commit(0, scene.new(0, Scene.note, "a"))
    #expect(scene.settle(0))
    let note = try #require(scene.key(0, Scene.note, "a"))
    scene.restore(empty)
    try scene.commit(0, scene.put(note, [12: .text("x")]))
    try scene.commit(copy, scene.new(copy, Scene.note, "b"))
    #expect(scene.settle(copy))
    // The login shows that the copy has the place of the insert, which was acknowledged.
    scene.connect(0)
    for _ in 0..<2 { scene.step(0) }
    #expect(scene.status(0).rejections.map(\.code) == [.clientIdTaken, .clientIdTaken])
    #expect(scene.shown(0, Scene.note, 12) == ["a": .null])
    #expect(scene.settle())
    for index in [0, copy] { #expect(scene.texts(index) == ["b"]) }
  }

  @Test func `A copy that did not fork sends what another one has under its forked number`() throws
  {
    let scene = Scene(clients: 1)
    #expect(scene.settle())
    let (third, empty) = (scene.copy(0), scene.backend.space)
    try scene.commit(0, scene.new(0, Scene.note, "a"))
    let copy = scene.copy(0)
    try scene.commit(third, scene.new(third, Scene.note, "lost"))
    #expect(scene.settle(third))
    scene.cut(0)
    scene.connect(0)
    // The login: the third copy has the place, so that this one forks.
    for _ in 0..<2 { scene.step(0) }
    #expect(scene.status(0).outbox.map(\.number) != scene.status(copy).outbox.map(\.number))
    scene.restore(empty)
    #expect(scene.settle(copy))
    #expect(scene.settle(0, copy))
    for index in [0, copy] { #expect(scene.texts(index) == ["a"]) }
    #expect(scene.backend.head == 1)
  }

  @Test func `A server that lost a transaction gets it from the copy that shares it`() throws {
    let scene = Scene(clients: 1)
    #expect(scene.settle())
    let empty = scene.backend.space
    try scene.commit(0, scene.new(0, Scene.note, "a"))
    let copy = scene.copy(0)
    #expect(scene.settle(0))
    let note = try #require(scene.key(0, Scene.note, "a"))
    scene.restore(empty)
    try scene.commit(0, scene.put(note, [12: .text("x")]))
    scene.connect(copy, 0)
    for _ in 0..<2 { scene.step(copy) }
    scene.step(0)
    // The login is in front of what the copy sends, so that its entry comes with the full snapshot.
    scene.send(0)
    scene.send(copy)
    scene.serve()
    #expect(scene.settle())
    for index in [0, copy] { #expect(scene.shown(index, Scene.note, 12) == ["a": .text("x")]) }
    #expect(scene.status(0).rejections.isEmpty)
    #expect(scene.backend.head == 2)
  }

  // What docs/sync.md calls open: copies have one number until they differ, and a restored server gives the place,
  // and with it the global id, to the other one.
  @Test func `A restored server has an object of a copy under an id that a store knows`() throws {
    let scene = Scene(clients: 2)
    #expect(scene.settle())
    let (copy, empty) = (scene.copy(0), scene.backend.space)
    scene.clients[0].machine.keepAcknowledged = 0
    try scene.commit(0, scene.new(0, Scene.note, "lost"))
    #expect(scene.settle(0, 1))
    let known = [0, 1].map { scene.key($0, Scene.note, "lost") }
    scene.restore(empty)
    try scene.commit(copy, scene.new(copy, Scene.note, "b"))
    #expect(scene.settle(copy))
    #expect(scene.settle())
    for index in 0...1 {
      #expect(scene.texts(index) == ["b"])
      withKnownIssue { #expect(scene.key(index, Scene.note, "b") != known[index]) }
    }
  }
}
