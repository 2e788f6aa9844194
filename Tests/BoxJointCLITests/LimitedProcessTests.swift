import TestSupport
import Testing

/// Commands that run git where the system gives them little, and where git does not answer.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"))
struct LimitedProcessTests {
  let repository: TemporaryRepository

  init() async throws {
    repository = try await TemporaryRepository()
    try await repository.commit(["model.json": SmallModel.base.text])
  }

  private func run(under limit: String) async throws -> ProcessRun {
    let tool = try #require(Tool.path)
    return try await ProcessRun.of(
      "sh", ["-c", "\(limit); exec \"$0\" history model.json", tool], in: repository.path,
      environment: repository.environment)
  }

  /// Git itself needs some: either all goes well, or one line says why not.
  @Test(arguments: 4...16)
  func fewDescriptors(_ count: Int) async throws {
    let run = try await run(under: "ulimit -n \(count)")
    let isRefused =
      run.status == 74 && run.messages.hasPrefix("boxjoint: ")
      && run.messages.split(separator: "\n").count == 1
    #expect(run.status == 0 || isRefused, "\(count): \(run.status) \(run.messages)")
    if count == 6 { #expect(run.messages == "boxjoint: git cannot be run: Too many open files\n") }
    if count == 16 { #expect(run.status == 0, "\(run.messages)") }
  }

  #if os(Linux)
    /// The arguments are read from a file, and without them every command would be none.
    @Test func noDescriptorForTheArguments() async throws {
      let run = try await run(under: "ulimit -n 3")
      // The libraries of the program may be files, too.
      if run.status == 127 { return }
      #expect(run.status == 74 && run.output.isEmpty)
      #expect(
        run.messages
          == "boxjoint: cannot read the arguments: no more files can be opened (`ulimit -n`)\n")
    }

    /// A thread cannot be had with so little; nothing waits for one.
    @Test(.timeLimit(.minutes(15)), arguments: [150_000, 200_000, 300_000, 600_000])
    func littleMemory(_ kilobytes: Int) async throws {
      let run = try await run(under: "ulimit -v \(kilobytes)")
      // The program and its libraries may be larger than that.
      #expect([0, 74, 127].contains(run.status), "\(run.status) \(run.messages)")
      if kilobytes == 600_000 { #expect(run.status == 0, "\(run.messages)") }
    }
  #endif

  @Test(.timeLimit(.minutes(15)))
  func aGitThatDoesNotAnswer() async throws {
    let directory = repository.surroundings
    try directory.write("#!/bin/sh\nsleep 100\n", to: "slow/git")
    _ = try await ProcessRun.of("chmod", ["+x", directory.path(of: "slow/git")])
    let run = try await repository.tool(
      "history", "model.json",
      environment: [
        "PATH": directory.path(of: "slow") + ":/usr/bin:/bin", "BOXJOINT_GIT_TIMEOUT": "1",
      ])
    #expect(run.status == 74)
    #expect(
      run.messages.hasSuffix(
        " did not answer within 1 second, and was ended; set BOXJOINT_GIT_TIMEOUT to wait longer\n"),
      "\(run.messages)")
  }
}
