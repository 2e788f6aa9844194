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

/// The files, streams and statuses of `boxjoint export --format sqlite`.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"))
struct DatabaseCommandTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    let model = TestModel(
      .init(
        name: "Tag", uid: 1001,
        fields: [.init("name", 1012, .string), .init("rank", 1013, .int, .indexed)]))
    let store = try ObjectStore.open(
      .directory(directory.path(of: "data")), model: model.document())
    defer { store.close() }
    let tag = try store.entity(named: "Tag")
    try store.write { transaction in
      for number in 1...20_000 {
        var object = DynamicObject(tag)
        object["name"] = .string("tag \(number)")
        object["rank"] = .integer(Int64(number % 10))
        try transaction.put(object)
      }
    }
  }

  private func export(_ arguments: String...) async throws -> ProcessRun {
    try await runTool(
      ["export", "--store", "data", "--format", "sqlite"] + arguments, in: directory.path)
  }

  private func mode(_ name: String) -> mode_t {
    var attributes = stat()
    stat(directory.path(of: name), &attributes)
    return attributes.st_mode & 0o777
  }

  @Test func aFileIsPrivateAndReplacesAnother() async throws {
    let run = try await export("--output", "tags.db")
    #expect(run.status == 0, "\(run.messages)")
    #expect(run.text == "exported 20,000 objects of 1 entity to tags.db\n")
    #expect(mode("tags.db") == 0o600)
    #expect(try directory.bytes(of: "tags.db").starts(with: Array("SQLite format 3\0".utf8)))
    try directory.write("old", to: "old.sqlite")
    chmod(directory.path(of: "old.sqlite"), 0o640)
    #expect(try await export("--output", "old.sqlite", "--limit", "3").status == 0)
    #expect(mode("old.sqlite") == 0o640)
    #expect(directory.names() == ["data", "old.sqlite", "tags.db"])
    for command in [["dump", "verify", "tags.db"], ["dump", "diff", "tags.db", "store:data"]] {
      let refusal = try await runTool(command, in: directory.path)
      #expect(refusal.status == 65)
      #expect(refusal.messages.contains("this is a database of SQLite"), "\(refusal.messages)")
    }
  }

  @Test func filesThatCannotBeWrittenAreAsTheyWere() async throws {
    try directory.write("old", to: "read-only.db")
    chmod(directory.path(of: "read-only.db"), 0o400)
    mkfifo(directory.path(of: "pipe"), 0o600)
    for (path, status, message) in [
      ("read-only.db", 74, "the file is read-only"),
      ("pipe", 64, "a database cannot be written to a pipe; name a file"),
      ("/dev/null", 64, "a database cannot be written to a pipe; name a file"),
      (".", 74, "this is a directory"),
      ("no/such.db", 74, "the directory of the file does not exist"),
      ("data/x.db", 64, "data"),
    ] as [(String, Int32, String)] {
      let run = try await export("--output", path)
      #expect(run.status == status, "\(path): \(run.messages)")
      #expect(run.messages.contains(message), "\(run.messages)")
    }
    #expect(try directory.text(of: "read-only.db") == "old")
    #expect(directory.names() == ["data", "pipe", "read-only.db"])
  }

  /// A limit of the size of files stands for a full disk.
  @Test(arguments: [
    (["--format", "sqlite", "--output", "tags.db"], "tags.db"),
    (["--shape", "directory", "--output", "out"], "out/Tag.ndjson"),
  ]) func aFileThatGrowsTooLargeIsNotThere(_ options: [String], _ file: String) async throws {
    try directory.write("old", to: "tags.db")
    let run = try await ProcessRun.of(
      "bash",
      ["-c", #"ulimit -f 64; exec "$0" export --store data "$@""#, Tool.path ?? ""] + options,
      in: directory.path)
    #expect(run.status == 74, "\(run.status) \(run.messages)")
    #expect(
      run.messages.contains("boxjoint: \(file): cannot be written: the file would be too large"),
      "\(run.messages)")
    #expect(try directory.text(of: "tags.db") == "old")
    #expect(directory.names() == ["data", "tags.db"])
  }

  /// Whenever a process is killed, there is no file with the name, or the whole one.
  @Test func aKilledExportLeavesNoDatabase() async throws {
    for delay in ["0.005", "0.01", "0.02", "0.03", "0.05"] {
      _ = try await ProcessRun.of(
        "bash",
        [
          "-c",
          #""$0" export --store data --format sqlite --output tags.db & sleep \#(delay); kill -9 $!; wait $!"#,
          Tool.path ?? "",
        ], in: directory.path)
      guard directory.exists("tags.db") else { continue }
      let script = """
        import sqlite3; print(sqlite3.connect('tags.db').execute('SELECT count FROM boxjoint_end').fetchall())
        """
      let run = try await ProcessRun.of("python3", ["-c", script], in: directory.path)
      #expect(run.text == "[(20000,)]\n", "\(delay): \(run.messages)")
      directory.removeEverything("tags.db")
    }
  }
}
