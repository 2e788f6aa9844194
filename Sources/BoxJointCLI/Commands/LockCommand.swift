internal import ArgumentParser
internal import BoxMigration
internal import BoxReport

/// `boxjoint lock`: keeps released versions from being edited.
struct LockCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lock",
    abstract: "Keeps released versions of a model from being edited.",
    discussion: """
      Without another word, lock is lock write.

      Examples:
        boxjoint lock schemas/v1.json schemas/v2.json
        boxjoint lock v1.0:objectbox-model.json
        boxjoint lock check
      """,
    subcommands: [LockWriteCommand.self, LockCheckCommand.self],
    defaultSubcommand: LockWriteCommand.self)
}

/// `boxjoint lock write`: takes the fingerprints of versions.
struct LockWriteCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "write",
    abstract: "Takes the fingerprint of each entity of released versions.",
    discussion: """
      They go to .boxjoint-lock.json, to be committed. A version that is locked already and differs \
      is refused without --replace.

      Examples:
        boxjoint lock write schemas/v1.json schemas/v2.json
        boxjoint lock write v1.0:objectbox-model.json

      Exit status: 0 written; 1 a locked version differs; 65 a file is no model, or the lock is \
      damaged; 74 something could not be read or written.
      """)

  @Argument(help: ArgumentHelp("The versions: files, or REF:PATH.", valueName: "file"))
  var files: [String]

  @Option(help: ArgumentHelp("The file of the locks.", valueName: "path"))
  var lock = LockFile.fileName

  @Flag(help: "Take the fingerprints of versions that are locked already anew.")
  var replace = false

  func run() async throws {
    var file = try Locks.read(lock, isRequired: false)
    var isDifferent = false
    for name in files {
      let source = try await SourceReference(name).read()
      let model = try PlanSource.side(source).model
      let taken = ModelLock(of: model)
      if let position = file.versions.firstIndex(where: { $0.source == name }) {
        let found = file.versions[position].lock.differences(in: model)
        if !found.isEmpty && !replace {
          isDifferent = true
          Locks.report(found, of: name)
          continue
        }
        file.versions[position].lock = taken
      } else {
        file.versions.append(LockFile.Locked(source: name, lock: taken))
      }
    }
    if isDifferent { throw ExitStatus.findings.exitCode }
    try AtomicFile.write(Array(file.text.utf8), to: lock)
    let count = file.versions.count
    try StandardOutput.write(
      "\(lock.escapedForDisplay): \(count) version\(count == 1 ? " is" : "s are") locked\n")
  }
}

/// `boxjoint lock check`: says whether a locked version was edited.
struct LockCheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Says whether a released version was edited.",
    discussion: """
      Every version of .boxjoint-lock.json is read again and compared with its fingerprints.

      Example:
        boxjoint lock check

      Exit status: 0 all are as they were; 1 one was edited; 65 a file is no model, or the lock is \
      damaged; 74 something could not be read.
      """)

  @Option(help: ArgumentHelp("The file of the locks.", valueName: "path"))
  var lock = LockFile.fileName

  func run() async throws {
    let file = try Locks.read(lock, isRequired: true)
    var edited = 0
    for version in file.versions {
      let model = try PlanSource.side(try await SourceReference(version.source).read()).model
      let found = version.lock.differences(in: model)
      if found.isEmpty { continue }
      edited += 1
      Locks.report(found, of: version.source)
    }
    let count = file.versions.count
    let words =
      edited == 0
      ? "\(count) version\(count == 1 ? " is as it was" : "s are as they were")"
      : "\(edited) of \(count) version\(count == 1 ? "" : "s") edited"
    try StandardOutput.write("\(lock.escapedForDisplay): \(words)\n")
    if edited > 0 { throw ExitStatus.findings.exitCode }
  }
}

/// Reads and compares locks.
private enum Locks {
  static func read(_ path: String, isRequired: Bool) throws(CommandFailure) -> LockFile {
    if !isRequired, ((try? fileAttributes(at: path)) ?? nil) == nil { return LockFile() }
    let bytes = try SourceFile.read(path).bytes
    do {
      return try LockFile(parsing: bytes)
    } catch {
      throw CommandFailure(.badInput, error.message, path: path, position: error.position)
    }
  }

  static func report(_ differences: [ModelLock.Difference], of source: String) {
    for difference in differences {
      StandardError.writeLine(
        "\(source): \(difference), and the version is locked".escapedForDisplay)
    }
  }
}
