internal import ArgumentParser
internal import BoxDump
internal import BoxJSON
internal import BoxReport
internal import BoxTool

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

  @Argument(help: ArgumentHelp("The file or directory of the dump.", valueName: "path"))
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
    let bar = Progress(progress)
    let isFolder = isFolder(path)
    let report = try onDump(path) {
      defer { bar.finish() }
      do {
        return try DumpVerifier.verify(path, isFolder: isFolder, limits: decompression.limits) {
          bar.update("checking", $0, of: $0, unit: "objects")
        }
      } catch let error as DumpError where error.kind == .cutOff {
        // Nothing is known of a dump without its header, not even its shape.
        throw CommandFailure(
          .findings, error.message, path: error.path, position: error.position)
      }
    }
    try StandardOutput.write(format == .text ? text(report) : json(report).displayText)
    if !report.problems.isEmpty { throw ExitStatus.findings.exitCode }
  }

  private func text(_ report: DumpVerifier.Report) -> String {
    let problems = report.problems.map { "\($0)".escapedForDisplay + "\n" }
    if !problems.isEmpty { return problems.joined() }
    let targets = report.totals.relations.reduce(0) { $0 + $1.targets }
    var text =
      "\(path.escapedForDisplay) is whole: \(counted(report.totals.objects, "object")) of "
      + counted(report.totals.entities.count, "entity", "entities")
    if !report.totals.relations.isEmpty {
      text +=
        ", \(counted(targets, "entry", "entries")) of "
        + counted(report.totals.relations.count, "relation")
    }
    return text + ", \(bytesText(report.bytes))\n"
  }

  private func json(_ report: DumpVerifier.Report) -> JSONValue {
    [
      "schemaVersion": 1, "dump": .string(path),
      "shape": .string(report.header.shape.rawValue), "bytes": .int(report.bytes),
      "partial": .bool(report.header.isPartial),
      "importable": .bool(report.header.isImportable),
      "entities": .array(
        report.totals.entities.map {
          [
            "name": .string($0.name), "objects": .int($0.objects), "lastId": .uint($0.lastID),
          ]
        }),
      "relations": .array(
        report.totals.relations.map {
          [
            "name": .string($0.name), "sources": .int($0.sources), "targets": .int($0.targets),
          ]
        }),
      "problems": .array(
        report.problems.map {
          [
            "path": $0.path.map { .string($0) } ?? .null, "message": .string($0.message),
            "line": $0.position.map { .int($0.line) } ?? .null,
          ]
        }),
    ]
  }
}
