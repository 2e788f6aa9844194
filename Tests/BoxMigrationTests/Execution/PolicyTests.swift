import BoxEngine
import BoxModel
import BoxStorage
import TestSupport
import Testing

@testable import BoxMigration

/// The behaviour of opening when the store has another model.
struct PolicyTests {
  private static func notes(_ rank: PropertyType, name: String = "Note") throws -> ModelDocument {
    try TestModel(
      .init(name: name, uid: 100, fields: [.init("rank", 110, rank)])
    ).document()
  }

  private static func store() throws -> MigrationStore {
    try MigrationStore(notes(.int)) { store, transaction in
      var object = DynamicObject(try store.entity(named: "Note"))
      object["rank"] = 3
      try transaction.put(object)
    }
  }

  @Test(.promise(398)) func doesWhatThePolicyAllows() throws {
    let store = try Self.store()
    let renamed = try Self.notes(.int, name: "Memo")
    let wide = try Self.notes(.long)
    #expect(throws: MigrationError.self) {
      try store.run(to: renamed).open(renamed, onMismatch: .fail)
    }
    #expect(throws: MigrationError.self) {
      try store.run(to: wide).open(wide, onMismatch: .migrate(.lightOnly))
    }
    #expect(throws: MigrationError.self) {
      try store.run(to: renamed, wide).open(wide, onMismatch: .migrate(.singleStep))
    }
    #expect(try store.content().objects == ["Note": [1: ["rank": 3]]])
    _ = try store.run(to: renamed).open(renamed, onMismatch: .migrate(.lightOnly))
    #expect(try store.content().objects == ["Memo": [1: ["rank": 3]]])
    _ = try store.run(to: renamed, wide).open(wide, onMismatch: .migrate(.progressive))
    #expect(try store.content().objects == ["Note": [1: ["rank": 3]]])
    _ = try store.run(to: wide).open(wide, onMismatch: .fail)
  }

  @Test(.promise(259, 405)) func recreatesOnlyWhereModelsDiffer() throws {
    let store = try Self.store()
    let other = try Self.notes(.byteVector)
    let opened = try store.run(to: other).open(other, onMismatch: .recreate)
    #expect(try StoreContent(opened).objects == ["Note": [:]])
  }

  @Test(.promise(405)) func keepsADamagedStoreAndOneInUse() throws {
    let store = try Self.store()
    let other = try Self.notes(.byteVector)
    do {
      let held = try ObjectStore.open(.directory(store.path))
      #expect(throws: (any Error).self) {
        try store.run(to: other).open(other, onMismatch: .recreate)
      }
      #expect(try StoreContent(held).objects == ["Note": [1: ["rank": 3]]])
    }
    var bytes = try store.directory.bytes(of: "store/data.mdb")
    // Both pages that describe the file.
    for position in [16, 4096 + 16] { bytes[position] ^= 0xff }
    try store.directory.write(bytes, to: "store/data.mdb")
    #expect(throws: StoreError.self) {
      try store.run(to: other).open(other, onMismatch: .recreate)
    }
    #expect(try store.directory.bytes(of: "store/data.mdb") == bytes)
  }

  @Test func createsAMissingStore() throws {
    let directory = try TemporaryDirectory()
    let model = try Self.notes(.int)
    let run = MigrationRun(
      directory.path(of: "new"), try MigrationRoute(to: MigrationVersion("V1", model)))
    #expect(throws: StoreError.self) { try run.pending() }
    #expect(!directory.exists("new/data.mdb"))
    let store = try run.open(model, onMismatch: .fail)
    #expect(store.entities.count == 1)
  }
}
