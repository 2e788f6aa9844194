internal import ArgumentParser
internal import BoxEngine
internal import BoxStoreTool
internal import BoxTerminal

/// `boxjoint store backup`: copies a store while others use it.
struct StoreBackupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Copy a store to a new directory, while other programs read and write.",
    discussion: """
      The copy is one snapshot: every transaction that was committed when it began, and no part of \
      a later one. It is a store of its own. Its file has the permissions of the original, and is \
      synced before the command ends. Missing directories above the target are created. A backup \
      that fails leaves no files.

      Free pages, which hold values that were overwritten or removed, are left out. The values of \
      hidden properties and entities are copied; run 'store compact --purge' first to remove them. \
      With --pages the copy has every byte of the data file, old values too. docs/engine.md \
      describes what each kind of copy still contains.

      Examples:
        boxjoint store backup data/ backups/2026-11-21/
        boxjoint store backup data/ exact/ --pages

      The store is verified during the backup. If its objects, indexes or relations are damaged, \
      all its pages are copied, so that nothing is lost while you repair it. If its pages are \
      damaged, the store is not opened: copy its directory while no program uses it.

      Exit status:
        0   copied
        1   copied, and damage was found
        2   the store cannot be opened now, or the target exists
        64  wrong usage
        65  not a store, or its pages are damaged
        74  the store does not exist, or cannot be read or written
      """)

  @Argument(
    help: ArgumentHelp("The directory of the store.", valueName: "dir"), transform: namedPath)
  var directory: String

  @Argument(
    help: ArgumentHelp("The directory of the copy; must not exist yet.", valueName: "target"),
    transform: namedPath)
  var target: String

  @Flag(help: "Copy every page as it is, including free pages with old values.")
  var pages = false

  /// A deprecated flag that scripts still pass, as compaction has become the default.
  ///
  /// Removed in 0.3.0.
  @Flag(help: .hidden)
  var compact = false

  @OptionGroup var trust: StoreTrust

  @Option(help: "How to show progress on standard error.")
  var progress: ProgressChoice = .auto

  func validate() throws {
    if pages && compact { throw ValidationError("--pages and --compact exclude each other.") }
  }

  func run() throws {
    var backup = try StoreBackup(of: directory, to: target)
    backup.keepsFreePages = pages
    let output = try ChangeOutput()
    let result = try backup.run(trust.access, Progress(progress))
    try output.report("copied to \(target)") { () throws(CommandFailure) in
      try StandardOutput.write("copied \(bytesText(result.size)) to \(target)\n")
    }
    try endCommand(ifFindings: !result.findings.isEmpty)
  }
}
