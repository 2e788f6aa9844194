import BoxEngine
import BoxModel
import BoxReport
import BoxStorage
import TestSupport
import Testing

@testable import BoxMigration

/// Data is lost if the plan of a migration says so, and kept if the plan says that.
struct MigrationPlanTests {
  private static func old(_ age: PropertyType = .int) throws -> ModelDocument {
    try TestModel(
      .init(
        name: "Person", uid: 100,
        fields: [
          .init("name", 110, .string), .init("age", 111, age), .init("note", 112, .string),
        ], relations: [.init("tags", 190, to: "Tag")]),
      .init(name: "Tag", uid: 200, fields: [.init("text", 210, .string)])
    ).document()
  }

  /// `note`, `tags` and Tag are gone; `age` is of another type, if it is asked for.
  private static func new(_ age: PropertyType) throws -> ModelDocument {
    try TestModel(
      .init(
        name: "Person", uid: 100,
        fields: [.init("name", 110, .string), .init("age", 111, age)]),
      retired: [.entity: [200], .property: [112], .relation: [190]]
    ).document()
  }

  /// Four people, two of them with a note, three tags and two links.
  private static func store() throws -> MigrationStore {
    try MigrationStore(old()) { store, transaction in
      let (person, tag) = (try store.entity(named: "Person"), try store.entity(named: "Tag"))
      for number in 1...4 {
        var object = DynamicObject(person)
        object["name"] = .string("p\(number)")
        object["age"] = .integer(Int64(number))
        if number < 3 { object["note"] = .string("n\(number)") }
        try transaction.put(object)
      }
      for number in 1...3 {
        var object = DynamicObject(tag)
        object["text"] = .string("t\(number)")
        try transaction.put(object)
      }
      try transaction.link(person.relations[0], 1, 1)
      try transaction.link(person.relations[0], 2, 3)
    }
  }

  /// The verdict of a plan on each element: the class in this engine, and the affected number.
  private func said(_ run: MigrationRun) throws -> [String: String] {
    var said: [String: String] = [:]
    // What is safe is about numbers, of which the sketches give out others.
    for step in try run.prepare().plan.steps where step.changeClass != .safe {
      let count = step.counts.map { " \($0.affected) \($0.unit)" } ?? ""
      said["\(step.subject) \(step.rule.name)"] = step.changeClass.rawValue + count
      #expect(step.changeClass == step.engine.changeClass)
    }
    return said
  }

  @Test func aLightStepHides() throws {
    let store = try Self.store()
    let run = try store.run(to: Self.new(.int))
    #expect(
      try said(run) == [
        "Tag entity-removed": "data-hidden 3 objects",
        "Person.note property-removed": "data-hidden 2 values",
        "Person.tags relation-removed": "data-hidden 2 links",
      ])
    let before = try store.content()
    try run.carryOut()
    try store.run(to: Self.old()).carryOut()
    #expect(try store.content() == before)
  }

  @Test(arguments: [true, false])
  func aHeavyStepAndAPurgeFree(_ isHeavy: Bool) throws {
    let store = try Self.store()
    var run = try store.run(to: Self.new(isHeavy ? .long : .int))
    run.freesHiddenData = !isHeavy
    let expected = [
      "Tag entity-removed": "data-loss 3 objects",
      "Person.note property-removed": "data-loss 2 values",
      "Person.tags relation-removed": "data-loss 2 links",
    ]
    var plan = try said(run)
    #expect((plan.removeValue(forKey: "Person.age property-type-changed") != nil) == isHeavy)
    #expect(plan == expected)
    try run.carryOut()
    // What is gone is gone: the models that bring it back show nothing.
    let back = try store.run(to: Self.old(isHeavy ? .long : .int))
    #expect(try said(back).values.allSatisfy { !$0.hasPrefix("data-loss") })
    try back.carryOut()
    let after = try store.content()
    #expect(after.objects["Tag"] == [:])
    #expect(after.links["Person.tags"] == [:])
    #expect(after.objects["Person"]?.values.allSatisfy { $0["note"] == nil } == true)
    #expect(after.objects["Person"]?.count == 4)
  }

  /// Of a chain, a heavy step frees what a light one before it has hidden.
  @Test func aHeavyStepFreesWhatIsHiddenAlready() throws {
    let store = try Self.store()
    let both = try store.run(to: Self.new(.int), Self.new(.long))
    let freed = [
      "Tag": "data-loss 3 objects", "Person.note": "data-loss 2 values",
      "Person.tags": "data-loss 2 links",
    ]
    for (element, words) in freed {
      #expect(try said(both).first { $0.key.hasPrefix(element + " ") }?.value == words)
    }
    try store.run(to: Self.new(.int)).carryOut()
    // The models are the same but for a type: they do not say what is hidden.
    let later = try said(store.run(to: Self.new(.long)))
    #expect(later["Tag left-behind"] == "data-loss 3 objects", "\(later)")
    #expect(later["Person.note left-behind"] == "data-loss 2 values")
    #expect(later["Person.tags left-behind"] == "data-loss 2 links")
    // An empty change with a purge frees the same.
    var purge = try store.run(to: Self.new(.int))
    #expect(try said(purge).isEmpty)
    purge.freesHiddenData = true
    #expect(try said(purge)["Tag left-behind"] == "data-loss 3 objects")
    // What comes back in time is not lost.
    #expect(try said(store.run(to: Self.old(), Self.new(.int)))["Tag left-behind"] == nil)
  }

  @Test func aMappingListsWhatItDrops() throws {
    let store = try Self.store()
    let new = try TestModel(
      .init(
        name: "Person", uid: 100,
        fields: [
          .init("fullName", 113, .string), .init("age", 111, .int), .init("note", 112, .string),
        ], relations: [.init("tags", 190, to: "Tag")]),
      .init(name: "Tag", uid: 200, fields: [.init("text", 210, .string)]),
      retired: [.property: [110]]
    ).document()
    let run = try store.run(
      to: new,
      mappings: MigrationStore.mappings(
        #"""
        {"mappings": [{"entities": [
          {"delete": "Tag"},
          {"transform": "Person", "when": [{"property": "age", "isNot": [2, 3]}], "properties": {
            "fullName": {"from": "name"}, "note": {"value": "none"}
          }}
        ]}]}
        """#))
    let plan = try run.prepare().plan
    let losses = plan.steps.filter { $0.changeClass == .dataLoss }.map {
      "\($0.message): \($0.counts?.affected ?? -1)"
    }
    #expect(
      Set(losses) == [
        "all objects of Tag are dropped: 3",
        "the links of Person.tags are dropped: 2",
        "the values of Person.note are dropped: 2",
        "objects of Person that meet no rule of the mapping are dropped: 2",
      ])
    // The name is carried over, whatever the models look like.
    let rename = try #require(plan.steps.first { $0.rule.id == "BOX371" || $0.rule.id == "BOX372" })
    #expect(rename.changeClass == .cost)
    #expect(rename.engine.outcome == "it is carried over to Person.fullName")
    try run.carryOut()
    var expected = StoreContent()
    expected.objects["Person"] = [
      1: ["fullName": "p1", "age": 1, "note": "none"],
      4: ["fullName": "p4", "age": 4, "note": "none"],
    ]
    expected.objects["Tag"] = [:]
    expected.links["Person.tags"] = [:]
    #expect(try store.content() == expected)
  }
}
