import BoxConvert
import BoxEngine
import BoxModel
import BoxStorage
import TestSupport
import Testing

@testable import BoxMigration

/// The content of a store after a migration, compared with the objects that were put; no plan is
/// involved.
struct MigrationTests {
  private static func people(_ age: PropertyType) throws -> ModelDocument {
    try TestModel(
      .init(
        name: "Person", uid: 100,
        fields: [
          .init("name", 110, .string, .indexHash), .init("age", 111, age, .indexed),
          .init("boss", 112, .relation, target: "Person"),
        ], relations: [.init("friends", 190, to: "Person")]),
      .init(name: "Pet", uid: 200, fields: [.init("name", 210, .string)])
    ).document()
  }

  /// A store of people and pets with gaps in the ids.
  private static func store(_ random: inout SplitMix64, people count: Int) throws -> MigrationStore
  {
    var random = random
    return try MigrationStore(people(.int)) { store, transaction in
      let person = try store.entity(named: "Person")
      for number in 1...count {
        var object = DynamicObject(person)
        object["name"] = .string("person \(number)")
        if number % 3 != 0 { object["age"] = .integer(Int64(number % 90)) }
        object["boss"] = .unsigned(UInt64(1 + random.below(count)))
        try transaction.put(object)
      }
      let friends = person.relations[0]
      for _ in 0..<count {
        try transaction.link(
          friends, UInt64(1 + random.below(count)), UInt64(1 + random.below(count)))
      }
      for _ in 0..<count / 5 { try transaction.remove(person, UInt64(1 + random.below(count))) }
      let pet = try store.entity(named: "Pet")
      for number in 1...3 {
        var object = DynamicObject(pet)
        object["name"] = .string("pet \(number)")
        try transaction.put(object)
      }
      // The last ids were given, though no object has them any more.
      try transaction.remove(person, UInt64(count))
      try transaction.remove(pet, 3)
    }
  }

  /// A migration is carried out as it was looked at: after another write it is prepared again.
  @Test(arguments: [PropertyType.int, .long])
  func aStoreThatChangedIsPreparedAgain(_ type: PropertyType) throws {
    var random = TestSeed.next()
    let store = try Self.store(&random, people: 20)
    let run = try store.run(to: Self.people(type))
    let migration = try run.prepare()
    let opened = try ObjectStore.open(.directory(store.path))
    let person = try opened.entity(named: "Person")
    try opened.write { _ = try $0.put(DynamicObject(person)) }
    opened.close()
    let before = try store.content()
    #expect(throws: MigrationError.self) { try migration.carryOut() }
    #expect(try store.content() == before)
    let again = try run.prepare()
    #expect(try again.carryOut().steps == again.pending)
    #expect(try run.pending().isEmpty)
  }

  @Test(.promise(282)) func widensATypeWithoutAMapping() throws {
    var random = TestSeed.next()
    let store = try Self.store(&random, people: 500)
    let before = try store.content()
    let run = try store.run(to: Self.people(.long))
    #expect(
      try run.pending() == [
        PendingMigration(from: "the store", to: "V2", kind: .heavy, isMapped: false)
      ])
    #expect(try store.content() == before)
    var seen: [MigrationProgress] = []
    let summary = try run.carryOut { seen.append($0) }
    #expect(try store.content() == before)
    #expect(summary.objects == before.objects.values.reduce(0) { $0 + $1.count })
    #expect(summary.droppedLinks == 0)
    #expect(seen.last?.done == seen.last?.total)
    #expect(seen.last?.fraction == 1)
    #expect(try run.pending().isEmpty)
    #expect(try ObjectStore.verify(store.path).isEmpty)
    #expect(store.directory.names(in: "store").sorted() == ["data.mdb", "lock.mdb", "store.lock"])
    let opened = try ObjectStore.open(.directory(store.path), model: Self.people(.long))
    let person = try opened.entity(named: "Person")
    let age = try #require(person.property(named: "age"))
    #expect(age.type == .int64)
    let wanted = before.objects["Person"]?.filter { $0.value["age"] == 7 }.map(\.key).sorted()
    #expect(try opened.read { try $0.ids(person, where: age, equals: 7) } == wanted)
    // Ids that were given are not given again.
    #expect(try opened.write { try $0.put(DynamicObject(person)) } == 501)
    #expect(try opened.write { try $0.put(DynamicObject(opened.entity(named: "Pet"))) } == 4)
  }

  @Test(.promise(274, 284)) func refusesToGuess() throws {
    var random = TestSeed.next()
    let store = try Self.store(&random, people: 20)
    let before = try store.directory.bytes(of: "store/data.mdb")
    let run = try store.run(to: Self.people(.long), Self.people(.short))
    #expect {
      try run.carryOut()
    } throws: { error in
      guard case MigrationError.noMapping(let step, let reasons) = error else { return false }
      return step == "the step from V2 to V3" && !reasons.isEmpty
    }
    #expect(try store.directory.bytes(of: "store/data.mdb") == before)
  }

  @Test func leavesAStoreInUseAlone() throws {
    var random = TestSeed.next()
    let store = try Self.store(&random, people: 20)
    let before = try store.content()
    let heavy = try store.run(to: Self.people(.long))
    let light = try store.run(
      to: TestModel(
        .init(name: "Human", uid: 100, fields: []),
        retired: [.entity: [200], .property: [110, 111, 112], .relation: [190]]
      ).document())
    let held = try ObjectStore.open(.directory(store.path))
    for run in [heavy, light] {
      #expect {
        try run.carryOut()
      } throws: { error in
        guard case MigrationError.step(_, StoreError.storage(let inner)) = error else {
          return false
        }
        return inner.kind == .inUse
      }
    }
    #expect(try StoreContent(held) == before)
  }

  @Test(.promise(282, 285, 286, 405)) func splitsMergesAndFilters() throws {
    let old = try TestModel(
      .init(
        name: "Person", uid: 100,
        fields: [
          .init("fullName", 110, .string), .init("level", 111, .int), .init("city", 112, .string),
          .init("isOld", 113, .bool), .init("size", 114, .string),
        ]),
      .init(
        name: "Customer", uid: 200,
        fields: [
          .init("fullName", 210, .string), .init("adviser", 211, .relation, target: "Customer"),
        ], relations: [.init("likes", 290, to: "Tag")]),
      .init(name: "Tag", uid: 300, fields: [.init("text", 310, .string)]),
      .init(name: "Junk", uid: 400, fields: [.init("text", 410, .string)])
    ).document()
    let new = try TestModel(
      .init(
        name: "Contact", uid: 100,
        fields: [
          .init("fullName", 110, .string), .init("level", 120, .string),
          .init("rank", 121, .int), .init("size", 122, .double),
          .init("adviser", 123, .relation, target: "Contact"),
        ], relations: [.init("likes", 191, to: "Label")]),
      .init(name: "Address", uid: 500, fields: [.init("city", 510, .string)]),
      .init(name: "Label", uid: 600, fields: [.init("text", 610, .string)]),
      retired: [.entity: [200, 300, 400], .property: [111, 112, 113, 114]]
    ).document()
    let store = try MigrationStore(old) { store, transaction in
      let person = try store.entity(named: "Person")
      for number in 1...6 {
        var object = DynamicObject(person)
        object["fullName"] = .string("p\(number)")
        object["level"] = number == 6 ? .null : .integer(number % 2 == 0 ? 9 : 0)
        if number < 3 { object["city"] = .string("c\(number)") }
        object["isOld"] = .bool(number == 4)
        object["size"] = .string(number == 5 ? "tall" : "1.\(number)")
        try transaction.put(object)
      }
      let customer = try store.entity(named: "Customer")
      for number in 1...3 {
        var object = DynamicObject(customer)
        object["fullName"] = .string("k\(number)")
        if number > 1 { object["adviser"] = .unsigned(UInt64(number - 1)) }
        try transaction.put(object)
      }
      let tag = try store.entity(named: "Tag")
      for number in 1...2 {
        var object = DynamicObject(tag)
        object["text"] = .string("t\(number)")
        try transaction.put(object)
      }
      try transaction.link(customer.relations[0], 2, 1)
      try transaction.link(customer.relations[0], 2, 2)
      try transaction.put(DynamicObject(store.entity(named: "Junk")))
    }
    let mappings = try MigrationStore.mappings(
      #"""
      {
        "types": {"Level": {"type": "enum", "values": {"low": 0, "high": 9}}},
        "mappings": [{"entities": [
          {"delete": "Junk"},
          {"copy": "Tag", "to": "Label"},
          {"transform": "Customer", "to": "Contact", "ids": "shifted"},
          {"transform": "Person", "make": [
            {"to": "Contact", "when": [{"property": "isOld", "isNot": true}], "properties": {
              "level": {"from": "level", "read": "Level", "default": "low"},
              "rank": {"value": 3},
              "size": {"from": "size", "unfit": "null"}
            }},
            {"to": "Address", "ids": "new", "when": [{"property": "city", "isNot": [null]}]}
          ]}
        ]}]
      }
      """#)
    let summary = try store.run(to: new, mappings: mappings).carryOut()
    var expected = StoreContent()
    expected.objects["Contact"] = [
      1: ["fullName": "p1", "level": "low", "rank": 3, "size": 1.1],
      2: ["fullName": "p2", "level": "high", "rank": 3, "size": 1.2],
      3: ["fullName": "p3", "level": "low", "rank": 3, "size": 1.3],
      5: ["fullName": "p5", "level": "low", "rank": 3],
      6: ["fullName": "p6", "level": "low", "rank": 3, "size": 1.6],
      7: ["fullName": "k1"],
      8: ["fullName": "k2", "adviser": .unsigned(7)],
      9: ["fullName": "k3", "adviser": .unsigned(8)],
    ]
    expected.objects["Address"] = [1: ["city": "c1"], 2: ["city": "c2"]]
    expected.objects["Label"] = [1: ["text": "t1"], 2: ["text": "t2"]]
    expected.links["Contact.likes"] = [8: [1, 2]]
    #expect(try store.content() == expected)
    #expect(summary.objects == 12)
    #expect(summary.droppedLinks == 0)
    #expect(try ObjectStore.verify(store.path).isEmpty)
  }

  /// A rule gives ids where the app assigns them, and relations to one and to many follow.
  @Test func aRuleGivesIDs() throws {
    func document(isAssignable: Bool, hasNote: Bool = false) throws -> ModelDocument {
      try TestModel(
        .init(
          name: "Card", uid: 100,
          properties: [
            .id(isAssignable ? [.idSelfAssignable] : []), .init(name: "number", type: .long),
            .init(name: "next", type: .relation, target: "Card"),
          ] + (hasNote ? [.init(name: "note", type: .string)] : []),
          relations: [.init("others", to: "Card")])
      ).document()
    }
    let numbers: [UInt64] = [500, 7, 300, 1]
    func store() throws -> MigrationStore {
      try MigrationStore(document(isAssignable: false)) { store, transaction in
        let card = try store.entity(named: "Card")
        for (position, number) in numbers.enumerated() {
          var object = DynamicObject(card)
          object["number"] = .integer(Int64(number))
          object["next"] = .unsigned(UInt64((position + 1) % 4 + 1))
          try transaction.put(object)
        }
        for target in 1...3 { try transaction.link(card.relations[0], 4, UInt64(target)) }
      }
    }
    let mapping = #"""
      {"mappings": [{"entities": [{"transform": "Card", "properties": {"id": {"from": "number"}}}]}]}
      """#
    let migrated = try store()
    _ = try migrated.run(
      to: document(isAssignable: true), mappings: MigrationStore.mappings(mapping)
    ).carryOut()
    let content = try migrated.content()
    #expect(
      content.objects["Card"]?.mapValues { $0["next"] } == [
        500: .unsigned(7), 7: .unsigned(300), 300: .unsigned(1), 1: .unsigned(500),
      ])
    #expect(content.links["Card.others"] == [1: [7, 300, 500]])
    #expect(try ObjectStore.verify(migrated.path).isEmpty)
    // New objects get ids above them.
    let next = try ObjectStore.open(.directory(migrated.path))
    let id = try next.write { try $0.put(DynamicObject(next.entity(named: "Card"))) }
    #expect(id == 501)
    // An id that the store gives takes no rule.
    let refused = try store()
    #expect(throws: MigrationError.self) {
      try refused.run(
        to: document(isAssignable: false, hasNote: true), mappings: MigrationStore.mappings(mapping)
      ).carryOut()
    }
  }

  /// A value that is no id, and an id of two objects, end the migration, and nothing changes.
  @Test(arguments: [[1, 2, 2], [1, nil, 2], [1, 0, 2], [1, -1, 2]] as [[Int64?]])
  func aRuleGivesNoOtherIDs(_ numbers: [Int64?]) throws {
    func document(_ flags: PropertyFlags) throws -> ModelDocument {
      try TestModel(
        .init(name: "Card", uid: 100, properties: [.id(flags), .init(name: "number", type: .long)])
      ).document()
    }
    let store = try MigrationStore(document([])) { store, transaction in
      let card = try store.entity(named: "Card")
      for number in numbers {
        var object = DynamicObject(card)
        object["number"] = number.map { .integer($0) } ?? .null
        try transaction.put(object)
      }
    }
    let before = try store.content()
    let mappings = try MigrationStore.mappings(
      #"""
      {"mappings": [{"entities": [{"transform": "Card", "properties": {"id": {"from": "number"}}}]}]}
      """#)
    #expect(throws: MigrationError.self) {
      try store.run(to: document([.idSelfAssignable]), mappings: mappings).carryOut()
    }
    #expect(try store.content() == before)
  }

  /// Conditions name NaN and dates as dumps do, and a double becomes the text that dumps have.
  @Test func specialValuesMatchDumps() throws {
    func document(_ size: PropertyType) throws -> ModelDocument {
      try TestModel(
        .init(
          name: "Thing", uid: 100,
          fields: [
            .init("size", size == .double ? 110 : 210, size), .init("kind", 111, .string),
            .init("made", 112, .date), .init("seen", 113, .dateNano),
          ])
      ).document()
    }
    let sizes: [Double] = [.nan, .infinity, -.infinity, 1.5, -0.0]
    let store = try MigrationStore(document(.double)) { store, transaction in
      let thing = try store.entity(named: "Thing")
      for size in sizes {
        var object = DynamicObject(thing)
        object["size"] = .double(size)
        object["made"] = .integer(size == 1.5 ? 1_709_164_800_000 : 0)
        object["seen"] = .integer(size == 1.5 ? 1_709_164_800_000_000_001 : 0)
        try transaction.put(object)
      }
    }
    let mappings = try MigrationStore.mappings(
      #"""
      {"mappings": [{"entities": [{"transform": "Thing", "make": [
        {"to": "Thing", "when": [{"property": "size", "is": ["NaN"]}], "properties": {
          "size": {"from": "size"}, "kind": {"value": "none"}}},
        {"to": "Thing", "when": [
          {"property": "made", "is": "2024-02-29"},
          {"property": "seen", "is": ["2024-02-29T00:00:00.000000001Z", "2024-02-29"]}
        ], "properties": {"size": {"from": "size"}, "kind": {"value": "leap day"}}},
        {"to": "Thing", "when": [
          {"property": "size", "isNot": "NaN"}, {"property": "made", "isNot": ["2024-02-29"]}
        ], "properties": {"size": {"from": "size"}, "kind": {"value": "other"}}}
      ]}]}]}
      """#)
    _ = try store.run(to: document(.string), mappings: mappings).carryOut()
    let things = try store.content().objects["Thing"] ?? [:]
    #expect(
      things.mapValues { $0["size"] } == [
        1: "NaN", 2: "Infinity", 3: "-Infinity", 4: "1.5", 5: "-0.0",
      ])
    #expect(
      things.mapValues { $0["kind"] } == [
        1: "none", 2: "other", 3: "other", 4: "leap day", 5: "other",
      ])
  }

  @Test(.promise(286, 287)) func runsAFunction() throws {
    var random = TestSeed.next()
    let store = try Self.store(&random, people: 200)
    var expected = try store.content()
    let dropped = expected.objects["Person"]?.filter { $0.value["age"] == 7 }.map(\.key) ?? []
    let isGone = Set(dropped)
    for id in dropped { expected.objects["Person"]?[id] = nil }
    for id in expected.objects["Person"]?.keys.map({ $0 }) ?? [] {
      let age = expected.objects["Person"]?[id]?["age"]
      expected.objects["Person"]?[id]?["age"] = age.map { .string("\($0) years") }
    }
    var lost = 0
    var links: [UInt64: [UInt64]] = [:]
    for (source, targets) in expected.links["Person.friends"] ?? [:] {
      let kept = isGone.contains(source) ? [] : targets.filter { !isGone.contains($0) }
      lost += targets.count - kept.count
      if !kept.isEmpty { links[source] = kept }
    }
    expected.links["Person.friends"] = links
    let mapping = ModelMapping([
      .transform("Person") { source, output in
        if source["age"] == 7 { return }
        var person = try output.object()
        let age = source["age"]
        if age != .null { person["age"] = .string("\(age) years") }
        try output.put(person)
      }
    ])
    let summary = try store.run(to: Self.people(.string), mappings: [mapping]).carryOut()
    #expect(try store.content() == expected)
    #expect(summary.droppedLinks == lost)
  }

  @Test(.promise(273)) func goesVersionByVersionAndStopsWhereAStepFails() throws {
    var random = TestSeed.next()
    let store = try Self.store(&random, people: 50)
    let before = try store.content()
    let narrowing = try MigrationStore.mappings(
      #"""
      {"mappings": [{"from": "V2", "to": "V3", "entities": [
        {"transform": "Person", "properties": {"age": {"from": "age"}, "name": {"from": "age"}}}
      ]}]}
      """#)
    // The ages fit a long, and not all of them a boolean.
    let run = try store.run(to: Self.people(.long), Self.people(.bool), mappings: narrowing)
    #expect(try run.pending().map(\.kind) == [.heavy, .heavy])
    #expect {
      try run.carryOut()
    } throws: { error in
      guard case MigrationError.step("the step from V2 to V3", MigrationError.unfitValue) = error
      else { return false }
      return true
    }
    #expect(try store.content() == before)
    #expect(try ObjectStore.open(.directory(store.path)).model == Self.people(.long).model)
    #expect(try run.pending().map(\.from) == ["V2"])
  }

  /// A purge that fails comes after steps that are done, and says so.
  @Test func aPurgeThatFailsTellsOfTheStepsBefore() throws {
    func document(_ fields: [TestModel.Property], retired: [UID]) throws -> ModelDocument {
      try TestModel(
        .init(name: "Note", uid: 100, fields: fields), retired: [.property: retired]
      ).document()
    }
    let text = TestModel.Property("text", 110, .string)
    let old = try document([text, .init("draft", 111, .string)], retired: [])
    let store = try MigrationStore(old) { store, transaction in
      let note = try store.entity(named: "Note")
      for number in 0..<20_000 {
        var object = DynamicObject(note)
        object["text"] = .string("what stays in note \(number)")
        object["draft"] = .string("what is hidden in note \(number)")
        try transaction.put(object)
      }
    }
    let before = try store.content()
    let new = try document([text], retired: [111])
    var run = try store.run(to: new)
    run.freesHiddenData = true
    let unlimited = run
    // There is room for the new model, and not for all records once more.
    let size = try store.directory.bytes(of: "store/data.mdb").count
    run.options.storage.maximumSize = size + (1 << 18)
    let limited = run
    let step = PendingMigration(from: "the store", to: "V2", kind: .light, isMapped: false)
    #expect {
      try limited.carryOut()
    } throws: { error in
      guard case MigrationError.purge(let steps, StoreError.storage(let inner)) = error else {
        return false
      }
      return steps == [step] && inner.kind == .sizeLimit
        && "\(error)".contains("by the store -> V2 (light), and")
    }
    #expect(try ObjectStore.open(.directory(store.path)).model == new.model)
    #expect(try unlimited.pending().isEmpty)
    // Where nothing is left to do but the purge, there are no steps to name.
    let held = try ObjectStore.open(.directory(store.path))
    #expect {
      try unlimited.carryOut()
    } throws: { error in
      guard case MigrationError.purge(let steps, StoreError.storage(let inner)) = error else {
        return false
      }
      return steps.isEmpty && inner.kind == .inUse && !"\(error)".contains("V2")
    }
    let texts = try StoreContent(held).objects["Note"]?.values.compactMap { $0["text"] } ?? []
    #expect(Set(texts) == Set(before.objects["Note"]?.values.compactMap { $0["text"] } ?? []))
  }

  @Test func freesHiddenDataOnlyWhenAsked() throws {
    var random = TestSeed.next()
    let store = try Self.store(&random, people: 50)
    let before = try store.content()
    let smaller = try TestModel(
      .init(
        name: "Person", uid: 100, fields: [.init("name", 110, .string, .indexHash)],
        relations: [.init("friends", 190, to: "Person")]),
      retired: [.entity: [200], .property: [111, 112]]
    ).document()
    var run = try store.run(to: smaller)
    #expect(try run.pending().map(\.kind) == [.light])
    #expect(try run.carryOut().isPurged == false)
    let back = try store.run(to: Self.people(.int))
    try back.carryOut()
    #expect(try store.content() == before)
    run.freesHiddenData = true
    #expect(try run.carryOut().isPurged)
    try back.carryOut()
    let after = try store.content()
    #expect(after.objects["Pet"]?.isEmpty == true)
    #expect(after.objects["Person"]?.values.allSatisfy { $0["age"] == nil } == true)
    #expect(after.objects["Person"]?.count == before.objects["Person"]?.count)
  }
}
