import BoxConvert
import BoxEngine
import BoxModel
import BoxStorage
import TestSupport
import Testing

@testable import BoxTool

/// `boxjoint converters` as its users run it.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built"))
struct ConvertersCommandTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(Self.model, to: "model.json")
    try folder.write(Self.catalogue, to: "converters.yml")
  }

  private func run(_ arguments: String...) async throws -> ProcessRun {
    try await runTool(["converters"] + arguments, in: folder.path)
  }

  private func replace(_ old: String, _ new: String) throws {
    let text = try folder.text(of: "converters.yml")
    #expect(text.contains(old))
    let parts = text.split(separator: old, maxSplits: 1, omittingEmptySubsequences: false)
    try folder.write(parts.joined(separator: new), to: "converters.yml")
  }

  @Test func aSoundCatalogueHasNoProblems() async throws {
    let run = try await run("check", "model.json")
    #expect(run.status == 0)
    #expect(run.text == "no problems in 1 file\n")
  }

  @Test func findingsShowTheLineInTheCatalogue() async throws {
    try replace("admin: 2", "admin: 300")
    let run = try await run("check", "model.json")
    #expect(run.status == 1)
    #expect(
      run.text == """
        converters.yml:7:7: error: User.role: the raw value 300 of admin is no value of type byte \
        [BOX805 raw-value-out-of-range]
                admin: 300
                ^~~~~
        1 error in 1 file

        """)
  }

  @Test(
    .enabled("needs jsonschema, as scripts/test has it", SchemaValidator.isAvailable),
    arguments: ["json", "github", "sarif", "junit", "markdown"])
  func findingsComeInEveryFormat(_ format: String) async throws {
    try replace("User.role", "User.rol")
    let run = try await run("check", "model.json", "--format", format)
    #expect(run.status == 1)
    #expect(run.text.contains("BOX803"))
    if format == "json" {
      #expect(
        try await SchemaValidator.violations(of: run.output, against: "findings.schema.json") == "")
    }
  }

  @Test func whatIsNoCatalogueIsAFindingOfCheckAndAnErrorElsewhere() async throws {
    try replace("type: enum", "type: enun")
    let check = try await run("check")
    #expect(check.status == 65)
    #expect(check.text.hasPrefix("converters.yml:3:11: error: there is no converter 'enun'"))
    let lock = try await run("lock")
    #expect(lock.status == 78)
    #expect(lock.messages.hasPrefix("boxjoint: converters.yml:3:11: there is no converter 'enun'"))
    try folder.write("a: [", to: "converters.yml")
    let broken = try await run("check")
    #expect(broken.status == 65)
    #expect(broken.text.contains("[BOX801 not-a-catalogue]"))
  }

  @Test func withoutACatalogueThereIsOneLine() async throws {
    let run = try await runTool(
      ["converters", "check", "--catalogue", "none.yml"], in: folder.path)
    #expect(run.status == 74)
    #expect(run.messages.split(separator: "\n").count == 1)
    let other = try TemporaryFolder()
    let nothing = try await runTool(["converters", "lock"], in: other.path)
    #expect(nothing.status == 74)
    #expect(nothing.messages.hasPrefix("boxjoint: there is no catalogue"))
  }

  @Test func theCatalogueCanBeAPartOfTheConfiguration() async throws {
    let lines = try folder.text(of: "converters.yml").split(
      separator: "\n", omittingEmptySubsequences: false)
    let inner = lines.map { $0.isEmpty ? "" : "  " + $0 }.joined(separator: "\n")
    try folder.write("converters:\n" + inner, to: ".boxjoint.yml")
    #expect(try await run("check", "model.json").status == 0)
    try folder.write(
      "converters:\n" + inner.replacing("admin: 2", with: "admin: 300"), to: ".boxjoint.yml")
    let found = try await run("check", "model.json")
    #expect(found.status == 1)
    #expect(found.text.hasPrefix(".boxjoint.yml:8:9: error: User.role: the raw value 300"))
    try folder.write("converters: enums/all.yml\n", to: ".boxjoint.yml")
    try folder.write(Self.catalogue, to: "enums/all.yml")
    #expect(try await run("check", "model.json").text == "no problems in 1 file\n")
    #expect(try await run("lock").status == 0)
    #expect(folder.exists("enums/converters.lock"))
  }

  @Test(.enabled("needs jsonschema, as scripts/test has it", SchemaValidator.isAvailable))
  func theLockSeesWhatChanges() async throws {
    let lock = try await run("lock")
    #expect(lock.status == 0)
    #expect(lock.messages == "wrote converters.lock\n")
    #expect(try await run("lock").messages == "")
    #expect(
      try await SchemaValidator.violations(
        of: folder.bytes(of: "converters.lock"), against: "converters-lock.schema.json") == "")
    #expect(try await run("check", "model.json").status == 0)
    try replace("      admin: 2\n", "")
    let removed = try await run("check", "model.json")
    #expect(removed.status == 1)
    #expect(removed.text.contains("admin of User.role (raw value 2) is gone and not retired"))
    let before = try folder.text(of: "converters.lock")
    let refused = try await run("lock")
    #expect(refused.status == 1)
    #expect(refused.messages.contains("BOX821"))
    #expect(try folder.text(of: "converters.lock") == before)
    try replace("    default: reader", "    default: reader\n    retired: { admin: 2 }")
    #expect(try await run("check", "model.json").status == 0)
    #expect(try await run("lock").status == 0)
    #expect(try folder.text(of: "converters.lock") != before)
    try replace("reader: 0", "reader: 7")
    #expect(try await run("lock", "--force").status == 0)
    #expect(try await run("check").status == 0)
  }

  @Test func aLockThatIsNoneIsOneLine() async throws {
    try folder.write("{", to: "converters.lock")
    let run = try await run("check")
    #expect(run.status == 65)
    #expect(run.messages.hasPrefix("boxjoint: converters.lock:1:2: "))
  }

  @Test(.enabled("needs jsonschema, as scripts/test has it", SchemaValidator.isAvailable))
  func theScanCountsAndShowsExamples() async throws {
    let store = try ObjectStore.open(
      .directory(folder.path(of: "data")), model: ModelDocument(parsing: Array(Self.model.utf8)))
    let user = try store.entity(named: "User")
    try store.write { transaction in
      for role in [0, 1, 2, 2, 7, 7] as [Value] {
        var object = DynamicObject(user)
        object["role"] = role
        object["joined"] = 1_709_208_000_000
        try transaction.put(object)
      }
      try transaction.put(DynamicObject(user))
    }
    let scan = try await run("scan", "--store", "data")
    #expect(scan.status == 1)
    #expect(
      scan.text == """
        PROPERTY     KNOWN  UNKNOWN  MALFORMED  MISSING
        User.role        4        2          0        1
        User.joined      6        0          0        1

        User.role: one of reader, author, admin
          unknown 7 in 2 objects, first User 5

        """)
    let json = try await run("scan", "--store", "data", "--format", "json")
    #expect(json.status == 1)
    #expect(
      try await SchemaValidator.violations(
        of: json.output, against: "converter-scan.schema.json") == "")
    try store.write { transaction in
      for id in [5, 6] as [UInt64] { try transaction.remove(user, id) }
    }
    #expect(try await run("scan", "--store", "data").status == 0)
    try replace("type: enum", "type: uuid #")
    #expect(try await run("scan", "--store", "data").status == 78)
    #expect(try await run("scan", "--store", "none").status == 78)
    try folder.write("properties: { User.role: uuid }", to: "converters.yml")
    let unfit = try await run("scan", "--store", "data")
    #expect(unfit.status == 2)
    #expect(unfit.messages.hasPrefix("boxjoint: converters.yml:1:26: User.role: a converter of"))
    #expect(try await run("scan", "--store", "none").status == 74)
  }

  private static let catalogue = """
    properties:
      User.role:
        type: enum
        values:
          reader: 0
          author: 1
          admin: 2
        default: reader
      User.joined: date

    """

  private static let model = #"""
    {
      "entities": [
        {
          "id": "1:1000", "lastPropertyId": "3:1003", "name": "User",
          "properties": [
            { "id": "1:1001", "name": "id", "type": 6, "flags": 1 },
            { "id": "2:1002", "name": "role", "type": 2 },
            { "id": "3:1003", "name": "joined", "type": 10 }
          ],
          "relations": []
        }
      ],
      "lastEntityId": "1:1000", "lastIndexId": "0:0", "lastRelationId": "0:0",
      "lastSequenceId": "0:0", "modelVersion": 5, "modelVersionParserMinimum": 5,
      "retiredEntityUids": [], "retiredIndexUids": [], "retiredPropertyUids": [],
      "retiredRelationUids": [], "version": 1
    }
    """#
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
