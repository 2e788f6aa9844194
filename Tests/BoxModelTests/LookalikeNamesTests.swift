import BoxJSON
import TestSupport
import Testing

@testable import BoxModel

/// Names that look alike are two names of a model.
struct LookalikeNamesTests {
  /// A model whose second and third property have the names, and whose entity has both as unknown keys.
  private func document(_ names: (first: String, second: String)) throws -> ModelDocument {
    func quoted(_ text: String) -> String { JSONValue.string(text).text() }
    let text = """
      {"entities": [{"id": "1:1000", "lastPropertyId": "3:1003", "name": "E", "properties": [
        {"id": "1:1001", "name": "id", "type": 6, "flags": 1},
        {"id": "2:1002", "name": \(quoted(names.first)), "type": 9},
        {"id": "3:1003", "name": \(quoted(names.second)), "type": 9}],
        \(quoted("x" + names.first)): 1, \(quoted("x" + names.second)): 2, "relations": []}],
      "lastEntityId": "1:1000", "lastIndexId": "0:0", "lastRelationId": "0:0",
      "modelVersion": 5, "modelVersionParserMinimum": 5, "retiredEntityUids": [],
      "retiredIndexUids": [], "retiredPropertyUids": [], "retiredRelationUids": [], "version": 1}
      """
    return try ModelDocument(parsing: Array(text.utf8))
  }

  @Test func bothAreFoundAndTheCheckWarns() throws {
    var random = TestSeed.next()
    for _ in 0..<300 {
      let names = Lookalikes.pair(&random)
      let document = try document(names)
      #expect(document.check().map(\.rule) == [ModelRule.similarNames], "\(names)")
      let index = MemberIndex(document.model.entities[0])
      #expect(index.property(named: names.first) == 1)
      #expect(index.property(named: names.second) == 2)
      var editor = ModelEditor(document.model, uids: .sequential)
      let key = try editor.element(named: "E." + names.second)
      #expect(key == ElementKey(.property, 1003))
      try editor.rename(key, to: "other")
      #expect(editor.model.entities[0].properties[1].name.hasSameBytes(as: names.first))
    }
  }

  /// Two names that print the same are told apart by their code points.
  @Test(arguments: [
    (
      "K", "\u{212A}",
      "E.\u{212A} is the name of two properties, with U+004B where this one has U+212A"
    ),
    ("aK b", "aK b".replacing("K", with: "\u{212A}"), "with U+004B where this one has U+212A"),
    ("Key", "key", "E.key is the name of two properties, written Key"),
    (
      "\u{E9}t", "e\u{301}t", "written in another way, with U+00E9 where this one has U+0065 U+0301"
    ),
    (
      "xe\u{301}", "x\u{C9}", "written in another way, with U+0065 U+0301 where this one has U+00C9"
    ),
  ])
  func theMessageShowsTheDifference(first: String, second: String, message: String) throws {
    let issue = try #require(try document((first, second)).check().first)
    #expect(issue.message.hasSuffix(message), "\(issue.message)")
  }

  /// A name, or an unknown key, in another spelling is a change, and is written.
  @Test func anotherSpellingIsAChange() throws {
    var random = TestSeed.next()
    for _ in 0..<300 {
      let names = Lookalikes.pair(&random)
      let document = try document((names.first, "b"))
      var model = document.model
      model.entities[0].properties[1].name = names.second
      #expect(model != document.model)
      let change = FieldChange(
        .name, before: .text(ExactText(names.first)), after: .text(ExactText(names.second)))
      #expect(
        ModelDifference(from: document.model, to: model).changes == [
          ElementKey(.property, 1002): .changed([change])
        ])
      let written = try ModelDocument(parsing: document.rendered(model))
      #expect(written.model == model)
      let added = model.entities[0].otherMembers.map(\.key)
      model.entities[0].otherMembers.removeAll { $0.key.hasSameBytes(as: "x" + names.first) }
      #expect(model.entities[0].otherMembers.count == added.count - 1)
      #expect(try ModelDocument(parsing: document.rendered(model)).model == model)
    }
  }
}
