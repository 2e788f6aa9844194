import BoxModel
import TestSupport
import Testing

/// `boxjoint store watch` beside other programs that write.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built"))
struct WatchCommandTests {
  private let repository: TemporaryRepository

  /// Two people in the store `data`.
  init() async throws {
    repository = try await TemporaryRepository()
    let model = TestModel(
      .init(
        name: "Person", uid: 1000,
        fields: [.init("name", 1010, .string), .init("age", 1020, .int)]),
      .init(name: "Pet", uid: 2000, fields: [.init("name", 2010, .string)]))
    try repository.write(model.text, to: "model.json")
    try repository.write(
      "{\"name\":\"Ann\",\"age\":40}\n{\"name\":\"Bo\",\"age\":50}\n", to: "people.ndjson")
    let run = try await self.run(
      "\"$BOX\" import --store data --model model.json --entity Person people.ndjson")
    #expect(run.status == 0, "\(run.messages)")
  }

  /// Runs a script of the shell, in which `$BOX` is the program.
  private func run(_ script: String) async throws -> ProcessRun {
    try await ProcessRun.of(
      "sh", ["-c", "BOX='\(Tool.path ?? "")'; \(script)"], in: repository.path,
      environment: repository.environment)
  }

  /// Begins to watch, writes by other programs, and ends; returns the lines without the numbers of commits, and the
  /// status of the watch.
  private func watch(
    _ options: String, _ writes: [String], end: String = "kill -TERM $watch"
  ) async throws -> (lines: [String], status: String) {
    let listening =
      "while ! \"$BOX\" store info data | grep -q 'readers  1 of'; do sleep 0.05; done; "
    let run = try await run(
      "\"$BOX\" store watch data \(options) > lines & watch=$!; \(listening)"
        + writes.map { "\"$BOX\" store \($0) >/dev/null; " }.joined()
        + "sleep 0.5; \(end); wait $watch; echo $?")
    let lines = try repository.text(of: "lines").split(separator: "\n").map { line in
      // {"commit":12,…
      String(line.drop { $0 != "," })
    }
    return (lines, run.text)
  }

  @Test func tellsWhatOtherProgramsWrite() async throws {
    let (lines, status) = try await watch(
      "Person",
      [
        "put data Person '{\"name\":\"Cy\",\"age\":3}'", "set data Person 1 age=41",
        "put data Pet '{}'", "set data Person 1 age=41", "remove data Person 2",
      ])
    #expect(
      lines == [
        ",\"entity\":\"Person\",\"kind\":\"inserted\",\"id\":3,\"object\":{\"id\":3,\"name\":\"Cy\",\"age\":3}}",
        ",\"entity\":\"Person\",\"kind\":\"updated\",\"id\":1,\"object\":{\"id\":1,\"name\":\"Ann\",\"age\":41}}",
        ",\"entity\":\"Person\",\"kind\":\"removed\",\"id\":2}",
      ])
    #expect(status == "0\n")
  }

  @Test func aConditionTellsWhoMeetsItAndWhoLeaves() async throws {
    let (lines, status) = try await watch(
      "Person --where 'age > 45' --ids",
      [
        "set data Person 1 age=30", "set data Person 1 age=46", "set data Person 2 age=51",
        "set data Person 2 age=1", "remove data Person 2", "remove data Person 1",
      ])
    #expect(
      lines == [
        ",\"entity\":\"Person\",\"kind\":\"updated\",\"id\":1}",
        ",\"entity\":\"Person\",\"kind\":\"updated\",\"id\":2}",
        ",\"entity\":\"Person\",\"kind\":\"left\",\"id\":2}",
        ",\"entity\":\"Person\",\"kind\":\"removed\",\"id\":1}",
      ])
    #expect(status == "0\n")
  }

  @Test func endsInTime() async throws {
    for option in ["--until-idle 300ms", "--timeout 300ms"] {
      let run = try await run("\"$BOX\" store watch data Person \(option)")
      #expect(
        run.status == 0 && run.text.isEmpty && run.messages.isEmpty, "\(option): \(run.messages)")
    }
    // The reader of the pipe goes.
    let run = try await run(
      "{ \"$BOX\" store watch data Person; echo $? >status; } | sleep 0.2; cat status")
    #expect(run.text == "0\n")
  }

  @Test(arguments: [
    ("store watch data Nobody", 64), ("store watch data Person --where 'age >'", 64),
    ("store watch data Person --timeout soon", 64), ("store watch none Person", 74),
  ])
  func badInput(_ words: String, _ status: Int32) async throws {
    let run = try await run("\"$BOX\" \(words)")
    #expect(run.status == status && run.text.isEmpty)
    #expect(!run.messages.isEmpty)
  }
}
