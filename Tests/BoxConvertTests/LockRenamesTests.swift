import BoxConvert
import BoxJSON
import BoxModel
import BoxReport
import TestSupport
import Testing

/// A lock follows the properties of its model by UID.
struct LockRenamesTests {
  /// A model of entities with properties; the number of each is its UID.
  private func model(_ entities: [(String, UID, [(String, UID)])]) -> Model {
    var described = TestModel()
    described.entities = entities.map { name, uid, properties in
      .init(name: name, uid: uid, properties: properties.map { .init($0.0, $0.1, .int) })
    }
    return described.model
  }

  private func rank(_ low: Int64, _ high: Int64) -> JSONValue {
    ["type": "enum", "values": ["low": .int(Int(low)), "high": .int(Int(high))]]
  }

  private func catalogue(_ members: [(String, JSONValue)]) throws -> Catalogue {
    try Catalogue(["properties": .object(members.map { JSONValue.Member($0.0, $0.1) })])
  }

  private func names(_ lock: ConverterLock) -> [String] { lock.properties.map(\.name) }

  /// Swapped values under a new name are as much an error as under the old one.
  @Test(arguments: [
    [("Note", UID(10), [("level", UID(11))])], [("Memo", UID(10), [("rank", UID(11))])],
    [("Memo", UID(10), [("level", UID(11))])], [("Note", UID(10), [("rank", UID(11))])],
  ])
  func aRenamedConverterIsComparedWithItself(_ new: [(String, UID, [(String, UID)])]) throws {
    let old = model([("Note", 10, [("rank", 11)])])
    let lock = ConverterLock(try catalogue([("Note.rank", rank(0, 1))]))
      .renamed(from: old, to: model(new))
    let name = "\(new[0].0).\(new[0].2[0].0)"
    func check(_ definition: JSONValue) throws -> [String] {
      try catalogue([(name, definition)]).check(model: model(new), lock: lock, path: "c.yml")
        .map(\.rule.id)
    }
    #expect(try check(rank(1, 0)) == ["BOX822", "BOX822"])
    #expect(try check(rank(0, 1)) == [])
  }

  @Test func twoPropertiesCanChangeNames() throws {
    let old = model([("Note", 10, [("a", 11), ("b", 12)])])
    let new = model([("Note", 10, [("b", 11), ("a", 12)])])
    let lock = ConverterLock(try catalogue([("Note.a", rank(0, 1)), ("Note.b", "date")]))
    #expect(names(lock.renamed(from: old, to: new)) == ["Note.b", "Note.a"])
    #expect(lock.renamed(from: old, to: old) == lock)
    #expect(lock.renamed(from: old, to: new).renamed(from: new, to: old) == lock)
  }

  @Test func whatHasNoUIDOrIsUnknownKeepsItsName() throws {
    let lock = ConverterLock(try catalogue([("Note.rank", rank(0, 1))]))
    let known = model([("Note", 10, [("rank", 11)])])
    let renamed = model([("Note", 10, [("level", 11)])])
    let unnumbered = model([("Note", 0, [("rank", 0)])])
    for (old, new) in [
      (unnumbered, renamed), (unnumbered, model([("Note", 0, [("level", 0)])])),
      (model([]), renamed), (known, model([])),
      // A new property of the name, under which values that are there could be read.
      (known, model([("Note", 10, [("rank", 99)])])),
    ] {
      #expect(lock.renamed(from: old, to: new) == lock)
    }
    // The case of names does not matter.
    let other = ConverterLock(try catalogue([("note.RANK", rank(0, 1))]))
    #expect(names(other.renamed(from: known, to: renamed)) == ["Note.level"])
  }

  @Test func aRemovedPropertyIsNotComparedWithTheOneThatTookItsName() throws {
    let old = model([("Note", 10, [("a", 11), ("b", 12)])])
    let new = model([("Note", 10, [("a", 12)])])
    let lock = ConverterLock(try catalogue([("Note.a", rank(0, 1)), ("Note.b", "date")]))
    let renamed = lock.renamed(from: old, to: new)
    #expect(renamed.properties.map(\.content) == [lock.properties[1].content])
    #expect(names(renamed) == ["Note.a"])
  }

  /// Nobody reads the values of a property that was removed or reset.
  @Test func removedPropertiesAreNotCompared() throws {
    let old = model([("Note", 10, [("a", 11), ("b", 12), ("c", 14)])])
    let lock = ConverterLock(
      try catalogue([
        ("Note.a", rank(0, 1)), ("Note.b", "date"), ("Note.c", "date"), ("Memo.c", "date"),
      ]))
    let reset = model([("Note", 10, [("b", 11), ("a", 13)])])
    #expect(names(lock.renamed(from: old, to: reset)) == ["Memo.c", "Note.b", "Note.c"])
    let followed = lock.followed(from: old, to: reset)
    #expect(names(followed) == ["Memo.c", "Note.b"])
    #expect(
      followed.properties.first { $0.name == "Note.b" }?.content
        == lock.properties.first { $0.name == "Note.a" }?.content)
    #expect(lock.followed(from: old, to: old) == lock)
  }

  @Test(arguments: [
    ("converters.yml", "converters.lock"), ("a/enums.yaml", "a/enums.lock"),
    ("a.b/c.json", "a.b/c.lock"), ("enums", "enums.lock"),
    ("/x/.boxjoint.yml", "/x/converters.lock"),
    (".boxjoint.yml", "converters.lock"),
  ])
  func aLockIsBesideItsCatalogue(_ catalogue: String, _ lock: String) {
    #expect(ConverterLock.path(beside: catalogue) == lock)
  }
}
