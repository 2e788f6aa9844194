import TestSupport
import Testing

/// Command lines about dumps that are refused before anything is read.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"))
struct DumpCommandTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try ImportSample.directory()
  }

  private func run(_ arguments: String...) async throws -> ProcessRun {
    try await runTool(arguments, in: directory.path)
  }

  @Test func optionsThatNameNothingAreRefused() async throws {
    for arguments in [
      ["--entities", ""], ["--entities", ","], ["--fields", ""],
      ["--shape", "directory", "--output", "dump.gz"],
    ] {
      let run = try await runTool(["export", "--store", "data"] + arguments, in: directory.path)
      #expect(run.status == 64, "\(run.messages)")
      #expect(run.text.isEmpty, "\(run.messages)")
    }
    #expect(!directory.exists("dump.gz"))
  }

  @Test func standardInputIsNotADumpToVerify() async throws {
    let verify = try await run("dump", "verify", "-")
    #expect(verify.status == 64)
    #expect(verify.messages.contains("a pipe"))
    #expect(try await run("dump", "diff", "store:data", "-").status == 64)
  }

  @Test func aPipeIsNotADumpToVerify() async throws {
    let program = try #require(Tool.path)
    for line in ["dump verify <(cat /dev/null)", "dump diff <(cat /dev/null) a"] {
      let run = try await ProcessRun.of("bash", ["-c", "\"$0\" " + line, program])
      #expect(run.status == 64)
      #expect(run.messages.contains("A dump is read twice, so a pipe "))
    }
  }
}
