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

      Exit status: 0 copied; 2 the store cannot be opened now, or the target exists; 64 wrong usage; \
      65 it is no store; 74 there is nothing, or it cannot be read or written.
      """)

  @Argument(help: ArgumentHelp("The folder of the store.", valueName: "dir"))
  var directory: String

  @Argument(help: ArgumentHelp("The folder of the copy, which is made.", valueName: "target"))
  var target: String

  @Flag(help: "Copy every page as it is, free ones with old values too.")
  var pages = false

  /// What it named has become the default; scripts still pass it.
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
    let size = try onExistingStore(directory) {
      let store = try ObjectStore.open(
        .directory(directory), options: trust.options(isReadOnly: true, bar))
      tellWarnings(store.warnings, of: directory)
      let total = try store.status().size
      let backup = try StoreBackup(of: directory, to: target)
      defer { bar.finish() }
      return try backup.write(
        progress: { done, isComplete in
          // A copy without free pages is smaller than the store.
          bar.update("copying", done, of: isComplete ? done : max(done, total), unit: "bytes")
        },
        copying: { [pages] in try store.copy(to: $0, compacting: !pages) })
    }
    try StandardOutput.write("copied \(bytesText(size)) to \(target)\n")
  }
}
