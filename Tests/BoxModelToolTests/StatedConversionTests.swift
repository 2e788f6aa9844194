import BoxModel
import BoxReport
import TestSupport
import Testing
import ToolTestSupport

@testable import BoxModelTool

/// Properties that keep their UIDs under other types, in repositories that say if stores convert them (BOX205).
struct StatedConversionTests {
  private let repository: TemporaryRepository
  private let name = "model.json"
  private let types: [PropertyType] = [.int, .long, .string]

  init() async throws {
    repository = try await TemporaryRepository()
    var editor = ModelEditor(Model(), uids: .sequential)
    try editor.addEntity(EntityDraft("Note", properties: [.id(), PropertyDraft("size", .int)]))
    try await commit(editor.model, "base")
    try await repository.git("tag", "v1")
  }

  private func commit(_ model: Model, _ message: String) async throws {
    let start = try ModelDocument(parsing: ModelDocument.newFile)
    try repository.write(String(decoding: start.rendered(model), as: UTF8.self), to: name)
    try await repository.git("add", "-A")
    try await repository.git("commit", "-q", "-m", message)
  }

  private var model: Model {
    get throws { try ModelDocument(parsing: Array(try repository.text(of: name).utf8)).model }
  }

  /// Commits a version in which the size has another type.
  private func convert(to type: PropertyType) async throws {
    var editor = ModelEditor(try model, uids: .random)
    try editor.convertType(type, of: editor.element(named: "Note.size"))
    try await commit(editor.model, "to \(type)")
  }

  private func check(
    against: String, approves: Bool = false
  ) async throws -> (outcome: ReportOutcome, findings: [Finding]) {
    var request = CheckRequest([repository.path + "/" + name])
    request.against = against
    (request.fixes, request.approvesResets) = (approves, approves)
    let report = try await request.run(in: repository.place())
    return (report.outcome, report.report.findings.filter { $0.rule.id == "BOX205" })
  }

  @Test func aStatedConversionIsSilent() async throws {
    try await convert(to: .long)
    let found = try await check(against: "v1")
    #expect(found.outcome == .findings && found.findings.count == 1)
    #expect(
      found.findings.first?.advice?.contains("boxjoint check --against v1 --fix --approve")
        ?? false, "\(found.findings)")
    let before = try repository.text(of: name)
    #expect(try await check(against: "v1", approves: true).findings.isEmpty)
    #expect(try repository.text(of: name) == before)
    let list = try repository.text(of: ApprovalList.fileName)
    #expect(list.contains("\"element\": \"Note.size\"") && list.contains("\"to\": \"long\""))
    #expect(try await check(against: "v1").findings.isEmpty)
  }

  /// A version is compared with any earlier one: the statements of all releases between count together.
  @Test func conversionsInARowAreSilent() async throws {
    for (number, type) in types.enumerated().dropFirst() {
      try await convert(to: type)
      _ = try await check(against: "v\(number)", approves: true)
      try await repository.git("add", "-A")
      try await repository.git("commit", "-q", "-m", "approve")
      try await repository.git("tag", "v\(number + 1)")
    }
    for number in 1...3 {
      #expect(try await check(against: "v\(number)").findings.isEmpty, "v\(number)")
    }
    // Neither back, nor to a type that nobody stated.
    for type in [PropertyType.int, .double] {
      try await convert(to: type)
      #expect(try await check(against: "v3").findings.count == 1, "\(type)")
    }
  }

  /// The list, written and read, is the list; of another model it says nothing.
  @Test func aStatementIsAboutOnePropertyOfOneModel() async throws {
    let uid = try model.entities[0].properties[1].pair.uid
    try await convert(to: .long)
    for (uid, from, to, file) in [
      (uid, PropertyType.int, PropertyType.long, "other.json"), (uid + 1, .int, .long, name),
      (uid, .short, .long, name), (uid, .int, .double, name),
    ] {
      let list = ApprovalList(conversions: [
        StatedConversion(element: "Note.size", uid: uid, from: from, to: to, file: file)
      ])
      #expect(try ApprovalList(parsing: Array(list.text.utf8)) == list)
      try repository.write(list.text, to: ApprovalList.fileName)
      #expect(try await check(against: "v1").findings.count == 1)
    }
  }

  @Test(arguments: [
    #"{"file":"a","uid":"0","from":"int","to":"long"}"#,
    #"{"file":"a","uid":"7","from":"int","to":"longer"}"#, #"{"file":"a","uid":"7","from":"int"}"#,
  ])
  func damagedStatementsAreNamed(_ statement: String) async throws {
    let text = #"{"schemaVersion":1,"approvals":[],"conversions":[\#(statement)]}"#
    #expect(throws: PlanFileError.self) { try ApprovalList(parsing: Array(text.utf8)) }
  }
}
