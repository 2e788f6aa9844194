import BoxModel
import TestSupport
import Testing

/// The laws of edits, on random sequences.
struct ModelEditorLawTests {
  private static let rounds = TestSeed.count("BOXJOINT_SOAK_EDITS", default: 400)

  @Test func editsGiveWhatTheRulesSay() throws {
    var random = TestSeed.next()
    var refusals = 0
    for round in 0..<Self.rounds {
      var sequence = EditSequence(SplitMix64(seed: random.next()))
      var document = try ModelDocument(parsing: ModelDocument.newFile)
      for _ in 0..<(1 + random.below(40)) {
        if let problem = sequence.step() {
          Issue.record("round \(round): \(problem)")
          return
        }
        // The file follows edit by edit, as the commands write it.
        document = try ModelDocument(parsing: document.rendered(sequence.editor.model))
        #expect(document.isComplete)
        let issues = document.check()
        #expect(issues.isEmpty, "round \(round): \(issues) after \(sequence.log)")
        #expect(
          GeneratorRules(of: document.model).agrees(with: sequence.rules),
          "round \(round): \(sequence.log)")
      }
      refusals += sequence.refusals
    }
    #expect(refusals > Self.rounds, "hardly any edit was refused")
  }

  /// A new entity is not searched for each of its members.
  @Test func anEntityIsAddedInTheTimeOfItsMembers() throws {
    let power = try growth(of: 500) { size in
      let draft = EntityDraft(
        "Thing", properties: [.id()] + (0..<size).map { PropertyDraft("p\($0)", .long, .indexed) },
        relations: (0..<size).map { RelationDraft("r\($0)", to: "Thing") })
      return {
        var editor = ModelEditor(
          try ModelDocument(parsing: ModelDocument.newFile).model, uids: .sequential)
        try editor.addEntity(draft)
        #expect(editor.model.entities[0].relations?.count == size)
        #expect(editor.model.entities[0].lastPropertyID?.id == UInt32(size + 1))
      }
    }
    #expect(power < 1.6)
  }

  /// Properties and relations of a new entity have names of their own, whatever the case.
  @Test func aNewEntityHasEachNameOnce() throws {
    let model = try ModelDocument(parsing: ModelDocument.newFile).model
    let drafts = [
      EntityDraft("A", properties: [.id(), PropertyDraft("b", .long), PropertyDraft("B", .long)]),
      EntityDraft("A", properties: [.id()], relations: [RelationDraft("ID", to: "A")]),
      EntityDraft(
        "A", properties: [.id()],
        relations: [RelationDraft("c", to: "A"), RelationDraft("C", to: "A")]),
    ]
    let taken: [ModelEditError] = [
      .nameTaken(.property, "A.b"), .nameTaken(.property, "A.id"), .nameTaken(.relation, "A.c"),
    ]
    for (draft, error) in zip(drafts, taken) {
      var editor = ModelEditor(model, uids: .sequential)
      #expect(throws: error) { try editor.addEntity(draft) }
      // Another entity can have the names.
      let single = EntityDraft("B", properties: [.id(), PropertyDraft("b", .long)])
      try editor.addEntities([EntityDraft("A", properties: [.id()]), single])
    }
  }
}
