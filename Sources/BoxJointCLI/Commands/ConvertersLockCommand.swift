internal import ArgumentParser
internal import BoxConvert
internal import BoxReport
internal import BoxSystem
internal import BoxTool

/// `boxjoint converters lock`: writes down what raw values mean.
struct ConvertersLockCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lock",
    abstract: "Record what raw values mean, so that check detects changes.",
    discussion: """
      Commit the lock together with the catalogue. The lock is not written if 'converters check' \
      would report an error, because stored values would then be read in another way. --force \
      writes it anyway.

      Examples:
        boxjoint converters lock
        boxjoint converters lock --catalogue enums.yml --lock enums.lock

      Exit status:
        0   the lock was written, or is up to date
        1   the catalogue contradicts its lock
        65  the lock is invalid
        74  a file cannot be read or written
        78  the catalogue is wrong
      """)

  @OptionGroup var catalogue: CatalogueArguments

  @Option(
    help: ArgumentHelp(
      "The lock; defaults to converters.lock next to the catalogue.", valueName: "path"))
  var lock: String?

  @Flag(help: "Write the lock even if stored values are then read in another way.")
  var force = false

  func run() throws {
    let file = try catalogue.load()
    let path = file.lockPath(lock)
    let exists = ((try? fileAttributes(at: path)) ?? nil) != nil
    let locked = exists ? try file.lock(path) : nil
    let errors = file.findings(file.catalogue.check(model: nil, lock: locked, path: file.path))
      .filter { $0.severity == .error }
    if !errors.isEmpty, !force {
      let report = Report(
        findings: errors, checkedPaths: [file.path],
        tool: .boxjoint)
      StandardError.write(report.render(.text))
      throw ExitStatus.findings.exitCode
    }
    let text = Array(ConverterLock(file.catalogue).text.utf8)
    if exists, try SourceFile.read(path).bytes == text { return }
    try AtomicFile.write(text, to: path)
    StandardError.writeLine("wrote \(path)".escapedForDisplay)
  }
}
