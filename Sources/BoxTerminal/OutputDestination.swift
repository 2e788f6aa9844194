internal import ArgumentParser
package import BoxReport
package import BoxWorkspace

/// A file that output is written to: the value of `--output FORMAT=PATH`.
package struct OutputDestination<Format: RawRepresentable<String> & CaseIterable & Sendable>:
  ExpressibleByArgument, Sendable
{
  package var format: Format
  package var path: String

  /// The values listed in the help and in the refusal of another value.
  package static var allValueStrings: [String] { Format.allCases.map { "\($0.rawValue)=PATH" } }

  package init?(argument: String) {
    guard let equals = argument.firstIndex(of: "="),
      let format = Format(rawValue: String(argument[..<equals]))
    else { return nil }
    self.format = format
    path = String(argument[argument.index(after: equals)...])
    if path.isEmpty { return nil }
  }
}

extension OutputDestination {
  /// Writes a text to the file; for standard output as other reports are printed.
  ///
  /// - Throws: ``CommandFailure`` with status 74 if it cannot be written.
  package func write(_ text: String) throws(CommandFailure) {
    if DescriptorPath.isStandardOutput(path) {
      try StandardOutput.write(text, isCommands: format.rawValue == "github")
    } else {
      try AtomicFile.write(Array(text.utf8), to: path)
    }
  }
}

extension OutputDestination<ReportFormat> {
  /// Writes a report in the format.
  ///
  /// - Parameters:
  ///   - report: The report.
  ///   - limit: The maximum number of listed findings of a file; nil for the limit of the format.
  /// - Throws: ``CommandFailure`` with status 74 if the file cannot be written.
  package func write(_ report: Report, limit: Int? = nil) throws(CommandFailure) {
    try write(report.render(format, limit: limit))
  }
}
