import BoxJSON
import BoxMerge
import BoxMigration
import BoxModel
import BoxReport
import Testing

/// A key that only the table of fields knows: everything that handles models has to know it from
/// there, and gives it the meaning that its row says.
struct FieldTableTests {
  /// A made-up key of each plain form, for a plan with a rule that is not that of unknown keys.
  private static let codec = ElementField(
    "codec", of: [.entity, .property, .relation], .text, heading: "codec of values",
    effect: .none("its codec is another one"), planned: "external-type-changed")
  private static let level = ElementField("level", of: [.property], .number)
  private static let options = ElementField("options", of: [.property], .json)

  private static let table = FieldTable(FieldTable.default.rows + [codec, level, options])

  /// A file with one property, whose last keys are `members`.
  private static func text(_ members: String, ofEntity: String = "") -> String {
    """
    {
      "entities": [
        {
          "id": "1:1001",
          "lastPropertyId": "2:1003",
          "name": "Note",
    \(ofEntity)      "properties": [
            {
              "id": "1:1002",
              "name": "id",
              "type": 6,
              "flags": 1
            },
            {
              "id": "2:1003",
              "name": "text",
              "type": 9\(members)
            }
          ],
          "relations": []
        }
      ],
      "lastEntityId": "1:1001",
      "lastIndexId": "0:0",
      "lastRelationId": "0:0",
      "modelVersion": 5,
      "modelVersionParserMinimum": 5,
      "retiredEntityUids": [],
      "retiredIndexUids": [],
      "retiredPropertyUids": [],
      "retiredRelationUids": [],
      "version": 1
    }
    """
  }

  private static func document(_ members: String, ofEntity: String = "") throws -> ModelDocument {
    try ModelDocument(
      parsing: Array(text(members, ofEntity: ofEntity).utf8), fields: table)
  }

  private static func property(_ document: ModelDocument) -> Property {
    document.model.entities[0].properties[1]
  }

  @Test func `the parser reads it, and refuses values of another form`() throws {
    let document = try Self.document(#", "codec": "a", "level": 3, "options": {"x": 1}"#)
    let property = Self.property(document)
    #expect(property.plain[Self.codec] == .text("a"))
    #expect(property.plain[Self.level] == .number(3))
    #expect(property.plain[Self.options] == .json(#"{"x": 1}"#))
    #expect(property.otherMembers.isEmpty)
    let wrong = try Self.document(#", "codec": 3, "level": "high""#)
    #expect(wrong.formIssues.map(\.rule.id) == ["BOX108", "BOX108"])
  }

  @Test func `the writer writes it after the keys that are there`() throws {
    let document = try Self.document(",\n          \"codec\": \"a\"")
    var model = document.model
    model.entities[0].properties[1].plain[Self.codec] = .text("b")
    model.entities[0].properties[1].plain[Self.level] = .number(4)
    let written = String(decoding: document.rendered(model), as: UTF8.self)
    #expect(
      written == Self.text(",\n          \"codec\": \"b\",\n          \"level\": 4"))
  }

  @Test func `a difference names it, and says what its row says`() throws {
    let old = try Self.document(#", "codec": "a""#).model
    let new = try Self.document(#", "codec": "b", "level": 1"#).model
    let difference = ModelDifference(from: old, to: new)
    #expect(
      difference[.property, 1003]
        == .changed([
          FieldChange(.plain(Self.codec), before: .text("a"), after: .text("b")),
          FieldChange(.plain(Self.level), before: nil, after: .number(1)),
        ]))
    let changes = ModelChanges(from: old, to: new)
    let change = try #require(changes.groups.first?.changes.first)
    #expect(change.details == ["codec changed from a to b", "level changed from none to 1"])
    #expect(change.consequences == ["its codec is another one"])
    let json = changes.json(from: "old", to: "new").text(indent: 0)
    #expect(json.contains(#"{"field":"codec","before":"a","after":"b"}"#))
    #expect(json.contains(#"{"field":"level","after":1}"#))
  }

  @Test func `tables and JSON show it`() throws {
    let document = try Self.document(
      #", "codec": "a", "options": {"x": 1}"#, ofEntity: "\"codec\": \"whole\",\n")
    let model = document.model
    let text = model.text()
    #expect(text.contains("codec=a options={\"x\": 1}"))
    #expect(text.contains("  codec of values: whole\n"))
    #expect(model.markdown().contains("- codec of values: whole"))
    let json = model.json(path: "model.json").text(indent: 0)
    #expect(json.contains(#""codec":"whole","lastProperty""#))
    #expect(json.contains(#""codec":"a","options":"#))
  }

  @Test func `a merge takes the change of one side, and asks where both changed it`() throws {
    let base = try Self.document(#", "codec": "a", "level": 1"#)
    let ours = try Self.document(#", "codec": "b", "level": 1"#)
    let theirs = try Self.document(#", "codec": "a", "level": 2"#)
    let merged = try MergeInput(base: base, ours: ours, theirs: theirs).merged()
    #expect(merged.isClean)
    let result = try ModelDocument(parsing: merged.bytes, fields: Self.table)
    #expect(Self.property(result).plain[Self.codec] == .text("b"))
    #expect(Self.property(result).plain[Self.level] == .number(2))

    let other = try Self.document(#", "codec": "c", "level": 1"#)
    let open = try MergeInput(base: base, ours: ours, theirs: other).merged()
    #expect(open.conflicts.map(\.id) == ["edit-edit/property/1003/codec"])
    let took = try MergeInput(
      base: base, ours: ours, theirs: other, choices: ["edit-edit/property/1003/codec": .theirs]
    ).merged()
    let taken = try ModelDocument(parsing: took.bytes, fields: Self.table)
    #expect(Self.property(taken).plain[Self.codec] == .text("c"))
  }

  @Test func `two new properties of one name with different values are not one`() throws {
    let base = try Self.document("")
    func added(_ uid: Int, _ codec: String) throws -> ModelDocument {
      let text = Self.text(
        """

                },
                {
                  "id": "3:\(uid)",
                  "name": "color",
                  "type": 9,
                  "codec": "\(codec)"
        """
      ).replacing("\"2:1003\",\n      \"name\"", with: "\"3:\(uid)\",\n      \"name\"")
      return try ModelDocument(parsing: Array(text.utf8), fields: Self.table)
    }
    func conflicts(_ a: ModelDocument, _ b: ModelDocument) throws -> [String] {
      try MergeInput(base: base, ours: a, theirs: b).merged().conflicts.map(\.rule.name)
    }
    #expect(try conflicts(added(2001, "a"), added(2002, "a")).isEmpty)
    #expect(try conflicts(added(2001, "a"), added(2002, "b")) == ["same-name"])
  }

  @Test func `a plan has the rule that its row names`() throws {
    func rules(_ before: String, _ after: String) throws -> [String] {
      try MigrationPlan(
        from: PlanSide(Self.document(before), path: "old"),
        to: PlanSide(Self.document(after), path: "new")
      ).steps.map(\.rule.id)
    }
    #expect(try rules(#", "codec": "a""#, #", "codec": "b""#) == ["BOX322"])
    // A row without a rule is planned as an unknown key.
    #expect(try rules("", #", "level": 2"#) == ["BOX324"])
  }

  @Test func `every row of the standard table names a rule that exists`() {
    let names = Set(ChangeRule.all.map(\.rule.name))
    for row in FieldTable.default.rows {
      for kind in row.kinds where row.isPlain {
        #expect(row.planned[kind].map(names.contains) ?? false, "\(row.key) of \(kind)")
      }
    }
    let keys = FieldTable.default.rows.map(\.key)
    #expect(Set(keys).count == keys.count)
  }
}
