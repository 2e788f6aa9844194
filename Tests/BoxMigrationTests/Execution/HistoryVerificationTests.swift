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

    /// Changes the model, or may do so; what is removed never returns.
    mutating func change(adds: Bool = false) {
      for uid in types.keys.sorted() {
        switch random.below(8) {
        case 0:
          types[uid] = nil
          retired.append(uid)
        case 1 where types[uid] != HistoryVerificationTests.types.count - 1: types[uid]? += 1
        default: break
        }
      }
      for _ in 0..<random.below(3) + (adds ? 1 : 0) { addProperty() }
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

    /// The values of properties that are not optional, as bindings give them; nil for an opener that has a model alone.
    mutating func constants() -> [UID: Value]? {
      if random.oneIn(3) { return nil }
      var constants: [UID: Value] = [:]
      for (uid, type) in types.sorted(by: { $0.key < $1.key }) where random.oneIn(2) {
        let number = Int64(70 + random.below(3))
        constants[uid] =
          switch HistoryVerificationTests.types[type] {
          case _ where random.oneIn(3): .null
          case .bool: .bool(true)
          case .string: .string("initial \(number)")
          default: .integer(number)
          }
      }
      return constants
    }

    /// The version as an app has it.
    mutating func version(_ name: String) throws -> MigrationVersion {
      var version = MigrationVersion(name, try document())
      version.constants = constants()
      return version
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
      let first = try history.version("1")
      var content = try GeneratedContent(first.document, nil, first.constants, objects: 6, in: path)
      for version in 2...5 {
        history.change()
        let next = try history.version("\(version)")
        let document = next.document
        let summary = try MigrationRun(path, MigrationRoute(to: next)).carryOut()
        let isHeavy = summary.steps.contains { $0.kind == .heavy }
        if isHeavy { heavy += 1 }
        if summary.steps.isEmpty {
          // An app opens its store whether or not a step was needed.
          var options = StoreOptions()
          options.constants = next.constants
          try ObjectStore.open(.directory(path), model: document, options: options).close()
        }
        content.open(with: document.model, next.constants, isBuiltAgain: isHeavy)
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

  /// The same five versions in one migration, as an app with a history opens a store of the first.
  @Test func aMigrationByAllVersionsKeepsWhatTheyGive() throws {
    var random = TestSeed.next()
    let directory = try TemporaryDirectory()
    var values = 0
    for number in 0..<TestSeed.count("BOXJOINT_SOAK_MIGRATED_HISTORIES", default: 40) {
      var history = History(SplitMix64(seed: random.next()))
      let versions = try (1...5).map { version in
        if version > 1 { history.change(adds: true) }
        return try history.version("\(version)")
      }
      var verification = PlanVerification(
        from: versions[0].document, to: versions[4].document, objects: 6)
      verification.constants = (versions[0].constants, versions[4].constants)
      verification.intermediate = Array(versions[1..<4])
      let outcome = try verification.run(in: directory.path(of: "store\(number)"))
      #expect(outcome.refusal == nil)
      #expect(outcome.disagreements == [], "history \(number)")
      values += outcome.values
    }
    #expect(values > 0)
  }

  // MARK: - Faults

  /// A fault of a migration, made in the store that it has left.
  enum Fault: CaseIterable {
    case none, valueDropped, wrongConstant, constantOfAll, constantLost, relationUnlinked
    case relationLinked, objectDropped, objectMoved, valueChanged

    /// Makes the fault in a store of a model.
    func make(in path: String, _ model: ModelDocument) throws {
      // The first opening takes the constant of the store, and the second one gives another.
      let constants: [[UID: Value]?] =
        switch self {
        case .constantLost: [[:]]
        case .constantOfAll: [[:], [111: .string("blue")]]
        default: [nil]
        }
      for constants in constants {
        var options = StoreOptions()
        options.constants = constants
        let store = try ObjectStore.open(.directory(path), model: model, options: options)
        defer { store.close() }
        try store.write { try make($0, store) }
      }
    }

    func make(_ transaction: Transaction, _ store: ObjectStore) throws {
      let entity = try store.entity(named: "A")
      var object = try #require(try transaction.get(entity, 2))
      switch self {
      case .none, .constantOfAll, .constantLost: return
      case .valueDropped: object["rank"] = .null
      case .valueChanged: object["rank"] = .integer(99)
      case .wrongConstant: object["color"] = .string("green")
      case .relationUnlinked:
        let relation = entity.relations[0]
        let target = try #require(try transaction.targets(relation, of: 2).first)
        try transaction.unlink(relation, 2, target)
        return
      case .relationLinked:
        let relation = entity.relations[0]
        let targets = Set(try transaction.targets(relation, of: 2))
        let target = try #require((1...20).first { !targets.contains($0) })
        try transaction.link(relation, 2, target)
        return
      case .objectDropped:
        try transaction.remove(entity, 2)
        return
      case .objectMoved:
        try transaction.remove(entity, 2)
        object.id = 0
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
      try fault.make(in: path, new)
    } plan: { run in
      try run.prepare(old: "old", new: "new").plan
    }
    #expect(outcome.kind == (type == .int ? .light : .heavy))
    switch fault {
    case .none: #expect(outcome.disagreements == [])
    case .valueDropped, .valueChanged:
      #expect(outcome.disagreements.first?.hasPrefix("A.rank of object 2 is") == true)
    case .wrongConstant:
      #expect(
        outcome.disagreements
          == [#"A.color of object 2 is "green", and "red" is expected"#])
    case .constantOfAll, .constantLost:
      #expect(outcome.disagreements.count == 20)
      let found = fault == .constantLost ? "null" : #""blue""#
      #expect(
        outcome.disagreements.contains("A.color of object 20 is \(found), and \"red\" is expected"))
    case .relationUnlinked:
      #expect(outcome.disagreements.first?.hasPrefix("A.others has 19 links") == true)
    case .relationLinked:
      #expect(outcome.disagreements.first?.hasPrefix("A.others has 21 links") == true)
    case .objectDropped:
      #expect(outcome.disagreements.first?.hasPrefix("A has 19 objects") == true)
    case .objectMoved:
      #expect(
        outcome.disagreements.first
          == "A has 20 objects, and 20 are expected, with other ids")
    }
  }
}
