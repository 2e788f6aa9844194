import BoxDump
import BoxEngine
import BoxJSON
import BoxMigration
import BoxModel
import BoxReport
import BoxStorage
import TestSupport
import Testing
import ToolTestSupport

@testable import BoxStoreTool

/// Rules about removals that commands give to stores, and show.
struct RulesRequestTests {
  private let directory: TemporaryDirectory
  private let observer = RecordingObserver()
  private var data: String { directory.path(of: "data") }

  private static let order = RelationDeclaration(
    relation: 302, name: "Line.order", targetRemoved: .cascade)
  private static let rules = Declarations(relations: [order])

  private static func document(withText: Bool) throws -> ModelDocument {
    let text = withText ? [TestModel.Property("text", 303, .string)] : []
    return try TestModel(
      .init(
        name: "Line", uid: 300,
        properties: [.init("id", 301, .long, .id), .init("order", 302, .relation, target: "Order")]
          + text),
      .init(name: "Order", uid: 400, properties: [.init("id", 402, .long, .id)])
    ).document()
  }

  init() throws {
    directory = try TemporaryDirectory()
    try directory.write(try Self.document(withText: false).bytes, to: "v1.json")
    try directory.write(Self.rules.text, to: "v1.rules.json")
    try directory.write(try Self.document(withText: true).bytes, to: "v2.json")
    try directory.write("{\"order\": 1}\n", to: "lines.ndjson")
  }

  private func load(
    _ file: String = "lines.ndjson", into store: String = "data",
    _ change: (inout ImportRequest) -> Void = { _ in }
  ) throws {
    var request = ImportRequest(directory.path(of: file), into: directory.path(of: store))
    if file == "lines.ndjson" {
      request.model = directory.path(of: "v1.json")
      request.options.entity = "Line"
    }
    change(&request)
    _ = try request.run(in: directory.place(observer)) { _ in }
  }

  private func stored(_ name: String = "data") throws -> Declarations {
    let store = try ObjectStore.open(.directory(directory.path(of: name)))
    defer { store.close() }
    return store.declarations
  }

  @Test func anImportTakesTheFileBesideTheModel() throws {
    try load()
    #expect(try stored() == Self.rules)
    // Without a file they stay.
    try load { $0.model = nil }
    #expect(try stored() == Self.rules)
    try load { $0.rules = RulesChoice(isNone: true) }
    #expect(try stored().isEmpty)
    try load { $0.rules = RulesChoice(directory.path(of: "v1.rules.json")) }
    #expect(try stored() == Self.rules)
  }

  @Test func aFileThatIsWrongIsRefusedBeforeTheStoreIsOpened() throws {
    try directory.write("{\"rules\":2}", to: "v1.rules.json")
    let failure = #expect(throws: CommandFailure.self) { try load() }
    #expect(failure?.kind == .badInput)
    #expect(failure?.message == "format 2 was written by a newer version; this one reads 1")
    #expect(!directory.exists("data"))
  }

  @Test func aDumpHasThem() throws {
    try load()
    let request = ExportRequest(data, to: directory.path(of: "dump.ndjson"))
    _ = try request.run(in: directory.place(observer))
    let header = try #require(try directory.text(of: "dump.ndjson").split(separator: "\n").first)
    #expect(
      header.contains(
        "\"rules\":{\"rules\":1,\"declarations\":[{\"relation\":\"302\",\"name\":\"Line.order\","))
    try load("dump.ndjson", into: "copy")
    #expect(try stored("copy") == Self.rules)
    try load("dump.ndjson", into: "plain") { $0.rules = RulesChoice(isNone: true) }
    #expect(try stored("plain").isEmpty)
    // A store that is there keeps its own.
    try load("dump.ndjson", into: "plain") { $0.options.mode = .upsert }
    #expect(try stored("plain").isEmpty)
  }

  @Test func aMigrationTakesThemOver() async throws {
    try load { $0.rules = RulesChoice(isNone: true) }
    // The store has the model already, and gets the rules.
    let same = try await MigrationRequest(data, to: directory.path(of: "v1.json"))
      .prepare(in: directory.place(observer))
    #expect(same.plan == nil && !same.isEmpty)
    #expect(same.text.hasSuffix("it gets other rules about removals\n"))
    _ = try same.carryOut(observer)
    #expect(try stored() == Self.rules)
    let again = try await MigrationRequest(data, to: directory.path(of: "v1.json"))
      .prepare(in: directory.place(observer))
    #expect(again.isEmpty)
    // Without a file beside the target they stay.
    let next = try await MigrationRequest(data, to: directory.path(of: "v2.json"))
      .prepare(in: directory.place(observer))
    _ = try next.carryOut(observer)
    #expect(try stored() == Self.rules)
    var back = MigrationRequest(data, to: directory.path(of: "v2.json"))
    back.rules = RulesChoice(isNone: true)
    _ = try await back.prepare(in: directory.place(observer)).carryOut(observer)
    #expect(try stored().isEmpty)
  }

  @Test func informationShowsThem() throws {
    try load()
    let store = try ObjectStore.open(.directory(data))
    defer { store.close() }
    let information = StoreInformation(
      path: "data", status: try store.status(), statistics: try store.statistics())
    #expect(information.text.contains("format   2: rules\n"))
    #expect(
      information.text.hasSuffix(
        "\nrules about removals\n  Line.order (302)  target removed: cascade\n"))
    #expect(
      information.json.text(indent: 0).hasSuffix(
        "\"rules\":[{\"relation\":\"302\",\"name\":\"Line.order\",\"targetRemoved\":\"cascade\"}]}")
    )
  }

  /// A relation that the model lacks is marked, and so are its rules.
  @Test func informationMarksHiddenRules() throws {
    try load()
    let store = try ObjectStore.open(
      .directory(data),
      model: try TestModel(
        .init(name: "Line", uid: 300, properties: [.init("id", 301, .long, .id)]),
        .init(name: "Order", uid: 400, properties: [.init("id", 402, .long, .id)]),
        retired: [.property: [302]]
      ).document())
    defer { store.close() }
    let information = StoreInformation(
      path: "data", status: try store.status(), statistics: try store.statistics())
    #expect(
      information.text.hasSuffix(
        "\n  Line.order (302)  target removed: cascade  hidden: not in the model\n"))
    #expect(
      information.json.text(indent: 0).hasSuffix(
        "\"targetRemoved\":\"cascade\",\"hidden\":true}]}"))
  }

  /// An import with a model that has no file of rules takes those of the dump, as one without a model does.
  @Test func anImportWithAModelTakesTheRulesOfADump() throws {
    try load()
    let request = ExportRequest(data, to: directory.path(of: "dump.ndjson"))
    _ = try request.run(in: directory.place(observer))
    func imported(into name: String, _ model: String, _ rules: RulesChoice = RulesChoice()) throws
      -> Declarations
    {
      try load("dump.ndjson", into: name) {
        $0.model = directory.path(of: model)
        $0.rules = rules
      }
      return try stored(name)
    }
    #expect(try imported(into: "a", "v2.json") == Self.rules)
    #expect(try imported(into: "b", "v2.json", RulesChoice(isNone: true)).isEmpty)
    let deny = RelationDeclaration(relation: 302, name: "Line.order", targetRemoved: .deny)
    try directory.write(Declarations(relations: [deny]).text, to: "v2.rules.json")
    #expect(try imported(into: "c", "v2.json").relations == [deny])
    let other = RulesChoice(directory.path(of: "v1.rules.json"))
    #expect(try imported(into: "d", "v2.json", other) == Self.rules)
  }

  private func writeUnindexed() throws {
    var model = try Self.document(withText: true).model
    model.entities[0].properties[1].indexID = nil
    model.entities[0].properties[1].flags = []
    try directory.write(try TestModel.document(model).bytes, to: "v3.json")
  }

  /// A trial refuses what the opening would.
  @Test func aMigrationRefusesARuleWithoutItsIndex() async throws {
    try load()
    try writeUnindexed()
    // The store keeps its rules, and the new model lacks the index.
    let kept = await #expect(throws: CommandFailure.self) {
      _ = try await MigrationRequest(data, to: directory.path(of: "v3.json"))
        .prepare(in: directory.place(observer))
    }
    #expect(kept?.message.contains("BOX614") ?? false, "\(String(describing: kept))")
    var without = MigrationRequest(data, to: directory.path(of: "v3.json"))
    without.rules = RulesChoice(isNone: true)
    _ = try await without.prepare(in: directory.place(observer)).carryOut(observer)
    // It has the model now, and gets no rule that does not fit.
    try directory.write(Self.rules.text, to: "v3.rules.json")
    let given = await #expect(throws: CommandFailure.self) {
      _ = try await MigrationRequest(data, to: directory.path(of: "v3.json"))
        .prepare(in: directory.place(observer))
    }
    #expect(given?.kind == .impossible)
    #expect(given?.message.contains("BOX614") ?? false, "\(String(describing: given))")
    #expect(try stored().isEmpty)
  }

  @Test func aVerificationHasTheRules() async throws {
    func outcome(_ old: String, _ new: String) async throws -> PlanVerification.Outcome {
      try await VerificationRequest(
        from: directory.path(of: old), to: directory.path(of: new)
      ).run(in: directory.place(observer)).outcome
    }
    try writeUnindexed()
    // The store keeps the rules of v1, whose relation lacks its index in v3.
    let refused = try await outcome("v1.json", "v3.json")
    #expect(refused.kind == nil && refused.disagreements.isEmpty)
    let opened = try await outcome("v1.json", "v2.json")
    #expect(opened.kind == .light && opened.disagreements.isEmpty)
    try directory.write(Declarations().text, to: "v3.rules.json")
    #expect(try await outcome("v1.json", "v3.json").kind == .light)
  }
}
