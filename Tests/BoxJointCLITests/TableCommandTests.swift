import TestSupport
import Testing

/// The options for tables and for several files, with the exit statuses.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"))
struct TableCommandTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try ImportSample.directory()
    try directory.write("id;email\n1;a\n2;b\n", to: "1.csv")
    try directory.write("id;email\n3;c\n4;d\n", to: "2.csv")
  }

  private func run(_ arguments: String...) async throws -> ProcessRun {
    try await runTool(arguments, in: directory.path)
  }

  private func load(_ arguments: String...) async throws -> ProcessRun {
    try await runTool(ImportSample.arguments + arguments, in: directory.path)
  }

  @Test func aPatternOfTablesAndBack() async throws {
    let load = try await load("--delimiter", ";", "?.csv")
    #expect(load.status == 0, "\(load.messages)")
    #expect(load.text == "Person: 4 added\n")
    let shown = try await run(
      "export", "--store", "data", "--format", "tsv", "--entities", "Person", "--null", "-")
    #expect(
      shown.text
        == "id\temail\tage\tname\r\n1\ta\t-\t-\r\n2\tb\t-\t-\r\n3\tc\t-\t-\r\n4\td\t-\t-\r\n")
    let back = try await runTool(
      ["import", "--store", "copy", "--model", "model.json", "--entity", "Person"]
        + ["--input-format", "tsv", "--null", "-", "-"], in: directory.path,
      input: Array(shown.text.utf8))
    #expect(back.text == "Person: 4 added\n", "\(back.messages)")
  }

  @Test(arguments: [
    (["--delimiter", "ab", "1.csv"], 64, "--delimiter"),
    (["--delimiter", "7", "1.csv"], 64, "--delimiter"),
    (["--columns", ",", "1.csv"], 64, "--columns needs"),
    (["--input-format", "json", "--null", "x", "1.csv"], 64, "do not apply to JSON"),
    (["-", "1.csv"], 64, "standard input cannot be combined"),
    (["x*.csv"], 74, "no file matches the pattern"),
    (["--delimiter", ";", "1.csv", "missing.csv"], 74, "missing.csv"),
    (["parts"], 65, "pass --partial to import the parts"),
    (["--partial", "parts"], 65, "has no parts"),
    (["plain.txt"], 65, "pass --input-format csv or tsv"),
    (["--relation", "Person.friends", "1.csv"], 64, "--relation and --entity exclude each other"),
  ])
  func mistakesWithFiles(_ arguments: [String], _ status: Int32, _ message: String) async throws {
    try directory.write("", to: "parts/.crc")
    try directory.write("id,name\n1,x\n", to: "plain.txt")
    let run = try await runTool(ImportSample.arguments + arguments, in: directory.path)
    #expect(run.status == status, "\(run.messages)")
    #expect(run.messages.contains(message), "\(run.messages)")
  }

  @Test(arguments: [
    (["--format", "csv", "--output", "x.json"], "name the file .csv"),
    (["--output", "x.csv"], "pass --format csv"), (["--null", "x"], "need --format csv"),
    (["--format", "csv", "--shape", "document"], "--shape document needs JSON"),
    (["--format", "csv", "--null", "a,b"], "the field for null cannot contain"),
    (["--output", "x.db"], "name the file .ndjson, or pass --format sqlite"),
    (["--format", "csv", "--output", "x.sqlite"], "name the file .csv"),
    (["--format", "sqlite"], "a database cannot be written to a pipe; name a file"),
    (["--format", "sqlite", "--output", "-"], "a database cannot be written to a pipe"),
    (["--format", "sqlite", "--output", "x.json"], "name the file .db"),
    (["--format", "sqlite", "--output", "x.db.gz"], "name the file .db"),
    (["--format", "sqlite", "--output", "x.db", "--shape", "directory"], "do not apply"),
    (["--format", "sqlite", "--output", "x.db", "--dates", "iso"], "do not apply"),
    (["--format", "sqlite", "--output", "x.db", "--null", "x"], "need --format csv"),
    (["--schema", "duckdb"], "--schema needs --shape directory with JSON"),
    (
      ["--schema", "duckdb,sqlite", "--shape", "directory", "--output", "x"],
      "--schema sqlite: write duckdb, spark"
    ),
    (["--vectors", "json"], "--vectors needs --format sqlite"),
    (["--rows-per-file", "5"], "--rows-per-file needs --shape directory with JSON"),
    (
      ["--rows-per-file", "0", "--shape", "directory", "--output", "x"],
      "--rows-per-file must be at least 1"
    ),
    (["--format", "sqlite", "--output", "x.db", "--bytes", "hex"], "do not apply"),
  ])
  func mistakesWithExports(_ arguments: [String], _ message: String) async throws {
    #expect(try await load("ann.ndjson").status == 0)
    let run = try await runTool(["export", "--store", "data"] + arguments, in: directory.path)
    #expect(run.status == 64, "\(run.messages)")
    #expect(run.messages.contains(message), "\(run.messages)")
    #expect(["x.csv", "x.json", "x.db", "x.sqlite"].allSatisfy { !directory.exists($0) })
  }

  /// A process that waits for the second file is ended; the import continues when the file is there.
  @Test func anImportIsEndedBetweenFiles() async throws {
    let ended = try await ProcessRun.of(
      "bash",
      [
        "-c",
        #"mv 2.csv later; mkfifo 2.csv; "$0" "$@" 1.csv 2.csv & sleep 2; kill $!; wait $!; "#
          + "rm 2.csv; mv later 2.csv",
        Tool.path ?? "",
      ] + ImportSample.arguments + ["--delimiter", ";", "--batch", "1"], in: directory.path)
    #expect(ended.text.isEmpty)
    let other = try await load("--delimiter", ",", "--resume", "1.csv", "2.csv")
    #expect(other.status != 0)
    let resumed = try await load("--delimiter", ";", "--batch", "1", "--resume", "1.csv", "2.csv")
    #expect(resumed.text == "Person: 4 added\n", "\(resumed.messages)")
    let again = try await load("--delimiter", ";", "--batch", "1", "--resume", "1.csv", "2.csv")
    #expect(again.text == "imported already: nothing to do\n")
  }
}
