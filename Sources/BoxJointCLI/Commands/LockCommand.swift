internal import ArgumentParser
internal import BoxMigration
internal import BoxReport
internal import BoxTool

/// `boxjoint lock`: keeps released versions from being edited.
struct LockCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lock",
    abstract: "Detect edits to released versions of a model.",
    discussion: """
      Without a subcommand, 'boxjoint lock' runs 'boxjoint lock write'.

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
    abstract: "Write a fingerprint of each entity of released versions.",
    discussion: """
      The fingerprints go to .boxjoint-lock.json at the top of the repository; commit that file. \
      Outside of a repository, the file is in the working directory. Paths in the file start from \
      its directory. If a version is already locked and differs, it is refused without --replace.

      Examples:
        boxjoint lock write schemas/v1.json schemas/v2.json
        boxjoint lock write v1.0:objectbox-model.json

      Exit status:
        0   the lock was written
        1   a locked version differs
        65  a file is not a model, or the lock is damaged
        74  something cannot be read or written
      """)

  @Argument(help: ArgumentHelp("The versions to lock: files, or REF:PATH.", valueName: "file"))
  var files: [String]

  @Option(help: ArgumentHelp("The lock file; defaults to .boxjoint-lock.json.", valueName: "path"))
  var lock: String?

  @Flag(help: "Replace the fingerprints of versions that are already locked.")
  var replace = false

  @Option(help: "The output format.")
  var format: TextOrJSON = .text

  func validate() throws {
    if files.contains("-") {
      throw ValidationError("Standard input has no name to be locked under; name a file.")
    }
  }

  func run() async throws {
    let place = await LockPlace.find(lock)
    var file = try place.file(isRequired: false)
    var report = LockReport(lock: place.path)
    for argument in files {
      let name = try await place.name(of: argument)
      try LockPlace.requireInside(name)
      let source = try await SourceReference(argument).read()
      let model = try PlanSource.side(source).model
      let taken = ModelLock(of: model)
      if let position = file.versions.firstIndex(where: { $0.source == name }) {
        let found = file.versions[position].lock.differences(in: model)
        if !found.isEmpty && !replace {
          report.add(name, .refused(found))
          continue
        }
        file.versions[position].lock = taken
      } else {
        file.versions.append(LockFile.Locked(source: name, lock: taken))
      }
      report.add(name, .locked)
    }
    let isRefused = report.hasRefusals
    if !isRefused { try AtomicFile.write(Array(file.text.utf8), to: place.path) }
    let versions = counted(file.versions.count, "version is", "versions are")
    switch format {
    case .json: try StandardOutput.write(report.json.displayText)
    case .text:
      if !isRefused {
        try StandardOutput.write(
          "\(place.path.escapedForDisplay): \(versions) locked\n")
      }
    }
    if isRefused { throw ExitStatus.findings.exitCode }
  }
}

/// `boxjoint lock check`: says whether a locked version was edited.
struct LockCheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check whether a released version was edited.",
    discussion: """
      Reads every version of .boxjoint-lock.json, at the top of the repository or in the working \
      directory. Each is compared with its fingerprints. Versions that cannot be read are listed, \
      and the others are still compared.

      A change can edit a version together with its lock. In CI, use --against to compare with the \
      fingerprints of the base. Then these are errors too: a version that the change removes from \
      the lock, other fingerprints, and a lock without versions.

      Examples:
        boxjoint lock check
        boxjoint lock check --against refs/remotes/origin/main

      Exit status:
        0   no version was edited
        1   a version was edited, or the lock of the base was
        65  a file is not a model, or the lock is damaged
        74  something cannot be read
      """)

  @Option(help: ArgumentHelp("Compare with the lock of this revision.", valueName: "ref"))
  var against: String?

  @Option(help: ArgumentHelp("The lock file; defaults to .boxjoint-lock.json.", valueName: "path"))
  var lock: String?

  @Option(help: "The output format.")
  var format: TextOrJSON = .text

  func run() async throws {
    var place = await LockPlace.find(lock)
    var locked: LockFile?
    if let against {
      (place, locked) = try await LockPlace.find(lock, in: try await ReviewBase(against))
    }
    let file = try place.file(isRequired: locked == nil)
    var report = LockReport(lock: place.path)
    var failure: CommandFailure?
    if against != nil && file.versions.isEmpty { report.add(problem: "the lock has no version") }
    let sources = file.versions.map(\.source)
    for version in locked?.versions ?? [] where !sources.contains(version.source) {
      report.add(version.source, .removed)
    }
    for version in file.versions {
      do throws(CommandFailure) {
        let model = try PlanSource.side(try await place.read(version.source)).model
        // Of a version that the base has locked, the fingerprints of the base count.
        let earlier = locked?.versions.first { $0.source == version.source }?.lock ?? version.lock
        let found = earlier.differences(in: model)
        if earlier != version.lock {
          report.add(version.source, .relocked(found))
        } else {
          report.add(version.source, found.isEmpty ? .unchanged : .edited(found))
        }
      } catch {
        report.add(version.source, .unreadable(error))
        failure = failure ?? error
      }
    }
    try StandardOutput.write(format == .text ? report.text : report.json.displayText)
    // What could not be looked at may be edited too.
    if let failure { throw failure.status.exitCode }
    if report.hasEdits { throw ExitStatus.findings.exitCode }
  }
}
