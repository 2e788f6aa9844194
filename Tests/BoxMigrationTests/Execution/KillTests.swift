import BoxEngine
import BoxModel
import BoxStorage
import TestSupport
import Testing

@testable import BoxMigration

/// A heavy migration that is killed at any moment leaves the old store or the new one.
struct KillTests {
  private static func model(_ rank: PropertyType) throws -> ModelDocument {
    try SketchedModel(
      .init(
        name: "Note", uid: 100,
        fields: [
          .init("text", 110, .string, .indexHash), .init("rank", 111, rank, .indexed),
        ])
    ).document()
  }

  @Test func leavesTheOldStoreOrTheNewOne() async throws {
    var random = TestSeed.next()
    let kills = TestSeed.count("BOXJOINT_SOAK_MIGRATION_KILLS", default: 6)
    let child = try #require(builtProgram("MigrationFaultsChild"))
    let (narrow, wide) = (try Self.model(.int), try Self.model(.long))
    let store = try MigrationStore(narrow) { store, transaction in
      let note = try store.entity(named: "Note")
      for number in 1...20_000 {
        var object = DynamicObject(note)
        object["text"] = .string("note \(number)")
        object["rank"] = .integer(Int64(number))
        try transaction.put(object)
      }
    }
    try store.folder.write(wide.bytes, to: "wide.json")
    let before = try store.content()
    let original = try store.folder.bytes(of: "store/data.mdb")
    // How long it takes here, where nothing ends it.
    let whole = try await ProcessRun.of(
      child, [store.path, store.folder.path(of: "wide.json"), "0"])
    #expect(whole.status == 0, "\(whole.text)")
    let length = try #require(Int(whole.text.dropLast()))
    #expect(try store.content() == before)
    var (killed, finished) = (0, 0)
    // Some are done before they are killed.
    while killed < kills && killed + finished < kills * 20 {
      try store.folder.write(original, to: "store/data.mdb")
      let delay = 1 + random.below(length)
      let run = try await ProcessRun.of(
        child, [store.path, store.folder.path(of: "wide.json"), "\(delay)"])
      if run.status == 0 { finished += 1 } else { killed += 1 }
      #expect(try ObjectStore.verify(store.path).isEmpty)
      let model = try ObjectStore.open(.directory(store.path)).model
      #expect(model == wide.model || run.status != 0 && model == narrow.model)
      #expect(try store.content() == before)
    }
    #expect(killed == kills)
    print("killed \(killed) times; \(finished) were done before")
    // What a kill left behind is gone after the next one that ends well.
    try store.folder.write(original, to: "store/data.mdb")
    try store.run(to: wide).carryOut()
    #expect(try store.content() == before)
    #expect(store.folder.names(in: "store").sorted() == ["data.mdb", "lock.mdb", "store.lock"])
  }
}
