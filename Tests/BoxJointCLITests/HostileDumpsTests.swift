import TestSupport
import Testing

@testable import BoxModelTool

/// Compressed files that stand for far more than they are, given to every command that reads them.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"))
struct HostileDumpsTests {
  private let directory: TemporaryDirectory

  /// 80 MiB of blanks in front of an object, which gzip makes 1029 times as small.
  init() async throws {
    directory = try ImportSample.directory()
    let line =
      #"{ head -c 83886080 /dev/zero | tr '\0' ' '; echo '{"id":0}'; } | gzip -9 >bomb.gz"#
    let made = try await ProcessRun.of("sh", ["-c", line], in: directory.path)
    #expect(made.status == 0)
    #expect(try directory.bytes(of: "bomb.gz").count < 83_886_080 / 1000)
  }

  private func commands() -> [[String]] {
    [
      ["import", "--store", "data", "--model", "model.json", "--entity", "Person", "bomb.gz"],
      ["dump", "verify", "bomb.gz"], ["dump", "diff", "bomb.gz", "bomb.gz"],
    ]
  }

  @Test func aBombIsRefusedByEveryReader() async throws {
    for command in commands() {
      let run = try await runTool(command, in: directory.path)
      #expect(run.status == 65, "\(command)")
      #expect(
        run.messages
          == "boxjoint: bomb.gz: the compressed data expands to more than 1000 times its size; "
          + "pass a larger --max-ratio or --max-size if you trust it\n")
    }
    #expect(!directory.exists("data"))
  }

  @Test func theLimitsAreRaisedAndSet() async throws {
    for command in commands() {
      for options in [["--max-ratio", "none"], ["--max-ratio", "1100"]] {
        let run = try await runTool(command + options, in: directory.path)
        #expect(!run.messages.contains("expands to more"), "\(command): \(run.messages)")
      }
      let limited = try await runTool(command + ["--max-size", "10"], in: directory.path)
      #expect(limited.status == 65, "\(command)")
      #expect(
        limited.messages.contains("expands to more than 10485760 bytes"), "\(limited.messages)")
      for wrong in [["--max-ratio", "0"], ["--max-ratio", "x"], ["--max-size", "0"]] {
        #expect(try await runTool(command + wrong, in: directory.path).status == 64)
      }
    }
  }
}
