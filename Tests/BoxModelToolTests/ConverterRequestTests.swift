import BoxConvert
import BoxJSON
import BoxModel
import BoxReport
import TestSupport
import Testing
import ToolTestSupport

@testable import BoxModelTool

/// Catalogues that are checked and locked by calls.
struct ConverterRequestTests {
  private let directory: TemporaryDirectory
  private let observer = RecordingObserver()

  init() throws {
    directory = try CatalogueSample.directory()
  }

  private var place: Workspace {
    Workspace(git: GitClient(in: directory.path), directory: directory.path, observer: observer)
  }

  private func check(_ change: (inout ConverterCheckRequest) -> Void = { _ in }) async throws
    -> ConverterCheckReport
  {
    var request = ConverterCheckRequest(directory.path(of: "model.json"))
    change(&request)
    return try await request.run(in: place)
  }

  private func text(_ check: ConverterCheckReport) -> String {
    check.report.render(.text).replacing(directory.path + "/", with: "")
  }

  private func replace(_ old: String, _ new: String) throws {
    let text = try directory.text(of: "converters.yml")
    #expect(text.contains(old))
    let parts = text.split(separator: old, maxSplits: 1, omittingEmptySubsequences: false)
    try directory.write(parts.joined(separator: new), to: "converters.yml")
  }

  @Test func findingsShowTheLineInTheCatalogue() async throws {
    try replace("admin: 2", "admin: 300")
    let found = try await check()
    #expect(found.outcome == .findings)
    #expect(
      text(found) == """
        converters.yml:7:7: error: User.role: the raw value 300 of admin is not a value of type byte \
        [BOX805 raw-value-out-of-range]
                admin: 300
                ^~~~~
        1 error in 1 file

        """)
  }

  @Test(
    .enabled("needs jsonschema, as scripts/test has it", SchemaValidator.isAvailable),
    arguments: [ReportFormat.json, .github, .sarif, .junit, .markdown])
  func findingsComeInEveryFormat(_ format: ReportFormat) async throws {
    try replace("User.role", "User.rol")
    let found = try await check()
    #expect(found.outcome == .findings)
    let text = found.report.render(format)
    #expect(text.contains("BOX803"))
    if format == .json {
      #expect(
        try await SchemaValidator.violations(of: Array(text.utf8), against: "findings.schema.json")
          == "")
    }
  }

  @Test func invalidCataloguesAreFindingsOfCheckAndErrorsElsewhere() async throws {
    try replace("type: enum", "type: enun")
    let found = try await check { $0.model = nil }
    #expect(found.outcome == .failed(.badInput))
    #expect(text(found).hasPrefix("converters.yml:3:11: error: there is no converter 'enun'"))
    let failure = #expect(throws: CommandFailure.self) {
      try ConverterLockRequest().run(in: place)
    }
    #expect(failure?.kind == .badConfiguration)
    #expect(failure?.path == directory.path(of: "converters.yml"))
    #expect(failure?.position?.line == 3)
    #expect(failure?.message.hasPrefix("there is no converter 'enun'") ?? false)
    try directory.write("a: [", to: "converters.yml")
    let broken = try await check { $0.model = nil }
    #expect(broken.outcome == .failed(.badInput))
    #expect(text(broken).contains("[BOX801 not-a-catalogue]"))
  }

  @Test func anOutputIsNotReadAsInput() async throws {
    for (name, content) in [
      ("converters.yml", nil), ("model.json", nil), ("converters.yml", "a: ["),
    ] {
      if let content { try directory.write(content, to: name) }
      let before = try directory.text(of: name)
      let failure = await #expect(throws: CommandFailure.self) {
        try await check { $0.outputs = [directory.path(of: name)] }
      }
      #expect(failure?.kind == .usage)
      #expect(try directory.text(of: name) == before)
    }
  }

  @Test func theCatalogueCanBeAPartOfTheConfiguration() async throws {
    let lines = try directory.text(of: "converters.yml").split(
      separator: "\n", omittingEmptySubsequences: false)
    let inner = lines.map { $0.isEmpty ? "" : "  " + $0 }.joined(separator: "\n")
    try directory.write("converters:\n" + inner, to: ".boxjoint.yml")
    #expect(try await check().outcome == .success)
    try directory.write(
      "converters:\n" + inner.replacing("admin: 2", with: "admin: 300"), to: ".boxjoint.yml")
    let found = try await check()
    #expect(found.outcome == .findings)
    #expect(text(found).hasPrefix(".boxjoint.yml:8:9: error: User.role: the raw value 300"))
    try directory.write("converters: enums/all.yml\n", to: ".boxjoint.yml")
    try directory.write(CatalogueSample.catalogue, to: "enums/all.yml")
    #expect(text(try await check()) == "no problems in 1 file\n")
    _ = try ConverterLockRequest().run(in: place)
    #expect(directory.exists("enums/all.lock"))
  }

  /// Earlier versions wrote `converters.lock` beside a catalogue of any name; that of `converters.yml` is
  /// its own.
  @Test func aLockHasTheNameOfItsCatalogue() throws {
    try directory.write(CatalogueSample.catalogue, to: "enums/all.yml")
    let choice = CatalogueChoice(directory.path(of: "enums/all.yml"))
    func written() throws -> String? {
      guard case .written(let path) = try ConverterLockRequest(choice).run(in: place) else {
        return nil
      }
      return path
    }
    #expect(try written() == directory.path(of: "enums/all.lock"))
    try directory.write(try directory.text(of: "enums/all.lock"), to: "enums/converters.lock")
    directory.removeEverything("enums/all.lock")
    #expect(try written() == nil)
    #expect(!directory.exists("enums/all.lock"))
    try directory.write(CatalogueSample.catalogue, to: "enums/converters.yml")
    #expect(try written() == directory.path(of: "enums/all.lock"))
  }

  @Test(.enabled("needs jsonschema, as scripts/test has it", SchemaValidator.isAvailable))
  func theLockSeesWhatChanges() async throws {
    guard case .written(let path) = try ConverterLockRequest().run(in: place) else {
      Issue.record("not written")
      return
    }
    #expect(path == directory.path(of: "converters.lock"))
    guard case .unchanged = try ConverterLockRequest().run(in: place) else {
      Issue.record("written again")
      return
    }
    #expect(
      try await SchemaValidator.violations(
        of: directory.bytes(of: "converters.lock"), against: "converters-lock.schema.json") == "")
    #expect(try await check().outcome == .success)
    try replace("      admin: 2\n", "")
    let removed = try await check()
    #expect(removed.outcome == .findings)
    #expect(
      text(removed).contains("admin of User.role (raw value 2) was removed and is not retired"))
    let before = try directory.text(of: "converters.lock")
    guard case .refused(let report) = try ConverterLockRequest().run(in: place) else {
      Issue.record("not refused")
      return
    }
    #expect(report.findings.contains { $0.rule.id == "BOX821" })
    #expect(try directory.text(of: "converters.lock") == before)
    try replace("    default: reader", "    default: reader\n    retired: { admin: 2 }")
    #expect(try await check().outcome == .success)
    _ = try ConverterLockRequest().run(in: place)
    #expect(try directory.text(of: "converters.lock") != before)
    try replace("reader: 0", "reader: 7")
    var forced = ConverterLockRequest()
    forced.isForced = true
    guard case .written = try forced.run(in: place) else {
      Issue.record("not written by force")
      return
    }
    #expect(try await check { $0.model = nil }.outcome == .success)
  }

  @Test func anInvalidLockIsRefusedWithItsPlace() async throws {
    try directory.write("{", to: "converters.lock")
    let failure = await #expect(throws: CommandFailure.self) { try await check() }
    #expect(failure?.kind == .badInput)
    #expect(failure?.path == directory.path(of: "converters.lock"))
    #expect(failure?.position?.line == 1)
    #expect(failure?.position?.column == 2)
  }
}
