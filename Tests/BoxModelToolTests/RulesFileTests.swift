import BoxEngine
import BoxJSON
import BoxMigration
import BoxModel
import BoxReport
import BoxStorage
import TestSupport
import Testing
import ToolTestSupport

@testable import BoxModelTool

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Files of rules about removals beside model files, in checks and plans.
struct RulesFileTests {
  private let repository: TemporaryRepository

  init() async throws {
    repository = try await TemporaryRepository()
    let model = TestModel(
      .init(
        name: "Line", uid: 300,
        properties: [.init("id", 301, .long, .id), .init("order", 302, .relation, target: "Order")]),
      .init(
        name: "Order", uid: 400,
        properties: [.init("id", 402, .long, .id), .init("first", 401, .string)]))
    try await repository.commit(["app/model-App.json": try model.text])
  }

  private static let order =
    "{\"relation\":\"302\",\"name\":\"Line.order\",\"targetRemoved\":\"cascade\"}"

  private func write(_ lines: String..., to name: String = "app/model-App.rules.json") throws {
    try repository.write(
      "{\"rules\":1,\"declarations\":[\n\(lines.joined(separator: ",\n"))\n]}\n", to: name)
  }

  @Test func aCheckReadsTheFileBesideTheModel() async throws {
    try write(Self.order)
    let sound = try await repository.check("app/model-App.json")
    #expect(sound.outcome == .success, "\(sound.text)")

    try write("{\"relation\":\"302\",\n\"targetRemoved\":\"casade\"}")
    let wrong = try await repository.check("app/model-App.json")
    #expect(wrong.outcome == .failed(.badInput))
    #expect(wrong.text.contains("app/model-App.rules.json:3:"), "\(wrong.text)")
    #expect(wrong.text.contains("'casade' is no rule"), "\(wrong.text)")

    try write("{\"relation\":\"401\",\"targetRemoved\":\"deny\"}")
    let value = try await repository.check("app/model-App.json")
    #expect(value.outcome == .failed(.badInput))
    #expect(value.text.contains("401 is the property Order.first"), "\(value.text)")

    try write("{\"relation\":\"999\",\"name\":\"Line.gone\",\"targetRemoved\":\"deny\"}")
    let unknown = try await repository.check("app/model-App.json")
    #expect(unknown.outcome == .success)
    #expect(unknown.text.contains("BOX184"), "\(unknown.text)")
    let strict = try await repository.check("app/model-App.json") { $0.counting = .warning }
    #expect(strict.outcome == .findings)
  }

  @Test func aCheckOfTheRepositoryTakesNoFileOfRulesForAModel() async throws {
    try write(Self.order)
    try await repository.commit()
    let check = try await repository.check()
    #expect(check.outcome == .success, "\(check.text)\(check.messages)")
    #expect(!check.messages.contains("rules"), "\(check.messages)")
    // A version in git has its own.
    let committed = try await repository.check("HEAD:app/model-App.json")
    #expect(committed.outcome == .success, "\(committed.text)")
  }

  @Test func aPlanClassesTheFirstRule() async throws {
    try write(Self.order)
    let plan = try await repository.plan("app/model-App.json", against: "HEAD", format: .json)
    for words in ["BOX394", "BOX396", "no-rollback", "latent"] {
      #expect(plan.text.contains(words), "\(plan.text)\(plan.messages)")
    }
    try await repository.commit()
    let same = try await repository.plan("app/model-App.json", against: "HEAD", format: .json)
    #expect(!same.text.contains("BOX39"), "\(same.text)")
    try write()
    let without = try await repository.plan("app/model-App.json", against: "HEAD", format: .json)
    #expect(without.text.contains("BOX395") && !without.text.contains("BOX394"), "\(without.text)")
    try write(Self.order, to: "other.json")
    let other = try await repository.plan("app/model-App.json", against: "HEAD", format: .json) {
      $0.rules = RulesChoice(repository.here("other.json"))
    }
    #expect(!other.text.contains("BOX39"), "\(other.text)")
  }

  @Test func aComparisonHasTheRules() async throws {
    let file = repository.here("app/model-App.json")
    try write(Self.order)
    let added = try await ModelComparison(file, nil, in: repository.place())
    #expect(added.changes.isEmpty && !added.isEmpty)
    #expect(
      added.text == """
        Rules about removals
          ~ Line.order (302): the rule for a removal of the target was noAction and is cascade

        """)
    #expect(added.json.text(indent: 0).contains("\"side\":\"target\",\"before\":\"noAction\""))
    try await repository.commit()
    #expect(try await ModelComparison(file, nil, in: repository.place()).isEmpty)
  }

  @Test func aViewHasTheRules() async throws {
    try write(Self.order)
    let view = try await ModelView(repository.here("app/model-App.json"), in: repository.place())
    #expect(
      view.text(.aligned).hasSuffix(
        "\nrules about removals\n  Line.order (302)  target removed: cascade\n"))
    #expect(
      view.json.text(indent: 0).contains("\"rules\":[{\"relation\":\"302\",\"name\":\"Line.order\"")
    )
    #expect(view.markdown.hasSuffix("- Line.order (302): target removed: cascade\n"))
    try write("7")
    let failure = await #expect(throws: CommandFailure.self) {
      try await ModelView(repository.here("app/model-App.json"), in: repository.place())
    }
    #expect(failure?.kind == .badInput)
    #expect(failure?.message == "a declaration is an object")
  }

  @Test func aNamedFileIsTakenForTheOneBesideTheModel() async throws {
    let file = repository.here("app/model-App.json")
    try write("7")
    try write(Self.order, to: "other.json")
    let choice = RulesChoice(repository.here("other.json"))

    let check = try await repository.check("app/model-App.json") { $0.rules = choice }
    #expect(check.outcome == .success, "\(check.text)")
    let view = try await ModelView(file, rules: choice, in: repository.place())
    #expect(view.declarations == Self.declared)
    let comparison = try await ModelComparison(
      file, nil, rules: choice, in: repository.place())
    #expect(comparison.rules.map(\.declaration) == Self.declared.relations)

    try write("7", to: "other.json")
    try write(Self.order)
    let wrong = try await repository.check("app/model-App.json") { $0.rules = choice }
    #expect(wrong.outcome == .failed(.badInput))
    #expect(wrong.text.contains("other.json:2:"), "\(wrong.text)")
    let failure = await #expect(throws: CommandFailure.self) {
      try await ModelComparison(file, nil, rules: choice, in: repository.place())
    }
    #expect(failure?.kind == .badInput)
  }

  private static let declared = Declarations(relations: [
    RelationDeclaration(relation: 302, name: "Line.order", targetRemoved: .cascade)
  ])

  @Test func aStoreHasItsOwnRules() async throws {
    let file = repository.here("app/model-App.json")
    let model = try ModelDocument(parsing: Array(repository.text(of: "app/model-App.json").utf8))
    for (name, rules) in [("ruled", Self.declared), ("plain", Declarations())] {
      var options = StoreOptions()
      options.declarations = rules
      try ObjectStore.open(
        .directory(repository.here(name)), model: model,
        options: options
      ).close()
    }
    let (ruled, plain) = ("store:" + repository.here("ruled"), "store:" + repository.here("plain"))
    let view = try await ModelView(ruled, in: repository.place())
    #expect(view.declarations == Self.declared)
    #expect(
      view.text(.aligned).hasSuffix(
        "\nrules about removals\n  Line.order (302)  target removed: cascade\n"))
    #expect(try await ModelView(plain, in: repository.place()).declarations?.isEmpty == true)

    func changes(_ old: String, _ new: String) async throws -> [String] {
      try await ModelComparison(old, new, in: repository.place()).rules.map {
        "\($0.before) \($0.after)"
      }
    }
    #expect(try await changes(plain, ruled) == ["noAction cascade"])
    #expect(try await changes(ruled, plain) == ["cascade noAction"])
    #expect(try await changes(ruled, ruled) == [])
    // A model without a file of rules leaves those of a store.
    #expect(try await changes(ruled, file) == [])
    #expect(try await changes(file, ruled) == ["noAction cascade"])
    try write()
    #expect(try await changes(ruled, file) == ["cascade noAction"])
    try write(Self.order)
    #expect(try await changes(ruled, file) == [])
    #expect(try await changes(plain, file) == ["noAction cascade"])
  }

  /// An error of a check, and a step of a plan; it does not keep a command from showing the rules.
  @Test func aRuleWithoutItsIndexIsFoundWithoutAStore() async throws {
    let file = "app/model-App.json"
    var model = try ModelDocument(parsing: Array(repository.text(of: file).utf8)).model
    model.entities[0].properties[1].indexID = nil
    model.entities[0].properties[1].flags = []
    try repository.write(
      String(decoding: TestModel.document(model).bytes, as: UTF8.self), to: file)
    try await repository.commit()
    try write(Self.order)
    let check = try await repository.check(file)
    #expect(check.outcome == .findings)
    #expect(check.text.contains("BOX614") && check.text.contains("rules.json:2:"), "\(check.text)")
    let plan = try await repository.plan(file, against: "HEAD")
    #expect(plan.outcome == .findings)
    for words in ["open-failure", "BOX397", "the store is refused: Line.order has a delete rule"] {
      #expect(plan.text.contains(words), "\(plan.text)\(plan.messages)")
    }
    let view = try await ModelView(repository.here(file), in: repository.place())
    #expect(view.declarations == Self.declared)
    // Of the old version only what the new one makes of it counts.
    try await repository.commit()
    try write()
    let without = try await repository.plan(file, against: "HEAD")
    #expect(without.outcome == .success, "\(without.text)\(without.messages)")
    // A rule that needs no index is none of that.
    try write(Self.order.replacing("targetRemoved", with: "sourceRemoved"))
    #expect(try await repository.check(file).outcome == .success)
  }

  @Test func aLinkThatLeadsNowhereIsAFileThatCannotBeRead() async throws {
    let (file, rules) = ("app/model-App.json", "app/model-App.rules.json")
    #expect(symlink("nowhere.json", repository.path + "/" + rules) == 0)
    let check = try await repository.check(file)
    #expect(check.outcome == .failed(.inputOutput), "\(check.text)")
    #expect(check.messages.contains("model-App.rules.json"), "\(check.messages)")
    let here = repository.here(file)
    let failures = [
      await #expect(throws: CommandFailure.self) {
        try await ModelView(here, in: repository.place())
      },
      await #expect(throws: CommandFailure.self) {
        try await ModelComparison(here, nil, in: repository.place())
      },
      #expect(throws: CommandFailure.self) {
        try RulesChoice().declarations(of: Model(), here, SilentObserver())
      },
    ]
    for failure in failures {
      #expect(failure?.kind == .inputOutput)
      #expect(failure?.path == repository.here(rules))
    }
    let plan = try await repository.plan(file, against: "HEAD")
    #expect(plan.outcome == .failed(.inputOutput), "\(plan.text)")
  }

  @Test func warningsAreBounded() async throws {
    let lines = (0..<1_000).map {
      "{\"relation\":\"\(5_000 + $0)\",\"name\":\"Line.gone\",\"targetRemoved\":\"deny\"}"
    }
    try repository.write(
      "{\"rules\":1,\"declarations\":[\n\(lines.joined(separator: ",\n"))\n]}\n",
      to: "app/model-App.rules.json")
    let observer = RecordingObserver()
    _ = try await ModelView(repository.here("app/model-App.json"), in: repository.place(observer))
    #expect(observer.notices.count == 301)
    #expect(observer.notices.allSatisfy { $0.kind == .warning })
    #expect(
      observer.notices.last?.line.hasSuffix("model-App.rules.json: … and 700 more (700 warnings)")
        ?? false, "\(String(describing: observer.notices.last))")
    // What an earlier version says cannot be changed any more.
    try await repository.commit()
    try write()
    let comparing = RecordingObserver()
    let comparison = try await ModelComparison(
      repository.here("app/model-App.json"), nil, in: repository.place(comparing))
    #expect(comparison.rules.count == 1_000)
    #expect(comparing.notices.isEmpty)
    let plan = try await repository.plan("app/model-App.json", against: "HEAD")
    #expect(!plan.messages.contains("is not in"), "\(plan.messages)")
  }

  @Test func aMatrixHasTheRulesOfEachTag() async throws {
    try await repository.git("tag", "v1")
    try write(Self.order)
    try await repository.commit()
    try await repository.git("tag", "v2")
    let matrix = try await repository.planAllTags("app/model-App.json")
    let rows = matrix.text.split(separator: "\n").map { $0.split(separator: " ").first ?? "" }
    #expect(rows == ["VERSION", "v1", "v2"])
    #expect(matrix.text.contains("v1       latent (1 of 2 steps)"), "\(matrix.text)")
    #expect(matrix.text.contains("v2       the same"), "\(matrix.text)")
    try write(Self.order.replacing("cascade", with: "deny"), to: "other.json")
    let other = try await repository.planAllTags("app/model-App.json") {
      $0.rules = RulesChoice(repository.here("other.json"))
    }
    #expect(other.text.contains("v2       latent (1 of 1 step)"), "\(other.text)")
  }
}
