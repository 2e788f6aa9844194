import BoxEngine
import BoxModel
import BoxReport
import BoxStorage
import TestSupport
import Testing

@testable import BoxMigration

/// The plan of a mapping says how many relations to one it leaves dangling: as many as the store has afterwards.
struct DanglingLinkTests {
  /// The treatment of the orders, to which lines refer.
  private enum Treatment: CaseIterable {
    case kept, deleted, filtered
    /// They go to another entity, to which no relation leads.
    case moved
    /// Others take their entity, so that references are looked up.
    case replaced, joined

    var json: [String] {
      switch self {
      case .kept: []
      case .deleted: [#"{"delete": "Order"}"#]
      case .filtered: [#"{"transform": "Order", \#(DanglingLinkTests.condition)}"#]
      case .moved:
        [#"{"transform": "Order", "to": "Parcel"}"#]
      case .replaced: [#"{"delete": "Order"}"#, #"{"transform": "Box", "to": "Order"}"#]
      case .joined:
        [
          #"{"transform": "Order", \#(DanglingLinkTests.condition)}"#,
          #"{"transform": "Box", "to": "Order", "ids": "shifted"}"#,
        ]
      }
    }
  }

  private static let condition = #""when": [{"property": "tag", "isNot": "b"}]"#

  private static func document(_ others: TestModel.Entity...) throws -> ModelDocument {
    var model = TestModel(
      .init(name: "Order", uid: 100, fields: [.init("tag", 110, .string)]),
      .init(
        name: "Line", uid: 200,
        fields: [
          .init("tag", 210, .string), .init("order", 211, .relation, target: "Order"),
          .init("previous", 212, .relation, target: "Line"),
        ]),
      .init(name: "Note", uid: 300, fields: [.init("line", 310, .relation, target: "Line")]))
    model.entities += others
    return try model.document()
  }

  private static let box = TestModel.Entity(
    name: "Box", uid: 400, fields: [.init("tag", 410, .string)])
  private static let parcel = TestModel.Entity(
    name: "Parcel", uid: 500, fields: [.init("tag", 510, .string)])

  /// An object: whether its tag meets the condition, and its relations by their names.
  private struct Item {
    var isGood: Bool
    var one: [String: UInt64] = [:]
  }

  private static func items(_ random: inout SplitMix64) -> [String: [UInt64: Item]] {
    let ones = [
      "Line": ["order": "Order", "previous": "Line"], "Note": ["line": "Line"],
    ]
    var items: [String: [UInt64: Item]] = [:]
    for name in ["Order", "Line", "Note", "Box"] {
      for id in UInt64(1)...8 where !random.oneIn(4) {
        var item = Item(isGood: name == "Note" || random.oneIn(2))
        // Some are null, and some lead nowhere from the beginning.
        for one in (ones[name] ?? [:]).keys.sorted() { item.one[one] = UInt64(random.below(10)) }
        items[name, default: [:]][id] = item
      }
    }
    return items
  }

  private static func store(_ items: [String: [UInt64: Item]]) throws -> MigrationStore {
    try MigrationStore(document(box)) { store, transaction in
      for (name, objects) in items {
        let entity = try store.entity(named: name)
        try transaction.reserveIDs(entity, through: 9)
        for (id, item) in objects {
          var object = DynamicObject(entity)
          object.id = id
          if name != "Note" { object["tag"] = .string(item.isGood ? "a" : "b") }
          for (one, target) in item.one { object[one] = target == 0 ? .null : .unsigned(target) }
          try transaction.put(object, mode: .insert)
        }
      }
    }
  }

  @Test func asManyAsTheStoreHasAfterwards() throws {
    var random = TestSeed.next()
    var told = 0
    for _ in 0..<TestSeed.count("BOXJOINT_SOAK_DANGLING", default: 60) {
      let items = Self.items(&random)
      let (treatment, filtersLines) = (random.pick(Treatment.allCases), random.oneIn(2))
      let rules =
        treatment.json + (filtersLines ? [#"{"transform": "Line", \#(Self.condition)}"#] : [])
      if rules.isEmpty { continue }
      let note = Comment(rawValue: "\(rules) \(items)")

      var kept = items.mapValues { Set($0.keys) }
      func filtered(_ name: String) -> Set<UInt64> {
        Set((items[name] ?? [:]).filter(\.value.isGood).keys)
      }
      switch treatment {
      case .kept: break
      case .deleted, .moved, .replaced: kept["Order"] = []
      case .filtered, .joined: kept["Order"] = filtered("Order")
      }
      if filtersLines { kept["Line"] = filtered("Line") }
      var (left, all): ([String: Int], [String: Int]) = ([:], [:])
      for (entity, one, target) in [
        ("Line", "order", "Order"), ("Line", "previous", "Line"), ("Note", "line", "Line"),
      ] {
        // What is looked up and not found is null.
        if one == "order", treatment == .replaced || treatment == .joined { continue }
        for (id, item) in items[entity] ?? [:] where kept[entity]?.contains(id) ?? false {
          guard let other = item.one[one], other != 0, !(kept[target]?.contains(other) ?? false)
          else { continue }
          all["\(entity).\(one)", default: 0] += 1
          if items[target]?[other] != nil { left["\(entity).\(one)", default: 0] += 1 }
        }
      }

      let store = try Self.store(items)
      let run = try store.run(
        to: Self.document(Self.box, Self.parcel),
        mappings: MigrationStore.mappings(
          #"{"mappings": [{"entities": [\#(rules.joined(separator: ", "))]}]}"#))
      let prepared = try run.prepare()
      let steps = prepared.plan.steps.filter { $0.rule.id == "BOX398" }
      let said = Dictionary(
        uniqueKeysWithValues: steps.map { ($0.subject, $0.counts?.affected ?? -1) })
      #expect(said == left, note)
      told += steps.count
      try prepared.carryOut()
      let opened = try ObjectStore.open(.directory(store.path))
      let orphans = try opened.read { try $0.orphans() }
      let found = Dictionary(
        uniqueKeysWithValues: orphans.dangling.map { ($0.relation, $0.objects.count) })
      #expect(found == all, note)
      opened.close()
    }
    #expect(told > 0)
  }

  @Test func theWordsOfTheStep() throws {
    let items: [String: [UInt64: Item]] = [
      "Order": [1: Item(isGood: true)],
      "Line": [
        1: Item(isGood: true, one: ["order": 1]), 2: Item(isGood: true, one: ["order": 1]),
      ],
    ]
    let store = try Self.store(items)
    defer { withExtendedLifetime(store) {} }
    let run = try store.run(
      to: Self.document(Self.box, Self.parcel),
      mappings: MigrationStore.mappings(
        #"{"mappings": [{"entities": [{"delete": "Order"}]}]}"#))
    let prepared = try run.prepare()
    let step = try #require(prepared.plan.steps.first { $0.rule.id == "BOX398" })
    #expect(step.changeClass == .latent)
    #expect(step.message == "the mapping drops Order objects to which Line.order refers")
    #expect(
      step.engine.outcome
        == "the migration leaves 2 objects dangling; `boxjoint store orphans` lists them")
    let text = MigrationAnnouncement(prepared.plan, prepared.pending, freesHiddenData: false).text
    #expect(text.contains("  Line.order left-dangling (2 objects)\n    the migration leaves 2 "))
  }

  /// Of a later step nobody knows how many, as its objects are not there yet.
  @Test func aLaterStepHasNoNumber() throws {
    let items: [String: [UInt64: Item]] = [
      "Order": [1: Item(isGood: true)], "Line": [1: Item(isGood: true, one: ["order": 1])],
    ]
    let store = try Self.store(items)
    defer { withExtendedLifetime(store) {} }
    let run = try store.run(
      to: Self.document(Self.box, Self.parcel), Self.document(Self.parcel),
      mappings: MigrationStore.mappings(
        #"""
        {"mappings": [{"from": "V2", "to": "V3",
          "entities": [{"delete": "Order"}, {"delete": "Box"}]}]}
        """#))
    let step = try #require(
      try run.prepare().plan.steps.first { $0.rule.id == "BOX398" })
    #expect(step.counts == nil)
    #expect(
      step.engine.outcome
        == "the migration can leave objects dangling; `boxjoint store orphans` lists them")
  }
}
