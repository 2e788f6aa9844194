import BoxEngine
import BoxModel
import BoxStorage
import TestSupport
import Testing

@testable import BoxMigration

/// A migration that is killed at any moment leaves the store before one of its steps, or after it.
struct KillTests {
  private static let objects = 20_000

  private static func model(
    _ rank: PropertyType, _ flags: PropertyFlags = .indexed, note: Bool = true
  ) throws -> ModelDocument {
    let text = TestModel.Property("text", 110, .string, flags.contains(.indexed) ? .indexHash : [])
    let fields = [text, .init("rank", 111, rank, flags)]
    return try TestModel(
      .init(
        name: "Note", uid: 100, fields: fields + (note ? [.init("note", 112, .string)] : [])),
      retired: [.property: note ? [] : [112]]
    ).document()
  }

  /// A migration that is killed.
  enum Kind: String, CaseIterable {
    case heavyStep, twoHeavySteps, lightStep, purge
  }

  private struct Scenario {
    /// The model of the store, and those that it is migrated to.
    var start: ModelDocument
    var versions: [ModelDocument]
    var purges = false
    /// The number of kills in the normal run.
    var kills = 3

    init(_ kind: Kind) throws {
      start = try model(.int, kind == .lightStep ? [] : .indexed)
      switch kind {
      case .heavyStep: versions = [try model(.long)]
      case .twoHeavySteps: versions = [try model(.long), try model(.string)]
      case .lightStep: versions = [try model(.int)]
      case .purge: versions = [try model(.int, note: false)]
      }
      purges = kind == .purge
      if kind == .heavyStep { kills = 5 }
    }
  }

  /// The content that a store with a model must show.
  private static func content(_ document: ModelDocument) -> StoreContent {
    let properties = document.model.entities[0].properties
    let isText = properties.contains { $0.name == "rank" && $0.type == .string }
    let hasNote = properties.contains { $0.name == "note" }
    var content = StoreContent()
    var all: [UInt64: [String: Value]] = [:]
    for number in 1...UInt64(objects) {
      var values: [String: Value] = ["text": .string("note \(number)")]
      values["rank"] = isText ? .string("\(number)") : .integer(Int64(number))
      if hasNote { values["note"] = .string("of \(number)") }
      all[number] = values
    }
    content.objects["Note"] = all
    return content
  }

  private static func store(_ document: ModelDocument) throws -> MigrationStore {
    try MigrationStore(document) { store, transaction in
      let note = try store.entity(named: "Note")
      for number in 1...objects {
        var object = DynamicObject(note)
        object["text"] = .string("note \(number)")
        object["rank"] = .integer(Int64(number))
        object["note"] = .string("of \(number)")
        try transaction.put(object)
      }
    }
  }

  /// Data that the last model hides is complete, or completely gone.
  private static func expectHiddenAllOrNothing(
    _ store: MigrationStore, _ start: ModelDocument, mustBeGone: Bool
  ) throws {
    let notes = try StoreContent(ObjectStore.open(.directory(store.path), model: start))
      .objects["Note"]?.values.filter { $0["note"] != nil }.count
    #expect(notes == 0 || notes == objects && !mustBeGone)
  }

  @Test(arguments: Kind.allCases)
  func leavesTheStoreBeforeAStepOrAfterIt(_ kind: Kind) async throws {
    var random = TestSeed.next()
    let scenario = try Scenario(kind)
    let kills = TestSeed.count("BOXJOINT_SOAK_MIGRATION_KILLS", default: scenario.kills)
    let child = try #require(builtProgram("MigrationFaultsChild"))
    let store = try Self.store(scenario.start)
    var files: [String] = []
    for (number, document) in scenario.versions.enumerated() {
      try store.directory.write(document.bytes, to: "v\(number).json")
      files.append(store.directory.path(of: "v\(number).json"))
    }
    let last = try #require(scenario.versions.last)
    let expected = ([scenario.start] + scenario.versions).map { ($0.model, Self.content($0)) }
    let original = try store.directory.bytes(of: "store/data.mdb")
    func run(_ delay: Int) async throws -> ProcessRun {
      try await ProcessRun.of(
        child, [store.path, "\(delay)", scenario.purges ? "purge" : "keep"] + files)
    }
    // How long it takes here, where nothing ends it: less than now as soon as the machine is less busy.
    let whole = try await run(0)
    #expect(whole.status == 0, "\(whole.text)")
    var length = try #require(Int(whole.text.dropLast()))
    #expect(try store.content() == expected.last?.1)
    var (killed, finished) = (0, 0)
    var states: [Int: Int] = [:]
    // Some are done before they are killed.
    while killed < kills && killed + finished < kills * 20 {
      try store.directory.write(original, to: "store/data.mdb")
      let run = try await run(1 + random.below(length))
      // Anything but the end of its work and the signal is a failure of the test.
      try #require([0, -9].contains(run.status), "\(run.status): \(run.text)\(run.messages)")
      if run.status == 0 {
        finished += 1
        length = try min(length, #require(Int(run.text.dropLast())))
      } else {
        killed += 1
      }
      #expect(try ObjectStore.verify(store.path).isEmpty)
      let model = try ObjectStore.open(.directory(store.path)).model
      let state = try #require(expected.firstIndex { $0.0 == model })
      #expect(state == expected.count - 1 || run.status != 0)
      states[state, default: 0] += 1
      #expect(try store.content() == expected[state].1)
      if scenario.purges {
        try Self.expectHiddenAllOrNothing(store, scenario.start, mustBeGone: run.status == 0)
      }
    }
    #expect(killed == kills)
    print(
      "\(kind): killed \(killed) times, \(finished) done before; after step: "
        + "\(states.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" })")
    // What a kill left behind is gone after the next one that ends well.
    try store.directory.write(original, to: "store/data.mdb")
    let end = try await run(0)
    #expect(end.status == 0, "\(end.text)")
    #expect(try ObjectStore.open(.directory(store.path)).model == last.model)
    #expect(try store.content() == expected.last?.1)
    #expect(store.directory.names(in: "store").sorted() == ["data.mdb", "lock.mdb", "store.lock"])
  }

  /// A child that fails is not one that was killed.
  @Test func aFailingChildIsNotKilled() async throws {
    let child = try #require(builtProgram("MigrationFaultsChild"))
    let store = try MigrationStore(Self.model(.int))
    let run = try await ProcessRun.of(child, [store.path, "0", "keep", "/nowhere"])
    #expect(run.status == 1)
    #expect(run.text.hasPrefix("failed:"))
  }
}
