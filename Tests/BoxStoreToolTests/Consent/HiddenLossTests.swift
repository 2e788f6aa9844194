import BoxDump
import BoxEngine
import BoxModel
import BoxStorage
import TestSupport
import Testing
import ToolTestSupport

@testable import BoxStoreTool

/// The loss of what the model hides and what goes with objects.
struct HiddenLossTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private static let model = ConsentTests.model
  /// The same without the property `age` and the relation `friends`.
  private static let smaller = TestModel(
    .init(name: "Person", uid: 1000, fields: [.init("name", 1010, .string)]))

  private var data: String { directory.path(of: "data") }

  /// Opens the store with a model, and calls a function with it.
  @discardableResult
  private func with<R>(
    _ model: TestModel, _ body: (ObjectStore, EntitySchema) throws -> R
  ) throws -> R {
    let store = try ObjectStore.open(.directory(data), model: model.document())
    defer { store.close() }
    return try body(store, try store.entity(named: "Person"))
  }

  /// Fills a new store with people of whom some have an age and friends, and hides both.
  private func begin(_ count: Int, _ random: inout SplitMix64) throws {
    directory.removeEverything("data")
    try with(Self.model) { store, person in
      try store.write { transaction in
        for number in 1...count {
          var object = DynamicObject(person)
          object["name"] = .string("p\(number)")
          if random.oneIn(2) { object["age"] = .integer(Int64(number)) }
          try transaction.put(object)
        }
        for _ in 0..<count {
          let ends = (UInt64(random.below(count) + 1), UInt64(random.below(count) + 1))
          try transaction.link(person.relations[0], ends.0, ends.1)
        }
      }
    }
    try with(Self.smaller) { _, _ in }
  }

  /// The numbers of ages and friends, which a model shows that has both.
  private func stored() throws -> (ages: Int, friends: Int) {
    try with(Self.model) { store, person in
      try store.read { transaction in
        var ages = 0
        try transaction.visitObjects(person) { object in
          if object["age"] != .null { ages += 1 }
          return .next
        }
        return (ages, try transaction.count(person.relations[0]))
      }
    }
  }

  private func remove(
    _ selection: ObjectSelection, _ change: (inout EditOptions) -> Void
  ) throws -> Loss {
    var request = RemoveRequest(data, "Person", selection)
    change(&request.options)
    return try #require(try request.run(in: directory.place()).loss)
  }

  /// A removal loses as many hidden values and entries as a model that shows them misses afterwards.
  @Test func theHiddenLossIsWhatAFullModelMisses() throws {
    var random = TestSeed.next()
    var lost = 0
    for number in 0..<TestSeed.count("BOXJOINT_SOAK_CONSENT", default: 10) {
      let count = random.below(8) + 1
      try begin(count, &random)
      let before = try stored()
      try with(Self.smaller) { _, _ in }
      let selection: ObjectSelection =
        random.oneIn(3) ? .all : .condition("id > \(random.below(count + 1))")
      let dry = try remove(selection) { $0.isDryRun = true }
      let loss = try remove(selection) { $0.consent.code = dry.code }
      #expect(loss == dry, "\(number)")
      let after = try stored()
      #expect(
        loss.hidden.values.reduce(0) { $0 + $1.removed } == before.ages - after.ages, "\(number)")
      #expect(
        loss.hidden.entries.reduce(0) { $0 + $1.removed } == before.friends - after.friends,
        "\(number)")
      #expect(loss.values.isEmpty && loss.entries.isEmpty, "\(number)")
      lost += loss.hidden.count
    }
    #expect(lost > 0)
  }

  /// Three people with an age, of whom 1 has the others as friends, all of it hidden.
  private func beginWithThree() throws {
    try with(Self.model) { store, person in
      try store.write { transaction in
        for number in 1...3 {
          var object = DynamicObject(person)
          object["age"] = .integer(Int64(number))
          try transaction.put(object)
        }
        for target in [2, 3] as [UInt64] { try transaction.link(person.relations[0], 1, target) }
      }
    }
    try with(Self.smaller) { _, _ in }
  }

  @Test func aLossNamesWhatIsHidden() throws {
    try beginWithThree()
    let loss = try remove(.ids([1])) { $0.isDryRun = true }
    #expect(
      loss.text == """
        Person: 1 would be removed, of 3
        Person.age: 1 hidden value would be removed, which no file can hold
        Person.friends: 2 hidden entries would be removed, which no file can hold

        """)
    // The number is that of the objects.
    #expect(loss.count == 1)
    #expect(loss.hidden.words == "1 hidden value and 2 hidden entries")
    // An entry that leads to an object goes with it.
    let other = try remove(.ids([3])) { $0.isDryRun = true }
    #expect(other.hidden.entries.map(\.removed) == [1])
  }

  @Test func theCodeIsAboutWhatIsHidden() throws {
    try beginWithThree()
    let code = try remove(.ids([3])) { $0.isDryRun = true }.code
    try with(Self.model) { store, person in
      try store.write { try $0.link(person.relations[0], 3, 2) }
    }
    try with(Self.smaller) { _, _ in }
    #expect(try remove(.ids([3])) { $0.isDryRun = true }.code != code)
    #expect(throws: CommandFailure.self) { try remove(.ids([3])) { $0.consent.code = code } }
  }

  @Test func aPutKeepsWhatIsHiddenAndARemovalDoesNot() throws {
    try beginWithThree()
    var put = PutRequest(data, "Person", ["{\"id\":2,\"name\":\"new\"}"])
    put.mode = .replace
    put.options.isDryRun = true
    #expect(try put.run(in: directory.place()).loss?.hidden.count == 0)
    let hidden = try with(Self.smaller) { store, person in
      try store.write { transaction -> Loss.Hidden in
        let mark = transaction.noteAllChanges()
        try transaction.remove(person, 1)
        var object = DynamicObject(person)
        object.id = 1
        try transaction.put(object, mode: .insert)
        return try store.readCommitted { old in
          try LostObjects(from: old, to: transaction, since: mark, LossHash([], onStore: data)).loss
            .hidden
        }
      }
    }
    #expect(hidden.count == 3)
  }
}
