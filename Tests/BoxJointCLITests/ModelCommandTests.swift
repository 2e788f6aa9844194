import TestSupport
import Testing

/// `boxjoint model` as a program: its wiring, its streams and its exit statuses.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"))
struct ModelCommandTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func run(_ arguments: String...) async throws -> ProcessRun {
    try await ProcessRun.of(try #require(Tool.path), arguments, in: directory.path)
  }

  @Test func editsOneAfterTheOther() async throws {
    #expect(try await run("model", "new", "model.json", "Film", "Person").status == 0)
    #expect(
      try await run("model", "add-property", "model.json", "Film.year", "long", "--indexed").status
        == 0)
    #expect(
      try await run("model", "add-relation", "model.json", "Film.cast", "Person", "--many").status
        == 0)
    #expect(try await run("check", "model.json").status == 0)
    let dry = try await run("model", "remove", "model.json", "Film.year", "--dry-run")
    #expect(dry.status == 0)
    #expect(dry.text.hasSuffix("dry run: model.json was not written\n"))
    let refused = try await run("model", "remove", "model.json", "Person")
    #expect(refused.status == 2)
    #expect(
      refused.messages
        == "boxjoint: model.json: 'Person' is the target of 'Film.cast'; remove that relation first\n"
    )
    #expect(try await run("model", "rename", "model.json", "Film.yeer", "x").status == 64)
    #expect(try await run("model", "add-entity", "missing.json", "Film").status == 74)
    #expect(try await run("model", "set-type", "model.json", "Film.year", "number").status == 64)
    let undecided = try await run("model", "set-type", "model.json", "Film.year", "long")
    #expect(undecided.status == 64)
    #expect(undecided.messages.contains("--convert") && undecided.messages.contains("--reset"))
    #expect(try await run("model", "set-flags", "model.json", "Film.year").status == 64)
  }

  @Test func infersAndImports() async throws {
    try directory.write("[{\"title\":\"Jaws\",\"year\":1975}]", to: "films.json")
    #expect(try await run("import", "--infer", "--store", "films", "films.json").status == 0)
    let query = try await run(
      "query", "films", "Film", "--where", "year == 1975", "--select", "title")
    #expect(query.text == "title\nJaws\n")
    let again = try await run("import", "--infer", "--store", "films", "films.json")
    #expect(again.status == 64)
    #expect(
      again.messages
        == "boxjoint: films: the store exists, and has a model; import without --infer\n")
    #expect(try await run("model", "infer", "missing.json").status == 74)
    #expect(try await run("model", "infer", "films.json", "--id", "title").status == 2)
    #expect(try await run("model", "infer", "films.json", "--link", "title").status == 64)
    // A pipe is read once, and so is a file that is one; compressed or not they are read in blocks.
    let long = (1...20_000).map { "{\"title\":\"film \($0)\",\"year\":\(1900 + $0 % 100)}\n" }
      .joined()
    let piped = try await ProcessRun.of(
      try #require(Tool.path), ["import", "--infer", "--store", "piped", "--entity", "Film", "-"],
      in: directory.path, input: Array(long.utf8))
    #expect(piped.status == 0, "\(piped.messages)")
    #expect(piped.text.contains("Film: 20,000 objects in standard input\n"), "\(piped.text)")
    #expect(piped.text.hasSuffix("\nFilm: 20,000 added\n"), "\(piped.text)")
    let broken = try await ProcessRun.of(
      try #require(Tool.path), ["import", "--infer", "--store", "broken", "-"],
      in: directory.path, input: Array("{\"a\":1}\n{\"a\":tru}\n".utf8))
    #expect(broken.status == 65)
    #expect(broken.messages.hasPrefix("boxjoint: standard input:2:6: "), "\(broken.messages)")
    try directory.write("{", to: "bad.json")
    #expect(try await run("model", "infer", "bad.json").status == 65)
  }
}
