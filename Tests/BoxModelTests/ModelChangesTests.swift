import BoxModel
import TestSupport
import Testing

/// The difference between two models in words.
struct ModelChangesTests {
  private let model = PresentationTests.model

  private func text(_ edit: (inout Model) -> Void) -> String {
    var changed = model
    edit(&changed)
    return ModelChanges(from: model, to: changed).text()
  }

  @Test func aModelDoesNotDifferFromItself() {
    let changes = ModelChanges(from: model, to: model)
    #expect(changes.isEmpty)
    #expect(changes.text().isEmpty)
    #expect(changes.markdown() == "No differences.\n")
  }

  @Test(.promise(108)) func orderIsNotADifference() {
    #expect(text { $0.entities.reverse() }.isEmpty)
  }

  @Test func aRenameKeepsTheData() {
    #expect(
      text { $0.entities[0].properties[1].name = "heading" } == """
        Note  (entity 1, uid 1000)
          ~ property heading: renamed from title
              its data stays: the UID is the same

        """)
  }

  /// A bit of flags has another name in an entity than in a property.
  @Test func aFlagOfAnEntityHasItsName() {
    let text = text { $0.entities[1].flags = .sharedGlobalIDs }
    #expect(text.contains("  ~ entity Author: flag SHARED_GLOBAL_IDS set\n"), "\(text)")
  }

  @Test func anAddedAndARemovedProperty() {
    let text = text {
      $0.entities[1].properties.append(
        Property(pair: IDPair(id: 2, uid: 2002), name: "age", type: .int))
      $0.entities[0].properties.remove(at: 1)
      $0.retiredPropertyUIDs?.append(1002)
      $0.retiredIndexUIDs?.append(1102)
    }
    #expect(
      text == """
        Note  (entity 1, uid 1000)
          - property title removed, uid 1002: its UID is retired
              its values can no longer be reached

        Author  (entity 2, uid 2000)
          + property age added, uid 2002
              objects that are stored already have no value for it

        """)
  }

  @Test func forgottenStepsAreReported() {
    let text = text { $0.entities.remove(at: 1) }
    #expect(text.contains("\n  - entity Author removed, uid 2000: its UID is not retired, "))
    // The to-one that led there leads nowhere now.
    #expect(text.contains("\n  ~ property author: target changed from Author to Author\n"))
  }

  @Test func renumberingTypesAndFlagsComeWithTheirMeaning() {
    let text = text {
      $0.entities[0].pair.id = 3
      $0.entities[0].properties[1].type = .long
      $0.entities[1].properties[0].flags.insert(.unsigned)
    }
    #expect(text.contains("  ~ entity Note: renumbered from 1 to 3\n"))
    #expect(text.contains("  ~ property title: type changed from string to long\n"))
    #expect(text.contains("      BoxJoint: it opens, since ids are not stored\n"))
    #expect(text.contains("      ObjectBox: the store may be refused; the documentation renumbers"))
    #expect(text.contains("      BoxJoint: a store with objects of the entity is refused\n"))
    #expect(text.contains("  ~ property id: flag UNSIGNED set\n"))
  }

  @Test func everyChangeIsInTheJSON() {
    var changed = model
    changed.entities[0].properties[1].flags.remove([.indexed, .indexHash])
    changed.entities[0].properties[1].indexID = nil
    let changes = ModelChanges(from: model, to: changed)
    // The property, and the index of its own that went with it.
    #expect(changes.groups.first?.changes.map(\.key.kind) == [.property, .index])
    #expect(!changes.text().contains("- index of"))
  }

  /// Every key of the model as a whole is compared, and what comes with a change of an element is not
  /// said twice.
  @Test func keysOfTheModelAreCompared() {
    let edits: [(String, (inout Model) -> Void)] = [
      ("version changed from 1 to 2", { $0.version = 2 }),
      ("version removed, was 1", { $0.version = nil }),
      ("modelVersion changed from 5 to 4", { $0.modelVersion = 4 }),
      ("modelVersionParserMinimum changed from 5 to 4", { $0.modelVersionParserMinimum = 4 }),
      ("newUidPool added: [7, 8]", { $0.newUIDPool = [7, 8] }),
      ("lastSequenceId changed from 0:0 to 1:5", { $0.lastSequenceID = IDPair(id: 1, uid: 5) }),
      (
        "flavour added: \"dark\"",
        { $0.otherMembers.append(.init(key: "flavour", text: "\"dark\"")) }
      ),
      ("retiredPropertyUids: 4711 added", { $0.retiredPropertyUIDs?.append(4711) }),
      ("lastEntityId removed, was", { $0.lastEntityID = nil }),
      (
        "lastPropertyId of Note changed from",
        { $0.entities[0].lastPropertyID = IDPair(id: 99, uid: 98) }
      ),
    ]
    for (words, edit) in edits {
      let text = text(edit)
      #expect(text.hasPrefix("The model\n  ~ \(words)"), "\(words): \(text)")
      var changed = model
      edit(&changed)
      let changes = ModelChanges(from: model, to: changed)
      #expect(!changes.isEmpty)
      #expect(changes.root.count == 1)
      #expect(changes.markdown().hasPrefix("### The model\n\n"))
      // What was taken away comes back.
      #expect(!ModelChanges(from: changed, to: model).isEmpty, "\(words)")
    }
    #expect(text { $0.otherMembers.append(.init(key: "_note9", text: "\"x\"")) }.isEmpty)
  }

  @Test func whatComesWithAnElementIsSaidOnce() {
    var changed = model
    changed.entities[1].properties.append(
      Property(pair: IDPair(id: 9, uid: 2009), name: "age", type: .int))
    changed.entities[1].lastPropertyID = IDPair(id: 9, uid: 2009)
    changed.entities[0].properties.remove(at: 1)
    changed.retiredPropertyUIDs?.append(1002)
    #expect(ModelChanges(from: model, to: changed).root.isEmpty)
    #expect(ModelChanges(from: changed, to: model).root.map(\.key) == ["lastPropertyId"])
  }
}
