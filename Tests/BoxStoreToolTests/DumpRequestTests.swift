import BoxDump
import BoxReport
import TestSupport
import Testing
import ToolTestSupport

@testable import BoxStoreTool

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Dumps that are not as they were written, and converters of dumps.
struct DumpRequestTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try ImportSample.directory()
    try directory.write(
      (1...5).map { "{\"id\":\($0),\"email\":\"e\($0)\",\"age\":\($0 % 2)}\n" }.joined(),
      to: "five.ndjson")
  }

  private func makeStore() async throws {
    let run = try await directory.loadPeople("five.ndjson") { $0.catalogue = nil }
    #expect(run.outcome == .success, "\(run.messages)")
  }

  private func export(
    to output: String, _ change: (inout ExportRequest) -> Void = { _ in }
  ) async throws {
    let run = try await directory.export(to: output, change)
    #expect(run.outcome == .success, "\(run.messages)")
  }

  // MARK: - Directories

  @Test func filesOfADirectoryArePlainOnes() async throws {
    try await makeStore()
    try await export(to: "dump") { $0.options.shape = .directory }
    #expect(rename(directory.path(of: "dump/Person.ndjson"), directory.path(of: "moved")) == 0)
    #expect(symlink("../moved", directory.path(of: "dump/Person.ndjson")) == 0)
    for kind in ["symbolic link", "plain file"] {
      let load = try await directory.load("dump", into: "copy")
      #expect(load.outcome == .failed(.badInput))
      #expect(load.messages.hasPrefix("boxjoint: dump/Person.ndjson: "), "\(load.messages)")
      #expect(load.messages.contains(kind), "\(load.messages)")
      #expect(!directory.exists("copy"))
      let verify = try await directory.verifyDump("dump")
      #expect(verify.outcome == .findings)
      #expect(verify.text.contains(kind))
      #expect(unlink(directory.path(of: "dump/Person.ndjson")) == 0)
      #expect(mkfifo(directory.path(of: "dump/Person.ndjson"), 0o600) == 0)
    }
  }

  // MARK: - Files that are not dumps

  @Test func aFileThatIsNotADumpIsRefused() async throws {
    try await makeStore()
    try directory.write("", to: "empty")
    try directory.write("", to: "nothing/x")
    for (name, kind, message) in [
      (
        "data", .badInput,
        "boxjoint: data: is a store, not a dump; check it with `boxjoint store verify data`, or export it "
          + "with `boxjoint export --store data`"
      ),
      (
        "nothing", .badInput,
        "boxjoint: nothing: has no manifest.json, so it is not a complete dump"
      ),
      ("empty", .badInput, "boxjoint: empty:1:1: this is not a dump"),
      ("gone", .inputOutput, "boxjoint: gone: cannot be opened"),
    ] as [(String, FailureKind, String)] {
      let verify = try await directory.verifyDump(name)
      #expect(verify.outcome == .failed(kind), "\(verify.messages)")
      #expect(verify.messages.contains(message), "\(verify.messages)")
    }
    let export = try await directory.export("nowhere", to: "dump")
    #expect(export.outcome == .failed(.inputOutput))
    #expect(export.messages == "boxjoint: nowhere: there is no store in nowhere\n")
  }

  @Test func aDumpInAnotherLayoutIsStillADump() async throws {
    try await makeStore()
    try await export(to: "dump") { $0.options.shape = .document }
    let text = try directory.text(of: "dump")
    let indented = text.replacing("\n", with: "\n  ")
    try directory.write("{\n  " + indented.dropFirst(), to: "pretty")
    let verify = try await directory.verifyDump("pretty")
    #expect(verify.outcome == .failed(.impossible))
    #expect(verify.messages.contains("the layout of the dump was changed"))
    let load = try await directory.load("pretty", into: "copy")
    #expect(load.outcome == .success, "\(load.messages)")
  }

  // MARK: - Converters

  private func writeCatalogue(_ property: String = "age") throws {
    try directory.write(
      "properties:\n  Person.\(property): { type: enum, values: { even: 0, odd: 1 } }\n",
      to: "converters.yml")
  }

  @Test func aStoreIsComparedWithTheConvertersOfTheDump() async throws {
    try await makeStore()
    try writeCatalogue()
    try await export(to: "dump")
    #expect(try directory.text(of: "dump").contains(#""age":"odd""#))
    let same = try await directory.compareDumps("dump", "store:data")
    #expect(same.outcome == .success, "\(same.messages)")
    #expect(same.text == "no differences\n", "\(same.messages)")
    // Entities and properties are paired by UID, converters go by the names of the dump.
    try directory.write("{\"id\":1,\"email\":\"e1\",\"years\":0}", to: "one")
    let change = try await directory.loadPeople("one") {
      $0.model = directory.path(of: "newer.json")
      $0.options.mode = .upsert
      $0.catalogue = nil
    }
    #expect(change.outcome == .success, "\(change.messages)")
    let diff = try await directory.compareDumps("dump", "store:data")
    #expect(diff.outcome == .findings)
    #expect(
      diff.text == """
        only data has the property Person.town
        ~ Person 1
            age: "odd" -> "even"
        Person: 0 added, 0 removed, 1 changed, 4 the same

        """)
  }

  @Test func aCatalogueThatDoesNotFitIsRefusedWhereItIsNamed() async throws {
    try await makeStore()
    try writeCatalogue("aeg")
    let catalogue = CatalogueChoice(directory.path(of: "converters.yml"))
    let named = try await directory.export(to: "dump") { $0.catalogue = catalogue }
    #expect(named.outcome == .failed(.badConfiguration))
    #expect(
      named.messages.hasPrefix("boxjoint: converters.yml:2:3: Person has no property aeg"),
      "\(named.messages)")
    #expect(!directory.exists("dump"))
    let found = try await directory.export(to: "dump")
    #expect(found.outcome == .success)
    #expect(found.messages.contains("warning: Person has no property aeg"))
    let load = try await directory.load("five.ndjson", into: "copy") {
      $0.model = directory.path(of: "model.json")
      $0.options.entity = "Person"
      $0.catalogue = catalogue
    }
    #expect(load.outcome == .failed(.badConfiguration))
    #expect(!directory.exists("copy"))
  }

  @Test func aCatalogueOfAnotherModelIsOneWarning() async throws {
    try await makeStore()
    let entries = (1...50).map { "  Other\($0).x: { type: enum, values: { a: 0 } }\n" }
    try directory.write("properties:\n" + entries.joined(), to: "converters.yml")
    let export = try await directory.export(to: "dump")
    #expect(export.outcome == .success, "\(export.messages)")
    let warnings = export.messages.split(separator: "\n").filter { $0.contains("warning: ") }
    #expect(
      warnings == [
        "boxjoint: converters.yml:2:3: warning: the model has no entity Other1, and 49 more entries "
          + "of the catalogue do not fit the model"
      ])
  }

  @Test func anImportTakesTheCatalogueThatAnExportTakes() async throws {
    try writeCatalogue()
    try directory.write("{\"id\":1,\"email\":\"a\",\"age\":\"odd\"}", to: "one")
    let load = try await directory.loadPeople("one")
    #expect(load.outcome == .success, "\(load.messages)")
    try await export(to: "dump") { $0.catalogue = nil }
    #expect(try directory.text(of: "dump").contains(#""age":1,"#))
    try directory.write("{\"id\":2,\"email\":\"b\",\"age\":\"odd\"}", to: "two")
    let raw = try await directory.loadPeople("two") { $0.catalogue = nil }
    #expect(raw.outcome == .failed(.badInput))
    // A dump has a note that its values are raw.
    let copy = try await directory.load("dump", into: "copy")
    #expect(copy.outcome == .success, "\(copy.messages)")
    #expect(try await directory.compareDumps("dump", "store:copy").text == "no differences\n")
  }

  @Test func theConfigurationNamesTheCatalogue() async throws {
    func report() async throws -> ConfigurationReport {
      try await .read(EffectiveConfiguration.Options(), in: directory.place())
    }
    #expect(try await report().text.contains("converters\n  (none)\n"))
    try writeCatalogue()
    #expect(
      try await report().text.replacing(directory.path + "/", with: "")
        .contains("converters\n  converters.yml\n"))
    try directory.write("converters: enums.yml\n", to: ".boxjoint.yml")
    #expect(
      try await report().json.displayText.replacing(directory.path + "/", with: "")
        .contains(#""converters": "enums.yml""#))
  }

  @Test func oneIsNotAPlural() async throws {
    try directory.write(
      ImportSample.model.replacing(
        #""relations":[]"#,
        with: #""relations":[{"id":"1:4001","name":"friends","targetId":"1:1001"}]"#
      ).replacing(#""lastRelationId":"0:0""#, with: #""lastRelationId":"1:4001""#),
      to: "related.json")
    try directory.write(
      """
      {"Person":{"id":1,"email":"a"}}
      {"Person.friends":{"source":1,"targets":[1]}}

      """, to: "one")
    let load = try await directory.load("one") { $0.model = directory.path(of: "related.json") }
    #expect(load.outcome == .success, "\(load.messages)")
    #expect(load.text == "Person: 1 added\nPerson.friends: 1 entry\n")
  }
}
