package import ArgumentParser
package import BoxWorkspace

/// The exit status of the program.
///
/// The numbers from 64 up follow `sysexits.h`.
package enum ExitStatus: Int32, Hashable, Sendable {
  /// No problems were found.
  case success = 0
  /// There are findings, conflicts or differences.
  case findings = 1
  /// The input is valid, but the request cannot be carried out with it.
  case impossible = 2
  /// The command line is invalid.
  case usage = 64
  /// The input is invalid.
  case badInput = 65
  /// A file, a stream or git could not be read or written.
  case inputOutput = 74
  /// The configuration is invalid.
  case badConfiguration = 78

  /// The status of a command that ends by a failure.
  package init(_ kind: FailureKind) {
    self =
      switch kind {
      case .finding: .findings
      case .impossible: .impossible
      case .usage: .usage
      case .badInput: .badInput
      case .inputOutput: .inputOutput
      case .badConfiguration: .badConfiguration
      }
  }

  /// The status of a command that has printed a report.
  package init(_ outcome: ReportOutcome) {
    self =
      switch outcome {
      case .success: .success
      case .findings: .findings
      case .failed(let kind): ExitStatus(kind)
      }
  }

  /// Ends a command with this status and nothing more to say.
  package var exitCode: ExitCode { ExitCode(rawValue) }
}

extension ReportOutcome {
  /// Ends the command with the status of the outcome, unless that is success.
  ///
  /// - Throws: `ExitCode`.
  package func endCommand() throws(ExitCode) {
    if self != .success { throw ExitStatus(self).exitCode }
  }
}

/// Ends the command with the status for findings if there are any.
///
/// - Throws: `ExitCode`.
package func endCommand(ifFindings hasFindings: Bool) throws(ExitCode) {
  try (hasFindings ? ReportOutcome.findings : .success).endCommand()
}
