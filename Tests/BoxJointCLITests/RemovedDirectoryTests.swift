import ArgumentParser
import TestSupport
import Testing

@testable import BoxJointCLI

/// Commands whose working directory was removed.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"))
struct RemovedDirectoryTests {
  /// Every command that has no commands below it, as words with the arguments that it needs.
  static let commands: [[String]] = leaves(BoxJointCommand.self, [])

  private static func leaves(
    _ command: any ParsableCommand.Type, _ words: [String]
  ) -> [[String]] {
    let configuration = command.configuration
    let own = configuration.subcommands.isEmpty || configuration.defaultSubcommand != nil
    return (own ? [words] : [])
      + configuration.subcommands.flatMap {
        leaves($0, words + [$0.configuration.commandName ?? ""])
      }
  }

  /// Whatever the arguments are: paths are looked up from the working directory, git runs in it, and so
  /// nothing can be said about them.
  @Test(arguments: commands)
  func endWithOneSentence(_ words: [String]) async throws {
    let directory = try TemporaryDirectory()
    // Arguments that commands need; one that takes fewer of them ends by its usage, before it runs.
    var isRun = false
    let lists =
      (0...5).map { Array(["a", "b.c", "c", "d", "e"].prefix($0)) }
      + [
        ["bash"], ["post-merge"], ["--store", "a"], ["--store", "a", "b"],
        ["--store", "a", "--to", "b"],
        ["--sources", "a"],
        ["a", "b", "1"], ["a", "b", "1", "c=1"], ["a", "b.c", "1", "2"], ["a", "b.c", "long"],
        ["a", "b.c", "long", "--convert"], ["a", "b.c", "indexed"],
        ["a", "b.c", "--set", "indexed"], ["a", "--mark", "b", "--request", "1"],
        ["0123456789abcdef0123", "--reason", "a"], ["a", "--all"],
      ]
    for values in lists where !isRun {
      let script = #"mkdir gone && cd gone && rmdir ../gone && exec timeout 20 "$@""#
      let run = try await ProcessRun.of(
        "sh", ["-c", script, "sh", Tool.path ?? ""] + words + values, in: directory.path)
      if run.status == 64 { continue }
      isRun = true
      #expect(run.status == 74, "\(words): \(run.messages)")
      #expect(
        run.messages == "boxjoint: the working directory does not exist; change to one that does\n")
      #expect(run.output.isEmpty)
    }
    #expect(isRun, "no arguments were right")
  }

  @Test(arguments: [["--help"], ["--version"], ["check", "--help"], ["--licenses"]])
  func helpNeedsNoDirectory(_ words: [String]) async throws {
    let directory = try TemporaryDirectory()
    let script = #"mkdir gone && cd gone && rmdir ../gone && exec timeout 20 "$@""#
    let run = try await ProcessRun.of(
      "sh", ["-c", script, "sh", Tool.path ?? ""] + words, in: directory.path)
    #expect(run.status == 0)
    #expect(!run.output.isEmpty)
  }
}
