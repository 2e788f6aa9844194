internal import ArgumentParser
internal import BoxModelTool
internal import BoxReport
internal import BoxTerminal

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
        64  wrong usage
        65  the lock is invalid
        74  a file cannot be read or written
        78  the catalogue is wrong
      """)

  @OptionGroup var catalogue: CatalogueArguments

  @Option(
    help: ArgumentHelp(
      "The lock; defaults to the catalogue's name with the ending .lock.", valueName: "path"),
    transform: namedPath)
  var lock: String?

  @Flag(help: "Write the lock even if stored values are then read in another way.")
  var force = false

  func run() throws {
    var request = ConverterLockRequest(catalogue.choice, lock: lock)
    request.isForced = force
    switch try request.run(in: .console) {
    case .unchanged: break
    case .written(let path): StandardError.writeLine("wrote \(path)")
    case .refused(let report):
      StandardError.write(report.render(.text))
      try endCommand(ifFindings: true)
    }
  }
}
