import BoxEngine
import BoxModel
import BoxReport
import BoxStorage
import TestSupport
import Testing

@testable import BoxMigration

/// Stores that go through several versions, and faults of a migration that a verification has to find.
struct HistoryVerificationTests {
  /// The types of properties, the wider ones later, so that a change to a later one needs no mapping.
  private static let types: [PropertyType] = [.bool, .byte, .short, .int, .long, .string]

  /// A history of one entity and its relation, whose properties come, go and get other types.
  private struct History {
    var random: SplitMix64
    private var types: [UID: Int] = [:]
    private var hasRelation = true
    private var retired: [UID] = []
    private var next: UID = 110

    init(_ random: SplitMix64) {
      self.random = random
      for _ in 0..<4 { addProperty() }
    }

    private mutating func addProperty() {
      types[next] = random.below(HistoryVerificationTests.types.count)
      next += 1
    }

    /// Changes the model; what is removed never returns.
    mutating func change() {
      for uid in types.keys.sorted() {
        switch random.below(8) {
        case 0:
          types[uid] = nil
          retired.append(uid)
        case 1 where types[uid] != HistoryVerificationTests.types.count - 1: types[uid]? += 1
        default: break
        }
      }
      for _ in 0..<random.below(3) { addProperty() }
      if random.oneIn(6) { hasRelation = false }
    }

    /// The model of the version.
    func document() throws -> ModelDocument {
      let fields = types.sorted { $0.key < $1.key }.map { uid, type in
        TestModel.Property("field\(uid)", uid, HistoryVerificationTests.types[type])
      }
      return try TestModel(
        .init(
          name: "A", uid: 100, fields: fields,
          relations: hasRelation ? [.init("others", 900, to: "A")] : []),
        retired: [.property: retired, .relation: hasRelation ? [] : [900]]
      ).document()
    }
  }

  /// Five versions, one after the other, as an app would open them; a change that needs a mapping ends a history.
  @Test func historiesKeepWhatTheirVersionsKeep() throws {
    var random = TestSeed.next()
    let directory = try TemporaryDirectory()
    var (steps, heavy, values) = (0, 0, 0)
    for number in 0..<TestSeed.count("BOXJOINT_SOAK_MIGRATED_HISTORIES", default: 40) {
      var history = History(SplitMix64(seed: random.next()))
      let path = directory.path(of: "store\(number)")
      var document = try history.document()
      let content = try GeneratedContent(document, nil, objects: 6, in: path)
      for version in 2...5 {
        history.change()
        document = try history.document()
        let next = MigrationVersion("\(version)", document)
        let summary = try MigrationRun(path, MigrationRoute(to: next)).carryOut()
        heavy += summary.steps.count { $0.kind == .heavy }
        let expected = content.expected(in: document.model)
        let found = try StoredContent(path, document)
        for (entity, objects) in expected.objects {
          for (id, fields) in objects {
            for (property, value) in fields {
              let stored = found.objects[entity]?[id]?[property] ?? .null
              #expect(
                stored.hasSameContent(as: value),
                "history \(number), version \(version): property \(property) of \(id) is \(stored), not \(value)"
              )
              values += 1
            }
          }
        }
        #expect(found.objects.mapValues(\.count) == expected.objects.mapValues(\.count))
        #expect(found.links == expected.links)
        steps += 1
      }
    }
    print("\(steps) steps, \(heavy) of them heavy; \(values) values compared")
    #expect(heavy > 0 && heavy < steps)
  }

  // MARK: - Faults

  /// A fault of a migration, made in the store that it has left.
  enum Fault: CaseIterable {
    case none, valueDropped, wrongConstant, relationUnlinked, objectDropped, valueChanged

    func make(_ transaction: Transaction, _ store: ObjectStore) throws {
      let entity = try store.entity(named: "A")
      var object = try #require(try transaction.get(entity, 2))
      switch self {
      case .none: return
      case .valueDropped: object["rank"] = .null
      case .valueChanged: object["rank"] = .integer(99)
      case .wrongConstant: object["color"] = .string("green")
      case .relationUnlinked:
        let relation = entity.relations[0]
        let target = try #require(try transaction.targets(relation, of: 2).first)
        try transaction.unlink(relation, 2, target)
        return
      case .objectDropped:
        try transaction.remove(entity, 2)
        return
      }
      try transaction.put(object)
    }
  }

  @Test(arguments: Fault.allCases, [PropertyType.int, .long])
  func aFaultIsFound(_ fault: Fault, _ type: PropertyType) throws {
    func document(_ type: PropertyType, _ hasColor: Bool) throws -> ModelDocument {
      let color = hasColor ? [TestModel.Property("color", 111, .string)] : []
      return try TestModel(
        .init(
          name: "A", uid: 100, fields: [.init("rank", 110, type)] + color,
          relations: [.init("others", 900, to: "A")])
      ).document()
    }
    let (old, new) = (try document(.int, false), try document(type, true))
    var verification = PlanVerification(from: old, to: new)
    verification.constants = (nil, [111: .string("red")])
    let directory = try TemporaryDirectory()
    let outcome = try verification.run(in: directory.path(of: "store")) { path in
      let store = try ObjectStore.open(.directory(path), model: new)
      defer { store.close() }
      try store.write { try fault.make($0, store) }
    } plan: { run in
      try run.prepare(old: "old", new: "new").plan
    }
    #expect(outcome.kind == (type == .int ? .light : .heavy))
    switch fault {
    case .none: #expect(outcome.disagreements == [])
    case .valueDropped, .valueChanged:
      #expect(outcome.disagreements.first?.hasPrefix("property 110 of object 2 is") == true)
    case .wrongConstant:
      #expect(
        outcome.disagreements
          == [#"property 111 of object 2 is "green", and "red" is expected"#])
    case .relationUnlinked:
      #expect(outcome.disagreements.first?.hasPrefix("relation 900 has 19 links") == true)
    case .objectDropped:
      #expect(outcome.disagreements.first?.hasPrefix("entity 100 has 19 objects") == true)
    }
  }
}
