import Testing

@testable import BoxJointCLI

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
}
