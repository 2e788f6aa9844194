import TestSupport
import Testing

/// Repositories of teams that went wrong; `U` stands for a UID in what is right.
@Suite(
  .enabled(if: ScriptCases.teams.isRunnable, "../shared/cases/team or a program is not there"))
struct TeamCaseTests {
  @Test(arguments: ScriptCases.teams.names)
  func isRight(_ name: String) async throws {
    try await ScriptCases.teams.check(name, normalized: Self.withoutUIDs)
  }

  /// Texts of ten digits and more are UIDs.
  private static func withoutUIDs(_ text: String) -> String {
    var result = ""
    var digits = ""
    for character in text + "\n" {
      if character.isASCII, character.isNumber {
        digits.append(character)
        continue
      }
      result += digits.count >= 10 ? "U" : digits
      digits = ""
      result.append(character)
    }
    return result
  }
}
