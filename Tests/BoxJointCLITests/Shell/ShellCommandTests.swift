import BoxEngine
import BoxModel
import BoxStorage
import TestSupport
import Testing

@testable import BoxModelTool

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// `boxjoint shell`: lines from a pipe, and a person at a terminal.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"))
struct ShellCommandTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    let model = TestModel(
      TestModel.Entity(
        name: "Film", uid: 1000,
        properties: [
          .id(), TestModel.Property(name: "title", type: .string),
          TestModel.Property(name: "year", type: .long),
        ]))
    let store = try ObjectStore.open(
      .directory(directory.path(of: "data")), model: model.document())
    store.close()
  }

  private func shell(_ lines: String) async throws -> ProcessRun {
    try directory.write(lines, to: "lines")
    return try await ProcessRun.of(
      "sh", ["-c", "exec \"$0\" shell data < lines", Tool.path ?? ""], in: directory.path)
  }

  private func films() async throws -> String {
    try await ProcessRun.of(
      Tool.path ?? "", ["query", "data", "Film", "--format", "ndjson"], in: directory.path
    ).text
  }

  @Test func linesOfAPipeAreRun() async throws {
    let run = try await shell(
      """
      # what a person would type
      put Film '{"title":"Alien","year":1979}' '{"title":"Brazil","year":1985}'
      .mode csv
      query Film --where "year > 1980" \\
        --select title
      .mode
      .schema Film
      .explain query Film --where 'title == "Alien"'
      """)
    #expect(run.status == 0, "\(run.messages)")
    // Records of CSV end with both.
    #expect(run.text.contains("title\r\nBrazil\r\ncsv\n"), "\(run.text)")
    #expect(run.text.contains("PROPERTY") && run.text.contains("scan"), "\(run.text)")
  }

  /// A script ends at its first failure, and nothing of an open transaction is kept.
  @Test(arguments: [
    ("put Film '{\"title\":\"A\"}'\nset Film 7 year=1\nput Film '{\"title\":\"B\"}'", Int32(2), 1),
    ("begin\nput Film '{\"title\":\"A\"}'\nset Film 7 year=1\ncommit", 2, 0),
    ("begin\nput Film '{\"title\":\"A\"}'", 2, 0), ("begin\nbegin", 64, 0), ("commit", 64, 0),
    ("querry Film", 64, 0), ("put Film '{\"title\":", 64, 0), ("get Film one", 64, 0),
    ("begin\nput Film '{\"title\":\"A\"}'\nrollback\nput Film '{\"title\":\"B\"}'", 0, 1),
    ("begin\nput Film '{\"title\":\"A\"}'\ncommit\n.quit\nquerry", 0, 1),
    ("set Film --all year=1", 0, 0), ("put Film '{\"title\":\"A\"}'\nremove Film --all", 64, 1),
  ])
  func failuresEndAScript(lines: String, status: Int32, count: Int) async throws {
    let run = try await shell(lines)
    #expect(run.status == status, "\(run.messages)")
    #expect(try await films().split(separator: "\n").count == count)
  }

  @Test func aStoreThatIsNotThereIsNotCreated() async throws {
    let run = try await ProcessRun.of(
      "sh", ["-c", "exec \"$0\" shell nowhere < /dev/null", Tool.path ?? ""], in: directory.path)
    #expect(run.status == 74)
    #expect(run.messages.contains("there is no store in nowhere"))
    #expect(!directory.exists("nowhere"))
  }

  /// Random changes in transactions that are kept or not leave what a dictionary has.
  @Test func transactionsAgreeWithADictionary() async throws {
    var random = TestSeed.next()
    for round in 0..<TestSeed.count("BOXJOINT_SOAK_SHELLS", default: 12) {
      var lines = ["remove Film --all --yes"]
      var kept: [Int: Int] = [:]
      var changed: [Int: Int]?
      for _ in 0..<30 {
        var now = changed ?? kept
        let year = random.below(3000)
        switch random.below(8) {
        case 0 where changed == nil:
          lines.append("begin")
          changed = kept
          continue
        case 0:
          lines.append("commit")
          (kept, changed) = (now, nil)
          continue
        case 1 where changed != nil:
          lines.append("rollback")
          changed = nil
          continue
        case 2 where !now.isEmpty:
          let id = random.pick(now.keys.sorted())
          lines.append("remove Film \(id)")
          now[id] = nil
        case 3 where !now.isEmpty:
          lines.append("set Film --where 'year >= \(year)' year=\(year) --yes")
          for (id, old) in now where old >= year { now[id] = year }
        case 4 where !now.isEmpty:
          let id = random.pick(now.keys.sorted())
          lines.append("set Film \(id) year=\(year) --dry-run")
        default:
          let id = 1 + random.below(9)
          lines.append("put Film '{\"id\":\(id),\"year\":\(year)}' --mode replace")
          now[id] = year
        }
        if changed == nil { kept = now } else { changed = now }
      }
      if changed != nil { lines.append("rollback") }
      // Ids can be put again after they were given once.
      let prepare = round == 0 ? (1...9).map { "put Film '{\"year\":\($0)}'" } : []
      let run = try await shell((prepare + lines).joined(separator: "\n"))
      try #require(run.status == 0, "\(lines.joined(separator: "\n"))\n\(run.messages)")
      let expected = kept.keys.sorted().map {
        "{\"id\":\($0),\"title\":null,\"year\":\(kept[$0]!)}\n"
      }
      #expect(try await films() == expected.joined(), "\(lines.joined(separator: "\n"))")
    }
  }

  /// The sessions of docs/shell.md print what they show.
  @Test func theDocumentedSessionsAreTrue() async throws {
    let root = DocumentedStoresTests.root
    let examples = root + "/docs/examples/library/"
    let page = String(decoding: try SourceFile.read(root + "/docs/shell.md").bytes, as: UTF8.self)
    let sessions = page.split(separator: "```", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 1 && $0.element.contains("boxjoint> ") }.map {
        $0.element.dropFirst()
      }
    #expect(sessions.count == 2)
    // One after the other on one store, as on the page.
    let here = try TemporaryDirectory()
    let load = try await ProcessRun.of(
      "sh",
      [
        "-c",
        "cp \"$1\"/* . && \"$0\" import --store data --model model.json library.ndjson",
        Tool.path ?? "", examples,
      ], in: here.path)
    #expect(load.status == 0, "\(load.messages)")
    for session in sessions {
      var (typed, printed) = ("", "")
      for line in session.split(separator: "\n", omittingEmptySubsequences: false) {
        if let end = line.firstRange(of: "> "), line.hasPrefix("boxjoint") {
          typed += line[end.upperBound...] + "\n"
        } else if !line.hasPrefix("$ "), !line.hasPrefix("data: ") {
          printed += line + "\n"
        }
      }
      try here.write(typed, to: "lines")
      let run = try await ProcessRun.of(
        "sh", ["-c", "exec \"$0\" shell data < lines", Tool.path ?? ""], in: here.path)
      #expect(run.status == 0, "\(run.messages)")
      #expect(run.text == String(printed.dropLast()), "\(session)")
    }
  }

  // MARK: - At a terminal

  /// Sends texts to a shell on a pseudo-terminal, each when the text before it has appeared.
  private static let dialogue = """
    import os, pty, select, signal, sys, time
    program, steps = sys.argv[1], sys.argv[2:]
    pid, fd = pty.fork()
    if pid == 0:
      os.execvp(program, [program, "shell", "data"])
    output, seen, ended = b"", 0, False
    def read(seconds):
      global output, ended
      if not select.select([fd], [], [], seconds)[0]:
        return
      part = b""
      # The last words of a program that has ended may arrive after the end.
      for pause in [0, 0.5]:
        time.sleep(pause)
        try:
          part = os.read(fd, 4096)
          break
        except OSError:
          pass
      output += part
      ended = part == b""
    for expected, typed in zip(steps[::2], steps[1::2]):
      end = time.time() + 300
      while expected.encode() not in output[seen:]:
        if ended or time.time() > end:
          sys.exit(f"no {expected!r} in {output[seen:]!r}")
        read(0.3)
      seen = output.index(expected.encode(), seen) + len(expected.encode())
      if typed == "INTERRUPT":
        # Until the command has begun.
        time.sleep(1)
        os.write(fd, b"\\x03")
      else:
        os.write(fd, typed.encode())
    end = time.time() + 300
    while not ended and time.time() < end:
      read(1)
    _, status = os.waitpid(pid, 0)
    sys.stdout.buffer.write(output)
    sys.exit(os.waitstatus_to_exitcode(status))
    """

  private func dialogue(_ steps: [(String, String)]) async throws -> ProcessRun {
    try await ProcessRun.of(
      "python3",
      ["-c", Self.dialogue, Tool.path ?? ""] + steps.flatMap { [$0.0, $0.1] }, in: directory.path,
      environment: [
        "TERM": "xterm", "HOME": directory.path, "XDG_STATE_HOME": directory.path(of: "state"),
        "LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin",
      ])
  }

  @Test func namesAreCompletedAndLinesAreKept() async throws {
    let run = try await dialogue([
      ("boxjoint> ", "put Film '{\"title\":\"Alien\",\"year\":1979}'\n"),
      ("boxjoint> ", "que\t Fi\t --where 'ye\t > 1900' --select ti\t\n"),
      ("Alien", ""), ("boxjoint> ", "set Film 1 titel=2\n"), ("did you mean", ""),
      ("boxjoint> ", "begin\n"), ("boxjoint*> ", "set Film 1 year=1\n"), ("boxjoint*> ", "\u{4}"),
      ("rolled back", ""),
    ])
    #expect(run.status == 0, "\(run.text) \(run.messages)")
    #expect(try await films().contains("\"year\":1979"))
    let history = try directory.text(of: "state/boxjoint/shell-history")
    #expect(history.contains("query"), "\(history)")
    // Conditions have data in them.
    var attributes = stat()
    #expect(stat(directory.path(of: "state/boxjoint/shell-history"), &attributes) == 0)
    #expect(attributes.st_mode & 0o777 == 0o600)
  }

  /// Ctrl-C gives up the line that is typed, and the shell goes on.
  @Test func anInterruptEndsALineAndNotTheShell() async throws {
    let run = try await dialogue([
      ("boxjoint> ", "query nonsense"), ("nonsense", "INTERRUPT"),
      ("boxjoint> ", "query Film --count\n"), ("0", ""), ("boxjoint> ", ".quit\n"),
    ])
    #expect(run.status == 0, "\(run.text.prefix(4000)) \(run.messages)")
  }

  /// Ctrl-C ends a query, and the shell goes on.
  ///
  /// The query cannot be over before: nobody reads its output, which is longer than what a terminal and
  /// the program hold, until the key was pressed.
  @Test func anInterruptEndsAQueryAndNotTheShell() async throws {
    let count = 300_000
    let store = try ObjectStore.open(.directory(directory.path(of: "data")))
    let film = try store.entity(named: "Film")
    try store.write { (transaction) throws in
      for year in 1...count {
        var object = DynamicObject(film)
        object["year"] = .integer(Int64(year))
        _ = try transaction.put(object)
      }
    }
    store.close()
    let run = try await dialogue([
      ("boxjoint> ", "query Film --format ndjson\n"), ("\"id\":1,", "INTERRUPT"),
      ("boxjoint> ", "query Film --count\n"), ("\(count)", ""), ("boxjoint> ", ".quit\n"),
    ])
    #expect(run.status == 0, "\(run.text.suffix(4000)) \(run.messages)")
    let rows = run.text.split(separator: "\"id\":").count - 1
    #expect(rows > 0)
    #expect(rows < count / 2)
  }
}
