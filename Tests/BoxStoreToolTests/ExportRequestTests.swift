import BoxDump
import BoxEngine
import BoxJSON
import BoxModel
import BoxReport
import BoxStorage
import TestSupport
import Testing
import ToolTestSupport

@testable import BoxStoreTool

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Exports to files, and the dumps that they make.
struct ExportRequestTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    let model = TestModel(
      .init(
        name: "Tag", uid: 1001,
        fields: [
          .init("name", 1012, .string, [.unique, .indexHash]), .init("rank", 1013, .int),
        ]))
    let store = try ObjectStore.open(
      .directory(directory.path(of: "data")), model: model.document())
    defer { store.close() }
    let tag = try store.entity(named: "Tag")
    try store.write { transaction in
      for number in 1...1000 {
        var object = DynamicObject(tag)
        object["name"] = .string("tag \(number)")
        object["rank"] = .integer(Int64(number % 10))
        try transaction.put(object)
      }
    }
  }

  private func attributes(_ name: String) throws -> stat {
    var attributes = stat()
    if stat(directory.path(of: name), &attributes) != 0 { throw TestFailure("there is no \(name)") }
    return attributes
  }

  @Test(arguments: ["dump.ndjson", "dump.ndjson.gz", "dump.zst"])
  func filesArePrivateAndWhole(_ name: String) async throws {
    let export = try await directory.export(to: name)
    #expect(export.only(.success, "exported 1,000 objects of 1 entity to \(name)\n"))
    #expect(try attributes(name).st_mode & 0o777 == 0o600)
    let verify = try await directory.verifyDump(name)
    #expect(verify.outcome == .success)
    #expect(verify.text.contains("is complete: 1,000 objects of 1 entity"))
    let diff = try await directory.compareDumps(name, "store:data")
    #expect(diff.only(.success, "no differences\n"))
    // No temporary file is left.
    #expect(directory.names() == ["data", name])
  }

  @Test func aReplacedFileKeepsItsPermissions() async throws {
    try directory.write("old", to: "dump.ndjson")
    chmod(directory.path(of: "dump.ndjson"), 0o640)
    #expect(try await directory.export(to: "dump.ndjson").outcome == .success)
    let attributes = try attributes("dump.ndjson")
    #expect(attributes.st_mode & 0o777 == 0o640)
    #expect(attributes.st_size > 10_000)
  }

  @Test func directoriesAreMadeOrEmpty() async throws {
    let first = try await directory.export(to: "dump") {
      $0.options.shape = .directory
      $0.options.compression = .gzip
    }
    #expect(first.outcome == .success)
    #expect(directory.names(in: "dump") == ["Tag.ndjson.gz", "manifest.json"])
    #expect(try await directory.verifyDump("dump").outcome == .success)
    let second = try await directory.export(to: "dump") { $0.options.shape = .directory }
    #expect(second.outcome == .failed(.impossible))
    #expect(second.messages.contains("the directory is not empty"))
    #expect(directory.names(in: "dump") == ["Tag.ndjson.gz", "manifest.json"])
  }

  @Test func aMistakeIsOneLine() async throws {
    for (change, kind, message) in [
      (
        { $0.options.entities = ["Tags"] }, .usage,
        "the store has no entity Tags; did you mean Tag?"
      ),
      (
        { $0.options.redactions = [.init("Tag.rank", .hash)] }, .usage,
        "hash is for strings"
      ),
      (
        { $0.output = directory.path(of: "no/such/directory.ndjson") }, .inputOutput,
        "no/such/directory.ndjson"
      ),
      ({ $0.output = directory.path }, .inputOutput, "this is a directory"),
    ] as [((inout ExportRequest) -> Void, FailureKind, String)] {
      let run = try await directory.export(to: "dump", change)
      #expect(run.outcome == .failed(kind), "\(run.messages)")
      #expect(run.messages.contains(message), "\(run.messages)")
    }
    #expect(try await directory.export("nowhere", to: "dump").outcome == .failed(.inputOutput))
    #expect(directory.names() == ["data"])
  }

  /// The library names no option: the place is one of the condition, and the remedy is typed.
  @Test(arguments: [
    ("Tag.rnk > 3", 1, "Tag has no property rnk"), ("rank > ", 8, "expected a value"),
  ])
  func aMistakeInAConditionHasItsPlace(condition: String, column: Int, message: String) async throws
  {
    let run = try await directory.export(to: "dump") { $0.options.condition = condition }
    let failure = try #require(run.failure)
    #expect(failure.kind == .usage)
    #expect(failure.remedy == .dump(.correctCondition))
    #expect(failure.path == nil)
    #expect(failure.position?.column == column)
    #expect(failure.message.hasPrefix(message), "\(failure.message)")
  }

  @Test func redactionOfAUniquePropertyWarns() async throws {
    let run = try await directory.export(to: "dump") {
      $0.options.redactions = [.init("Tag.name", .mask)]
    }
    #expect(run.outcome == .success)
    #expect(run.messages.hasPrefix("boxjoint: warning: Tag.name is unique"))
    #expect(!(try directory.text(of: "dump").contains("tag 1")))
  }

  @Test func aChangedDumpIsFoundAndCompared() async throws {
    #expect(try await directory.export(to: "dump").outcome == .success)
    let text = try directory.text(of: "dump")
    try directory.write(text.replacing("\"tag 500\"", with: "\"tag 5OO\""), to: "dump")
    let verify = try await directory.verifyDump("dump")
    #expect(verify.outcome == .findings)
    #expect(verify.text.contains("the checksum of the dump is wrong"))
    let diff = try await directory.compareDumps("dump", "store:data")
    #expect(
      diff.only(
        .findings,
        """
        ~ Tag 500
            name: "tag 5OO" -> "tag 500"
        Tag: 0 added, 0 removed, 1 changed, 999 the same

        """))
    let lines = text.split(separator: "\n")
    try directory.write(
      lines[..<20].joined(separator: "\n") + "\n" + lines[20].prefix(20), to: "cut")
    let cut = try await directory.verifyDump("cut")
    #expect(cut.outcome == .findings)
    #expect(cut.text.contains("the dump is cut off"))
    #expect(try await directory.compareDumps("cut", "store:data").outcome == .failed(.badInput))
    #expect(
      try await directory.verifyDump("data/" + StoreFiles.dataName).outcome == .failed(.badInput))
  }

  @Test(.enabled("needs jsonschema, as scripts/test has it", SchemaValidator.isAvailable))
  func jsonFollowsItsSchemas() async throws {
    #expect(try await directory.export(to: "dump").outcome == .success)
    let lines = try directory.text(of: "dump").split(separator: "\n")
    for line in [lines[0], lines[1], lines[1001]] {
      let found = try await SchemaValidator.violations(
        of: Array(line.utf8), against: "dump-line.schema.json")
      #expect(found == "")
    }
    let verify = try DumpVerificationReport(
      of: directory.path(of: "dump"), limits: DecompressionLimits(), SilentObserver())
    #expect(
      try await SchemaValidator.violations(
        of: Array(verify.json.displayText.utf8), against: "dump-verify.schema.json") == "")
    try directory.write(
      try directory.text(of: "dump").replacing("tag 7\"", with: "t\""), to: "other")
    let diff = try DumpComparison(from: directory.path(of: "dump"), to: directory.path(of: "other"))
      .run(SilentObserver())
    #expect(!diff.isSame)
    #expect(
      try await SchemaValidator.violations(
        of: Array(diff.json.displayText.utf8), against: "dump-diff.schema.json") == "")
    let written = try await directory.export(to: "directory") { $0.options.shape = .directory }
    #expect(written.outcome == .success)
    #expect(
      try await SchemaValidator.violations(
        of: directory.bytes(of: "directory/manifest.json"), against: "dump-manifest.schema.json")
        == "")
  }

  /// Each id in the file that becomes another one is damage for both requests, or for neither.
  @Test func aChangedEntryIsDamageAndNotADifference() async throws {
    try directory.write(
      TestModel(
        .init(
          name: "Person", uid: 1001, fields: [],
          relations: [.init("friends", 4001, to: "Person")])
      ).text, to: "model.json")
    try directory.write(
      """
      {"Person":{"id":11}}
      {"Person":{"id":12}}
      {"Person":{"id":13}}
      {"Person.friends":{"source":11,"targets":[12]}}

      """, to: "people.ndjson")
    let made = try await directory.load("people.ndjson", into: "people") {
      $0.model = directory.path(of: "model.json")
    }
    #expect(made.outcome == .success, "\(made.messages)")
    let whole = try directory.bytes(of: "people/" + StoreFiles.dataName)
    var refused = 0
    for offset in whole.indices where whole[offset] == 12 && offset % 8 == 0 {
      var damaged = whole
      damaged[offset] = 13
      // A file of its own for each, as no program replaces the file of a store that may be open.
      let store = "damaged-\(offset)"
      try directory.write(damaged, to: store + "/" + StoreFiles.dataName)
      let export = try await directory.export(store, to: "\(store).ndjson")
      let diff = try await directory.compareDumps("store:people", "store:" + store)
      if export.outcome == .failed(.badInput) {
        refused += 1
        #expect(diff.outcome == .failed(.badInput), "\(offset): \(diff.text)\(diff.messages)")
      }
    }
    #expect(refused > 0)
  }

  /// Each page of a store in turn is lost; what was on the others is written, trusted or not.
  @Test(arguments: [false, true])
  func theDataOfTheOtherPagesIsSalvaged(_ isTrusted: Bool) async throws {
    let whole = try directory.bytes(of: "data/" + StoreFiles.dataName)
    let page = 4096
    var (complete, partial, refused) = (0, 0, 0)
    for number in stride(from: 2, to: whole.count / page, by: isTrusted ? 5 : 1) {
      let store = "lost-\(number)"
      var damaged = whole
      damaged.replaceSubrange(
        number * page..<(number + 1) * page, with: repeatElement(0, count: page))
      try directory.write(damaged, to: store + "/" + StoreFiles.dataName)
      let export = try await directory.export(store, to: "\(store).ndjson") {
        $0.options.salvages = true
        $0.access.isTrusted = isTrusted
      }
      switch export.outcome {
      case .success: complete += 1
      case .findings:
        partial += 1
        #expect(export.text.contains("pages are damaged (page \(number): "), "\(export.text)")
        #expect(try await directory.verifyDump("\(store).ndjson").outcome == .success)
        // The numbers of written and of missing objects, as they are printed.
        let numbers = ["exported ", "missing: Tag, "].compactMap { words in
          export.text.firstRange(of: words).flatMap { range in
            let number = export.text[range.upperBound...].prefix { $0.isNumber || $0 == "," }
            return Int(number.filter { $0 != "," })
          }
        }
        #expect(numbers.reduce(0, +) == 1000, "\(export.text)")
        // Also without the page that leads to all others.
        #expect(numbers[0] > 900, "\(export.text)")
      default:
        refused += 1
        #expect(export.messages.contains("catalog"), "page \(number): \(export.messages)")
        #expect(!directory.exists("\(store).ndjson"))
      }
    }
    #expect(partial > 4, "\(complete) complete, \(partial) in part, \(refused) refused")
    #expect(isTrusted || (1...2).contains(refused), "\(refused) refused")
  }
}
