import BoxConvert
import BoxEngine
import BoxModel
import BoxStorage
import TestSupport
import Testing

@testable import BoxMigration

/// Model files of ObjectBox's generator for Swift that get the signs which they lack.
struct UnsignedMappingTests {
  /// A converter of the old values carries their bits over to a property that gets the sign of the app.
  @Test func aRuleReadsTheBitsOfUnsignedNumbers() throws {
    func document(_ flags: PropertyFlags) throws -> ModelDocument {
      try TestModel(
        .init(
          name: "Card", uid: 100,
          properties: [.id([]), .init(name: "rank", type: .byte, flags: flags)])
      ).document()
    }
    let store = try MigrationStore(document([])) { store, transaction in
      for rank: Int64 in [-128, -1, 0, 127] {
        var object = DynamicObject(try store.entity(named: "Card"))
        object["rank"] = .integer(rank)
        try transaction.put(object)
      }
    }
    let mapping = #"""
      {"mappings": [{"entities": [
        {"transform": "Card", "properties": {"rank": {"from": "rank", "read": "unsigned"}}}]}]}
      """#
    _ = try store.run(to: document(.unsigned), mappings: MigrationStore.mappings(mapping))
      .carryOut()
    #expect(
      try store.content().objects["Card"]?.mapValues { $0["rank"] } == [
        1: .unsigned(128), 2: .unsigned(255), 3: .unsigned(0), 4: .unsigned(127),
      ])
  }
}
