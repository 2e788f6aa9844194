import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Data that an import and an export do not change.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"))
struct ImportSafetyTests {
  private let directory: TemporaryDirectory
  private let arguments = ImportSample.arguments

  init() throws { directory = try ImportSample.directory() }

  private func run(_ arguments: [String]) async throws -> ProcessRun {
    try await runTool(arguments, in: directory.path)
  }

  private func makeStore() async throws {
    let run = try await run(arguments + ["ann.ndjson"])
    #expect(run.status == 0, "\(run.messages)")
  }

  /// Everything that is in the store, with its model.
  private func content() async throws -> String {
    let run = try await run(["export", "--store", "data", "--raw"])
    #expect(run.status == 0, "\(run.messages)")
    return run.text
  }

  // MARK: - The directory of the store

  @Test(arguments: [
    "data/data.mdb", "data/lock.mdb", "data/store.lock", "data/new", "./data/../data/new", "link",
    "directory-link/new",
  ])
  func anExportIsNotWrittenIntoItsStore(_ output: String) async throws {
    try await makeStore()
    #expect(symlink("data/data.mdb", directory.path(of: "link")) == 0)
    #expect(symlink("data", directory.path(of: "directory-link")) == 0)
    let before = try directory.bytes(of: "data/data.mdb")
    let names = directory.names(in: "data")
    let export = try await run(["export", "--store", "data", "--output", output])
    #expect(export.status == 64)
    #expect(
      export.messages
        == "boxjoint: \(output): this is in the directory of the store, where nothing "
        + "else may be written\n")
    let linked = try await run(["export", "--store", "directory-link", "--output", output])
    #expect(linked.status == 64)
    #expect(try directory.bytes(of: "data/data.mdb") == before)
    #expect(directory.names(in: "data") == names)
  }

  @Test func aDirectoryIsNotWrittenIntoTheStore() async throws {
    try await makeStore()
    for output in ["data", "data/", "data/dump"] {
      let export = try await run(
        ["export", "--store", "data", "--shape", "directory", "--output", output])
      #expect(export.status == 64)
    }
    #expect(!directory.exists("data/dump"))
  }

  /// A directory of the system's says of each new one that it is not there.
  @Test(.enabled(if: access("/proc/self", F_OK) == 0, "needs a directory that takes no new ones"))
  func aDirectoryThatCannotBeMade() async throws {
    for place in ["/proc/boxjoint", "/proc/boxjoint/data"] {
      let run = try await run([
        "import", "--store", place, "--model", "model.json", "--entity", "Person", "ann.ndjson",
      ])
      #expect(run.status == 74)
      #expect(run.messages.contains("/proc/boxjoint: the directory cannot be created: "))
    }
  }

  /// A path that exists and cannot be a store does not count as a missing store.
  @Test func aFileIsNotAMissingStore() async throws {
    #expect(symlink("circle", directory.path(of: "circle")) == 0)
    for place in ["people.ndjson", "circle"] {
      let run = try await run(["import", "--store", place, "--entity", "Person", "ann.ndjson"])
      #expect(run.status == 65)
      #expect(run.messages.contains("\(place): this is not a directory; a store is one"))
    }
  }

  // MARK: - Rejects

  @Test func rejectsDoNotReplaceTheInputOrTheStore() async throws {
    try await makeStore()
    #expect(symlink("people.ndjson", directory.path(of: "link")) == 0)
    let input = try directory.text(of: "people.ndjson")
    let (store, before) = (try directory.bytes(of: "data/data.mdb"), try await content())
    for rejects in ["people.ndjson", "link", "data/data.mdb", "data/bad.ndjson"] {
      let run = try await run(
        arguments + [
          "--mode", "upsert", "people.ndjson", "--on-error", "skip", "--rejects", rejects,
        ])
      #expect(run.status == 64, "\(rejects): \(run.messages)")
      #expect(run.messages.split(separator: "\n").count == 1)
    }
    #expect(try directory.text(of: "people.ndjson") == input)
    #expect(try directory.bytes(of: "data/data.mdb") == store)
    #expect(try await content() == before)
    #expect(directory.names(in: "data") == ["data.mdb", "lock.mdb", "store.lock"])
  }

  @Test(arguments: ["bad.ndjson", "bad.ndjson.reasons"])
  func rejectsReplaceNoOtherFile(_ name: String) async throws {
    try directory.write("precious", to: name)
    let run = try await run(
      arguments + ["people.ndjson", "--on-error", "skip", "--rejects", "bad.ndjson"])
    #expect(run.status == 64)
    #expect(
      run.messages == "boxjoint: \(name): exists already; name another file, or remove it\n")
    #expect(try directory.text(of: name) == "precious")
    #expect(!directory.exists("data"))
  }

  @Test func aResumedImportAppendsToItsRejects() async throws {
    try directory.write(
      """
      {"id":1,"email":"a"}
      {"id":"x"}
      {"id":2,"email":"b"}
      {"id":"y"}
      {"id":3,"email":"c"}

      """, to: "input")
    let options = ["input", "--batch", "1", "--on-error", "skip", "--rejects", "bad"]
    let first = try await run(arguments + options + ["--max-errors", "1"])
    #expect(first.status == 65, "\(first.messages)")
    try directory.write("other", to: "else")
    let other = try await run(
      arguments + ["input", "--batch", "1", "--on-error", "skip", "--rejects", "else", "--resume"])
    #expect(other.status == 64, "\(other.messages)")
    #expect(try directory.text(of: "else") == "other")
    let second = try await run(arguments + options + ["--resume"])
    #expect(second.status == 1, "\(second.messages)")
    #expect(try directory.text(of: "bad") == "{\"id\":\"x\"}\n{\"id\":\"y\"}\n")
    #expect(try directory.text(of: "bad.reasons").split(separator: "\n").count == 2)
  }

  // MARK: - What a failed import leaves

  @Test(arguments: [["--batch", "all"], ["--batch", "2"], []])
  func aFailedImportMakesNoStore(_ batch: [String]) async throws {
    let failed = try await run(
      ["import", "--store", "deep/er/data", "--model", "model.json", "--entity", "Person"]
        + batch + ["people.ndjson"])
    #expect(failed.status == 65)
    #expect(directory.names() == ["ann.ndjson", "model.json", "newer.json", "people.ndjson"])
  }

  @Test func aFailedImportTakesNoModelOver() async throws {
    try await makeStore()
    let before = try await content()
    let failed = try await run(
      [
        "import", "--store", "data", "--model", "newer.json", "--entity", "Person", "--batch",
        "all",
        "--mode", "upsert", "people.ndjson",
      ])
    #expect(failed.status == 65)
    #expect(failed.messages.contains("there is no property \"age\""), "\(failed.messages)")
    #expect(try await content() == before)
    try directory.write("{\"id\":2,\"email\":\"bob\",\"town\":\"Bern\"}", to: "bob.ndjson")
    let whole = try await run(
      ["import", "--store", "data", "--model", "newer.json", "--entity", "Person", "bob.ndjson"])
    #expect(whole.status == 0, "\(whole.messages)")
    #expect(try await content().contains(#""years":null,"name":null,"town":"Bern"}"#))
  }

  @Test func anImportThatIsRefusedTakesNoModelOver() async throws {
    let first = try await run(arguments + ["people.ndjson", "--batch", "1"])
    #expect(first.status == 65)
    let before = try await content()
    let second = try await run(
      [
        "import", "--store", "data", "--model", "newer.json", "--entity", "Person", "ann.ndjson",
      ])
    #expect(second.status == 2)
    #expect(second.messages.contains("an import of people.ndjson was interrupted in this store"))
    #expect(try await content() == before)
    let third = try await run(
      arguments + ["ann.ndjson", "--restart", "--mode", "upsert"])
    #expect(third.status == 0, "\(third.messages)")
    let fourth = try await run(arguments + ["ann.ndjson", "--mode", "upsert"])
    #expect(fourth.status == 0, "\(fourth.messages)")
  }

  // MARK: - Two imports at once

  @Test func aSecondImportFailsWhileOneIsRunning() async throws {
    let run = try await ProcessRun.of(
      "bash",
      [
        "-c",
        #"""
        mkfifo pipe
        "$0" import --store data --model model.json --entity Person pipe &
        exec 3> pipe
        for i in $(seq 100); do printf '{"id":%d,"email":"e%d"}\n' $i $i >&3; done
        for i in $(seq 600); do [ -e data/import.lock ] && break; sleep 0.05; done
        for option in "" --resume --restart --dry-run; do
          "$0" import --store data --model model.json --entity Person $option ann.ndjson
          echo "$?"
        done
        exec 3>&-
        wait $!
        echo "$?"
        """#, Tool.path ?? "",
      ], in: directory.path)
    #expect(run.text == "2\n2\n2\n2\nPerson: 100 added\n0\n")
    let message = "boxjoint: an import into data is running; wait until it has ended\n"
    #expect(run.messages == String(repeating: message, count: 4))
    #expect(directory.names(in: "data") == ["data.mdb", "lock.mdb", "store.lock"])
  }

  @Test func aLockThatACrashLeftHoldsNobodyUp() async throws {
    try await makeStore()
    try directory.write("", to: "data/import.lock")
    try directory.write("{\"id\":2,\"email\":\"bob\"}", to: "bob.ndjson")
    let run = try await run(arguments + ["bob.ndjson"])
    #expect(run.status == 0, "\(run.messages)")
    #expect(directory.names(in: "data") == ["data.mdb", "lock.mdb", "store.lock"])
  }

  // MARK: - Messages

  @Test func anInvalidModelIsNamedWithItsPlace() async throws {
    let run = try await run(
      ["import", "--store", "data", "--model", "people.ndjson", "--entity", "Person", "ann.ndjson"])
    #expect(run.status == 65)
    #expect(run.messages.hasPrefix("boxjoint: people.ndjson:"), "\(run.messages)")
    #expect(!run.messages.contains("JSONPosition"))
    #expect(!run.messages.contains("notAModel"))
    #expect(!directory.exists("data"))
  }

  @Test func aViolationOfAUniquePropertyIsAtItsValue() async throws {
    try directory.write(
      "{\"id\":1,\"email\":\"ann\"}\n{\"name\":\"Åsa\",\"email\":\"ann\",\"id\":2}\n", to: "two")
    for mode in [["--mode", "insert"], ["--mode", "upsert"]] {
      let run = try await run(arguments + mode + ["two"])
      #expect(run.status == 65)
      #expect(run.messages.hasPrefix("boxjoint: two:2:23: Person.email: "), "\(run.messages)")
    }
    try directory.write(
      "[{\"id\":1,\"email\":\"ann\"},\n {\"id\":2,\n  \"email\":\"ann\"}]", to: "array")
    let run = try await run(arguments + ["array"])
    #expect(run.messages.hasPrefix("boxjoint: array:3:11: Person.email: "), "\(run.messages)")
  }
}
