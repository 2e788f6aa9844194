import BoxConvert
import BoxEngine
import BoxModel
import BoxStorage
import TestSupport
import Testing

@testable import BoxModelTool

/// `boxjoint converters` as its users run it.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"))
struct ConvertersCommandTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try CatalogueSample.directory()
  }

  private func run(_ arguments: String...) async throws -> ProcessRun {
    try await runTool(["converters"] + arguments, in: directory.path)
  }

  private func replace(_ old: String, _ new: String) throws {
    let text = try directory.text(of: "converters.yml")
    #expect(text.contains(old))
    let parts = text.split(separator: old, maxSplits: 1, omittingEmptySubsequences: false)
    try directory.write(parts.joined(separator: new), to: "converters.yml")
  }

  @Test func aSoundCatalogueHasNoProblems() async throws {
    let run = try await run("check", "model.json")
    #expect(run.status == 0)
    #expect(run.text == "no problems in 1 file\n")
  }

  @Test func findingsAreOnTheirStreams() async throws {
    try replace("admin: 2", "admin: 300")
    let run = try await run("check", "model.json")
    #expect(run.status == 1)
    #expect(run.messages.isEmpty)
    #expect(run.text.hasPrefix("converters.yml:7:7: error: User.role: the raw value 300 of admin"))
    #expect(run.text.hasSuffix("1 error in 1 file\n"))
    let json = try await self.run("check", "model.json", "--format", "json")
    #expect(json.status == 1)
    #expect(json.text.hasPrefix("{"))
  }

  @Test func invalidCataloguesAreFindingsOfCheckAndErrorsElsewhere() async throws {
    try replace("type: enum", "type: enun")
    let check = try await run("check")
    #expect(check.status == 65)
    #expect(check.text.hasPrefix("converters.yml:3:11: error: there is no converter 'enun'"))
    let lock = try await run("lock")
    #expect(lock.status == 78)
    #expect(lock.messages.hasPrefix("boxjoint: converters.yml:3:11: there is no converter 'enun'"))
  }

  /// A report would take the place of the catalogue that is to be corrected.
  @Test func anOutputMustNotBeTheCatalogueEvenIfThatIsInvalid() async throws {
    try directory.write("a: [", to: "converters.yml")
    let run = try await run("check", "--output", "sarif=converters.yml")
    #expect(run.status == 64)
    #expect(run.messages.hasPrefix("boxjoint: converters.yml: "), "\(run.messages)")
    #expect(try directory.text(of: "converters.yml") == "a: [")
  }

  @Test func withoutACatalogueThereIsOneLine() async throws {
    let run = try await run("check", "--catalogue", "none.yml")
    #expect(run.status == 74)
    #expect(run.messages.split(separator: "\n").count == 1)
    let other = try TemporaryDirectory()
    let nothing = try await runTool(["converters", "lock"], in: other.path)
    #expect(nothing.status == 74)
    #expect(nothing.messages.hasPrefix("boxjoint: there is no catalogue"))
  }

  @Test func theLockIsAnnouncedAndARefusalIsOnStandardError() async throws {
    let lock = try await run("lock")
    #expect(lock.status == 0)
    #expect(lock.text.isEmpty)
    #expect(lock.messages == "wrote converters.lock\n")
    #expect(try await run("lock").messages == "")
    try replace("      admin: 2\n", "")
    let refused = try await run("lock")
    #expect(refused.status == 1)
    #expect(refused.text.isEmpty)
    #expect(refused.messages.contains("BOX821"))
  }

  @Test func theScanHasItsStatuses() async throws {
    let store = try ObjectStore.open(
      .directory(directory.path(of: "data")),
      model: ModelDocument(parsing: Array(CatalogueSample.model.utf8)))
    let user = try store.entity(named: "User")
    func put(_ role: Value) throws {
      var object = DynamicObject(user)
      object["role"] = role
      try store.write { try $0.put(object) }
    }
    try put(0)
    #expect(try await run("scan", "--store", "data").status == 0)
    try put(7)
    let scan = try await run("scan", "--store", "data")
    #expect(scan.status == 1)
    #expect(scan.text.hasPrefix("PROPERTY     KNOWN  UNKNOWN"), "\(scan.text)")
    try replace("type: enum", "type: uuid #")
    #expect(try await run("scan", "--store", "none").status == 78)
    try directory.write("properties: { User.role: uuid }", to: "converters.yml")
    #expect(try await run("scan", "--store", "data").status == 2)
    #expect(try await run("scan", "--store", "none").status == 74)
  }
}

/// The catalogues of docs/converters.md are ones.
struct DocumentedCataloguesTests {
  @Test func everyExampleIsRead() throws {
    let package = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let source = try SourceFile.read("\(package)/docs/converters.md")
    let parts = String(decoding: source.bytes, as: UTF8.self).split(separator: "```")
    let examples = parts.filter { $0.hasPrefix("yaml\n") }
    #expect(examples.count == 3)
    for example in examples {
      let text = example.dropFirst("yaml\n".count)
      let node = try #require(try YAMLReader.read(Array(text.utf8))?.catalogueNode)
      let catalogue = try Catalogue(node)
      #expect(!catalogue.isEmpty)
      #expect(try Catalogue(catalogue.json).bindings.count == catalogue.bindings.count)
    }
  }
}

/// The types of plain scalars are those of the core schema of YAML 1.2.
struct YAMLCatalogueTests {
  @Test(
    arguments: [
      ("1", .integer(1)), ("-1", .integer(-1)), ("+1", .integer(1)), ("0x1F", .integer(31)),
      ("0o17", .integer(15)), ("18446744073709551615", .integer(18_446_744_073_709_551_615)),
      ("1.5", .number(1.5)), ("1e3", .number(1000)), (".5", .number(0.5)), ("true", .bool(true)),
      ("False", .bool(false)), ("~", .null), ("null", .null), ("no", .text("no")),
      ("yes", .text("yes")), ("'1'", .text("1")), ("\"true\"", .text("true")),
      ("1_000", .text("1_000")), ("0x", .text("0x")), ("0x-1", .text("0x-1")), ("e5", .text("e5")),
      ("nan", .text("nan")), ("2024-02-29", .text("2024-02-29")), ("1 2", .text("1 2")),
    ] as [(String, CatalogueNode.Content)])
  func plainScalarsHaveTheirType(_ text: String, _ content: CatalogueNode.Content) throws {
    let node = try YAMLReader.read(Array("a: \(text)\n".utf8))?.catalogueNode
    guard case .mapping(let members)? = node?.content else {
      Issue.record("no mapping")
      return
    }
    #expect(members.first?.value.content == content)
  }
}
