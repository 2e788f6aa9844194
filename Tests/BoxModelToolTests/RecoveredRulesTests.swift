import BoxEngine
import BoxJSON
import BoxModel
import BoxRecovery
import BoxReport
import BoxStorage
import TestSupport
import Testing
import ToolTestSupport

@testable import BoxModelTool

/// The file of rules about removals comes back with the model file.
struct RecoveredRulesTests {
  private let repository: TemporaryRepository
  private let model: String
  private static let place = "app/model-App.rules.json"
  private var output: String { repository.path + "/app/model-App.json" }

  init() async throws {
    repository = try await TemporaryRepository()
    model = try TestModel(
      .init(
        name: "Line", uid: 5_300_000_000_000_256,
        properties: [.init("id", 301, .long, .id), .init("order", 302, .relation, target: "Order")]),
      .init(
        name: "Order", uid: 5_400_000_000_000_256,
        properties: [.init("id", 402, .long, .id), .init("first", 401, .string)])
    ).text
  }

  private static func rules(_ rule: String, of uid: Int = 302) -> String {
    """
    {"rules":1,"declarations":[
    {"relation":"\(uid)","name":"Line.order","targetRemoved":"\(rule)"}
    ]}

    """
  }

  /// Swift code with the model and with rules, as the generator writes it.
  private func writeCode(_ rules: String, to name: String = "Sources/Code.generated.swift") throws {
    func lines(_ text: String) -> String {
      text.split(separator: "\n", omittingEmptySubsequences: false)
        .map { $0.isEmpty ? "" : "      \($0)" }.joined(separator: "\n")
    }
    try repository.write(
      """
      extension StoreModel {
        static let app = StoreModel(
          json: #\"\"\"
      \(lines(model))
            \"\"\"#,
          constants: [:],
          zeros: [],
          rules: #\"\"\"
      \(lines(rules))
            \"\"\"#)
      }

      """, to: name)
  }

  private func recover(
    _ kinds: Set<SourceKind>, _ change: (inout RecoveryRequest) -> Void = { _ in }
  ) async throws -> RecoveryReport {
    var request = RecoveryRequest(kinds == [.store] ? [] : [repository.path])
    request.kinds = kinds
    request.output = output
    change(&request)
    return try await request.run(in: repository.place())
  }

  @Test func codeHasTheRules() async throws {
    try writeCode(Self.rules("cascade"))
    let dry = try await recover([.code]) { $0.output = nil }
    #expect(dry.isExact && dry.rulesState == .none, "\(dry.text(explains: true))")
    #expect(dry.text(explains: false).hasSuffix("Sources/Code.generated.swift:2, not written\n"))

    let report = try await recover([.code])
    let path = repository.path + "/" + Self.place
    #expect(report.rulesState == .written(path), "\(report.text(explains: true))")
    #expect(try repository.text(of: Self.place) == Self.rules("cascade"))
    #expect(try repository.text(of: "app/model-App.json") == model)
    #expect(report.text(explains: false).hasSuffix("written to \(path)\n"))
    #expect(report.json.text(indent: 0).contains("\"state\":\"written\""))

    #expect(try await recover([.code]).rulesState == .unchanged(path))
    // Other rules may be newer than the code.
    try repository.write(Self.rules("deny"), to: Self.place)
    let kept = try await recover([.code]) { $0.replacesOutput = true }
    #expect(kept.rulesState == .none && kept.outcome == .success)
    #expect(kept.notes.contains { $0.contains("has other rules about removals than") })
    #expect(try repository.text(of: Self.place) == Self.rules("deny"))
  }

  @Test func rulesThatDisagreeOrDoNotFitAreNotUsed() async throws {
    try writeCode(Self.rules("cascade", of: 401))
    let other = try await recover([.code]) { $0.output = nil }
    #expect(other.rules == nil && other.outcome == .success)
    #expect(other.notes.contains { $0.hasSuffix("401 is the property Order.first") })
    try writeCode(Self.rules("cascade"))
    try writeCode(Self.rules("deny"), to: "Sources/Other.generated.swift")
    let both = try await recover([.code])
    #expect(both.rules == nil && both.rulesState == .none)
    #expect(
      both.notes.contains {
        $0.hasSuffix("have different rules about removals, and neither is used")
      })
    #expect(!repository.surroundings.exists(repository.path + "/" + Self.place))
  }

  @Test func gitHasTheRulesBesideTheModel() async throws {
    try await repository.commit(["app/model-App.json": model, Self.place: Self.rules("deny")])
    try await repository.git("rm", "--quiet", "-r", "app")
    try await repository.commit(message: "Delete it")
    let report = try await recover([.git])
    #expect(report.outcome == .success, "\(report.text(explains: true))")
    #expect(try repository.text(of: Self.place) == Self.rules("deny"))
  }

  @Test func aStoreHasItsRules() async throws {
    var options = StoreOptions()
    options.declarations = try DeclarationsDocument(
      parsing: Array(Self.rules("nullify").utf8)
    ).declarations
    try ObjectStore.open(
      .directory(repository.path + "/data"), model: ModelDocument(parsing: Array(model.utf8)),
      options: options
    ).close()
    let report = try await recover([.store]) { $0.sources = ["store:\(repository.path)/data"] }
    #expect(report.outcome == .success, "\(report.text(explains: true))")
    #expect(try repository.text(of: Self.place) == Self.rules("nullify"))
  }
}
