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

      Examples:
        boxjoint store backup data/ backups/2026-11-21/
        boxjoint store backup data/ small/ --compact

      The store is verified on the way. A damaged one is copied as it is, with or without \
      --compact, so that nothing is lost while it is mended.

      Exit status: 0 copied; 1 copied, and damage was found; 2 the store cannot be opened now, or the target exists; 65 it is no \
      store; 74 there is nothing, or it cannot be read or written.
      """)

  @Argument(help: ArgumentHelp("The folder of the store.", valueName: "dir"))
  var directory: String

  @Argument(help: ArgumentHelp("The folder of the copy, which is made.", valueName: "target"))
  var target: String

  @Flag(help: "Leave out free pages: smaller, and slower to write.")
  var compact = false

  @Option(help: "How to show progress.")
  var progress: ProgressChoice = .auto

  func run() throws {
    let bar = Progress(progress)
    let (size, findings) = try onExistingStore(directory) {
      var options = StoreOptions()
      options.storage.isReadOnly = true
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
      let compacting = compact && findings.isEmpty
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
