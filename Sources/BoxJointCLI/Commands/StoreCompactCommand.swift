internal import ArgumentParser
internal import BoxEngine

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// `boxjoint store compact`: rewrites a store without free pages.
struct StoreCompactCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compact",
    abstract: "Writes a store anew without its free pages.",
    discussion: """
      Nobody may have the store open, and data.mdb is no symbolic link. The new file is written beside the old one, synced and \
      renamed, so there is a whole store at every moment. With --purge, entities, properties and \
      relations that the model of the store lacks are removed for good; without it they are kept, \
      and come back with their UID.

      Examples:
        boxjoint store compact data/
        boxjoint store compact data/ --purge

      Exit status: 0 done; 2 the store is open somewhere, or data.mdb is a symbolic link; 65 it is \
      no store, or damaged; 74 there is nothing, or it cannot be read or written.
      """)

  @Argument(help: ArgumentHelp("The folder of the store.", valueName: "dir"))
  var directory: String

  @Flag(help: "Remove for good what the model of the store lacks.")
  var purge = false

  @OptionGroup var trust: StoreTrust

  @Option(help: "How to show progress.")
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
