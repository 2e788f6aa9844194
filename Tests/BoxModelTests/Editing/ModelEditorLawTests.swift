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
  @Test(.growth) func growthOfAnEntityWithItsMembers() throws {
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

  /// The names in messages are what options read; a plain one is in quotes.
  @Test func namesInMessagesAreReadBack() throws {
    var editor = ModelEditor(
      try ModelDocument(parsing: ModelDocument.newFile).model, uids: .sequential)
    let names = HostileName.all
    for name in names {
      try editor.addEntity(
        EntityDraft(name, properties: [.id()] + names.map { PropertyDraft($0, .long) }))
      let entity = NamePath.quoted(name)
      func message(_ edit: (inout ModelEditor) throws -> Void) -> String {
        do {
          try edit(&editor)
          return ""
        } catch {
          return "\(error)"
        }
      }
      func shown(_ text: String) -> String { text.contains("`") ? text : "'\(text)'" }
      #expect(
        message { try $0.addEntity(EntityDraft(name, properties: [.id()])) }
          == "there is an entity \(shown(entity)) already; choose another name")
      for member in names.prefix(12) {
        let text = NamePath([name, member]).description
        #expect(
          message { try $0.addProperty(PropertyDraft(member, .int), to: name) }
            == "there is a property \(shown(text)) already; choose another name")
        #expect(try editor.element(named: text).kind == .property)
      }
      #expect(
        message { try $0.setType(.int, of: try $0.element(named: entity)) }
          == "\(shown(entity)) is not a property, and has no type")
    }
  }

  /// The name that may be meant is one that can be typed.
  @Test func theNameThatMayBeMeantIsReadBack() throws {
    var editor = ModelEditor(
      try ModelDocument(parsing: ModelDocument.newFile).model, uids: .sequential)
    try editor.addEntity(
      EntityDraft("old film", properties: [.id(), PropertyDraft("first name", .string)]))
    for (text, message) in [
      ("old fil", "the model has no 'old fil'; did you mean `old film`?"),
      (
        "old film.first nam",
        "the model has no 'old film.first nam'; did you mean `old film`.`first name`?"
      ),
    ] {
      do {
        _ = try editor.element(named: text)
        Issue.record("\(text) is found")
      } catch {
        #expect("\(error)" == message)
      }
    }
  }
}
