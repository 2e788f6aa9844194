internal import ArgumentParser
internal import BoxReport
internal import BoxStoreTool
internal import BoxTerminal

/// `boxjoint dump verify`: checks that a dump is whole.
struct DumpVerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Check the counts and the checksums of a dump.",
    discussion: """
      Every byte is read and decompressed. The contents of objects are not checked, since a dump \
      with the right checksum is exactly what was exported.

      Examples:
        boxjoint dump verify people.ndjson.zst
        boxjoint dump verify people/ --format json

      Exit status:
        0   complete and unchanged
        1   cut off or changed
        2   the layout was changed, so the checksum cannot be compared
        64  wrong usage
        65  not a dump
        74  the dump cannot be read
      """)

  @Argument(
    help: ArgumentHelp("The file or directory of the dump.", valueName: "path"),
    transform: namedPath)
  var path: String

  @OptionGroup var decompression: DecompressionArguments

  @Option(help: "The output format.")
  var format: TextOrJSON = .text

  @Option(help: "How to show progress on standard error.")
  var progress: ProgressChoice = .auto

  func validate() throws {
    if DescriptorPath.isStream(path) {
      throw ValidationError("A dump is read twice, so a pipe cannot be checked; name a file.")
    }
  }

  func run() throws {
    let report = try DumpVerificationReport(
      of: path, limits: decompression.limits, Progress(progress))
    try StandardOutput.write(format == .text ? report.text : report.json.displayText)
    try endCommand(ifFindings: !report.isWhole)
  }
}
