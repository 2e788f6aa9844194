import BoxGenerator
import BoxModel
import BoxSources
import TestSupport
import Testing

/// Graphs of objects whose entities the other tests do not have.
struct GraphProgramTests {
  private static let source = """
    import BoxStore

    final class Root: Entity {
      var id: Id = 0
      var children: ToMany<Child> = nil
      init() {}
    }
    final class Child: Entity {
      var id: Id = 0
      // objectbox: unique = { "onConflict": "replace" }
      var key = ""
      // objectbox: relation
      var roots: ToMany<Root> = nil
      var next: ToOne<Child> = nil
      init() {}
    }
    final class Chosen: Entity {
      // objectbox: id = { "assignable": true }
      var id: Id = 0
      var next: ToOne<Chosen> = nil
      init() {}
    }

    """

  /// Two objects of one put with one value of a property that replaces: the error names the property.
  @Test func oneThatReplacesAnotherOfItsPutNamesTheProperty() async throws {
    var request = GeneratorRequest(
      files: [SwiftFile(path: "App.swift", bytes: Array(Self.source.utf8))], target: "App",
      modelPath: "model-App.json", model: nil, bindingsPath: "EntityInfo.generated.swift",
      bindings: nil)
    request.uids = .sequential
    let run = await Generation(request)
    #expect(run.findings.isEmpty, "\(run.findings.map(\.message))")
    let program = try await GeneratedProgram([
      "App.swift": Self.source, "EntityInfo.generated.swift": try #require(run.bindings),
      "main.swift": """
      import BoxStore

      let store = try Store(directoryPath: "store")
      let (roots, children) = (store.box(for: Root.self), store.box(for: Child.self))
      func child(_ key: String) -> Child {
        let child = Child()
        child.key = key
        return child
      }
      let root = Root()
      root.children.append(contentsOf: [child("a"), child("b"), child("a")])
      do {
        try roots.put(root)
        print("put")
      } catch ObjectBoxError.uniqueViolation(let message) {
        print(message.contains("Child.key"))
      }
      print(try roots.count(), try children.count(), root.id, root.children.map(\\.id))
      root.children[2].key = "c"
      try roots.put(root)
      print(try roots.count(), try children.count())
      // One after the other, the later one replaces the earlier one, as the annotation says.
      try children.put(child("c"))
      print(try children.count(), try roots.all().map { $0.children.map(\\.key).sorted() })
      let ids = try children.putAndReturnIDs([child("x"), child("x")])
      print(try children.count(), try children.get(ids[0]) == nil)
      try store.runInTransaction {
        let other = Root()
        other.children.append(contentsOf: [child("y"), child("y")])
        do { try roots.put(other) } catch ObjectBoxError.uniqueViolation { print("refused") }
        try children.put(child("z"))
      }
      print(try roots.count(), try children.count())
      // A stored object that a new one leads to, by a relation to one or to many, and would replace.
      func refused(_ put: () throws -> Void) -> Bool {
        do {
          try put()
          return false
        } catch ObjectBoxError.uniqueViolation(let message) {
          return message.contains("Child.key")
        } catch {
          print(error)
          return false
        }
      }
      let stored = child("s")
      try children.put(stored)
      let heir = child("s")
      heir.next.target = stored
      print(refused { try children.put(heir) })
      let pair = [child("t"), child("t")]
      pair[0].next.target = pair[1]
      print(refused { try children.put(pair) })
      let host = Root()
      host.children.append(contentsOf: [child("s"), stored])
      print(refused { try roots.put(host) })
      heir.key = "u"
      try children.put(heir)
      print(try children.get(heir.id)?.next.target?.key ?? "nil")
      // Ids that the app chooses: below the last one there are ids that nobody has.
      let chosen = store.box(for: Chosen.self)
      func choose(_ id: Id, next: Id) throws {
        let one = Chosen()
        one.id = id
        one.next.targetId = EntityId(next)
        try chosen.put(one)
      }
      try choose(100, next: 100)
      do { try choose(200, next: 50) } catch { print(error) }
      try choose(50, next: 100)
      try choose(200, next: 50)
      try chosen.remove(50 as Id)
      try choose(200, next: 50)
      print(try chosen.count())
      store.close()
      """,
    ])
    #expect(
      try await program.run() == """
        true
        0 0 0 [0, 0, 0]
        1 3
        3 [["a", "b"]]
        4 true
        refused
        1 5
        true
        true
        true
        s
        there is no Chosen with id 50
        2

        """)
  }
}
