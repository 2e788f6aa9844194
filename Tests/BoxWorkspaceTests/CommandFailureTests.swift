import BoxJSON
import Testing

@testable import BoxWorkspace

struct CommandFailureTests {
  @Test func lineNamesPathLineAndColumn() {
    let failure = CommandFailure(
      .badInput, "not JSON", path: "a b/model.json",
      position: JSONPosition(line: 3, column: 14))
    #expect(failure.line == "boxjoint: a b/model.json:3:14: not JSON")
    #expect(CommandFailure(.impossible, "no").line == "boxjoint: no")
    #expect(CommandFailure(.inputOutput, "no", path: "x").line == "boxjoint: x: no")
  }

  @Test(arguments: 0..<0x2100)
  func lineIsAlwaysOneLineWithoutControlCharacters(value: UInt32) throws {
    guard let scalar = Unicode.Scalar(value) else { return }
    let line = CommandFailure(
      .inputOutput, "m\(Character(scalar))m", path: "p\(Character(scalar))p"
    ).line
    let hasNewline = line.contains { $0.isNewline }
    #expect(!hasNewline)
    #expect(
      line.unicodeScalars.allSatisfy {
        $0.properties.generalCategory != .control && !$0.properties.isBidiControl
      })
  }

  /// Of several failures, the greatest counts, and every failure outweighs findings.
  @Test func outcomesAreInTheOrderOfSeverity() {
    #expect(FailureKind.allCases == FailureKind.allCases.sorted())
    let outcomes = [.success, .findings] + FailureKind.allCases.map(ReportOutcome.failed)
    #expect(outcomes == outcomes.sorted())
  }

  @Test(arguments: [
    (0, "1970-01-01T00:00:00Z"), (951_782_400, "2000-02-29T00:00:00Z"),
    (4_102_444_799, "2099-12-31T23:59:59Z"), (-1, "1969-12-31T23:59:59Z"),
  ])
  func timesAreUTC(seconds: Int64, text: String) {
    #expect(utcTime(seconds) == text)
  }
}
