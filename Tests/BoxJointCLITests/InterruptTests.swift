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
    import os, resource, signal, subprocess, sys
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    number, program, arguments = int(sys.argv[1]), sys.argv[2], sys.argv[3:]
    def temporary():
      return [name for name in os.listdir(".") if name.endswith(".tmp")]
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
      ["-c", Self.script, String(signal), Tool.path ?? ""]
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
        "-c", #"trap "" HUP; exec python3 -c "$@""#, "sh", Self.script, String(SIGHUP),
        Tool.path ?? "", "merge", "--ours", "m.json", "--theirs", "m.json", "--output", "out.json",
      ], in: directory.path)
    #expect(run.text == "0\n", "\(run.messages)")
    #expect(directory.names() == ["m.json", "out.json"])
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
