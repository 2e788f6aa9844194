import BoxSystem
import TestSupport
import Testing

@testable import BoxWorkspace

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Programs that are run to their end by one thread.
struct ChildProcessTests {
  /// Without it, a program that does not read its input would end the tests.
  init() { Signals.prepare() }

  private func shell(
    _ script: String, _ environment: [String: String?] = [:], patience: Int = 600
  ) -> ChildProcess {
    ChildProcess(
      program: "/bin/sh", arguments: ["-c", script], environment: environment, patience: patience)
  }

  @Test func whatAProgramLeavesIsAllOfIt() throws {
    let run = try shell("echo out; echo error >&2; exit 7").run()
    #expect(run.status == 7)
    #expect(run.standardOutput == Array("out\n".utf8))
    #expect(run.standardError == Array("error\n".utf8))
    #expect(try shell("kill -9 $$").run().status == 128 + SIGKILL)
    #expect(try shell("cat").run().standardOutput.isEmpty)
  }

  /// More than the pipes hold, in both directions at once.
  @Test func muchGoesInAndOut() throws {
    var random = TestSeed.next()
    let input = (0..<3_000_001).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    let run = try shell("tee /dev/stderr").run(input: input)
    #expect(run.status == 0)
    #expect(run.standardOutput == input)
    #expect(run.standardError == input)
  }

  @Test func aProgramNeedNotReadItsInput() throws {
    let run = try shell("exit 3").run(input: [UInt8](repeating: 1, count: 1 << 20))
    #expect(run.status == 3)
  }

  @Test func variablesAreChangedAndRemoved() throws {
    setenv("BOXJOINT_TEST_KEPT", "kept", 1)
    setenv("BOXJOINT_TEST_GONE", "gone", 1)
    defer {
      unsetenv("BOXJOINT_TEST_KEPT")
      unsetenv("BOXJOINT_TEST_GONE")
    }
    let run = try shell(
      "echo \"$BOXJOINT_TEST_KEPT,$BOXJOINT_TEST_GONE,$BOXJOINT_TEST_NEW\"",
      ["BOXJOINT_TEST_GONE": String?.none, "BOXJOINT_TEST_NEW": "a=b"]
    ).run()
    #expect(run.text == "kept,,a=b")
  }

  /// The program of the user must end where its reader goes away, as it does in a shell.
  @Test func signalsThatTheToolIgnoresAreAsTheyWere() throws {
    #expect(try shell("kill -PIPE $$; exit 3").run().status == 128 + SIGPIPE)
  }

  @Test func silenceIsEnded() throws {
    for script in ["sleep 100", "trap '' TERM; echo x; sleep 100", "exec >&- 2>&-; sleep 100"] {
      let start = currentTime()
      #expect(throws: ChildProcess.Failure.silence(seconds: 1)) {
        try shell(script, patience: 1).run()
      }
      #expect(currentTime() - start < 60, "\(script)")
    }
    // Whoever prints now and then is not silent.
    let slow = try shell("for i in 1 2 3 4; do echo $i; sleep 1; done", patience: 3).run()
    #expect(slow.text == "1\n2\n3\n4")
  }

  /// A process that a program leaves running may keep the output of the program open.
  @Test func nobodyElseIsWaitedFor() throws {
    let start = currentTime()
    let run = try shell("sleep 50 & echo done").run()
    #expect(run.text == "done")
    #expect(currentTime() - start < 30)
  }

  @Test func aProgramThatCannotBeStartedIsAnError() {
    #expect(throws: ChildProcess.Failure.system(SystemError(code: ENOENT))) {
      try ChildProcess(program: "/nowhere/program", arguments: []).run()
    }
  }

  @Test func descriptorsAreClosed() throws {
    func count() -> Int { (0..<200).count { fcntl($0, F_GETFD) >= 0 } }
    _ = try shell("true").run(input: [1])
    let before = count()
    for _ in 0..<20 { _ = try shell("true").run(input: [1]) }
    #expect(count() < before + 20)
  }
}
