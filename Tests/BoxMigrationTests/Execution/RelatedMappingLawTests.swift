import BoxEngine
import BoxModel
import BoxStorage
import TestSupport
import Testing

@testable import BoxMigration

/// Generated mappings over relations do what each of their rules says, by the objects as they were put: values of
/// related objects, relations to one that become relations to many and back, links under other names, links
/// followed backwards, and conditions on all of that.
struct RelatedMappingLawTests {
  @Test(arguments: 0..<40)
  func rulesDoWhatTheySay(_ number: Int) throws {
    var random = TestSeed.next()
    let shop = Shop(&random)
    let mapping = ShopMapping(&random, shop)
    let wanted = mapping.outcome(of: shop)
    let store = try shop.store()
    let run = try store.run(
      to: Shop.new, mappings: try MigrationStore.mappings(mapping.json))
    let before = try store.content()
    let note = Comment(rawValue: "\(random) \(mapping.json)")
    guard wanted.failing.isEmpty else {
      // The first ends the migration, and a trial lists them all.
      #expect(throws: MigrationError.self, note) { try run.carryOut() }
      #expect(try store.content() == before, note)
      var trial = run
      trial.maximumFailures = 10_000
      #expect {
        try trial.carryOut()
      } throws: { error in
        guard case MigrationError.step(_, let error as MigrationError) = error,
          case .objects(let failures, let count) = error
        else { return false }
        let failing = failures.map { failure in
          if case .unfitValue(let entity, let id, _, _, _) = failure { return "\(entity) \(id)" }
          return "\(failure)"
        }
        return Set(failing) == wanted.failing && count == failing.count
      }
      #expect(try store.content() == before, note)
      return
    }
    try run.carryOut()
    let found = try store.content()
    for (entity, objects) in wanted.content.objects {
      #expect(found.objects[entity] == objects, note)
    }
    for (relation, links) in wanted.content.links {
      #expect(found.links[relation] == links, "\(relation): \(note)")
    }
    #expect(try ObjectStore.verify(store.path).isEmpty, note)
  }
}

/// References that lead to no object find nothing afterwards, whatever objects have their ids then.
struct StrangerReferenceTests {
  private static func document(_ entities: [TestModel.Entity], retired: [UID] = []) throws
    -> ModelDocument
  {
    var model = TestModel(retired: [.entity: retired])
    model.entities = entities
    return try model.document()
  }

  @Test(arguments: [
    (#"{"delete": "A"}, {"transform": "C", "to": "A"}"#, [nil, nil] as [UInt64?]),
    (#"{"transform": "A"}, {"transform": "C", "to": "A", "ids": "shifted"}"#, [1, nil]),
    (
      #"{"transform": "A", "when": [{"property": "tag", "isNot": "a1"}]}, {"transform": "C", "to": "A", "ids": "shifted"}"#,
      [nil, nil]
    ),
  ])
  func aReferenceFindsNoStranger(_ entities: String, _ wanted: [UInt64?]) throws {
    let a = TestModel.Entity(name: "A", uid: 100, fields: [.init("tag", 110, .string)])
    let b = TestModel.Entity(
      name: "B", uid: 200, fields: [.init("r", 210, .relation, target: "A")],
      relations: [.init("many", 290, to: "A")])
    let c = TestModel.Entity(name: "C", uid: 300, fields: [.init("tag", 310, .string)])
    let store = try MigrationStore(Self.document([a, b, c])) { store, transaction in
      for (name, count) in [("A", 3), ("C", 5)] {
        for number in 1...count {
          var object = DynamicObject(try store.entity(named: name))
          object["tag"] = .string("\(name.lowercased())\(number)")
          try transaction.put(object)
        }
      }
      // One leads to the first object, and one to none.
      for target in [1, 4] as [UInt64] {
        var object = DynamicObject(try store.entity(named: "B"))
        object["r"] = .unsigned(target)
        try transaction.put(object)
      }
    }
    try store.run(
      to: Self.document([a, b], retired: [300]),
      mappings: MigrationStore.mappings("{\"mappings\": [{\"entities\": [\(entities)]}]}")
    ).carryOut()
    let content = try store.content()
    for (id, target) in zip([1, 2] as [UInt64], wanted) {
      #expect(content.objects["B"]?[id]?["r"] == target.map { .unsigned($0) })
    }
  }
}

/// The objects of a small shop, in memory.
struct Shop {
  /// An object: its values, the ids of its relations to one, and those of its relations to many.
  struct Item {
    var values: [String: Value] = [:]
    var one: [String: UInt64] = [:]
    var many: [String: Set<UInt64>] = [:]
  }

  static let entities = ["Country", "Customer", "Tag", "Order"]
  /// The entities that relations lead to.
  static let ones = [
    "Customer": ["country": "Country"], "Order": ["customer": "Customer", "second": "Customer"],
  ]
  static let manys = [
    "Customer": ["tags": "Tag"], "Order": ["items": "Tag", "likes": "Customer"],
  ]

  private(set) var items: [String: [UInt64: Item]] = [:]
  /// The last ids that were given.
  private(set) var last: [String: UInt64] = [:]

  init(_ random: inout SplitMix64) {
    for entity in Self.entities {
      let count = UInt64(2 + random.below(12))
      last[entity] = count
      for id in 1...count where random.below(5) > 0 { items[entity, default: [:]][id] = Item() }
    }
    for (entity, objects) in items.sorted(by: { $0.key < $1.key }) {
      for id in objects.keys.sorted() {
        var item = Item()
        if random.below(4) > 0 {
          switch entity {
          case "Country": item.values["code"] = .string("c\(random.below(3))")
          case "Customer": item.values["name"] = .string("n\(random.below(4))")
          case "Tag": item.values["text"] = .string("t\(id)")
          default: item.values["total"] = .integer(Int64(random.below(9)))
          }
        }
        if entity == "Customer", random.below(3) > 0 {
          item.values["score"] = .integer(Int64(random.below(4)))
        }
        for (name, target) in Self.ones[entity] ?? [:] where random.below(4) > 0 {
          // Some lead to objects that were removed.
          item.one[name] = 1 + UInt64(random.below(Int(last[target] ?? 1)))
        }
        for (name, target) in Self.manys[entity] ?? [:] {
          let there = items[target].map { $0.keys.sorted() } ?? []
          for _ in 0..<random.below(4) where !there.isEmpty {
            item.many[name, default: []].insert(there[random.below(there.count)])
          }
        }
        items[entity]?[id] = item
      }
    }
  }

  static var old: ModelDocument {
    get throws {
      try TestModel(
        .init(name: "Country", uid: 100, fields: [.init("code", 110, .string)]),
        .init(
          name: "Customer", uid: 200,
          fields: [
            .init("name", 210, .string), .init("score", 211, .int),
            .init("country", 212, .relation, target: "Country"),
          ], relations: [.init("tags", 290, to: "Tag")]),
        .init(name: "Tag", uid: 300, fields: [.init("text", 310, .string)]),
        .init(
          name: "Order", uid: 400,
          fields: [
            .init("total", 410, .int), .init("customer", 411, .relation, target: "Customer"),
            .init("second", 412, .relation, target: "Customer"),
          ], relations: [.init("items", 490, to: "Tag"), .init("likes", 491, to: "Customer")])
      ).document()
    }
  }

  static var new: ModelDocument {
    get throws {
      try TestModel(
        .init(
          name: "Country", uid: 100, fields: [.init("code", 110, .string)],
          relations: [.init("customers", 191, to: "Customer")]),
        .init(
          name: "Customer", uid: 200,
          fields: [
            .init("name", 210, .string), .init("score", 211, .int),
            .init("label", 220, .string), .init("home", 221, .relation, target: "Country"),
            .init("favourite", 222, .relation, target: "Tag"),
            .init("latest", 223, .relation, target: "Order"),
          ],
          relations: [
            .init("marks", 292, to: "Tag"), .init("orders", 293, to: "Order"),
            .init("homes", 294, to: "Country"),
          ]),
        .init(name: "Tag", uid: 300, fields: [.init("text", 310, .string)]),
        .init(
          name: "Order", uid: 400,
          fields: [
            .init("total", 410, .int), .init("points", 420, .int), .init("note", 421, .string),
            .init("customer", 411, .relation, target: "Customer"),
            .init("to", 422, .relation, target: "Country"),
          ],
          relations: [
            .init("items", 490, to: "Tag"), .init("buyers", 492, to: "Customer"),
            .init("marks", 493, to: "Tag"),
          ]),
        retired: [.property: [212, 412], .relation: [290, 491]]
      ).document()
    }
  }

  /// A store with these objects.
  func store() throws -> MigrationStore {
    try MigrationStore(Self.old) { store, transaction in
      for name in Self.entities {
        let entity = try store.entity(named: name)
        for id in 1...(last[name] ?? 1) {
          var object = DynamicObject(entity)
          for (property, value) in items[name]?[id]?.values ?? [:] { object[property] = value }
          for (property, id) in items[name]?[id]?.one ?? [:] { object[property] = .unsigned(id) }
          try transaction.put(object)
        }
      }
      for name in Self.entities {
        let entity = try store.entity(named: name)
        for id in 1...(last[name] ?? 1) where items[name]?[id] == nil {
          try transaction.remove(entity, id)
        }
        for relation in entity.relations {
          for (id, item) in items[name] ?? [:] {
            for target in item.many[relation.name] ?? [] {
              try transaction.link(relation, id, target)
            }
          }
        }
      }
    }
  }

  /// The value that a path of the old model has for an object.
  func value(_ path: String, of entity: String, _ id: UInt64) -> (value: Value?, ids: [UInt64]) {
    var names = path.split(separator: ".").map(String.init)
    let last = names.removeLast()
    var (entity, id) = (entity, id)
    for name in names {
      guard let next = items[entity]?[id]?.one[name], let target = Self.ones[entity]?[name],
        items[target]?[next] != nil
      else { return (nil, []) }
      (entity, id) = (target, next)
    }
    guard let item = items[entity]?[id] else { return (nil, []) }
    if last == "id" { return (.unsigned(id), [id]) }
    if let one = item.one[last] { return (.unsigned(one), [one]) }
    return (item.values[last], item.many[last]?.sorted() ?? [])
  }

  /// The ids of the objects of a relation `Entity.name` that lead to an object.
  func backlinks(_ path: String, to id: UInt64) -> [UInt64] {
    let names = path.split(separator: ".").map(String.init)
    return (items[names[0]] ?? [:]).filter {
      $0.value.one[names[1]] == id || $0.value.many[names[1]]?.contains(id) == true
    }.keys.sorted()
  }
}

/// A mapping of generated rules, and what it makes of a shop.
struct ShopMapping {
  private struct Rule {
    var source: String
    var isBacklink = false
    var fallback: UInt64?
    var unfit = "fail"
  }

  /// The sources that fit a new member, and the entity that the member leads to.
  private static let choices:
    [(entity: String, name: String, target: String?, sources: [String], backlinks: [String])] = [
      ("Country", "customers", "Customer", [], ["Customer.country"]),
      ("Customer", "label", nil, ["name", "country.code"], []),
      ("Customer", "home", "Country", ["country", "country.id"], []),
      ("Customer", "favourite", "Tag", ["tags"], []),
      ("Customer", "latest", "Order", [], ["Order.customer", "Order.likes", "Order.second"]),
      ("Customer", "marks", "Tag", ["tags"], []),
      ("Customer", "orders", "Order", [], ["Order.customer", "Order.likes"]),
      ("Customer", "homes", "Country", ["country"], []),
      ("Order", "points", nil, ["total", "customer.score", "second.score"], []),
      (
        "Order", "note", nil, ["customer.name", "customer.country.code", "second.country.code"], []
      ),
      (
        "Order", "customer", "Customer", ["second", "likes", "customer", "second.id"], []
      ),
      ("Order", "to", "Country", ["customer.country", "second.country", "second.country.id"], []),
      ("Order", "buyers", "Customer", ["customer", "likes", "second.id"], []),
      ("Order", "marks", "Tag", ["items", "customer.tags", "second.tags"], []),
    ]
  private static let manys: Set<String> = ["customers", "marks", "orders", "homes", "buyers"]
  private static let conditions: [(entity: String, property: String, values: [String])] = [
    ("Customer", "country.code", ["\"c1\"", "null"]), ("Customer", "tags", ["null"]),
    ("Customer", "score", ["1", "2"]), ("Order", "customer.country.code", ["\"c0\"", "\"c2\""]),
    ("Order", "likes", ["null"]), ("Order", "second.name", ["\"n1\""]),
  ]

  private var rules: [String: [String: Rule]] = [:]
  private var filters: [String: (property: String, values: [String], isNegated: Bool)] = [:]
  private var shiftsTags: Bool
  private let lastTag: UInt64

  init(_ random: inout SplitMix64, _ shop: Shop) {
    shiftsTags = random.below(3) == 0
    lastTag = shop.last["Tag"] ?? 0
    for choice in Self.choices where random.below(3) > 0 {
      let number = random.below(choice.sources.count + choice.backlinks.count)
      let isBacklink = number >= choice.sources.count
      var rule = Rule(
        source: isBacklink
          ? choice.backlinks[number - choice.sources.count] : choice.sources[number],
        isBacklink: isBacklink)
      if choice.target != nil, !Self.manys.contains(choice.name) {
        let several = isBacklink || ["tags", "likes"].contains(rule.source)
        if random.below(3) == 0 { rule.fallback = 1 }
        if several {
          let ways = ["fail", "null", "first"] + (rule.fallback == nil ? [] : ["default"])
          rule.unfit = ways[random.below(ways.count)]
        }
      }
      rules[choice.entity, default: [:]][choice.name] = rule
    }
    for entity in ["Customer", "Order"] where random.below(3) == 0 {
      let fitting = Self.conditions.filter { $0.entity == entity }
      let condition = fitting[random.below(fitting.count)]
      filters[entity] = (condition.property, condition.values, random.below(2) == 0)
    }
  }

  var json: String {
    var entities: [String] = []
    for entity in Shop.entities {
      var members = ["\"transform\": \"\(entity)\""]
      if entity == "Tag", shiftsTags { members.append("\"ids\": \"shifted\"") }
      if let filter = filters[entity] {
        let word = filter.isNegated ? "isNot" : "is"
        members.append(
          "\"when\": [{\"property\": \"\(filter.property)\", "
            + "\"\(word)\": [\(filter.values.joined(separator: ", "))]}]")
      }
      let texts = (rules[entity] ?? [:]).sorted { $0.key < $1.key }.map { name, rule in
        var text = "\"\(rule.isBacklink ? "backlink" : "from")\": \"\(rule.source)\""
        if let fallback = rule.fallback { text += ", \"default\": \(fallback)" }
        if rule.unfit != "fail" { text += ", \"unfit\": \"\(rule.unfit)\"" }
        return "\"\(name)\": {\(text)}"
      }
      if !texts.isEmpty { members.append("\"properties\": {\(texts.joined(separator: ", "))}") }
      entities.append("{\(members.joined(separator: ", "))}")
    }
    return "{\"mappings\": [{\"entities\": [\n\(entities.joined(separator: ",\n"))\n]}]}"
  }

  private func takes(_ shop: Shop, _ entity: String, _ id: UInt64) -> Bool {
    guard let filter = filters[entity] else { return true }
    let found = shop.value(filter.property, of: entity, id)
    let text: String
    switch found.value {
    case .string(let value): text = "\"\(value)\""
    case .integer(let value): text = "\(value)"
    case .unsigned, nil, .some: text = found.ids.isEmpty ? "null" : "objects"
    }
    return filter.values.contains(text) != filter.isNegated
  }

  private func moved(_ target: String, _ id: UInt64) -> UInt64 {
    target == "Tag" && shiftsTags ? id + lastTag : id
  }

  /// The content afterwards, and the objects that cannot be carried over.
  func outcome(of shop: Shop) -> (content: StoreContent, failing: Set<String>) {
    var content = StoreContent()
    var failing: Set<String> = []
    var kept: [String: Set<UInt64>] = [:]
    for entity in Shop.entities {
      let ids = (shop.items[entity] ?? [:]).keys.filter { takes(shop, entity, $0) }
      kept[entity] = Set(ids.map { moved(entity, $0) })
      content.objects[entity] = [:]
    }
    for entity in Shop.entities {
      for (id, item) in shop.items[entity] ?? [:] where takes(shop, entity, id) {
        // Without a rule: what has the UID that it had.
        var values = item.values
        if entity == "Order", let one = item.one["customer"] { values["customer"] = .unsigned(one) }
        var links: [String: Set<UInt64>] = [:]
        if entity == "Order" { links["items"] = item.many["items"] }
        for choice in Self.choices where choice.entity == entity {
          guard let rule = rules[entity]?[choice.name] else { continue }
          let found =
            rule.isBacklink
            ? (nil, shop.backlinks(rule.source, to: id)) : shop.value(rule.source, of: entity, id)
          if Self.manys.contains(choice.name) {
            links[choice.name] = Set(found.1)
          } else if let target = choice.target {
            if found.1.count > 1 {
              switch rule.unfit {
              case "first": values[choice.name] = .unsigned(moved(target, found.1[0]))
              case "null": values[choice.name] = nil
              case "default": values[choice.name] = rule.fallback.map { .unsigned($0) }
              default: failing.insert("\(entity) \(id)")
              }
            } else {
              values[choice.name] =
                found.1.first.map { .unsigned(moved(target, $0)) }
                ?? rule.fallback.map { .unsigned($0) }
            }
          } else {
            values[choice.name] = found.0
          }
        }
        content.objects[entity]?[moved(entity, id)] = values
        for (name, targets) in links {
          let target =
            name == "items" ? "Tag" : Self.choices.first { $0.name == name }?.target ?? ""
          let there = targets.map { moved(target, $0) }.filter {
            kept[target]?.contains($0) == true
          }
          if !there.isEmpty {
            content.links["\(entity).\(name)", default: [:]][moved(entity, id)] = there.sorted()
          }
        }
      }
    }
    for (entity, relations) in [
      "Country": ["customers"], "Customer": ["marks", "orders", "homes"],
      "Order": ["items", "buyers", "marks"],
    ] {
      for name in relations where content.links["\(entity).\(name)"] == nil {
        content.links["\(entity).\(name)"] = [:]
      }
    }
    return (content, failing)
  }
}
