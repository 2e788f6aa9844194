import BoxJSON
import BoxTerminal
import Testing

@testable import BoxJointCLI
@testable import BoxModelTool

struct TerminalTests {
  /// Each row: the choice, whether it is a terminal, the environment, and what is right.
  @Test(arguments: [
    (ColorChoice.always, false, ["NO_COLOR": "1"], true),
    (.never, true, ["CLICOLOR_FORCE": "1"], false),
    (.auto, true, [:], true),
    (.auto, false, [:], false),
    (.auto, true, ["NO_COLOR": "1"], false),
    (.auto, true, ["NO_COLOR": ""], true),
    (.auto, false, ["CLICOLOR_FORCE": "1"], true),
    (.auto, false, ["CLICOLOR_FORCE": "0"], false),
    (.auto, false, ["CLICOLOR_FORCE": ""], false),
    (.auto, true, ["NO_COLOR": "1", "CLICOLOR_FORCE": "1"], false),
    (.auto, true, ["TERM": "dumb"], false),
  ])
  func colorFollowsTheConventions(
    choice: ColorChoice, isTerminal: Bool, environment: [String: String], expected: Bool
  ) {
    #expect(choice.usesColor(isTerminal: isTerminal) { environment[$0] } == expected)
  }

  @Test func progressHasAShareAndARateOnceTheyAreKnown() {
    let start = ProgressState(
      step: "step 1 of 2", done: 0, total: 0, unit: "objects", elapsed: .zero)
    #expect(start.line(width: 80) == "step 1 of 2")
    #expect(start.line(width: 5) == "step")
    #expect(start.json.text(indent: 0).contains("\"rate\":null"))
    let later = ProgressState(
      step: "step 1 of 2", done: 500, total: 1000, unit: "objects", elapsed: .seconds(1))
    let line = later.line(width: 80)
    #expect(line.hasPrefix("step 1 of 2  50% ["))
    #expect(line.hasSuffix("  500 of 1,000 objects, 500/s, 1 s left"))
    #expect(later.json.text(indent: 0).contains("\"rate\":500"))
  }
}
