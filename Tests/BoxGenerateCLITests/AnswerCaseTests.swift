import TestSupport
import Testing

/// Small wrong answers that people have reported of other programs, and attacks have found in this one.
@Suite(
  .enabled(
    if: ScriptCases.answers.isRunnable, "../shared/cases/answers or a program is not there"))
struct AnswerCaseTests {
  @Test(arguments: ScriptCases.answers.names)
  func isRight(_ name: String) async throws { try await ScriptCases.answers.check(name) }
}
