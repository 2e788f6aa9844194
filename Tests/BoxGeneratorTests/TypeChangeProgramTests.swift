import BoxGenerator
import BoxModel
import BoxReport
import BoxSources
import TestSupport
import Testing

/// Versions of an app whose properties change their types, compiled and run on each other's stores.
@Suite(.serialized) struct TypeChangeProgramTests {
  private func generate(_ members: [String], _ model: [UInt8]?) async throws -> (String, Generation)
  {
    let source = """
      import BoxStore

      final class Note: Entity {
        var id: Id = 0
      \(members.map { "  \($0)" }.joined(separator: "\n"))
        init() {}
      }

      """
    var request = GeneratorRequest(
      files: [SwiftFile(path: "Note.swift", bytes: Array(source.utf8))], target: "App",
      modelPath: "model-App.json", model: model, bindingsPath: "EntityInfo.generated.swift",
      bindings: nil)
    request.uids = .sequential
    let run = await Generation(request)
    try #require(!run.hasErrors, "\(run.findings.map(\.message))")
    return (source, run)
  }

  private func program(
    _ version: (String, Generation), _ versions: KeptVersions, _ body: String
  ) async throws -> GeneratedProgram {
    let main = """
      import BoxMigration
      import BoxStore
      import BoxStoreMigration

      \(body)

      """
    return try await GeneratedProgram(
      [
        "Note.swift": version.0, "EntityInfo.generated.swift": try #require(version.1.bindings),
        "Versions.generated.swift": String(
          decoding: versions.code(of: "App", .internal), as: UTF8.self), "main.swift": main,
      ], migrates: true)
  }

  /// Changes in which every value has one in the new type, and how that is shown.
  private static let automatic: [(old: String, new: String, value: String, shown: String)] = [
    ("Int32", "Int64", "-2_147_483_648", "-2147483648"), ("UInt8", "Int16", "255", "255"),
    ("Float", "Double", "0.1", "0.10000000149011612"), ("Int16", "Double", "-7", "-7.0"),
    ("Bool", "Int", "true", "1"), ("Int", "String", "-42", "-42"),
    ("Double", "String", "1.5", "1.5"),
    ("String", "[UInt8]", "\"ab\"", "[97, 98]"), ("Int32", "UInt32", "7", "7"),
    ("UInt64", "Int64", "8", "8"),
  ]

  @Test func valuesAreConvertedByAHistory() async throws {
    let old = Self.automatic.enumerated().map {
      "var p\($0.offset): \($0.element.old) = \($0.element.value)"
    }
    let new = Self.automatic.enumerated().map { number, change in
      "// objectbox: convert-type\n  var p\(number): \(change.new)? = nil"
    }
    let first = try await generate(old, nil)
    var versions = KeptVersions()
    var kept = try #require(first.1.version)
    kept.name = "1"
    try versions.keep(kept)
    let second = try await generate(new, first.1.model)
    let writer = try await program(
      first, KeptVersions(),
      """
      let store = try Store(directoryPath: CommandLine.arguments[1])
      try store.box(for: Note.self).put([Note(), Note()])
      store.close()
      """)
    let shown = Self.automatic.indices.map {
      "  values.append(note.p\($0).map { \"\\($0)\" } ?? \"nil\")"
    }
    let reader = try await program(
      second, versions,
      """
      let place = CommandLine.arguments[1]
      do {
        _ = try Store(directoryPath: place)
        print("opened")
      } catch {
        print("refused", "\\(error)".contains("Note.p0"))
      }
      let history = try ModelHistory(StoreModel.appVersions + [("2", .app)])
      print(try Store.pendingMigrations(directory: place, history: history).count)
      var last = 0.0
      let store = try Store.open(directory: place, history: history) { last = $0.fraction }
      print(last)
      for note in try store.box(for: Note.self).all() {
        var values: [String] = []
      \(shown.joined(separator: "\n"))
        print(values.joined(separator: "|"))
      }
      store.close()
      """)
    let place = writer.directory.path(of: "store")
    _ = try await writer.run(place)
    let line = Self.automatic.map(\.shown).joined(separator: "|")
    #expect(try await reader.run(place) == "refused true\n1\n1.0\n\(line)\n\(line)\n")
    // Once more it is the current version; the old app is refused then.
    #expect(try await reader.run(place) == "opened\n0\n0.0\n\(line)\n\(line)\n")
    let refused = try await ProcessRun.of(writer.directory.path(of: "program"), [place])
    #expect(refused.status != 0 && refused.messages.contains("Note.p0"), "\(refused.messages)")
  }

  /// A change that no table knows, and a value that does not fit, throw: the store is never opened without them.
  @Test(arguments: [
    ("Double", "Int"), ("String", "Int"), ("Int64", "Int32"), ("[Float]", "String"),
  ])
  func whatWantsAMappingThrowsWithoutOne(_ old: String, _ new: String) async throws {
    let values = ["Double": "2.5", "String": "\"12\"", "Int64": "5", "[Float]": "[1, 2]"]
    let first = try await generate(["var size: \(old) = \(try #require(values[old]))"], nil)
    let second = try await generate(
      ["// objectbox: convert-type", "var size: \(new)? = nil"], first.1.model)
    var versions = KeptVersions()
    var kept = try #require(first.1.version)
    kept.name = "1"
    try versions.keep(kept)
    let writer = try await program(
      first, KeptVersions(),
      """
      let store = try Store(directoryPath: CommandLine.arguments[1])
      try store.box(for: Note.self).put(Note())
      print(try store.box(for: Note.self).all().map(\\.size))
      store.close()
      """)
    let literal =
      new == "Int"
      ? "source[\"size\"] == .double(2.5) ? .integer(25) : .integer(12)"
      : new == "Int32" ? ".integer(5)" : ".string(\"1,2\")"
    let reader = try await program(
      second, versions,
      """
      let place = CommandLine.arguments[1]
      for history in [
        try ModelHistory(StoreModel.appVersions + [("2", .app)]), try ModelHistory(["2": .app]),
      ] {
        do {
          _ = try Store.open(directory: place, history: history)
          print("opened")
        } catch {
          print("\\(error)".contains("Note.size"))
        }
      }
      let mapping = ModelMapping(
        from: "1", to: "2",
        [
          .transform("Note") { source, output in
            var note = try output.object()
            note["size"] = \(literal)
            try output.put(note)
          }
        ])
      let history = try ModelHistory(StoreModel.appVersions + [("2", .app)])
      let store = try Store.open(directory: place, history: history, mappings: [mapping])
      print(try store.box(for: Note.self).all().map { $0.size.map { "\\($0)" } ?? "nil" })
      store.close()
      """)
    let place = writer.directory.path(of: "store")
    let before = try await writer.run(place)
    let expected = ["Double": "25", "String": "12", "Int64": "5", "[Float]": "1,2"][old] ?? ""
    #expect(try await reader.run(place) == "true\ntrue\n[\"\(expected)\"]\n", "\(before)")
  }
}
