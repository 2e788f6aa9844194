import BoxModel
import TestSupport
import Testing

@testable import BoxModelTool

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A signal in the middle of a write.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"))
struct InterruptTests {
  /// Stops the program when its temporary file is there, signals it, lets it go on, and prints how
  /// it ended; starts again where the file was gone before the program stopped.
  private static let script = """
    import glob, os, resource, signal, subprocess, sys
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    pattern, number, program, arguments = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4:]
    def temporary():
      return glob.glob(pattern)
    for attempt in range(100):
      run = subprocess.Popen(
        [program] + arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
      while run.poll() is None and not temporary():
        pass
      if run.poll() is None:
        run.send_signal(signal.SIGSTOP)
        os.waitpid(run.pid, os.WUNTRACED)
        found = temporary()
        run.send_signal(number)
        run.send_signal(signal.SIGCONT)
        if found:
          print(run.wait())
          sys.exit(0)
      run.wait()
    sys.exit("the program was never met with a temporary file")
    """

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT])
  func noTemporaryFileIsLeft(signal: Int32) async throws {
    let directory = try TemporaryDirectory()
    let model = LargeModel.bytes(entities: 1000)
    try directory.write(model, to: "m.json")
    try directory.write("old", to: "out.json")
    let run = try await ProcessRun.of(
      "python3",
      ["-c", Self.script, ".*.tmp", String(signal), Tool.path ?? ""]
        + ["merge", "--ours", "m.json", "--theirs", "m.json", "--output", "out.json"],
      in: directory.path)
    #expect(run.status == 0, "\(run.messages)")
    // The caller sees that a signal ended the program.
    #expect(run.text == "-\(signal)\n")
    #expect(directory.names() == ["m.json", "out.json"])
    let left = try directory.bytes(of: "out.json")
    #expect(left == Array("old".utf8) || left == model)
  }

  @Test func aSignalThatTheCallerTurnedOffStaysOff() async throws {
    let directory = try TemporaryDirectory()
    try directory.write(LargeModel.bytes(entities: 1000), to: "m.json")
    let run = try await ProcessRun.of(
      "sh",
      [
        "-c", #"trap "" HUP; exec python3 -c "$@""#, "sh", Self.script, ".*.tmp", String(SIGHUP),
        Tool.path ?? "", "merge", "--ours", "m.json", "--theirs", "m.json", "--output", "out.json",
      ], in: directory.path)
    #expect(run.text == "0\n", "\(run.messages)")
    #expect(directory.names() == ["m.json", "out.json"])
  }

  /// Stores of fixtures can have data of users.
  @Test(arguments: [SIGINT, SIGTERM])
  func noStoreOfATestOfMigrationsIsLeft(signal: Int32) async throws {
    let repository = try await TemporaryRepository()
    func model(_ rank: PropertyType) throws -> String {
      var model = TestModel()
      for number in 1...20 {
        model.entities.append(
          .init(
            name: "E\(number)", uid: UID(1000 * number),
            fields: [.init("rank", UID(1000 * number + 2), rank)]))
      }
      return try model.text
    }
    try await repository.commit(["model.json": try model(.int)])
    try await repository.git("tag", "v1.0")
    try repository.write(model(.long), to: "model.json")
    try repository.surroundings.write("", to: "temporary/.keep")
    let place = repository.surroundings.path(of: "temporary")
    let run = try await ProcessRun.of(
      "python3",
      [
        "-c", Self.script, place + "/boxjoint-*/store/data.mdb", String(signal), Tool.path ?? "",
        "migrate", "test", "model.json", "--objects", "100",
      ], in: repository.path,
      environment: repository.environment.merging(["TMPDIR": place]) { $1 })
    #expect(run.status == 0, "\(run.messages)")
    #expect(run.text == "-\(signal)\n")
    #expect(repository.surroundings.names(in: "temporary") == [".keep"])
  }

  @Test func aRemovedTemporaryFileIsForgotten() throws {
    let directory = try TemporaryDirectory()
    // More than there are places for.
    let temporaries = (0..<20).map { _ in TemporaryPath(in: directory.path) }
    #expect(Set(temporaries.map(\.path)).count == 20)
    for temporary in temporaries {
      try directory.write("x", to: temporary.path)
      temporary.remove()
    }
    #expect(directory.names() == [])
  }
}
