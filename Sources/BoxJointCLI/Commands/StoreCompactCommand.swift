internal import ArgumentParser
internal import BoxEngine
internal import BoxTool

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// `boxjoint store compact`: rewrites a store without free pages.
struct StoreCompactCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compact",
    abstract: "Rewrite a store without its free pages.",
    discussion: """
      No other program may have the store open, and data.mdb must not be a symbolic link. The new \
      file is written next to the old one, synced and renamed, so the store is complete at every \
      moment. --purge permanently removes entities, properties and relations that the model of the \
      store lacks. Without it they are kept, and come back with their UIDs.

      Examples:
        boxjoint store compact data/
        boxjoint store compact data/ --purge

      Exit status:
        0   compacted
        2   the store is open in a program, or data.mdb is a symbolic link
        65  not a store, or a damaged one
        74  the store does not exist, or cannot be read or written
      """)

  @Argument(help: ArgumentHelp("The directory of the store.", valueName: "dir"))
  var directory: String

  @Flag(help: "Permanently remove the data that the model of the store lacks.")
  var purge = false

  @OptionGroup var trust: StoreTrust

  @Option(help: "How to show progress on standard error.")
  var progress: ProgressChoice = .auto

  func run() throws {
    let before = size
    let bar = Progress(progress)
    let options = trust.storage(bar)
    try onExistingStore(directory) { [directory, purge] in
      defer { bar.finish() }
      try watchingSize(of: directory + "/data.mdb.new") {
        // How much is free, and is left out, is not known before.
        bar.update("writing", min($0, before), of: before, unit: "bytes")
      } work: {
        try ObjectStore.compact(directory, purge: purge, options: options)
      }
      bar.update("writing", size, of: size, unit: "bytes")
    }
    try StandardOutput.write("\(bytesText(before)) before, \(bytesText(size)) now\n")
  }

  private var size: Int {
    var attributes = stat()
    return stat(directory + "/data.mdb", &attributes) == 0 ? Int(attributes.st_size) : 0
  }
}
