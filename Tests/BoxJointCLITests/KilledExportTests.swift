import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Exports that are killed while they write.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"))
struct KilledExportTests {
  private let directory: TemporaryDirectory

  init() async throws {
    directory = try TemporaryDirectory()
    let lines = (1...20_000).map { #"{"name":"tag \#($0)","rank":\#($0 % 10)}"# }
    try directory.write(lines.joined(separator: "\n") + "\n", to: "tags.ndjson")
    let run = try await runTool(
      ["import", "--infer", "--store", "data", "--entity", "Tag", "tags.ndjson"],
      in: directory.path)
    #expect(run.status == 0, "\(run.messages)")
    mkdir(directory.path(of: "out"), 0o755)
  }

  /// Kills the program when its temporary file or directory is there, and prints what is in its place; starts again
  /// where the program was faster.
  private static let script = """
    import glob, os, shutil, subprocess, sys
    for attempt in range(100):
      run = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
      while run.poll() is None and not glob.glob("out/**/.boxjoint-export-*", recursive=True):
        pass
      run.kill()
      run.wait()
      left = [os.path.relpath(os.path.join(place, name), "out")
              for place, _, names in os.walk("out") for name in names]
      if glob.glob("out/**/.boxjoint-export-*", recursive=True):
        sys.exit(print([name for name in left if ".boxjoint-export-" not in name]))
      for name in os.listdir("out"):
        shutil.rmtree("out/" + name) if os.path.isdir("out/" + name) else os.remove("out/" + name)
    sys.exit("the program was never met with a temporary file")
    """

  @Test(arguments: [
    ["--output", "out/tags.ndjson"], ["--format", "sqlite", "--output", "out/tags.db"],
    ["--shape", "directory", "--output", "out/tags"], ["--shape", "directory", "--output", "out"],
    ["--format", "csv", "--shape", "directory", "--output", "out/"],
  ])
  func theNextOneRemovesWhatIsLeft(_ options: [String]) async throws {
    let arguments = ["export", "--store", "data"] + options
    let killed = try await ProcessRun.of(
      "python3", ["-c", Self.script, Tool.path ?? ""] + arguments, in: directory.path)
    #expect(killed.status == 0, "\(killed.messages)")
    #expect(killed.text == "[]\n")
    #expect(!directory.names(in: "out").isEmpty)
    let run = try await runTool(arguments, in: directory.path)
    #expect(run.status == 0, "\(run.messages)")
    let names = directory.names(in: "out")
    #expect(!names.isEmpty && !names.contains { $0.hasPrefix(".") }, "\(names)")
  }

  /// The file of an export that runs at the same time stays, and so does every file that is not one of an export.
  @Test func anotherThatRunsStays() async throws {
    try directory.write("mine", to: "out/.boxjoint-1.tmp")
    try directory.write("left", to: "out/.boxjoint-export-1.tmp")
    try directory.write("left", to: "out/.boxjoint-export-2/Tag.ndjson")
    try directory.write("mine", to: "out/.boxjoint-export-3/folder/file")
    symlink("../tags.ndjson", directory.path(of: "out/.boxjoint-export-4"))
    mkfifo(directory.path(of: "out/.boxjoint-export-5"), 0o600)
    let script = """
      import fcntl, os, subprocess, sys
      os.makedirs("out/.boxjoint-export-6", exist_ok=True)
      place = os.open("out/.boxjoint-export-6", os.O_RDONLY)
      fcntl.flock(place, fcntl.LOCK_EX)
      sys.exit(subprocess.run(sys.argv[1:]).returncode)
      """
    for (format, output) in [("sqlite", "out/a.db"), ("json", "out/b.ndjson")] {
      let run = try await ProcessRun.of(
        "python3",
        [
          "-c", script, Tool.path ?? "", "export", "--store", "data", "--format", format,
          "--output", output,
        ], in: directory.path)
      #expect(run.status == 0, "\(run.messages)")
    }
    #expect(
      directory.names(in: "out").sorted() == [
        ".boxjoint-1.tmp", ".boxjoint-export-3", ".boxjoint-export-4", ".boxjoint-export-5",
        ".boxjoint-export-6", "a.db", "b.ndjson",
      ])
    #expect(directory.names(in: "out/.boxjoint-export-3") == ["folder"])
  }
}
