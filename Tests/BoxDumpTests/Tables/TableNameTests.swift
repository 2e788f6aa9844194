import BoxDump
import BoxEngine
import BoxModel
import TestSupport
import Testing

/// The tables of a directory are those of the entities that they were written of, whatever their names.
struct TableNameTests {
  private static let long = String(repeating: "long", count: 47)

  /// Names whose files could be taken for each other, or are longer than a file can be.
  private static let groups: [[String]] = [
    [long, long + "12345", long + "123456", long + "1234567890", long + "12345678901"],
    (190...205).map { String(repeating: "x", count: $0) },
    [String(repeating: "E", count: 1023), String(repeating: "E", count: 1024)],
    // Of three bytes each, and longer in a file.
    [String(repeating: "日", count: 341), String(repeating: "日", count: 340) + "本"],
    [String(repeating: "/", count: 100), String(repeating: "/", count: 101)],
    ["a", "a.b", "a.b.csv", "a.csv", "b"],
    ["e\u{301}te", "\u{E9}te", "ete"],
    ["_SUCCESS", "_hidden", "%5fhidden", ".dot", "-dash", "a/b", "a%2fb", "..", "x~1", "x~2"],
    ["manifest", "manifest.json", "Edge.end", "Edge"],
  ]

  private static func document(_ names: [String]) throws -> ModelDocument {
    var model = TestModel()
    model.entities = names.enumerated().map { number, name in
      .init(
        name: name, uid: UID(1000 * (number + 1)),
        fields: [.init(name: "number", type: .long)],
        relations: [.init("next", to: name)])
    }
    return try model.document()
  }

  @Test(arguments: groups, [TableForm.csv, .tsv])
  func everyTableIsReadBack(_ names: [String], _ table: TableForm) throws {
    let fixture = try ImportFixture()
    let document = try Self.document(names)
    let store = try fixture.open("a", document)
    try store.write { transaction in
      for (number, entity) in store.entities.enumerated() {
        for id in 0...number {
          var object = DynamicObject(entity)
          object["number"] = .integer(Int64(100 * number + id))
          try transaction.put(object)
        }
      }
      for entity in store.entities { try transaction.link(entity.relations[0], 1, 1) }
    }
    // All of them, and each alone: then no other file has a name that is like its own.
    for (run, chosen) in ([names] + names.map { [$0] }).enumerated() {
      var options = ExportOptions()
      options.shape = .directory
      options.table = table
      let isWhole = chosen.count == names.count
      if !isWhole { options.entities = chosen.map(NamePath.quoted) }
      let path = try fixture.export(store, to: isWhole ? "all" : "one", options)
      let copy = try fixture.open("copy\(run)", document)
      try fixture.load(paths: [path], InputForm(), into: copy) { $0.dangling = .keep }
      for (number, entity) in copy.entities.enumerated() {
        let isChosen = isWhole || entity.name.utf8.elementsEqual(chosen[0].utf8)
        let count = try copy.read { try $0.count(entity) }
        #expect(
          count == (isChosen ? number + 1 : 0), "\(entity.name.prefix(40)) of \(chosen.count)")
        let value = try copy.read { try $0.get(entity, 1)?.value(named: "number") }
        #expect(value == (isChosen ? .integer(Int64(100 * number)) : nil))
      }
      fixture.directory.removeEverything("one")
    }
  }
}
