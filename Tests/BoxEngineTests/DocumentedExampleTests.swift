import BoxEngine
import BoxModel
import BoxStorage
import TestSupport
import Testing

/// The code of docs/engine.md.
struct DocumentedExampleTests {
  @Test func theExampleOfTheDocumentationWorks() throws {
    let directory = try TemporaryDirectory()
    let model = try TestModel(
      .init(
        name: "Tag", uid: 300,
        properties: [
          .id(), .init(name: "name", type: .string),
          .init(name: "rank", type: .long, flags: .indexed),
        ])
    ).document()
    let store = try ObjectStore.open(.directory(directory.path(of: "data")), model: model)
    let tag = try store.entity(named: "Tag")

    let id = try store.write { transaction in
      var object = DynamicObject(tag)
      object["name"] = "swift"
      object["rank"] = 3
      return try transaction.put(object)
    }
    #expect(id == 1)

    let rank = try #require(tag.property(named: "rank"))
    let found = try store.read { transaction in
      try transaction.ids(tag, where: rank, equals: 3).map { try transaction.get(tag, $0)?["name"] }
    }
    #expect(found == ["swift"])

    let name = try #require(tag.property(named: "name")).slot
    try store.write { transaction in
      try transaction.put(tag) { record in record.set(name, "by slot") }
    }
    var lengths: [UInt64: Int] = [:]
    try store.read { transaction in
      try transaction.visit(tag) { id, record in
        lengths[id] = record.withUTF8(name) { $0.count }
        return .next
      }
    }
    #expect(lengths == [1: 5, 2: 7])

    try store.write { transaction in
      try transaction.rewrite(tag) { id, old, new in
        guard let value = old.int64(rank.slot) else { return .keep }
        new.set(rank.slot, value + 1)
        if let text = old.string(name) { new.set(name, text) }
        return .replace
      }
    }
    let changed = try store.read { try $0.get(tag, [1, 2]).map { $0?["rank"] } }
    #expect(changed == [4, .null])
  }
}
