import BoxJSON
import BoxModel
import Testing

/// A model as people read it.
struct PresentationTests {
  /// A note with an indexed title and a to-one, and an author with a to-many.
  static let model: Model = {
    var note = Entity(pair: IDPair(id: 1, uid: 1000), name: "Note")
    note.flags = .syncEnabled
    note.lastPropertyID = IDPair(id: 3, uid: 1003)
    var title = Property(
      pair: IDPair(id: 2, uid: 1002), name: "title", type: .string,
      flags: [.unique, .indexed, .indexHash])
    title.indexID = IDPair(id: 1, uid: 1102)
    var author = Property(
      pair: IDPair(id: 3, uid: 1003), name: "author", type: .relation,
      flags: [.indexed, .indexPartialSkipZero])
    author.indexID = IDPair(id: 2, uid: 1103)
    author.relationTarget = "Author"
    note.properties = [
      Property(pair: IDPair(id: 1, uid: 1001), name: "id", type: .long, flags: .id), title, author,
    ]
    var person = Entity(pair: IDPair(id: 2, uid: 2000), name: "Author")
    person.lastPropertyID = IDPair(id: 1, uid: 2001)
    person.properties = [
      Property(pair: IDPair(id: 1, uid: 2001), name: "id", type: .long, flags: .id)
    ]
    person.relations = [
      Relation(
        pair: IDPair(id: 1, uid: 2101), name: "notes", target: IDPair(id: 1, uid: 1000))
    ]
    var model = Model()
    model.entities = [note, person]
    model.lastEntityID = IDPair(id: 2, uid: 2000)
    model.lastIndexID = IDPair(id: 2, uid: 1103)
    model.lastRelationID = IDPair(id: 1, uid: 2101)
    model.retiredPropertyUIDs = [900, 901]
    return model
  }()

  @Test func alignedTextIsATable() {
    #expect(
      Self.model.text() == """
        Note  (entity 1, uid 1000)
          flags: sync
          last property id: 3, uid 1003
            id  name    type      flags      index         target  uid
            1   id      long      id                               1001
            2   title   string    unique     hash 1:1102           1002
            3   author  relation  skip-zero  value 2:1103  Author  1003

        Author  (entity 2, uid 2000)
          last property id: 1, uid 2001
            id  name  type  flags  uid
            1   id    long  id     2001
          relations
            id  name   target  uid
            1   notes  Note    2101

        model
          last entity id: 2, uid 2000
          last index id: 2, uid 1103
          last relation id: 1, uid 2101
          version of the format: 5
          version that readers need: 5
          version: 1
          retired properties: 2

        """)
  }

  @Test func retiredUIDsAreListedWhenAsked() {
    let end = "  retired properties\n    900\n    901\n"
    #expect(Self.model.text(.complete).hasSuffix(end))
    #expect(Self.model.text(.stable).hasSuffix(end))
  }

  @Test func stableTextChangesOneLineForOneProperty() {
    let before = Self.model.text(.stable).split(separator: "\n")
    for name in ["a", "日本語", String(repeating: "long", count: 30), "Zoë"] {
      var changed = Self.model
      changed.entities[0].properties[1].name = name
      let after = changed.text(.stable).split(separator: "\n")
      #expect(after.count == before.count)
      #expect(zip(before, after).count { $0 != $1 } == 1)
    }
  }

  @Test func everyChangeOfAPropertyShowsInStableText() {
    let text = Self.model.text(.stable)
    let edits: [(inout Property) -> Void] = [
      { $0.pair.id = 9 }, { $0.pair.uid = 9 }, { $0.name = "x" }, { $0.type = .int },
      { $0.type = nil }, { $0.indexID?.uid = 9 }, { $0.indexID = nil }, { $0.externalName = "x" },
      { $0.externalType = 9 }, { $0.hnswParams = "{}" }, { $0.relationTarget = "Note" },
      { $0.otherMembers = [OtherMember(key: "k", text: "1")] },
    ]
    let flips = (0..<32).map { bit in
      { (property: inout Property) in
        property.flags.formSymmetricDifference(.init(rawValue: 1 << bit))
      }
    }
    for (index, edit) in (edits + flips).enumerated() {
      var changed = Self.model
      edit(&changed.entities[0].properties[1])
      #expect(changed.text(.stable) != text, "edit \(index)")
    }
  }

  @Test func columnsAreAlignedByWidthOnTheScreen() {
    var model = Self.model
    model.entities[1].properties[0].name = "日本"
    // Two wide characters take four columns, as much as the word "name".
    #expect(model.text().contains("    1   日本  long  id     2001\n"))
  }

  @Test func controlCharactersNeverReachTheOutput() {
    var model = Self.model
    let name = "a\u{1B}[31m\nb\u{202E}|`<b>\"#"
    model.entities[0].name = name
    model.entities[0].properties[0].name = name
    model.entities[1].relations?[0].name = name
    for text in [
      model.text(), model.text(.stable), model.markdown(), model.mermaid(),
    ] {
      #expect(!text.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" })
    }
    #expect(model.text().hasPrefix("a\\u001b[31m\\nb\\u202e|`<b>\"#  (entity 1, uid 1000)\n"))
    #expect(!model.markdown().contains("<b>"))
    #expect(!model.mermaid().contains("<b>"))
  }

  @Test func mermaidDrawsEntitiesAndRelations() {
    #expect(
      Self.model.mermaid() == """
        erDiagram
          e0["Note"] {
            long id PK
            string title UK
            relation author FK
          }
          e1["Author"] {
            long id PK
          }
          e0 }o--o| e1 : "author"
          e1 }o--o{ e0 : "notes"

        """)
  }

  @Test func namesThatMermaidCannotTakeAreComments() {
    var model = Self.model
    model.entities[1].properties[0].name = "größe \"x\""
    #expect(model.mermaid().contains("    long gr__e__x_ PK \"größe #34;x#34;\"\n"))
  }

  @Test func markdownIsATable() {
    let lines = Self.model.markdown().split(separator: "\n")
    #expect(lines.first == "### Note")
    #expect(lines.contains("| 2 | title | string | unique | hash 1:1102 |  | 1002 |  |"))
  }

  @Test func jsonHasUIDsAsStrings() throws {
    var model = Model()
    model.retiredEntityUIDs = [UID(Int64.max)]
    let text = model.json(path: "m.json").text(indent: 0)
    #expect(text.contains(#""retired":{"entities":["9223372036854775807"],"#))
  }
}
