import BoxDump
import BoxJSON
import BoxModelTool
import Testing

@testable import BoxJointCLI

/// The options that the commands add to the messages of the libraries.
struct RemedyOptionsTests {
  @Test(
    arguments: [
      (.useGlobalScope, "; pass --global for all repositories"), (.nameApprover, "; pass --author"),
      (.nameCatalogue, "; pass --catalogue"),
      (.raiseDecompressionLimits, "; pass a larger --max-ratio or --max-size if you trust it"),
      (.dump(.exportEntity("Tag")), "; add Tag to --entities"), (nil, ""),
    ] as [(FailureRemedy?, String)])
  func aRemedyIsAnOption(remedy: FailureRemedy?, advice: String) {
    let failure = CommandFailure(.usage, "it failed", path: "a", remedy: remedy)
    #expect(failure.line == "boxjoint: a: it failed")
    #expect(failure.advised.line == "boxjoint: a: it failed" + advice)
  }

  /// A dump is read by several commands, and each has options of its own.
  @Test func anOptionThatTheCommandLacksIsNotAdvised() {
    for (remedy, option) in [
      (.nameFormat, "--input-format"), (.raiseElementLimit, "--max-element"),
      (.allowPartialDirectories, "--partial"),
    ] as [(DumpRemedy, String)] {
      let failure = CommandFailure(.badInput, "it failed", remedy: .dump(remedy))
      #expect(failure.advised(for: ImportCommand.self).line.contains(option))
      #expect(failure.advised(for: DumpVerifyCommand.self).line == failure.line)
      #expect(failure.advised(for: RecoverCommand.self).line == failure.line)
    }
    // The command line of another command is complete.
    let diff = CommandFailure(.badInput, "it failed", remedy: .dump(.exportWithoutConverters))
    #expect(diff.advised(for: DumpDiffCommand.self).line.contains("`boxjoint export --raw`"))
  }

  @Test func aConditionIsNamedByItsOption() {
    let failure = CommandFailure(
      .usage, "expected a value", position: JSONPosition(line: 1, column: 8),
      remedy: .dump(.correctCondition))
    #expect(failure.line == "boxjoint: expected a value")
    #expect(failure.advised.line == "boxjoint: --where:1:8: expected a value")
  }
}
