internal import ArgumentParser
internal import BoxReport

/// A file that something printed goes to: the value of `--output FORMAT=PATH`.
struct OutputDestination<Format: RawRepresentable<String> & CaseIterable & Sendable>:
  ExpressibleByArgument, Sendable
{
  var format: Format
  var path: String

  /// What help and the refusal of another value list.
  static var allValueStrings: [String] { Format.allCases.map { "\($0.rawValue)=PATH" } }

  init?(argument: String) {
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
  func write(_ text: String) throws(CommandFailure) {
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
  ///   - limit: How many findings of a file are listed; nil for what the format lists.
  /// - Throws: ``CommandFailure`` with status 74 if the file cannot be written.
  func write(_ report: Report, limit: Int? = nil) throws(CommandFailure) {
    try write(report.render(format, limit: limit))
  }
}
