import BoxDump
import BoxJSON
import BoxTool
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

  @Test func aConditionIsNamedByItsOption() {
    let failure = CommandFailure(
      .usage, "expected a value", position: JSONPosition(line: 1, column: 8),
      remedy: .dump(.correctCondition))
    #expect(failure.line == "boxjoint: expected a value")
    #expect(failure.advised.line == "boxjoint: --where:1:8: expected a value")
  }
}
