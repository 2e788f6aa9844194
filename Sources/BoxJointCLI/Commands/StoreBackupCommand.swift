internal import ArgumentParser
internal import BoxEngine
internal import BoxStorage

/// `boxjoint store backup`: copies a store while others use it.
struct StoreBackupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Copies a store to a new folder, while others read and write.",
    discussion: """
      The copy is one snapshot: every transaction that was committed when it began, and no part of a \
      later one. It is a store of its own. Its file has the permissions of the original, and is \
      synced before the command ends. Folders above the target are made where they are missing; a \
      copy that fails leaves nothing behind.

      Free pages, which hold values that were overwritten or removed, are left out. The values of \
      hidden properties and entities are copied: 'store compact --purge' removes them first. With \
      --pages the copy holds every byte of the data file, old values too. docs/engine.md says what \
      each kind of copy still contains.

      Examples:
        boxjoint store backup data/ backups/2026-11-21/
        boxjoint store backup data/ exact/ --pages

      The store is verified on the way. One with damage in its objects, indexes or relations is \
      copied with all its pages, so that nothing is lost while it is mended. One with damaged pages \
      is not opened: copy its folder while no program uses it.

      Exit status: 0 copied; 1 copied, and damage was found; 2 the store cannot be opened now, or the \
      target exists; 64 wrong usage; 65 it is no store, or its pages are damaged; 74 there is \
      nothing, or it cannot be read or written.
      """)

  @Argument(help: ArgumentHelp("The folder of the store.", valueName: "dir"))
  var directory: String

  @Argument(help: ArgumentHelp("The folder of the copy, which is made.", valueName: "target"))
  var target: String

  @Flag(help: "Copy every page as it is, free ones with old values too.")
  var pages = false

  /// An obsolete flag that scripts still pass: compaction has become the default.
  @Flag(help: .hidden)
  var compact = false

  @OptionGroup var trust: StoreTrust

  @Option(help: "How to show progress.")
  var progress: ProgressChoice = .auto

  func validate() throws {
    if pages && compact { throw ValidationError("--pages and --compact exclude each other.") }
  }

  func run() throws {
    let bar = Progress(progress)
    let (size, findings) = try onExistingStore(directory) {
      let options = trust.options(isReadOnly: true, bar)
      let store = try ObjectStore.open(.directory(directory), options: options)
      tellWarnings(store.warnings, of: directory)
      let total = try store.status().size
      defer { bar.finish() }
      let findings = try ObjectStore.verify(
        directory, options: options,
        progress: { step, done, total in
          bar.update("checking \(step.rawValue)", done, of: total, unit: step.rawValue)
        })
      // A copy without free pages needs trees that are whole.
      let compacting = !pages && findings.isEmpty
      let backup = try StoreBackup(of: directory, to: target)
      let size = try backup.write(
        progress: { done, isComplete in
          // A copy without free pages is smaller than the store.
          bar.update("copying", done, of: isComplete ? done : max(done, total), unit: "bytes")
        },
        copying: { try store.copy(to: $0, compacting: compacting) })
      return (size, findings)
    }
    try StandardOutput.write("copied \(bytesText(size)) to \(target)\n")
    if findings.isEmpty { return }
    tellDamage(findings, of: directory)
    throw ExitStatus.findings.exitCode
  }
}
