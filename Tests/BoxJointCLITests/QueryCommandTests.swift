import BoxEngine
import BoxModel
import BoxStorage
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The streams and statuses of `boxjoint query`.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"))
struct QueryCommandTests {
  private let directory: TemporaryDirectory

  /// 1,000 tags, the last with a name that is a command to a terminal.
  init() throws {
    directory = try TemporaryDirectory()
    let model = TestModel(
      .init(
        name: "Tag", uid: 1001,
        fields: [
          .init("name", 1012, .string), .init("rank", 1013, .int, .indexed),
          .init("place", 1014, .floatVector), .init("at", 1015, .date),
        ]))
    let store = try ObjectStore.open(
      .directory(directory.path(of: "data")), model: model.document())
    defer { store.close() }
    let tag = try store.entity(named: "Tag")
    try store.write { transaction in
      for number in 1...1000 {
        var object = DynamicObject(tag)
        object["name"] = .string(number == 1000 ? "::error::\u{1B}[2J\u{9B}" : "tag \(number)")
        object["rank"] = .integer(Int64(number % 10))
        object["place"] = number == 999 ? .null : .floats([Float(number), 0])
        object["at"] = .integer(Int64(number) * 1000)
        try transaction.put(object)
      }
    }
  }

  private func run(_ arguments: String...) async throws -> ProcessRun {
    try await runTool(["query", "data"] + arguments, in: directory.path)
  }

  @Test func standardOutputIsTheAnswerAndNothingElse() async throws {
    for (arguments, answer) in [
      (
        ["--where", "rank == 3", "--limit", "2", "--fields", "id,name"],
        "id  name\n 3  tag 3\n13  tag 13\n"
      ),
      (["--count"], "1000\n"), (["--where", "rank > 99"], "no rows\n"),
      (["--where", "rank > 99", "--format", "ndjson"], ""),
      (
        ["--sum", "rank", "--max", "rank", "--count", "--format", "csv"],
        "count,sum(rank),max(rank)\r\n1000,4500,9\r\n"
      ),
      (
        ["--group-by", "rank", "--order-by", "rank desc", "--limit", "1", "--format", "markdown"],
        "| rank | count |\n| --- | --- |\n| 9 | 100 |\n"
      ),
      (
        ["--nearest", "place=[5,0]", "--limit", "1", "--select", "id", "--format", "ndjson"],
        "{\"id\":5,\"distance\":0.0}\n"
      ),
      (
        ["--nearest", "place", "--of", "5", "--limit", "1", "--select", "id", "--format", "csv"],
        "id,distance\r\n5,0.0\r\n"
      ),
      (
        [
          "--select", "at", "--dates", "iso", "--zone", "+05:45", "--limit", "1", "--format", "csv",
        ], "at\r\n1970-01-01T05:45:01.000+05:45\r\n"
      ),
      (
        [
          "--select", "at", "--dates", "iso", "--zone", "-09:30", "--limit", "1", "--format", "csv",
        ], "at\r\n1969-12-31T14:30:01.000-09:30\r\n"
      ),
      (["--select", "rank", "--distinct", "--limit", "2", "--offset", "9"], "rank\n   0\n"),
    ] as [([String], String)] {
      let run = try await runTool(["query", "data", "Tag"] + arguments, in: directory.path)
      #expect(run.status == 0, "\(arguments): \(run.messages)")
      #expect(run.text == answer, "\(arguments)")
      #expect(run.messages.isEmpty, "\(arguments): \(run.messages)")
    }
    // A pipe gets all rows.
    #expect(try await run("Tag").text.split(separator: "\n").count == 1001)
  }

  @Test func aFileIsWrittenAsAWhole() async throws {
    let written = try await run("Tag", "--count", "--output", "count.txt")
    #expect(written.status == 0)
    #expect(written.text.isEmpty && written.messages.isEmpty)
    #expect(try directory.text(of: "count.txt") == "1000\n")
    #expect(try await run("Tag", "--count", "--output", "-").text == "1000\n")
    let plan = try await run("Tag", "--explain", "--output", "plan.txt")
    #expect(plan.status == 0)
    #expect(try directory.text(of: "plan.txt") == "Tag: scan, 1,000 objects\n")
    #expect(directory.names() == ["count.txt", "data", "plan.txt"])
  }

  @Test func aPlanIsTextOrJSON() async throws {
    let condition = ["--where", "rank == 3", "--explain"]
    let text = try await runTool(["query", "data", "Tag"] + condition, in: directory.path)
    #expect(text.text == "Tag: index rank (rank == 3), 100 ids\n")
    let json = try await runTool(
      ["query", "data", "Tag", "--format", "json"] + condition, in: directory.path)
    #expect(json.text.contains("\"kind\": \"index\""), "\(json.text)")
    #expect(try await run("Tag", "--explain", "--format", "csv").status == 64)
  }

  /// Options that contradict each other, and values that mean nothing: one message with what to do.
  @Test(arguments: [
    ("Tag --limit -1", "--limit must be at least 0"),
    ("Tag --offset -1", "--offset must be at least 0"), ("Tag --limit x", "--limit"),
    ("Tag --output o.csv", "--output o.csv: pass --format csv, or name another file"),
    ("Tag --output o.html", "--output o.html: pass --format html, or name another file"),
    ("Tag --after 0", "'0' is not an id; ids are integers from 1 on"),
    ("Tag --after x", "'x' is not an id"),
    ("Tag --after 1 --count", "--after and --count exclude each other: leave out --count"),
    ("Tag --after 1 --group-by rank", "--after and --group-by exclude each other"),
    ("Tag --after 1 --select rank --distinct", "--after and --distinct exclude each other"),
    ("Tag --after 1 --nearest place=[1,1]", "--after and --nearest exclude each other"),
    ("Tag --format csv --output o.csv.gz", "a result is not compressed; leave out .gz"),
    ("Tag --select ,", "--select needs at least one property"),
    ("Tag --distinct", "--distinct needs --select"), ("Tag --format yaml", "yaml"),
    (
      "Tag --count --limit 3", "--count and --limit exclude each other: there is one row; leave out"
    ),
    ("Tag --sum rank --order-by rank", "--sum and --order-by exclude each other"),
    ("Tag --group-by rank --group-by name", "--group-by takes one property; pass it once"),
    ("Tag --group-by rank --select name", "--group-by and --select exclude each other"),
    ("Tag --group-by rank --select name --distinct", "--group-by and --select exclude each other"),
    ("Tag --nearest place=[1,1] --count", "--nearest and --count exclude each other"),
    ("Tag --nearest place=[1,1] --order-by id", "--nearest and --order-by exclude each other"),
    ("Tag --nearest place=[1,1] --nearest place=[2,2]", "--nearest can be given once"),
    ("Tag --nearest place=@", "is not a vector"), ("Tag --of 1", "--of needs --nearest"),
    ("Tag --nearest place --of 0", "'0' is not an id"),
    ("Tag --nearest name --of 1", "Tag 1 has no vector of floats in name; name another object"),
    ("Tag --nearest place --of 999", "Tag 999 has no vector of floats in place"),
    ("Tag --nearest plase --of 1", "did you mean place?"),
    ("Tag --zone UTC", "--zone needs --dates iso"),
    (
      "Tag --dates iso --zone CET", "--zone is UTC, local, or an offset such as +02:00, and not CET"
    ),
    ("Tag --raw --converters c.yml", "--raw and --converters exclude each other"),
    ("Tag --order-by rank,down,", "has an empty part"), ("Tag --nearest place", "is not a vector"),
    ("Tg", "the store has no entity Tg; did you mean Tag?"), ("", "Missing"),
  ])
  func aMistakeOnTheCommandLineIsAStatus(arguments: String, message: String) async throws {
    let words = arguments.split(separator: " ").map(String.init)
    let run = try await runTool(["query", "data"] + words, in: directory.path)
    #expect(run.status == 64, "\(run.messages)\(run.text)")
    #expect(run.text.isEmpty)
    #expect(run.messages.contains(message), "\(run.messages)")
  }

  @Test(arguments: [["query", "data", "Tag"], ["export", "--store", "data"]])
  func aConditionIsShownWithItsPlace(_ command: [String]) async throws {
    let run = try await runTool(
      command + ["--where", "rank > 3 && Tag.rnk == 1"], in: directory.path)
    #expect(run.status == 64)
    #expect(
      run.messages == """
        boxjoint: --where:1:13: Tag has no property rnk; did you mean rank?
          rank > 3 && Tag.rnk == 1
                      ^

        """)
  }

  @Test func storesHaveTheirStatuses() async throws {
    #expect(try await runTool(["query", "nowhere", "Tag"], in: directory.path).status == 74)
    try directory.write("nothing", to: "file/" + StoreFiles.dataName)
    #expect(try await runTool(["query", "file", "Tag"], in: directory.path).status == 65)
    try directory.write("properties:\n  Tag.rank: nosuch\n", to: "wrong.yml")
    let wrong = try await run("Tag", "--converters", "wrong.yml")
    #expect(wrong.status == 78, "\(wrong.messages)")
    let lock = try StoreLock.exclusive(in: directory.path(of: "data"), fileMode: 0o600)
    #expect(try await run("Tag").status == 2)
    withExtendedLifetime(lock) {}
  }

  /// As a shell expects of a program whose output nobody reads on.
  @Test(arguments: ["text", "ndjson", "json", "csv", "markdown", "html"])
  func aClosedPipeEndsIt(_ format: String) async throws {
    // Nobody reads from the first byte on.
    let script = """
      import os, subprocess, sys
      read, write = os.pipe()
      os.close(read)
      run = subprocess.run(sys.argv[1:], stdout=write, stderr=subprocess.PIPE)
      print(run.returncode, run.stderr)
      """
    let run = try await ProcessRun.of(
      "python3",
      ["-c", script, Tool.path ?? "", "query", "data", "Tag", "--format", format],
      in: directory.path)
    #expect(run.text == "-13 b''\n", "\(run.messages)")
    let closed = try await ProcessRun.of(
      "bash", ["-c", #"exec "$0" query data Tag --format \#(format) >&-"#, Tool.path ?? ""],
      in: directory.path)
    #expect(closed.status == 74, "\(closed.messages)")
  }

  #if os(Linux)
    /// The signal comes when a part of the answer is written, and nobody reads on: a program that did not
    /// end would wait for ever.
    @Test(arguments: [SIGINT, SIGTERM], ["ndjson", "json", "csv", "markdown", "html"])
    func anInterruptEndsIt(_ signal: Int32, _ format: String) async throws {
      let script = """
        import fcntl, os, signal, subprocess, sys
        # Who runs the tests may have turned it off.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        read, write = os.pipe()
        # Smaller than the answer; the number is that of F_SETPIPE_SZ.
        fcntl.fcntl(write, 1031, 4096)
        run = subprocess.Popen(sys.argv[2:], stdout=write, stderr=subprocess.PIPE)
        os.read(read, 1)
        run.send_signal(int(sys.argv[1]))
        print(run.wait(60), run.stderr.read())
        """
      let run = try await ProcessRun.of(
        "python3",
        [
          "-c", script, String(signal), Tool.path ?? "", "query", "data", "Tag", "--format", format,
        ],
        in: directory.path)
      #expect(run.text == "-\(signal) b''\n", "\(run.messages)")
      #expect(try await self.run("Tag", "--count").text == "1000\n")
    }
  #endif

  // MARK: - Hostile values

  @Test(arguments: ["text", "ndjson", "json", "csv", "markdown", "html"])
  func nothingIsObeyedByATerminal(_ format: String) async throws {
    let repository = try await TemporaryRepository()
    let shown = try await repository.toolOnTerminal(
      ["query", directory.path(of: "data"), "Tag", "--where", "id >= 999", "--format", format],
      typing: "")
    #expect(shown.status == 0, "\(shown.text)")
    #expect(shown.text.contains("tag 999"))
    for control in ["\u{1B}", "\u{9B}"] { #expect(!shown.text.contains(control), "\(format)") }
    let escape = ["markdown": "u001b", "html": #"\u{1b}"#][format] ?? #"\u001b"#
    #expect(shown.text.contains(escape))
  }

  @Test func aTerminalGetsTheFirstRows() async throws {
    let repository = try await TemporaryRepository()
    let shown = try await repository.toolOnTerminal(
      ["query", directory.path(of: "data"), "Tag"], typing: "")
    let lines = shown.text.split(separator: "\r\n")
    #expect(lines.count == 42)
    #expect(lines.last == "… 960 more")
  }
}
