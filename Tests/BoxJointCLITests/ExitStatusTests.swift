import ArgumentParser
import BoxModelTool
import BoxTerminal
import Testing

@testable import BoxJointCLI

/// The one place where outcomes and failures become numbers.
struct ExitStatusTests {
  /// The numbers of `sysexits.h`, and those that the help of the program lists.
  @Test(
    arguments: [
      (.finding, 1), (.impossible, 2), (.usage, 64), (.badInput, 65), (.inputOutput, 74),
      (.badConfiguration, 78),
    ] as [(FailureKind, Int32)])
  func failuresHaveTheirNumbers(kind: FailureKind, number: Int32) {
    #expect(ExitStatus(kind).rawValue == number)
    #expect(ExitStatus(.failed(kind)).rawValue == number)
    let help = BoxJointCommand.configuration.discussion
    #expect(help.contains("\n  \(number) "), "\(number) is not documented")
  }

  @Test func reportsHaveTheirNumbers() {
    #expect(ExitStatus(ReportOutcome.success).rawValue == 0)
    #expect(ExitStatus(ReportOutcome.findings).rawValue == 1)
    #expect(throws: Never.self) { try ReportOutcome.success.endCommand() }
    #expect(throws: (any Error).self) { try ReportOutcome.findings.endCommand() }
  }

  /// Of several files, the one with the greatest number counts.
  @Test func severityIsTheOrderOfTheNumbers() {
    let numbers = FailureKind.allCases.map { ExitStatus($0).rawValue }
    #expect(numbers == numbers.sorted())
  }
}
