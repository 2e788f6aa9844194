import BoxDump
import BoxEngine
import BoxModel
import TestSupport
import Testing

/// The handling of existing objects, of ids, and of relations to missing objects.
struct ImportModesTests {
  private func fixture(_ lines: String...) throws -> (ImportFixture, ObjectStore) {
    let fixture = try ImportFixture()
    let store = try fixture.open("store")
    try fixture.load(text: lines.joined(separator: "\n"), into: store) { $0.entity = "Person" }
    return (fixture, store)
  }

  private let ann = #"{"id":1,"email":"ann","name":"Ann","age":30,"friend":null}"#
  private let bob = #"{"id":2,"email":"bob","name":"Bob","age":40,"friend":null}"#

  @Test func insertRefusesAnObjectThatExists() throws {
    let (fixture, store) = try fixture(ann)
    let refusal = try fixture.refusal(bob + "\n" + ann, into: store) { $0.entity = "Person" }
    #expect(refusal?.line == 2)
    #expect(refusal?.message.contains("exists already") == true)
    #expect(try fixture.people(store) == [ann], "the batch is undone")
  }

  @Test(.promise(311)) func earlierBatchesStay() throws {
    let (fixture, store) = try fixture(ann)
    let lines = (10..<20).map {
      #"{"id":\#($0),"email":"\#($0)","name":null,"age":null,"friend":null}"#
    }
    let refusal = try fixture.refusal(
      (lines + [ann]).joined(separator: "\n"), into: store
    ) {
      $0.entity = "Person"
      $0.batch = 4
    }
    #expect(refusal?.line == 11)
    #expect(try fixture.people(store) == [ann] + lines[..<8])
    // The mended input goes on behind what is kept.
    try fixture.load(text: (lines + [bob]).joined(separator: "\n"), into: store) {
      $0.entity = "Person"
      $0.batch = 4
      $0.resumes = true
    }
    #expect(try fixture.people(store) == [ann, bob] + lines)
  }

  @Test(.promise(311)) func oneTransactionUndoesEverything() throws {
    let (fixture, store) = try fixture(ann)
    let refusal = try fixture.refusal(bob + "\n{\"id\":3,\"age\":\"x\"}", into: store) {
      $0.entity = "Person"
      $0.batch = nil
    }
    #expect(refusal?.line == 2)
    #expect(refusal?.column == 15)
    #expect(try fixture.people(store) == [ann])
  }

  @Test func anInterruptedImportHasToBeEndedOrForgotten() throws {
    let (fixture, store) = try fixture()
    _ = try fixture.refusal(ann + "\n{", into: store) {
      $0.entity = "Person"
      $0.batch = 1
    }
    let refusal = try fixture.refusal(bob, into: store) { $0.entity = "Person" }
    #expect(refusal?.message.contains("resume or discard it") == true)
    let other = try fixture.refusal(ann + "\n" + bob, into: store) {
      $0.entity = "Person"
      $0.mode = .upsert
      $0.resumes = true
    }
    #expect(other?.message.contains("had other options") == true)
    let changed = try fixture.refusal("{}" + ann + "\n" + bob, into: store) {
      $0.entity = "Person"
      $0.resumes = true
    }
    #expect(changed?.message.contains("is not the input of the interrupted import") == true)
    try fixture.load(text: bob, into: store) {
      $0.entity = "Person"
      $0.restarts = true
    }
    #expect(try fixture.people(store) == [ann, bob])
  }

  @Test(.promise(309)) func upsertChangesWhatIsGiven() throws {
    let (fixture, store) = try fixture(ann)
    let summary = try fixture.load(
      text: #"{"id":1,"age":null,"name":"A."}"# + "\n" + bob, into: store
    ) {
      $0.entity = "Person"
      $0.mode = .upsert
    }
    #expect(
      try fixture.people(store) == [
        #"{"id":1,"email":"ann","name":"A.","age":null,"friend":null}"#, bob,
      ])
    #expect(summary.entities.map { [$0.inserted, $0.updated] } == [[1, 1]])
  }

  @Test func updateRefusesAnObjectThatDoesNotExist() throws {
    let (fixture, store) = try fixture(ann)
    let refusal = try fixture.refusal(bob, into: store) {
      $0.entity = "Person"
      $0.mode = .update
    }
    #expect(refusal?.message.contains("no object to update") == true)
  }

  @Test func replaceReplacesTheWholeObject() throws {
    let (fixture, store) = try fixture(ann)
    try fixture.load(text: #"{"id":1,"email":"new"}"#, into: store) {
      $0.entity = "Person"
      $0.mode = .replace
    }
    #expect(
      try fixture.people(store)
        == [#"{"id":1,"email":"new","name":null,"age":null,"friend":null}"#])
  }

  @Test func matchesByAProperty() throws {
    let (fixture, store) = try fixture(ann, bob)
    try fixture.load(
      text: #"{"email":"bob","age":41}"# + "\n" + #"{"email":"cid","age":7}"#, into: store
    ) {
      $0.entity = "Person"
      $0.mode = .upsert
      $0.match = "Person.email"
    }
    #expect(
      try fixture.people(store) == [
        ann, #"{"id":2,"email":"bob","name":"Bob","age":41,"friend":null}"#,
        #"{"id":3,"email":"cid","name":null,"age":7,"friend":null}"#,
      ])
  }

  /// Of two sources with one key only the last is imported, without what the first one says.
  @Test func theLastOfTwoWithOneKeyCounts() throws {
    let (fixture, store) = try fixture(ann)
    let lines = [
      #"{"email":"ann","name":"First","age":1}"#, #"{"email":"cid","name":"First","age":1}"#,
      #"{"email":"ann","age":2}"#, #"{"email":"cid","age":2}"#,
    ]
    for batch in [1, 3, 100] {
      let summary = try fixture.load(text: lines.joined(separator: "\n"), into: store) {
        $0.entity = "Person"
        $0.mode = .upsert
        $0.match = "Person.email"
        $0.batch = batch
      }
      #expect(summary.repeated == 2)
      if batch == 1 {
        #expect(
          try fixture.people(store) == [
            #"{"id":1,"email":"ann","name":"Ann","age":2,"friend":null}"#,
            #"{"id":2,"email":"cid","name":null,"age":2,"friend":null}"#,
          ])
      }
    }
  }

  /// The target that an earlier element names does not count, even if the target comes later.
  @Test(arguments: [1, 100])
  func theLastRelationCounts(_ batch: Int) throws {
    let first = #"{"id":5,"email":"bob","friend":9}"#
    let target = #"{"id":9,"email":"eve"}"#
    for (last, friend) in [
      (#"{"id":5,"email":"bob"}"#, "null"), (#"{"id":5,"email":"bob","friend":null}"#, "null"),
      (#"{"id":5,"email":"bob","friend":1}"#, "null"), (first, "3"),
    ] {
      for mode in [ImportMode.upsert, .replace] {
        let (fixture, store) = try fixture(ann)
        try fixture.load(text: [first, last, target].joined(separator: "\n"), into: store) {
          $0.entity = "Person"
          $0.ids = .new
          $0.mode = mode
          $0.batch = batch
        }
        #expect(
          try fixture.people(store) == [
            ann, #"{"id":2,"email":"bob","name":null,"age":null,"friend":\#(friend)}"#,
            #"{"id":3,"email":"eve","name":null,"age":null,"friend":null}"#,
          ], "\(last), \(mode)")
      }
    }
  }

  /// With a match too, where a target in the store has the id that the earlier element gave.
  @Test func theLastRelationCountsWithAMatch() throws {
    let cid = #"{"id":3,"email":"cid","name":null,"age":null,"friend":null}"#
    let (fixture, store) = try fixture(ann, cid)
    let lines = [
      #"{"id":20,"email":"bob","friend":3}"#, #"{"id":7,"email":"cid"}"#,
      #"{"id":20,"email":"bob","friend":7}"#, #"{"id":3,"email":"ann"}"#,
    ]
    try fixture.load(text: lines.joined(separator: "\n"), into: store) {
      $0.entity = "Person"
      $0.mode = .upsert
      $0.match = "Person.email"
    }
    #expect(
      try fixture.people(store) == [
        ann, cid, #"{"id":20,"email":"bob","name":null,"age":null,"friend":3}"#,
      ])
  }

  @Test func aMatchNeedsAValue() throws {
    let (fixture, store) = try fixture(ann)
    let refusal = try fixture.refusal(#"{"age":1}"#, into: store) {
      $0.entity = "Person"
      $0.mode = .upsert
      $0.match = "Person.email"
    }
    #expect(refusal?.message == "Person.email: it has no value to be found by")
  }

  @Test(arguments: DanglingPolicy.allCases)
  func relationsWithoutATarget(_ policy: DanglingPolicy) throws {
    let (fixture, store) = try fixture()
    let later = #"{"id":1,"email":"ann","name":null,"age":null,"friend":2}"#
    let never = #"{"id":2,"email":"bob","name":null,"age":null,"friend":77}"#
    let refusal = try fixture.refusal(later + "\n" + never, into: store) {
      $0.entity = "Person"
      $0.dangling = policy
      $0.batch = 1
    }
    switch policy {
    case .keep: #expect(try fixture.people(store) == [later, never])
    case .null:
      #expect(
        try fixture.people(store)
          == [later, #"{"id":2,"email":"bob","name":null,"age":null,"friend":null}"#])
    case .fail:
      #expect(refusal?.message == "Person.friend: refers to object 77, which does not exist")
      #expect(refusal?.line == 2)
    }
    if policy != .fail { #expect(refusal == nil) }
  }

  /// Entries of a relation to many may stand before their objects, and in earlier batches.
  @Test(arguments: DanglingPolicy.allCases, ImportIDs.allCases)
  func entriesThatStandBeforeTheirObjects(_ policy: DanglingPolicy, _ ids: ImportIDs) throws {
    let lines = [
      #"{"Person.friends":{"source":1,"targets":[2,3]}}"#,
      #"{"Person":{"id":1,"email":"ann"}}"#,
      #"{"Person.friends":{"source":2,"targets":[1]}}"#,
      #"{"Person":{"id":2,"email":"bob"}}"#, #"{"Person":{"id":3,"email":"cid"}}"#,
      #"{"Person.friends":{"source":3,"targets":[1,2]}}"#,
    ]
    for batch in [1, 100] {
      let (fixture, store) = try fixture()
      let summary = try fixture.load(text: lines.joined(separator: "\n"), into: store) {
        $0.dangling = policy
        $0.ids = ids
        $0.batch = batch
      }
      #expect(summary.relations.map { [$0.added, $0.leftOut] } == [[5, 0]])
      let friends = try #require(try store.entity(named: "Person").relations.first)
      let targets = try store.read { transaction in
        try [1, 2, 3].map { try transaction.targets(friends, of: $0) }
      }
      #expect(targets == [[2, 3], [1], [1, 2]])
    }
  }

  @Test func entriesWhoseObjectsNeverCome() throws {
    let entries = #"{"Person.friends":{"source":1,"targets":[1,2]}}"#
    let person = #"{"Person":{"id":1,"email":"ann"}}"#
    for text in [entries + "\n" + person, person + "\n" + entries] {
      let (fixture, store) = try fixture()
      let rejected = try fixture.load(text: text, into: store, rejects: fixture.path("bad")) {
        $0.dangling = .fail
        $0.maximumErrors = 1
      }
      #expect(rejected.rejected == 1)
      #expect(try fixture.directory.text(of: "bad") == entries + "\n")
      let kept = try fixture.load(text: text, into: store) { $0.mode = .upsert }
      #expect(kept.relations.map { [$0.added, $0.leftOut] } == [[1, 1]])
    }
  }

  /// An object that another one of the input replaced does not exist.
  @Test func entriesOfAnObjectThatWasReplaced() throws {
    let model = ImportModel.text.replacing(#""flags":2080"#, with: #""flags":34848"#)
    #expect(model != ImportModel.text)
    let fixture = try ImportFixture()
    let store = try fixture.open("store", ModelDocument(parsing: Array(model.utf8)))
    let lines = [
      #"{"Person":{"id":5,"email":"bob"}}"#, #"{"Person":{"id":6,"email":"bob"}}"#,
      #"{"Person.friends":{"source":6,"targets":[5,6]}}"#,
      #"{"Person.friends":{"source":5,"targets":[6]}}"#,
    ]
    let summary = try fixture.load(text: lines.joined(separator: "\n"), into: store) {
      $0.ids = .new
    }
    #expect(summary.relations.map { [$0.added, $0.leftOut] } == [[1, 2]])
    let person = try store.entity(named: "Person")
    let friends = try #require(person.relations.first)
    let targets = try store.read { try $0.targets(friends, of: 2) }
    #expect(targets == [2])
    #expect(try store.verify().isEmpty)
  }

  /// Entries for rejected objects are rejects too; after corrections the rejects give the whole
  /// data.
  @Test func entriesOfRejectedObjectsAreRejects() throws {
    let text = [
      #"{"Person":{"id":1,"email":"ann"}}"#, #"{"Person":{"id":2,"age":1.5}}"#,
      #"{"Person":{"id":3,"email":"cid"}}"#, "nonsense",
      #"{"Person.friends":{"source":1,"targets":[2,3,4]}}"#,
      #"{"Person.friends":{"source":2,"targets":[1,3]}}"#,
      #"{"Person.friends":{"source":3,"targets":[1]}}"#,
    ].joined(separator: "\n")
    for batch in [1, 3, 100] {
      let fixture = try ImportFixture()
      let store = try fixture.open("store")
      let summary = try fixture.load(text: text, into: store, rejects: fixture.path("bad")) {
        // The limit is about elements that are wrong, not about what leads to them.
        $0.maximumErrors = 2
        $0.batch = batch
      }
      #expect(summary.rejected == 4)
      #expect(summary.relations.map { [$0.added, $0.leftOut] } == [[2, 0]])
      let rejects = try fixture.directory.text(of: "bad")
      #expect(
        rejects == """
          {"Person":{"id":2,"age":1.5}}
          nonsense
          {"Person.friends":{"source":1,"targets":[2,4]}}
          {"Person.friends":{"source":2,"targets":[1,3]}}

          """)
      let mended = rejects.replacing("1.5", with: "15")
        .replacing("nonsense", with: #"{"Person":{"id":4}}"#)
      try fixture.load(text: mended, into: store)
      let friends = try #require(try store.entity(named: "Person").relations.first)
      let targets = try store.read { transaction in
        try (1...4).map { try transaction.targets(friends, of: $0) }
      }
      #expect(targets == [[2, 3, 4], [1, 3], [1], []])
    }
  }

  @Test func skippedElementsCanBeFixedAndImported() throws {
    let (fixture, store) = try fixture(ann)
    let text = [
      #"{"Person":\#(bob)}"#, #"{"Person":{"id":3,"email":"bob"}}"#,
      #"{"Person":{"id":4,"age":1.5}}"#, #"{"Nobody":{"id":4}}"#, "nonsense",
      #"{"Person.friends":{"source":1,"targets":[2]}}"#,
    ].joined(separator: "\n")
    let summary = try fixture.load(text: text, into: store, rejects: fixture.path("bad")) {
      $0.maximumErrors = 10
    }
    #expect(summary.rejected == 4)
    #expect(
      try fixture.directory.text(of: "bad") == """
        {"Person":{"id":3,"email":"bob"}}
        {"Person":{"id":4,"age":1.5}}
        {"Nobody":{"id":4}}
        nonsense

        """)
    let reasons = try fixture.directory.text(of: "bad.reasons").split(separator: "\n")
    #expect(reasons.count == 4)
    #expect(reasons[0].contains(#""line":2"#))
    #expect(reasons[0].contains(#""property":"email""#))
    #expect(reasons[1].contains(#""line":3,"column":25"#))
    #expect(reasons[1].contains("1.5"))
    try fixture.load(
      text: #"{"Person":{"id":3,"email":"b2","name":null,"age":null,"friend":null}}"#, into: store)
    #expect(try fixture.people(store).count == 3)
    let tooMany = try fixture.refusal(text, into: store) { $0.maximumErrors = 1 }
    #expect(tooMany != nil)
  }

  @Test func aDryRunFindsEverythingAndKeepsNothing() throws {
    let (fixture, store) = try fixture(ann)
    let summary = try fixture.load(
      text: bob + "\n" + ann + "\n{\"id\":5,\"age\":true}", into: store
    ) {
      $0.entity = "Person"
      $0.isDryRun = true
      $0.batch = nil
      $0.maximumErrors = 9
    }
    #expect(summary.rejected == 2)
    #expect(summary.entities.map { [$0.inserted, $0.updated] } == [[1, 0]])
    #expect(try fixture.people(store) == [ann])
  }

  @Test func aDumpLoadsIntoANewerModel() throws {
    let (fixture, store) = try fixture(ann)
    let dump = try fixture.export(store, to: "dump")
    var model = try ImportModel.document().model
    // Renamed, made wider, one gone, one new.
    model.entities[1].name = "Human"
    for position in model.entities[0].properties.indices
    where model.entities[0].properties[position].relationTarget == "Person" {
      model.entities[0].properties[position].relationTarget = "Human"
    }
    for position in model.entities[1].properties.indices {
      switch model.entities[1].properties[position].name {
      case "friend": model.entities[1].properties[position].relationTarget = "Human"
      case "email": model.entities[1].properties[position].name = "mail"
      case "name":
        model.entities[1].properties[position].pair.uid = 2_999
        model.entities[1].properties[position].name = "nickname"
      default: break
      }
    }
    let newer = try ModelDocument(parsing: ImportModel.document().rendered(model))
    let other = try fixture.open("other", newer)
    let summary = try fixture.load(dump, into: other)
    #expect(summary.dropped == ["Person.name"])
    #expect(summary.filled == ["Human.nickname"])
    try other.read { transaction in
      let human = try other.entity(named: "Human")
      let object = try #require(try transaction.get(human, 1))
      #expect(object["mail"] == "ann")
      #expect(object["nickname"] == .null)
      #expect(object["age"] == 30)
    }
  }
}
